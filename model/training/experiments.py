"""The experiments of the papers in small: python -m training experiments RECIPE.

Each trains a few models that differ in one thing, into folders below the recipe's
output; tools/papers scores them and writes a table of each group. Notes and features
are read once for all.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .failure import Refused
from .linear import CLASSES, Sentence, of_classes, sentences
from .linear_command import Log, Making, Ready, converted, fresh, prepare
from .notes import Note, read_jsonl, spread
from .recipe import PROFILES, Recipe

MOST = 400  # notes
ITERATIONS = 30  # of L-BFGS: the tables compare models of equal training
SVM = {"kind": "svm", "binary": True}
BY_CLASS = [c for c in CLASSES if c]


@dataclass(frozen=True)
class Experiment:
    """One model: a row of a group's table."""

    group: str
    row: str
    notes: int  # of those as written, spread over all
    change: dict[str, Any] = field(default_factory=dict)  # of the recipe's [linear]
    source: str = ""  # [notes.NAME] to take the notes from, all where it is empty
    more: str = ""  # [notes.NAME] of which all notes are added


def experiments() -> list[Experiment]:
    """All of them, in the order of the tables."""
    out = [Experiment("classes", "all classes", 100, SVM)]
    out += [Experiment("classes", f"{c} alone", 100, {**SVM, "classes": (c,)}) for c in BY_CLASS]
    for c in BY_CLASS:
        rest = tuple(x for x in BY_CLASS if x != c)
        out.append(Experiment("classes", f"without {c}", 100, {**SVM, "classes": rest}))
    few = {"tokens": 10_000, "binary": True}
    gaussian = {"kind": "kernel-svm", "kernel": "gaussian", "gamma": 0.01, "cost": 10.0}
    quadratic = {"kind": "kernel-svm", "kernel": "quadratic", "gamma": 0.02, "cost": 1.0}
    out += [
        Experiment("kernels", "linear", 50, {**few, "kind": "svm"}),
        Experiment("kernels", "quadratic", 50, {**few, **quadratic}),
        Experiment("kernels", "gaussian", 50, {**few, **gaussian}),
    ]
    for n in (50, 100, 200, MOST):
        out += [Experiment("sizes", f"SVM, {n} notes", n, SVM)]
        out += [Experiment("sizes", f"CRF, {n} notes", n, {"kind": "crf"})]
    target = ("examples",)
    out += [
        Experiment("transfer", "the examples", 0, source="examples"),
        Experiment("transfer", "as many of those written for training", -1, source="written"),
        Experiment("transfer", "both", -1, source="written", more="examples"),
        Experiment("transfer", "both, EasyAdapt to the examples", -1, {"target": target},
                   source="written", more="examples"),
    ]  # fmt: skip
    return out


def run(recipe: Recipe, work: Path, groups: Sequence[str], log: Log) -> None:
    """Trains the models of some groups, of all where none is named."""
    known = {e.group for e in experiments()}
    if wrong := set(groups) - known:
        raise Refused(f"--groups {','.join(wrong)}: groups are {', '.join(sorted(known))}")
    chosen = [e for e in experiments() if not groups or e.group in groups]
    needed_notes = {"examples"} if any(e.notes < 0 for e in chosen) else set()
    for e in chosen:
        needed_notes |= {e.source, e.more, *e.change.get("target", ())} - {""}
    if missing := sorted(needed_notes - set(recipe.notes)):
        raise Refused(
            f"notes.{missing[0]}: experiments need it; give it, or leave their group out by --groups"
        )
    ready = prepare(recipe, work, log)
    train = {n.id: n for n in ready.corpus.train}
    of = {name: [train[n.id] for n in read_jsonl(converted(work, name)) if n.id in train]
          for name in recipe.notes}  # fmt: skip
    base = spread(ready.corpus.train, min(MOST, len(ready.corpus.train)))
    taken = [_notes(e, base, of) for e in chosen]
    needed = {n.id: n for own, target in taken for n in (*own, *target)}
    held = _features(ready, list(needed.values()), recipe.language, work)
    number: Counter[str] = Counter()
    for e, (own, target) in zip(chosen, taken, strict=True):
        started = time.process_time()
        o = replace(recipe.linear, notes=0, rounds=0, iterations=ITERATIONS, **e.change)
        name = f"{e.group}-{number[e.group]:02}"
        number[e.group] += 1
        log(f"{name}: {e.row}, {len(own) + len(target)} notes")
        one = replace(recipe, name=name, output=recipe.output / name, linear=o)
        if o.binary:
            one = replace(one, profile=PROFILES / "binary.json")
        told = {"notes": len(own) + len(target), "experiment": {"group": e.group, "row": e.row}}
        parts = [(True, _of(held, target, o.classes)), (False, _of(held, own, o.classes))]
        with fresh(one) as new:
            Making(new, work, ready, {**told, "made": 0}, started).train(parts, o)


def _notes(
    e: Experiment, base: Sequence[Note], of: dict[str, list[Note]]
) -> tuple[list[Note], list[Note]]:
    """The notes that an experiment is trained on, and those of the target."""
    pool: Sequence[Note] = of[e.source] if e.source else base
    size = e.notes if e.notes > 0 else len(of["examples"]) if e.notes else len(pool)
    return spread(pool, min(size, len(pool))), of[e.more] if e.more else []


def _features(
    ready: Ready, notes: Sequence[Note], language: str, work: Path
) -> dict[str, list[Sentence]]:
    """The windows of each note, as sentences with features."""
    count: dict[str, int] = {}
    for w in ready.windows:
        count[w.id] = count.get(w.id, 0) + 1
    same: dict[str, str] = {}  # one string for each name: they are many
    made = sentences(notes, language, ready.keep, work / "features.jsonl")
    out: dict[str, list[Sentence]] = {}
    for n in notes:
        out[n.id] = []
        for _ in range(count.get(n.id, 0)):
            tokens, labels = next(made)
            out[n.id].append(([[same.setdefault(x, x) for x in t] for t in tokens], labels))
    assert next(made, None) is None
    return out


def _of(
    held: dict[str, list[Sentence]], notes: Sequence[Note], classes: Sequence[str]
) -> Iterable[Sentence]:
    """The sentences of some notes, with features of some classes; of all where none is named."""
    return of_classes((s for n in notes for s in held[n.id]), classes)
