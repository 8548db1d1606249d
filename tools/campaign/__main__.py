"""Runs the campaign: python3 tools/campaign BINARY FOLDER [--help]."""

import concurrent.futures
import json
import os
import re
import shutil
import sys
import threading
import time
import traceback

import on_flink
import table
from cases import CASES, base
from options import WORK, A
from runs import Bad

# Each registers its cases as it is read. Random ones draw from one source, so
# their order here is part of what a seed stands for.
for module in "kills resources together tables poison determinism secrecy leaks on_prism cloud on_flink".split():
    __import__(module)

RESULTS = os.path.join(WORK, "results.jsonl")
lock = threading.Lock()


def do(number):
    """Runs a case in a folder of its own, which stays if it fails."""
    cls, name, f = CASES[number]
    d = os.path.join(WORK, "cases", f"{cls}{number:04d}")
    shutil.rmtree(d, ignore_errors=True)
    os.makedirs(d)
    started, note = time.time(), None
    try:
        note = f(d)
        ok = True
    except Bad as e:
        ok, note = False, str(e)[:1500]
    except Exception:
        ok, note = False, "the case itself failed: " + traceback.format_exc()[-900:]
    note = note if isinstance(note, str) else None
    result = dict(cls=cls, name=name, ok=ok, note=note, secs=round(time.time() - started, 2), dir=d)
    with lock:
        with open(RESULTS, "a") as f:
            f.write(json.dumps(result) + "\n")
        if not ok:
            print(f"FAIL {cls} {name}: {note[:400]}", flush=True)
    if ok and not A.keep:
        shutil.rmtree(d, ignore_errors=True)
    return result


def main():
    only = A.only.split(",") if A.only else [c for c in table.CLASSES if c != "x"]
    todo = [i for i, c in enumerate(CASES) if c[0] in only and re.search(A.match, c[1])]
    before = {}
    if A.again:
        with open(RESULTS) as f:
            before = {(r["cls"], r["name"]): r for r in map(json.loads, f)}
        todo = [i for i in todo if not before.get(CASES[i][:2], {"ok": False})["ok"]]
    os.nice(10)
    started = time.time()
    for kind in ("small", "many", "bad"):
        base(kind)
    print(f"{len(todo)} cases, seed {A.seed}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(1 if only == ["x"] else A.jobs) as pool:
        results = list(pool.map(do, todo))
    on_flink.stop()
    failed = sum(not r["ok"] for r in results)
    print(f"{len(results) - failed} passed, {failed} failed, {time.time() - started:.0f} s")
    results = list({**before, **{(r["cls"], r["name"]): r for r in results}}.values())
    if A.table:
        table.write(A.table, results, time.time() - started)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
