"""Out-of-fold labels: what the network finds in training notes that it did not see.

Rules that work beside the network, and how the two are merged, are chosen on
these, so that dev keeps its word on the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .notes import Note, Span
from .scheme import labels_for
from .train import Settings, train
from .windows import Window, spans_of


def out_of_fold(
    notes: Sequence[Note],
    windows: Sequence[Window],
    folds: int,
    settings: Settings,
    log: Any,
    text: Sequence[Window] = (),
) -> list[Note]:
    """Returns the notes with the spans found by a network trained on the other folds.

    Fold k holds every note whose place in notes is k modulo folds. text is read
    for the token vectors only. The last epoch is taken, as no part is left to
    choose one by.
    """
    labels = labels_for({s.type for n in notes for s in n.spans})
    found: dict[str, list[Span]] = {n.id: [] for n in notes}
    fold_of = {n.id: i % folds for i, n in enumerate(notes)}
    for k in range(folds):
        seen = [w for w in windows if fold_of[w.id] != k]
        held = [w for w in windows if fold_of[w.id] == k]
        held_notes = [n for n in notes if fold_of[n.id] == k]
        blank = [Window(w.id, w.forms, w.classes, w.space, w.start, w.end, []) for w in held]
        log(f"fold {k + 1} of {folds}: {len(held_notes)} notes held out")
        model = train([seen], (held_notes, held), labels, settings, log, [*text, *blank], last=True)
        for w, path in zip(held, model.predict(held), strict=True):
            found[w.id] += spans_of(w, path)
    return [Note(n.id, n.text, sorted(found[n.id], key=lambda s: s.start)) for n in notes]


def write_brat(folder: Path, notes: Sequence[Note]) -> None:
    """Writes notes as brat standoff, <id>.txt and <id>.ann, offsets in code points."""
    folder.mkdir(parents=True, exist_ok=True)
    for n in notes:
        with (folder / f"{n.id}.txt").open("w", encoding="utf-8", newline="") as f:
            f.write(n.text)
        lines = [
            f"T{i}\t{s.type} {s.start} {s.end}\t{n.text[s.start : s.end]}\n".replace("\r", " ")
            for i, s in enumerate(n.spans, 1)
        ]
        (folder / f"{n.id}.ann").write_text("".join(lines), encoding="utf-8")
