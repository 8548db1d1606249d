"""Full disks, limits, permissions, and input that changes under a run."""

import glob
import os
import random
import shutil
import subprocess
import time

import pyarrow as pa
import pyarrow.parquet as pq

from cases import R, add, base, case, put, same_as_clean, scaled
from checks import correct, refused, released, tree
from notes import CANARY, CENSUS, notes
from options import BIN, FAST, KEY, KEYFILE, REFUSED
from runs import argv, check_log, log_of, need, run, start, wait


# b. resources, changing input
def mounted(d, size, sub, opts=""):
    m = os.path.join(d, sub)
    os.makedirs(m)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}{opts}", "none", m], check=True)
    return m


def umount(m):
    subprocess.run(["umount", "-l", m])


def disk_full(d, kind, size, both):
    inp, ins, o, pr, _ = base(kind)
    m = mounted(d, size, "m")
    try:
        out = os.path.join(m, "out")
        extra = [] if both else ["--private", os.path.join(d, "priv")]
        r = run(argv(inp, out, extra), d)
        if r.rc == 0:
            correct(ins, out, None if both else os.path.join(d, "priv"))
            return
        refused(d, out)
        need("space" in r.log or "no space" in r.log.lower(), "message does not speak of space: " + r.log[-300:])
        subprocess.run(["mount", "-o", "remount,size=64m", m], check=True)
        r = run(argv(inp, out, extra), d)
        need(r.rc == 0, "re-run with space fails: " + r.log[-300:])
        a = tree(out)
        need(a == o, "re-run after a full disk differs: " + str(sorted(set(a.items()) ^ set(o.items()))[:3]))
    finally:
        umount(m)


for size in ["4k", "8k", "16k", "24k", "32k", "40k", "48k", "64k", "80k", "96k", "128k"]:
    add("b", f"disk of {size}", disk_full, "small", size, True)
for size in ["100k", "1m", "2m", "4m", "8m", "11m"]:
    add("b", f"disk of {size}, many files", disk_full, "many", size, True)
for size in ["8k", "24k", "48k"]:
    add("b", f"disk of {size}, private elsewhere", disk_full, "small", size, False)


def private_full(d, size):
    inp, ins, o, pr, _ = base("bad")
    m = mounted(d, size, "m")
    try:
        out = os.path.join(d, "out")
        r = run(argv(inp, out, ["--private", os.path.join(m, "p")]), d)
        if r.rc:
            refused(d, out)
        else:
            correct(ins, out, os.path.join(m, "p"))
    finally:
        umount(m)


for size in ["4k", "8k", "12k", "16k", "24k", "32k"]:
    add("b", f"private disk of {size}", private_full, size)


def inodes(d, n):
    inp, ins, o, pr, _ = base("many")
    m = mounted(d, "64m", "m", f",nr_inodes={n}")
    try:
        out = os.path.join(m, "out")
        r = run(argv(inp, out), d)
        if r.rc:
            refused(d, out)
        else:
            correct(ins, out)
    finally:
        umount(m)


for n in (3, 8, 20, 45, 60):
    add("b", f"{n} inodes", inodes, n)


@case("b", "output on a read-only file system")
def _(d):
    inp, *_ = base("small")
    m = mounted(d, "1m", "m")
    subprocess.run(["mount", "-o", "remount,ro", m], check=True)
    try:
        r = run(argv(inp, os.path.join(m, "out")), d)
        need(r.rc in REFUSED and "read-only" in r.log, r.log[-300:])
    finally:
        umount(m)


def nobody(d):
    os.chmod(d, 0o777)
    os.makedirs(os.path.join(d, "tmp"), exist_ok=True)
    os.chmod(os.path.join(d, "tmp"), 0o777)
    k = os.path.join(d, "key")
    open(k, "w").write(KEY)
    os.chmod(k, 0o600)
    os.chown(k, 65534, 65534)
    open(os.path.join(d, "log"), "w").close()
    return dict(user=65534, group=65534, extra_groups=[]), "file:" + k


@case("b", "output below a folder of another user")
def _(d):
    inp, *_ = base("small")
    who, key = nobody(d)
    os.makedirs(d + "/o", 0o755)
    r = run(argv(inp, d + "/o/out", key=key), d, **who)
    need(r.rc in REFUSED and "permission denied" in r.log, r.log[-300:])


@case("b", "input that may not be read")
def _(d):
    who, key = nobody(d)
    f = put(d, notes(5))
    os.chmod(f, 0)
    r = run(argv(f, d + "/out", key=key), d, **who)
    need(r.rc in REFUSED and "permission denied" in r.log, r.log[-300:])
    refused(d, d + "/out")


@case("b", "one unreadable folder among the inputs")
def _(d):
    who, key = nobody(d)
    put(d, notes(5), "i/a.parquet")
    put(d, notes(5, 5), "i/x/b.parquet")
    os.chmod(d + "/i/x", 0)
    r = run(argv(d + "/i", d + "/out", key=key), d, **who)
    need(r.rc in REFUSED, "rows went missing in silence")
    refused(d, d + "/out")


@case("b", "key that may not be read")
def _(d):
    who, key = nobody(d)
    os.chmod(d + "/key", 0)
    inp, *_ = base("small")
    r = run(argv(inp, d + "/out", key=key), d, **who)
    need(r.rc in REFUSED, "ran")
    refused(d, d + "/out")


@case("b", "TMPDIR does not exist")
def _(d):
    inp, ins, *_ = base("small")
    r = run(argv(inp, d + "/out"), d, env={"TMPDIR": "/nonexistent"})
    r.rc == 0 and correct(ins, d + "/out") or refused(d, d + "/out")


@case("b", "TMPDIR is full")
def _(d):
    inp, ins, *_ = base("small")
    m = mounted(d, "4k", "m")
    open(m + "/x", "wb").write(b"x" * 4096)
    try:
        r = run(argv(inp, d + "/out"), d, env={"TMPDIR": m})
        need(r.rc == 0, r.log)
        correct(ins, d + "/out")
    finally:
        umount(m)


@case("b", "TMPDIR without inodes")
def _(d):
    inp, ins, *_ = base("small")
    m = mounted(d, "1m", "m", ",nr_inodes=1")
    try:
        r = run(argv(inp, d + "/out"), d, env={"TMPDIR": m})
        r.rc == 0 and correct(ins, d + "/out") or refused(d, d + "/out")
    finally:
        umount(m)


@case("b", "TMPDIR is left as it was")
def _(d):
    inp, ins, *_ = base("small")
    run(argv(inp, d + "/out"), d)
    need(not os.listdir(d + "/tmp"), "left in TMPDIR: " + str(os.listdir(d + "/tmp")))


def limits(d, kind, flags):
    inp, ins, *_ = base(kind)
    r = run(["bash", "-c", f'ulimit {flags}; exec "$@"', "x"] + argv(inp, d + "/out"), d, crash=False)
    if r.rc == 0:
        correct(ins, d + "/out")
    else:
        refused(d, d + "/out")
        need(len(r.log) < 5000 and "goroutine" not in r.log, "crash trace instead of a message: " + r.log[:300])


for n in (8, 12, 16, 20, 24, 28, 32, 40, 64):
    add("b", f"ulimit -n {n}", limits, "many", f"-n {n}")
for f in (4, 16, 40, 100):
    add("b", f"ulimit -f {f}", limits, "small", f"-f {f}")


def memory(d, flags):
    "too little memory: any end will do, but no output and no text in the trace"
    inp, ins, *_ = base("small")
    open(d + "/log", "wb").close()
    p = start(["bash", "-c", f'ulimit {flags}; exec "$@"', "x"] + argv(inp, d + "/out"), d)
    rc = wait(p)
    log = log_of(d)
    need(KEY.encode() not in log, "key in the crash trace")
    for c in CANARY:
        need(c.encode() not in log, f"{c} in the crash trace")
    if rc == 0:
        correct(ins, d + "/out")
    else:
        refused(d, d + "/out")
        r = run(argv(inp, d + "/out"), d)
        need(r.rc == 0, "re-run")
        same_as_clean("small", d + "/out")


for v in (200_000, 600_000, 1_000_000, 1_600_000, 2_200_000):
    add("b", f"ulimit -v {v}", memory, f"-v {v}")
for u in (5, 12):
    add("b", f"GOMEMLIMIT and stack {u}", memory, f"-s {u * 64}")


def mutate(d, how, frac, kind="many"):
    inp, ins, o, pr, secs = base(kind)
    src = d + "/i"
    shutil.copytree(inp, src)
    fs = sorted(glob.glob(src + "/*"))
    victim = fs[R2(d).randrange(len(fs))]
    st = os.stat(victim)
    out = d + "/out"
    p = start(argv(src, out), d)
    time.sleep(frac * secs)
    other = notes(6, 900, blob=200_000, seed=99)
    if how == "truncate":
        os.truncate(victim, st.st_size // 2)
    if how == "append":
        open(victim, "ab").write(b"x" * 100)
    if how == "delete":
        os.remove(victim)
    if how == "replace":
        put(d, other, "new.parquet", compression="none")
        os.rename(d + "/new.parquet", victim)
    if how == "rewrite":
        put(d, other, "new.parquet", compression="none")
        shutil.copyfile(d + "/new.parquet", victim)
    if how == "touch":
        os.utime(victim)
    if how == "flip":
        with open(victim, "r+b") as f:
            f.seek(st.st_size // 2)
            f.write(b"\0\0\0\0")
    if how == "add":
        put(d, other, "i/zz.parquet", compression="none")
    if how == "rmout":
        shutil.rmtree(out, ignore_errors=True)
    if how == "rmpriv":
        shutil.rmtree(out + "-private", ignore_errors=True)
    if how == "rmcensus":
        pass
    rc = wait(p)
    log = log_of(d)
    check_log(log)
    if rc == 0 and how == "rmout" and not os.path.exists(out + "/_SUCCESS"):
        return "removed as the job ended"  # _SUCCESS is written last: whoever has it has all
    if rc == 0:
        m, files, q = released(out)
        t = tree(out)
        if how in ("replace", "rewrite", "add"):  # all of the old or all of the new
            got = [f.read() for f in files]
            rows = sum(len(x) for x in got)
            need(rows + q == m_rows(m), "rows")
            for x in got:
                s = repr(x["text"].to_pylist())
                for c in CANARY[:8]:
                    need(c not in s, f"{c} released")
        elif how in ("rmout", "rmpriv"):
            need(
                {k for k in t} == {k for k in o},
                "exit 0, but output files are missing: " + str(sorted(set(o) - set(t))[:3]),
            )
        elif how == "flip" and t == o:
            pass  # changed when all of it had been read
        elif how == "flip":  # changed before it was opened: all of it is the new file
            got = [f.read() for f in files if f.read()["n"].to_pylist() == pq.read_table(victim)["n"].to_pylist()]
            need(
                len(got) == 1 and got[0]["blob"].equals(pq.read_table(victim)["blob"]),
                "exit 0 with a mixture of the old and the new file",
            )
        elif how == "delete" and m_rows(m) == 54:
            need(sum(x.metadata.num_rows for x in files) + q == 54, "rows")  # deleted before it was listed
        else:
            need(t == o, "exit 0 with another result")
    else:
        need(not os.path.exists(out + "/_SUCCESS"), "_SUCCESS and an error")
        need(b"palimpsest: " in log, "no message")
        if how in ("rmout", "rmpriv"):
            r = run(argv(src, out), d)
            need(r.rc == 0, "re-run: " + r.log[-300:])
            same_as_clean(kind, out)


def m_rows(m):
    return sum(i["rows"] for i in m["inputs"])


def R2(d):
    return random.Random(os.path.basename(d))


for how in ("truncate", "append", "delete", "replace", "rewrite", "touch", "flip", "add", "rmout", "rmpriv"):
    for i in range(scaled(4)):
        add("b", f"input {how} while running #{i}", mutate, how, R.uniform(0.2, 1.0))


@case("b", "text changed in place between the passes, size and mtime restored")
def _(d):
    # 60 notes of which each has a name in another place after the change
    pad = " The abdomen is soft and not tender, bowel sounds are present. " * 3

    def table(first):
        return pa.table(
            {
                "n": list(range(300)),
                "note_id": [f"d{i:04d}" for i in range(300)],
                "patient_id": [f"p{i:03d}" for i in range(300)],
                "text": [
                    ("Patient: Zebulon Quackenbush." + pad if first else pad + "Patient: Zebulon Quackenbush.")
                    + f" BP {i:03d}."
                    for i in range(300)
                ],
            }
        )

    a = put(d, table(True), "in.parquet", compression="none", use_dictionary=False)
    b = put(d, table(False), "new.parquet", compression="none", use_dictionary=False)
    need(os.path.getsize(a) == os.path.getsize(b), "sizes")
    st = os.stat(a)
    raw = open(b, "rb").read()
    worst = None
    for k in range(8):
        out = f"{d}/out{k}"
        open(a, "r+b").write(open(a, "rb").read())
        pq.write_table(table(True), a, compression="none", use_dictionary=False)
        st = os.stat(a)
        p = start(argv(a, out, census=False, dates=False), d)
        time.sleep(0.5 + 0.2 * k)
        with open(a, "r+b") as f:
            f.write(raw)
        os.utime(a, ns=(st.st_atime_ns, st.st_mtime_ns))
        rc = wait(p)
        if rc == 0:
            s = released(out)[1][0].read()["text"].to_pylist()
            n = sum("Quackenbush" in x for x in s)
            if n:
                worst = f"{n} of 300 notes released with the name in clear (delay {0.5 + 0.2 * k:.1f} s)"
    need(not worst, worst)


@case("b", "census replaced while running")
def _(d):
    inp, ins, o, pr, secs = base("small")
    c = d + "/c.parquet"
    for k in range(5):
        shutil.copyfile(CENSUS, c)
        out = f"{d}/out{k}"
        p = start(
            [
                BIN,
                "--input",
                inp,
                "--output",
                out,
                "--private",
                out + "-private",
                "--private_beside_output",
                "--key",
                "file:" + KEYFILE,
                "--model",
                FAST,
                "--identifiers",
                c,
                "--date_columns",
                "note_date",
                "--keep_metadata",
                "site",
            ],
            d,
        )
        time.sleep(secs * (0.2 + 0.15 * k))
        pq.write_table(pa.table({"patient_id": ["x"], "given_name": ["Nemo"]}), d + "/c2.parquet")
        os.rename(d + "/c2.parquet", c)
        if wait(p) == 0:
            t = tree(out)
            need(
                {k: v for k, v in t.items() if k.startswith("notes")}
                == {k: v for k, v in o.items() if k.startswith("notes")},
                f"exit 0 with a census that was swapped while running (at {0.2 + 0.15 * k:.2f} of the run)",
            )
