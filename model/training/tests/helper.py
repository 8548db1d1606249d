"""Corpora that are learnt in a second, and what is tested on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from training.model import Held
from training.notes import Note
from training.recipe import Dimensions, Settings, Training
from training.scheme import labels_for
from training.score import Scorer
from training.train import Feed
from training.windows import Window, spans_of

LABELS = labels_for(["PATIENT", "IDNUM"])
SMALL = Settings(
    Dimensions(token=16, char_embedding=8, char_hidden=8, hidden=16, dense=16),
    Training(epochs=12, batch_tokens=64, rate=1e-2),
)


def small(**training: int | float) -> Settings:
    """SMALL with other settings of the training."""
    return replace(SMALL, training=replace(SMALL.training, **training))  # type: ignore[arg-type]


def made_up(count: int, seed: int = 0) -> list[Window]:
    """Windows in which every number of three digits is an ID and every capital a name."""
    rng = np.random.default_rng(seed)
    windows = []
    for k in range(count):
        kinds = rng.integers(3, size=int(rng.integers(3, 20)))
        forms = [["seenx", "Ann", "412"][i] for i in kinds]
        at = list(range(0, 6 * len(forms), 6))
        ends = [a + len(f) for a, f in zip(at, forms, strict=True)]
        labels = [["O", "S-PATIENT", "S-IDNUM"][i] for i in kinds]
        classes = [[0, 1, 5][i] for i in kinds]
        windows.append(Window(f"w{k}", forms, classes, [1] * len(forms), at, ends, labels))
    return windows


def notes_of(windows: Sequence[Window]) -> list[Note]:
    """The notes that windows of made_up are of."""
    return [
        Note(w.id, "".join(f.ljust(6) for f in w.forms), spans_of(w, w.labels)) for w in windows
    ]


def held(windows: Sequence[Window], folder: Path) -> Held:
    notes = notes_of(windows)
    return Held(notes, windows, Scorer(notes, folder))


def feed(windows: Sequence[Window]) -> Feed:
    return Feed(windows, LABELS)


def quiet(line: str) -> None:
    del line


def write_marked(folder: Path, patient: str, texts: Sequence[str]) -> None:
    """Writes the marked notes of one patient as examples/source has them."""
    keys = "name sex birth_date mrn phone email address relatives doctors".split()
    values = {"name": "Al Fox", "sex": "M", "birth_date": "1947-08-30", "mrn": "1-2"}
    head = "".join(f"{k}: {values.get(k, '')}\n" for k in keys)
    note = "%% note\nkind: letter\nwritten: 2019-01-13T20:41\nauthor: Al Fox\n%%\n"
    body = "".join(f"{note}{text}\n" for text in texts)
    (folder / f"{patient}.txt").write_text(f"patient: {patient}\n{head}{body}", encoding="utf-8")
