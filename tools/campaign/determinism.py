"""The same bytes under other settings, machines and cuts of the input."""

import glob
import hashlib
import os
import shutil

import pyarrow as pa
import pyarrow.parquet as pq

from cases import add, base, put
from checks import released, tree
from notes import notes
from options import WORK
from runs import argv, need, run


# e. determinism
def rows_digest(out):
    return hashlib.sha256(
        repr(sorted(map(repr, pa.concat_tables([f.read() for f in released(out)[1]]).to_pylist()))).encode()
    ).hexdigest()


def notes_tree(t):
    return {k: v for k, v in t.items() if k.startswith("notes/")}


def det(d, kind, extra, env, exact=True):
    inp, ins, o, pr, _ = base(kind)
    r = run(argv(inp, d + "/out", extra), d, env=env)
    need(r.rc == 0, r.log)
    if exact:
        need(notes_tree(tree(d + "/out")) == notes_tree(o), f"other bytes with {extra} {env}")
    else:
        need(rows_digest(d + "/out") == rows_digest(os.path.dirname(inp) + "/out"), f"other rows with {extra}")
    f1 = [
        pq.read_table(f).to_pylist()
        for f in sorted(glob.glob(d + "/out-private/findings/**/*.parquet", recursive=True))
    ]
    f0 = [
        pq.read_table(f).to_pylist()
        for f in sorted(glob.glob(os.path.dirname(inp) + "/out-private/findings/**/*.parquet", recursive=True))
    ]
    need(sum(f1, []) == sum(f0, []), "other findings")


for kind in ("small", "many", "bad"):
    for extra in (
        ["--workers", "1"],
        ["--workers", "2"],
        ["--workers", "7"],
        ["--workers", "64"],
        ["--batch_kb", "1"],
        ["--batch_kb", "3", "--workers", "5"],
        ["--buckets", "1"],
        ["--buckets", "3"],
        ["--buckets", "1000"],
        ["--positions", "64"],
        ["--positions", "5000"],
    ):
        add("e", f"{kind} {' '.join(extra)}", det, kind, extra, {})
    for env in (
        {"GOMAXPROCS": "1"},
        {"GOMAXPROCS": "16"},
        {"GOGC": "10"},
        {"TZ": "Asia/Tokyo", "LANG": "tr_TR.UTF-8"},
        {"OMP_NUM_THREADS": "3"},
    ):
        add("e", f"{kind} {env}", det, kind, [], env)
add("e", "many --shard_mb 1", det, "many", ["--shard_mb", "1"], {}, False)
for form in (
    "glob",
    "relative",
    "symlink to folder",
    "symlinks to files",
    "list",
    "reversed list",
    "copied, other mtime",
    "other output name",
):

    def forms(d, form=form):
        inp, ins, o, pr, _ = base("small")
        ins = sorted(ins)
        a = inp
        if form == "glob":
            a = inp + "/*.parquet"
        if form == "relative":
            a = os.path.relpath(inp, d)
        if form == "symlink to folder":
            os.symlink(inp, d + "/l")
            a = d + "/l"
        if form == "symlinks to files":
            os.makedirs(d + "/s")
            [os.symlink(f, d + "/s/" + os.path.basename(f)) for f in ins]
            a = d + "/s"
        if form == "list":
            a = ",".join(ins)
        if form == "reversed list":
            a = ",".join(reversed(ins))
        if form.startswith("copied"):
            shutil.copytree(inp, d + "/c", copy_function=shutil.copyfile)
            a = d + "/c"
        out = d + ("/another" if form.startswith("other") else "/out")
        r = run(argv(a, out), d)
        need(r.rc == 0, r.log)
        need(notes_tree(tree(out)) == notes_tree(o), "other bytes with " + form)

    add("e", "input as " + form, forms)


def same_rows_split(d, size):
    "one table cut into files and row groups in another way gives the same rows"
    t = notes(70)
    f = put(d, t, "i/x.parquet", row_group_size=size)
    r = run(argv(f, d + "/out"), d)
    need(r.rc == 0, r.log)
    base("small")
    need(rows_digest(d + "/out") == rows_digest(WORK + "/base-small/out"), "other rows")


for s in (1, 7, 70):
    add("e", f"row groups of {s}", same_rows_split, s)
for i in range(3):
    add("e", f"the same again {i}", det, ["small", "many", "bad"][i], [], {})
