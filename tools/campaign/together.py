"""Two runs at once, and outputs that hold something."""

import hashlib
import os
import time

from cases import R, add, base, case, scaled
from checks import leftovers, released, tree
from options import KEYFILE
from runs import argv, check_log, log_of, need, run, start, wait


# r. two runs at once into one output
def race(d, delay, samekey):
    inp, ins, o, pr, secs = base("many")
    out = d + "/out"
    k2 = d + "/key2"
    open(k2, "w").write(hashlib.sha256(b"another").hexdigest())
    os.chmod(k2, 0o600)
    cmds = [argv(inp, out), argv(inp, out, key="file:" + (KEYFILE if samekey else k2))]
    for i in (0, 1):
        os.makedirs(f"{d}/{i}")
    p = start(cmds[0], d + "/0")
    time.sleep(delay * secs)
    q = start(cmds[1], d + "/1")
    rcs = [wait(p), wait(q)]
    for i in (0, 1):
        check_log(log_of(f"{d}/{i}"))
    if os.path.exists(out + "/_SUCCESS"):
        m, files, _ = released(out)  # digests agree with the files
        ref = d + "/ref"
        os.makedirs(ref)
        r = run([w.replace(out, ref + "/out") for w in cmds[1]], ref)
        need(r.rc == 0, "reference")
        a, one, two = tree(out), o, tree(ref + "/out")
        need(
            a == one or a == two,
            f"the output of two runs at once is a mixture, exit codes {rcs}: "
            + str(sorted(set(a.items()) ^ set(one.items()))[:3]),
        )
        need(not (rcs == [0, 0] and not samekey), "both runs of different keys report success")
        leftovers(out, out + "-private")
        f1 = {k: v for k, v in tree(out + "-private").items() if k.startswith("findings/")}
        need(
            f1 in [{k: v for k, v in x.items() if k.startswith("findings/")} for x in (pr, tree(ref + "/out-private"))],
            "findings are a mixture",
        )
    else:
        need(0 not in rcs, f"no _SUCCESS, but exit codes {rcs}")


for i in range(scaled(12)):
    add("r", f"two keys, one output #{i}", race, R.choice([0, 0, 0.02, 0.05, 0.1, 0.2]), False)
for i in range(scaled(6)):
    add("r", f"the same run twice at once #{i}", race, R.choice([0, 0, 0.02, 0.1, 0.3]), True)


@case("r", "finished output is not overwritten")
def _(d):
    inp, ins, *_ = base("small")
    run(argv(inp, d + "/out"), d)
    a = tree(d + "/out")
    r = run(argv(inp, d + "/out"), d)
    need(r.rc and "not empty" in r.log and tree(d + "/out") == a, "overwritten")


for what in (
    "file",
    "dir/file",
    ".hidden",
    "_SUCCESS",
    "notes/x.parquet",
    ".x.palimpsest-tmp",
    "_temporary/mine",
    "emptydir/",
):

    def occupied(d, what=what, side="out"):
        inp, ins, *_ = base("small")
        f = d + "/" + side + "/" + what
        os.makedirs(os.path.dirname(f), exist_ok=True)
        os.chmod(d + "/" + side, 0o700)
        if not what.endswith("/"):
            open(f, "w").write("mine")
        r = run(argv(inp, d + "/out"), d)
        if what.endswith("/"):
            need(r.rc == 0, r.log)
            return
        need(
            os.path.exists(f) and open(f).read() == "mine",
            f"somebody else's {side}/{what} was removed or overwritten (exit {r.rc})",
        )

    add("r", f"output holds {what}", occupied)
    add("r", f"private holds {what}", occupied, side="out-private")
