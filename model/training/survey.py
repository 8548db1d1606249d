"""What the first epochs hold: counts of forms, and sentences for the token vectors.

Epochs are made when they are needed, so all of them are never seen at once. A few are
enough for a vocabulary: their made-up notes share the wording of notes and carriers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .forms import key
from .vocabulary import Vocabulary
from .windows import Window

EPOCHS = 4  # that are looked at


class Survey:
    """Forms by number, and windows as numbers: four bytes a token."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.sentences: list[NDArray[np.int32]] = []
        self.epochs = 0
        self.seen: Counter[str] = Counter()  # forms of the epochs
        self.read: Counter[str] = Counter()  # forms of the plain text

    def add_epoch(self, windows: Iterable[Window]) -> None:
        self.epochs += 1
        for w in windows:
            self._add(w, self.seen)

    def add_text(self, windows: Iterable[Window]) -> None:
        for w in windows:
            self._add(w, self.read)

    def _add(self, w: Window, counts: Counter[str]) -> None:
        counts.update(w.forms)
        numbers = (self.number.setdefault(f, len(self.number)) for f in w.forms)
        self.sentences.append(np.fromiter(numbers, dtype=np.int32, count=len(w.forms)))

    def counts(self) -> Counter[str]:
        """Counts of forms; those of the plain text count as if every epoch held it."""
        return self.seen + Counter({f: self.epochs * n for f, n in self.read.items()})

    def per_epoch(self) -> dict[str, float]:
        """How often each vocabulary line is seen in an epoch."""
        lines: dict[str, float] = {}
        for form, n in self.seen.items():
            lines[key(form)] = lines.get(key(form), 0.0) + n / self.epochs
        return lines

    def encoded(self, vocabulary: Vocabulary) -> list[NDArray[np.int64]]:
        """The sentences in the vocabulary's numbers."""
        table = np.array([vocabulary.form(f) for f in self.number], dtype=np.int64)
        return [table[s] for s in self.sentences]
