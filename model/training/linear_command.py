"""python -m training linear: trains a feature CRF or a token SVM and writes its directory."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .card import load_profile
from .corpus import read
from .disclosure import disclosure
from .linear import (
    FEATURES_VERSION,
    Features,
    Sentence,
    Table,
    check_table,
    sentences,
    train_crf,
    write_table,
)
from .linear_svm import train_svm
from .material import Material
from .notes import Note, read_jsonl, spread, write_jsonl
from .recipe import Recipe
from .score import Scorer
from .tools import call
from .windows import WINDOW_TOKENS, tokenize

Log = Callable[[str], None]


def make_linear(recipe: Recipe, work: Path, log: Log) -> None:
    """Trains from a recipe, writes the model directory, and prints its scores on dev."""
    started = time.process_time()
    o = recipe.linear
    corpus = read(recipe.notes, work, recipe.training.seed, log, dev=False)
    targets = {n.id for name in o.target for n in read_jsonl(_converted(work, name))}
    material = Material(corpus, recipe.made, recipe.training.seed, recipe.without)
    windows, summary = tokenize(corpus.train)
    log(summary)
    may_hold = disclosure(
        corpus.train,
        windows,
        tokenize(material.public_words())[0],
        (),
        recipe.vocabulary.min_patients,
    )
    keep = Features(may_hold, windows)
    # Of the notes that are adapted to, all are taken: they are few.
    own = [n for n in corpus.train if n.id in targets]
    others = [n for n in corpus.train if n.id not in targets]
    if o.notes:
        others = spread(others, min(len(others), max(1, o.notes - len(own))))
    train = own + others
    made = [n for k in range(o.rounds) for n in material.made(k)] if material.makes() else []
    log(f"{len(train)} notes as written, {len(made)} made up")

    def of(notes: Sequence[Note]) -> list[Sentence] | Any:
        return sentences(notes, recipe.language, keep, work / "features.jsonl")

    parts = [(True, own)] if own else []
    parts.append((False, [*others, *made]))
    learn = train_svm if o.kind == "svm" else train_crf
    table = learn(((t, of(notes)) for t, notes in parts), o, work / "model.crfsuite", log)
    check_table(table, keep.withheld)
    files = write_table(table, recipe.output)
    counts = {"features": len({n for n, _ in table.weights}), "weights": len(table.weights)}
    log(f"{counts}, {(recipe.output / 'weights.bin').stat().st_size} bytes")
    seconds = round(time.process_time() - started)
    training = {**counts, "cpu_seconds": seconds, "notes": len(train), "made": len(made)}
    if own:
        training["target_notes"] = len(own)
    _describe(recipe, table, files, training, {})
    if corpus.dev:
        scores = {"dev": score(recipe, work, corpus.dev)}
        _describe(recipe, table, files, training, scores)
        print(json.dumps(scores["dev"], indent=2))
    log(f"wrote {recipe.output} after {seconds} s of the processor")


def _converted(work: Path, name: str) -> Path:
    return work / "converted" / name / "notes.jsonl"


def _describe(
    recipe: Recipe,
    table: Table,
    files: dict[str, str],
    training: dict[str, Any],
    scores: dict[str, Any],
) -> None:
    """Writes model.json and the card."""
    profile = load_profile(recipe.profile)
    labels = {x.removeprefix("B-") for x in table.labels}
    described = {
        "format_version": 1,
        "kind": recipe.linear.kind,
        "name": recipe.name,
        "version": recipe.version,
        "language": recipe.language,
        "licence": recipe.licence,
        "attribution": profile["attribution"],
        "types": {t: i for t, i in profile["types"].items() if t in labels},
        "labels": table.labels,
        "tokenizer": {"window_tokens": WINDOW_TOKENS},
        "features_version": FEATURES_VERSION,
        "files": files,
        "training": {**training, "recipe": recipe.described()},
        **({"scores": scores} if scores else {}),
    }
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    (recipe.output / "model.json").write_text(text, encoding="utf-8")
    (recipe.output / "README.md").write_text(_card(described, profile), encoding="utf-8")


def _card(d: dict[str, Any], profile: dict[str, Any]) -> str:
    t = d["training"]
    r = t["recipe"]["linear"]
    how = (
        f"A linear-chain CRF by L-BFGS with an elastic net (c1 {r['c1']}, c2 {r['c2']}, "
        f"{r['iterations']} iterations at most)"
        if d["kind"] == "crf"
        else f"Linear support vector machines by liblinear (C {r['cost']})"
    )
    k = t["recipe"]["vocabulary"]["min_patients"]
    lines = [
        f"# {d['name']} {d['version']}",
        "",
        profile["summary"],
        "",
        f"**Not a promise of safety.** {profile['caution']}",
        "",
        "## Model",
        f"{how} over the features of `model/features`: words and stems two tokens to either side, "
        "case, shape, parts of words, public lists, and the line and section that a token stands "
        f"in. {t['features']} features with {t['weights']} weights of 16 bits, "
        f"{len(d['labels'])} labels. It needs no ONNX Runtime.",
        "",
        "## Data",
        f"{t['notes']} notes as written" + (f", {t['made']} made up." if t["made"] else "."),
        *(
            [
                f"EasyAdapt (Daumé 2007): {t['target_notes']} of them are those that it is adapted "
                "to. Each feature has a weight that is learnt of all notes, and one more of those."
            ]
            if "target_notes" in t
            else []
        ),
        *profile["data"],
        "",
        "## What it holds of its notes",
        "Features are stored by a hash of their names. A feature that tells a word is there only "
        "if the word is public, or stands outside of PHI in the notes of at least "
        f"{k} patients; of stems and parts of words none is there that is a word which may not "
        "be. Numbers of three digits and more are zeros, but for years.",
    ]
    if "scores" in d:
        lines += ["", "## Scores on dev, in %", "", "| | P | R | F1 | n |", "|---|--:|--:|--:|--:|"]
        dev = d["scores"]["dev"]
        rows = {
            "**entity, strict**": dev["entity_strict"],
            "**token, PHI or not**": dev["token_binary"],
        }
        for name, c in (rows | dev["entity_strict_by_type"]).items():
            cells = " | ".join(f"{100 * c[x]:.1f}" for x in ("precision", "recall", "f1"))
            lines.append(f"| {name} | {cells} | {c['gold']} |")
    lines += ["", "## Licence and attribution", f"Weights: {d['licence']}."]
    lines += [
        f"- {a['name']}: {a['citation']}; {a['licence']}; {a['changes']}." for a in d["attribution"]
    ]
    return "\n".join(lines) + "\n"


def score(recipe: Recipe, work: Path, notes: Sequence[Note]) -> dict[str, Any]:
    """Scores the model directory by itself, through the job's own code."""
    gold, found = work / "gold-dev.jsonl", work / "found-dev"
    write_jsonl(gold, [replace(n, spans=[]) for n in notes])
    places = ("--model", recipe.output, "--input", gold, "--output", found)
    call("tag", *places, "--from", "jsonl", "--to", "jsonl", "--rules", "none")
    system = {n.id: n.spans for n in read_jsonl(found / "notes.jsonl")}
    return Scorer(notes, work / "scores").score(system).json()
