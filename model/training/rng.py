"""Random choices that depend only on a seed and a name, not on what ran before."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Rng:
    """A stream of choices. Two streams of one seed and name are equal."""

    def __init__(self, seed: int, name: str) -> None:
        digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
        self.g = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))

    def chance(self, p: float) -> bool:
        return bool(self.g.random() < p)

    def int(self, low: int, high: int) -> int:
        """Both ends included."""
        return int(self.g.integers(low, high + 1))

    def choice(self, items: Sequence[T]) -> T:
        return items[int(self.g.integers(len(items)))]

    def early(self, items: Sequence[T]) -> T:
        """Prefers the beginning of a list that is sorted by frequency."""
        return items[int(len(items) * self.g.random() ** 2.5)]

    def letter(self, like: str) -> str:
        c = "abcdefghijklmnopqrstuvwxyz"[int(self.g.integers(26))]
        return c.upper() if like.isupper() else c
