"""Runs the job and systems that the registries hold over the same held-out notes,
each in a process of its own on one core, and writes docs/peers.md. See `make peers`.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HELD_OUT = ROOT / "examples" / "heldout"

PEERS = {
    "presidio": ("Presidio {v}, patterns alone", "presidio-analyzer"),
    "scrubadub": ("scrubadub {v}", "scrubadub"),
    "philter": ("Philter {v}, with other parts of speech", "philter-ucsf"),
    "encoder": ("an encoder of BERT-base's size, random weights, ONNX Runtime {v}", "onnxruntime"),
}
OURS = {"en-clinical": "this job", "en-clinical-fast": "this job, `--model en-clinical-fast`"}


def measured(command, **how):
    """Runs a command on one core; returns its output, CPU seconds and peak MiB."""
    core = min(os.sched_getaffinity(0))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.sched_setaffinity(0, {core}), **how)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command[0]} {command[1]}: exit status {process.returncode}")
    return out, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def held(out):
    return out.with_name(out.name + "-held")


def job(binary, model, notes, out, *more):
    environment = {**os.environ, "PEERS_KEY": "a key to measure with, " * 2, "GOMAXPROCS": "1"}
    command = [binary, "--config", out.parent / "job.yaml", "--input", notes, "--model", model, "--output", out, "--private", held(out),
               "--workers", "1", "--execution_provider", "cpu", *more]
    _, seconds, peak = measured([str(c) for c in command], env=environment, stderr=subprocess.DEVNULL)
    return seconds, peak


def scored(binary, gold, notes, system, work):
    """Returns recall and precision of the binary tokens, by palimpsest evaluate."""
    subprocess.run([binary, "evaluate", "--gold", gold, "--notes", notes, "--system", system, "--bootstrap", "0",
                    "--csv", work / "scores.csv"], check=True, stdout=subprocess.DEVNULL)
    with (work / "scores.csv").open() as f:
        of = {(r["metric"], r["subset"], r["label"], r["measure"]): float(r["value"]) for r in csv.DictReader(f)}
    return of["binary token", "all", "", "recall"], of["binary token", "all", "", "precision"]


def sample(count, work):
    """Writes every n-th of the held-out notes, with its gold spans."""
    notes, gold = pq.read_table(HELD_OUT / "notes.parquet"), pq.read_table(HELD_OUT / "gold.parquet")
    rows = [i * notes.num_rows // count for i in range(count)]
    notes = notes.take(rows)
    ids = pa.array(notes["note_id"].to_pylist()).cast(gold.schema.field("document_id").type)
    gold = gold.filter(pa.compute.is_in(gold["document_id"], value_set=ids))
    pq.write_table(notes, work / "notes.parquet")
    pq.write_table(gold, work / "gold.parquet")
    with (work / "notes.jsonl").open("w", encoding="utf-8") as f:
        for note, text in zip(ids.to_pylist(), notes["text"].to_pylist(), strict=True):
            f.write(json.dumps({"id": note, "text": text}) + "\n")
    return gold.schema.field("document_id").type


def peer(name, notes, work):
    """Runs a peer; returns CPU seconds before the first note and all, and peak MiB."""
    out, seconds, peak = measured([sys.executable, "-W", "ignore", str(HERE / "systems.py"), name, str(notes), str(work / f"{name}.jsonl")],
                                  stderr=subprocess.DEVNULL)
    start = next(float(line.split()[1]) for line in out.splitlines() if line.startswith("ready "))
    return start, seconds, peak


def table_of(spans, target, ids):
    """Writes a peer's spans as a table that palimpsest evaluate reads."""
    rows = [(r["id"], s, e) for r in map(json.loads, spans.read_text().splitlines()) for s, e in r["spans"] if e > s]
    documents, starts, ends = zip(*rows, strict=True) if rows else ((), (), ())
    pq.write_table(pa.table({
        "document_id": pa.array(documents, ids), "text_column": pa.array(["text"] * len(rows), pa.string()),
        "start": pa.array(starts, pa.int32()), "end": pa.array(ends, pa.int32()), "type": pa.array(["PATIENT"] * len(rows), pa.string()),
    }), target)


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("binary", type=Path)
    flags.add_argument("work", type=Path)
    flags.add_argument("--notes", type=int, default=96, help="so many of the 480 held-out notes, evenly taken")
    flags.add_argument("--encoder_notes", type=int, default=12, help="so many of these for the encoder, which only costs")
    flags.add_argument("--table", type=Path, help="put the table into this Markdown file, between its marks")
    o = flags.parse_args()
    binary, work = o.binary.resolve(), o.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True, mode=0o700)
    ids = sample(o.notes, work)
    settings = [line for line in (HELD_OUT / "config.yaml").read_text().splitlines(keepends=True)
                if not line.startswith(("input:", "identifiers:", "private:", "key:"))]
    (work / "job.yaml").write_text("".join(settings) + "key: env:PEERS_KEY\n")
    began, rows = time.time(), []
    for model, title in OURS.items():
        start, _ = job(binary, model, work / "notes.parquet", work / f"{model}-start", "--limit", "1")
        seconds, peak = job(binary, model, work / "notes.parquet", work / model)
        rows.append((title, start, (seconds - start) * 1000 / (o.notes - 1), peak, scored(binary, work / "gold.parquet", work / "notes.parquet",
                                                                                     held(work / model), work)))
    lines = (work / "notes.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    few = lines[:: max(1, len(lines) // o.encoder_notes)][: o.encoder_notes]
    (work / "few.jsonl").write_text("".join(few), encoding="utf-8")
    for name, (title, package) in PEERS.items():
        costs = name == "encoder"
        count = len(few) if costs else o.notes
        start, seconds, peak = peer(name, work / ("few.jsonl" if costs else "notes.jsonl"), work)
        scores = None
        if not costs:
            table_of(work / f"{name}.jsonl", work / f"{name}.parquet", ids)
            scores = scored(binary, work / "gold.parquet", work / "notes.parquet", work / f"{name}.parquet", work)
        rows.append((title.format(v=version(package)), start, (seconds - start) * 1000 / count, peak, scores))
        print(f"{name}: {seconds:.1f} CPU s, {time.time() - began:.0f} s since the start", file=sys.stderr)
    text = table(rows)
    print(text)
    if o.table:
        before, rest = o.table.read_text().split("<!-- table -->\n")
        _, after = rest.split("<!-- end -->")
        o.table.write_text(f"{before}<!-- table -->\n{text}<!-- end -->{after}")


def table(rows):
    out = "| system | CPU seconds for 1,000 notes | beside the job | CPU seconds to start | peak MiB | tokens of PHI found | right, of what was taken |\n"
    out += "|---|--:|--:|--:|--:|--:|--:|\n"
    job_took = rows[0][2]
    for title, start, per, peak, scores in rows:
        recall, precision = ("–", "–") if scores is None else (f"{100 * v:.1f} %" for v in scores)
        out += f"| {title} | {per:,.1f} | {per / job_took:.1f} | {start:.1f} | {peak:,.0f} | {recall} | {precision} |\n"
    return out


if __name__ == "__main__":
    main()
