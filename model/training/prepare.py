"""The training material: the notes as written, their variants, and filled carriers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import carriers as carrier_texts
from .inject import check, document, load_pieces, variant
from .lexicons import load
from .notes import Note, read_folder
from .refill import refillable
from .rng import Rng


@dataclass
class Sources:
    """Where the material comes from; carriers and lexicons may be None."""

    parts: dict[str, list[Note]]  # "train", "dev" and "test", which may be empty
    carriers: Path | None
    lexicons: Path | None
    more: Sequence[Path] = ()  # further marked notes; a split.json may hold some back for dev
    more_test: Sequence[Path] = ()  # further marked notes for test


@dataclass
class Material:
    train: list[Note]
    dev: list[Note]
    test: list[Note]
    rounds: list[list[Note]]  # made-up notes, one list per training round
    text: list[Note]  # without marks, for token vectors and vocabulary


def prepare(sources: Sources, seed: int, rounds: int, variants: int) -> Material:
    """Reads the notes and makes each round's own variants and filled carriers.

    A round takes every second group of carriers, so that the notes outweigh them.

    Patients of dev and test give nothing to training: no names, no wording.
    """
    parts = dict(sources.parts)
    for name in ("train", "dev"):
        if not parts.get(name):
            raise ValueError(f"no notes in part {name!r}")
    for more in sources.more:
        patients = _patients(more)
        if not patients:
            raise ValueError(f"{more}: no marked notes")
        held = _held_back(more)
        parts["train"] = parts["train"] + read_folder(more, [p for p in patients if p not in held])
        parts["dev"] = parts["dev"] + read_folder(more, [p for p in patients if p in held])
    for more in sources.more_test:
        parts["test"] = parts.get("test", []) + read_folder(more, _patients(more))
    lex = load(sources.lexicons)
    pieces = load_pieces(parts["train"])
    carriers: list[Note] = []
    text: list[Note] = []
    if sources.carriers is not None:
        marker = carrier_texts.Marker(lex)
        carriers = [marker.mark(i, t) for i, t in carrier_texts.read(sources.carriers)]
        carriers = [c for c in carriers if c.text.strip()]
        text = carrier_texts.read_dialogues(sources.carriers)
    made = []
    for k in range(rounds):
        notes = [
            variant(n, lex, Rng(seed, f"variant/{k}/{v}/{n.id}"))
            for v in range(variants)
            for n in parts["train"]
            if refillable(n)
        ]
        for group in _groups(carriers, Rng(seed, f"groups/{k}"))[::2]:
            id_ = f"carrier/{k}/{group[0].id}"
            notes.append(document(group, pieces, lex, Rng(seed, id_), id_))
        for n in notes:
            check(n)
        made.append(notes)
    return Material(parts["train"], parts["dev"], parts["test"], made, text)


def read_split(folder: Path, split: Path) -> dict[str, list[Note]]:
    """Reads marked notes by a split, {"train": [patients], "dev": [...], "test": [...]}."""
    patients: dict[str, list[str]] = json.loads(split.read_text(encoding="utf-8"))
    return {k: read_folder(folder, _existing(folder, patients[k])) for k in patients}


def _patients(folder: Path) -> list[str]:
    return sorted(p.stem for p in folder.glob("*.txt"))


def _held_back(folder: Path) -> set[str]:
    """Reads the patients of a folder that are dev's, {"dev": [...]}, if it says so."""
    path = folder / "split.json"
    return set(json.loads(path.read_text(encoding="utf-8"))["dev"]) if path.exists() else set()


def _existing(folder: Path, patients: Sequence[str]) -> list[str]:
    return [p for p in patients if (folder / f"{p}.txt").exists()]


def _groups(carriers: Sequence[Note], r: Rng) -> list[list[Note]]:
    """Whole notes stay alone; short sections are put together, one to eight."""
    groups: list[list[Note]] = []
    short: list[Note] = []
    for i in r.g.permutation(len(carriers)):
        c = carriers[int(i)]
        if len(c.text) > 900:
            groups.append([c])
        else:
            short.append(c)
    while short:
        n = r.int(1, 8)
        groups.append(short[:n])
        short = short[n:]
    return groups


def describe(m: Material) -> dict[str, Any]:
    """Counts for the model card."""

    def count(notes: Sequence[Note]) -> dict[str, int]:
        return {"notes": len(notes), "spans": sum(len(n.spans) for n in notes)}

    held_out = {n.text for n in (*m.dev, *m.test)}
    read = sum(n.text in held_out for n in m.text)
    return {
        "train": count(m.train),
        "dev": count(m.dev),
        "test": count(m.test),
        "made_per_round": count(m.rounds[0]) if m.rounds else count([]),
        "rounds": len(m.rounds),
        "unmarked_texts": len(m.text),
        **({"unmarked_texts_of_dev_or_test": read} if read else {}),
    }
