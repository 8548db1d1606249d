"""The table of counts in docs/reliability.md."""

import re

from options import A

CLASSES = {
    "a": "the job killed (SIGKILL, SIGTERM, SIGINT) at a random time, and run again: every byte and mode compared",
    "k": "killed, or given an error, at the n-th renameat2, fsync, unlinkat, mkdirat, openat, pread64 or fstat, "
    "and run again",
    "b": "full disks, no inodes, limits of files and memory, permissions, input that changes while the job reads it",
    "r": "two runs at once into one output, and outputs that hold something",
    "c": "Parquet of many writers, odd files, junk, mutants: refused, or what pyarrow reads",
    "d": "notes, ids and tables of known identifiers that are meant to hurt",
    "e": "the same bytes whatever the threads, batches, places, order and cuts of the input",
    "f": "keys, logs, core dumps, permissions, links, ports, names of files and settings",
    "g": "originals in released bytes, statistics, indexes and dictionaries",
    "p": "kills, crashes and determinism once more, on Prism",
    "s": "everything in emulated Cloud Storage or S3 whose requests fail, and kills there",
    "x": "Flink: workers and launchers killed, the job cancelled, two at once",
}


def write(page, results, seconds):
    """Replaces the table's rows of the classes that ran, between the page's marks."""
    with open(page) as f:
        text = f.read()
    before, rest = text.split("<!-- counts -->\n", 1)
    old, after = rest.split("<!-- end -->", 1)
    rows = {m[1]: m[0] for m in re.finditer(r"^\| ([a-z]) \|.*$", old, re.M)}
    for c, what in CLASSES.items():
        mine = [r for r in results if r["cls"] == c]
        if mine:
            rows[c] = f"| {c} | {what} | {len(mine):,} | {sum(not r['ok'] for r in mine)} | {A.seed} |"
    lines = ["| class | what was done | cases | failed | seed |", "|---|---|--:|--:|--:|"]
    lines += [rows[c] for c in CLASSES if c in rows]
    cells = [row.split("|") for row in lines[2:]]
    total = sum(int(c[3].replace(",", "")) for c in cells)
    failed = sum(int(c[4].replace(",", "")) for c in cells)
    lines.append(f"| | **all** | **{total:,}** | **{failed}** | |")
    with open(page, "w") as f:
        f.write(before + "<!-- counts -->\n" + "\n".join(lines) + "\n<!-- end -->" + after)
