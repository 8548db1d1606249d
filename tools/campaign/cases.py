"""The register of cases, and inputs with their clean results that cases share."""

import os
import random
import shutil
import threading

import pyarrow as pa
import pyarrow.parquet as pq

from checks import correct, leftovers, tree
from notes import notes
from options import WORK, A
from runs import argv, need, run

CASES = []  # class, name, function of a folder


def case(cls, name):
    def deco(f):
        CASES.append((cls, name, f))
        return f

    return deco


def add(cls, name, f, *a, **k):
    CASES.append((cls, name, lambda d: f(d, *a, **k)))


R = random.Random(A.seed)


def scaled(n):
    return max(1, int(n * A.scale))


def put(d, table, name="in.parquet", **kw):
    f = os.path.join(d, name)
    os.makedirs(os.path.dirname(f), exist_ok=True)
    pq.write_table(table, f, **kw)
    return f


# shared inputs with their clean results
BASE = {}


def base(kind):
    with LOCK_BASE:
        if kind not in BASE:
            d = os.path.join(WORK, "base-" + kind)
            shutil.rmtree(d, ignore_errors=True)
            os.makedirs(d)
            if kind == "small":
                ins = [
                    put(d, notes(40), "i/a.parquet", row_group_size=10),
                    put(d, notes(30, 40), "i/b.parquet", row_group_size=30),
                ]
            if kind == "many":
                ins = [
                    put(
                        d,
                        notes(6, 6 * k, blob=200_000, seed=k),
                        f"i/f{k:02d}.parquet",
                        row_group_size=6,
                        compression="none",
                    )
                    for k in range(10)
                ]
            if kind == "bad":  # with quarantined rows
                t = notes(40)
                ids = t["note_id"].to_pylist()
                ids[3] = None
                ids[9] = ids[8]
                t = t.set_column(1, "note_id", pa.array(ids))
                ins = [put(d, t, "i/a.parquet", row_group_size=10)]
            r = run(argv(os.path.join(d, "i"), os.path.join(d, "out")), d)
            need(r.rc == 0, "the clean run fails: " + r.log)
            correct(ins, os.path.join(d, "out"), expect_q=None)
            BASE[kind] = (
                os.path.join(d, "i"),
                ins,
                tree(os.path.join(d, "out")),
                tree(os.path.join(d, "out-private")),
                r.secs,
            )
        return BASE[kind]


LOCK_BASE = threading.RLock()


def same_as_clean(kind, out):
    _, ins, o, p, _ = base(kind)
    a, b = tree(out), tree(out + "-private")
    leftovers(out, out + "-private")

    def strip(t):
        return {k: v for k, v in t.items() if k not in ("inputs.json", "run.json")}

    need(a == o, "output differs from a clean run: " + str(sorted(set(a.items()) ^ set(o.items()))[:4]))
    need(
        strip(b) == strip(p),
        "private differs from a clean run: " + str(sorted(set(strip(b).items()) ^ set(strip(p).items()))[:4]),
    )
