"""python -m training linear: trains a feature CRF or a token SVM and writes its directory."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .card import dev_scores, load_profile
from .corpus import Corpus, read
from .disclosure import disclosure, whose
from .failure import Refused
from .linear import (
    FEATURES_VERSION,
    Features,
    Sentence,
    Table,
    Vectors,
    check_table,
    of_classes,
    sentences,
    train_crf,
)
from .linear_svm import train_kernel, train_svm
from .material import Material
from .notes import Note, read_jsonl, spread, write_jsonl
from .recipe import Linear, Recipe
from .score import Scorer
from .tools import call
from .windows import WINDOW_TOKENS, Window, tokenize

Log = Callable[[str], None]
Parts = Iterable[tuple[bool, Iterable[Sentence]]]  # whether of the target, and sentences


LEARN: dict[str, Callable[..., Table | Vectors]] = {
    "crf": train_crf,
    "svm": train_svm,
    "kernel-svm": train_kernel,
}


@dataclass
class Ready:
    """The notes of a recipe, and which of their features a model may have."""

    corpus: Corpus
    material: Material
    windows: list[Window]  # of corpus.train
    keep: Features
    log: Log


def prepare(recipe: Recipe, work: Path, log: Log, dev: bool = True) -> Ready:
    corpus = read(recipe.notes, work, recipe.training.seed, log, dev)
    material = Material(corpus, recipe.made, recipe.training.seed, recipe.without)
    there = {s.type for n in corpus.train for s in n.spans}
    if missing := sorted(set(recipe.linear.labels) - there):
        raise Refused(f"linear.labels: the notes to train on have no {', '.join(missing)}")
    windows, summary = tokenize(corpus.train)
    log(summary)
    public = tokenize(material.public_words())[0]
    may_hold = disclosure(corpus.train, windows, public, (), recipe.vocabulary.min_patients)
    return Ready(corpus, material, windows, Features(may_hold, windows), log)


def make_linear(recipe: Recipe, work: Path, log: Log) -> None:
    """Trains from a recipe, writes the model directory, and prints its scores on dev."""
    started = time.process_time()
    o = recipe.linear
    ready = prepare(recipe, work, log, dev=False)
    corpus, material, keep = ready.corpus, ready.material, ready.keep
    targets = {n.id for name in o.target for n in read_jsonl(converted(work, name))}
    # Of the notes that are adapted to, all are taken: they are few.
    own = [n for n in corpus.train if n.id in targets]
    others = [n for n in corpus.train if n.id not in targets]
    if o.notes:
        others = spread(others, min(len(others), max(1, o.notes - len(own))))
    train = own + others
    made = [n for k in range(o.rounds) for n in material.made(k)] if material.makes() else []
    pool = {n.id for _, some in corpus.drawn for n in some}
    drawn = [n for n in made if n.id in pool]
    written = len(train) + len({n.id for n in drawn})
    log(f"{written} notes as written, {len(made) - len(drawn)} made up")

    def of(notes: Sequence[Note]) -> list[Sentence] | Any:
        made = sentences(notes, recipe.language, keep, work / "features.jsonl")
        return of_classes(made, o.classes)

    parts = [(True, own)] if own else []
    parts.append((False, [*others, *made]))
    with fresh(recipe) as new:
        counts = {"notes": written, "made": len(made) - len(drawn)}
        if own:
            counts["target_notes"] = len(own)
        making = Making(new, work, ready, counts, started)
        described = making.train(((t, of(notes)) for t, notes in parts), o)
        if corpus.dev:
            scores = {"dev": score(new, work, corpus.dev)}
            making.write({**described, "scores": scores})
            print(json.dumps(scores["dev"], indent=2))
    log(f"wrote {recipe.output} after {described['training']['cpu_seconds']} s of the processor")


@contextmanager
def fresh(recipe: Recipe) -> Iterator[Recipe]:
    """Yields the recipe with a new output beside its own, which takes its place when all is
    done: others may read a model while it is trained anew."""
    output = recipe.output
    output.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{output.name}-", dir=output.parent))
    new, old = beside / "new", beside / "old"
    try:
        yield replace(recipe, output=new)
        if output.exists():
            shutil.copymode(output, new)
            os.replace(output, old)
        os.replace(new, output)
    finally:
        if old.exists() and not output.exists():
            os.replace(old, output)
        shutil.rmtree(beside, ignore_errors=True)


@dataclass
class Making:
    """A model that is being made."""

    recipe: Recipe
    work: Path
    ready: Ready
    counts: dict[str, Any]  # what it is trained on, and more for model.json
    started: float  # of the process's time

    def train(self, parts: Parts, o: Linear) -> dict[str, Any]:
        """Trains and writes the directory, and returns what model.json says."""
        log = self.ready.log
        table = LEARN[o.kind](parts, o, self.work / "model.crfsuite", log)
        check_table(table, self.ready.keep.withheld)
        files = table.write(self.recipe.output)
        of = {"features": len(table.features())}
        if isinstance(table, Table):
            of["weights"] = len(table.weights)
        else:
            of["vectors"] = len(table.times)
        size = sum(f.stat().st_size for f in self.recipe.output.iterdir())
        log(f"{of}, {size} bytes")
        of["cpu_seconds"] = round(time.process_time() - self.started)
        recipe = replace(self.recipe, linear=o)
        described = describe(recipe, table, files, {**of, **self.counts})
        self.write(described)
        return described

    def write(self, described: dict[str, Any]) -> None:
        """Writes model.json and the card."""
        recipe = self.recipe
        profile = load_profile(recipe.profile)
        text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
        (recipe.output / "model.json").write_text(text, encoding="utf-8")
        held = whose(self.ready.corpus.train, recipe.vocabulary.min_patients)
        card = _card(described, profile, held)
        (recipe.output / "README.md").write_text(card, encoding="utf-8")


def converted(work: Path, name: str) -> Path:
    """Where the notes of [notes.NAME] lie."""
    return work / "converted" / name / "notes.jsonl"


def describe(
    recipe: Recipe, table: Table | Vectors, files: dict[str, str], training: dict[str, Any]
) -> dict[str, Any]:
    """What model.json says."""
    profile = load_profile(recipe.profile)
    labels = {x.removeprefix("B-") for x in table.labels}
    return {
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
        **({"kernel": table.kernel} if isinstance(table, Vectors) else {}),
        "files": files,
        "training": {**training, "recipe": recipe.described()},
    }


def _card(d: dict[str, Any], profile: dict[str, Any], held_in: str) -> str:
    t = d["training"]
    r = t["recipe"]["linear"]
    how = {
        "crf": f"A linear-chain CRF by L-BFGS with an elastic net (c1 {r['c1']}, c2 {r['c2']}, "
        f"{r['iterations']} iterations at most)",
        "svm": f"Linear support vector machines by liblinear (C {r['cost']})",
        "kernel-svm": f"A support vector machine by LIBSVM (C {r['cost']}, {r['kernel']} kernel)",
    }[d["kind"]]
    held = f"{t['weights']} weights of 16 bits" if "weights" in t else f"{t['vectors']} vectors"
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
        f"in. {t['features']} features with {held}, "
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
        f"if the word is public, or stands outside of PHI in {held_in}; of stems and parts of words "
        "none is there that is a word which may not be. Numbers of three digits and more are zeros, "
        "but for years.",
    ]
    lines += dev_scores(d)
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
