"""The notes of a recipe, read by cmd/convert and divided into parts by patient."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .checks import check_parts, read_split
from .failure import Refused
from .notes import MarkError, Note, read_inline, read_jsonl, write_jsonl
from .recipe import PARTS, Source
from .rng import Rng
from .tools import ROOT, call

# The repository's own notes: all of them are invented, and anybody can read them.
OWN = ("notes", "numbers", "confounders", "hard", "contrasts", "styles", "plain", "cases")
# The one format that cmd/convert does not read.
INLINE = "inline"
INVENTED = (ROOT / "examples", *(ROOT / "model/training" / name for name in OWN))


@dataclass
class Corpus:
    """The notes of each part of a recipe."""

    train: list[Note] = field(default_factory=list)
    dev: list[Note] = field(default_factory=list)
    test: list[Note] = field(default_factory=list)
    text: list[Note] = field(default_factory=list)  # without labels: for vectors and vocabulary
    public: list[Note] = field(default_factory=list)  # those of any part that are published
    invented: set[str] = field(default_factory=set)  # ids of notes that are the repository's
    untaught: set[str] = field(default_factory=set)  # ids of notes that no teacher is asked about
    # Training notes of which an epoch has some: how many, and the notes they are drawn from.
    drawn: list[tuple[int, list[Note]]] = field(default_factory=list)


def read(
    sources: Mapping[str, Source],
    work: Path,
    seed: int,
    log: Callable[[str], None] = print,
    dev: bool = True,
) -> Corpus:
    """Converts each source into work and reads it; seed draws the patients held back, and dev
    says that some must be."""
    corpus = Corpus()
    alone = 0
    for name, source in sources.items():
        notes = _converted(name, source, work, log)
        part_of = _division(name, source, {n.person for n in notes}, seed)
        parts: dict[str, list[Note]] = {}
        for n in notes:
            parts.setdefault(part_of.get(n.person, source.part), []).append(n)
        if source.per_epoch and "train" in parts:
            corpus.drawn.append((source.per_epoch, parts.pop("train")))
        for part, some in parts.items():
            getattr(corpus, part).extend(some)
        if source.public:
            corpus.public += notes
        if any(source.path.resolve().is_relative_to(folder) for folder in INVENTED):
            corpus.invented |= {n.id for n in notes}
        if not source.taught:
            corpus.untaught |= {n.id for n in notes}
        alone += sum(not n.patient for n in notes)
    corpus.text = [Note(f"text/{n.id}", n.text) for n in corpus.text]
    mixed = [n for _, pool in corpus.drawn for n in pool]
    check_parts({p: getattr(corpus, p) for p in PARTS}, mixed, dev)
    if alone:
        log(f"{alone} notes name no patient: each counts as a patient of its own")
    return corpus


def _converted(name: str, source: Source, work: Path, log: Callable[[str], None]) -> list[Note]:
    folder = work / "converted" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    arguments = ("--from", source.format, "--to", "jsonl", "--input", source.path)
    said = ""
    try:
        if source.format == INLINE:
            write_jsonl(folder / "notes.jsonl", read_inline(source.path))
        else:
            _, said = call("convert", *arguments, "--output", folder)
    except (MarkError, Refused) as e:
        raise Refused(f"notes.{name}: {e}") from None
    for line in said.splitlines():
        log(f"notes.{name}: {line.removeprefix('convert: ')}")
    mended: Counter[str] = Counter()
    notes = read_jsonl(folder / "notes.jsonl", mended)
    for what, count in sorted((+mended).items()):
        log(f"notes.{name}: {count} annotations {what}")
    if not notes:
        raise Refused(f"notes.{name}: no notes at {source.path}")
    return notes


def _division(name: str, source: Source, patients: set[str], seed: int) -> dict[str, str]:
    """Returns the part of each patient that is not in the source's own."""
    if source.split is not None:
        lists = read_split(f"notes.{name}", source.split)
        if missing := len(set().union(*lists.values()) - patients):
            raise Refused(
                f"notes.{name}.split: {source.split} names {missing} patients that "
                f"{source.path} does not have"
            )
        return {p: part for part, held in lists.items() for p in held}
    if source.dev == 0:
        return {}
    ordered = sorted(patients)
    count = max(1, round(source.dev * len(ordered)))
    if count >= len(ordered):
        raise Refused(f"notes.{name}.dev: of {len(ordered)} patients none is left to train on")
    drawn = Rng(seed, f"dev/{name}").g.permutation(len(ordered))[:count]
    return {ordered[int(i)]: "dev" for i in drawn}
