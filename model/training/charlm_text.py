"""The text that character language models are trained on.

Language models can remember what they read, so they read no note as its author wrote it,
unless it is published: notes with all PHI redrawn from lists, carriers with made-up PHI, and
published texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from .inject import check, document, load_pieces, variant
from .material import Material
from .notes import Note
from .refill import refillable
from .rng import Rng

Make = Callable[[int], Note]  # of how often a source has been used


def redrawable(note: Note) -> bool:
    """Whether every span of a note gets another value; those of OTHER stay."""
    return refillable(note) and all(s.type != "OTHER" for s in note.spans)


def _as_it_is(note: Note, k: int) -> Note:
    del k
    return note


@dataclass
class Texts:
    """Texts of rounds: each draws from all sources in one random order, gone through again and
    again, with other values each time."""

    material: Material
    characters: int  # of a round

    def __post_init__(self) -> None:
        m = self.material
        corpus = m.corpus
        published = {n.text for n in (*corpus.public, *m.published)}
        train = [*corpus.train, *(n for _, pool in corpus.drawn for n in pool)]
        self.pieces = load_pieces(list(filter(redrawable, train)))
        self.makes: list[Make] = []
        for n in train:
            if n.text in published:
                self.makes.append(partial(_as_it_is, n))
            elif redrawable(n) and "refill" not in m.without:
                self.makes.append(partial(self._variant, n))
        for n in m.carriers:
            self.makes.append(partial(self._filled, n))
        self.makes += [partial(_as_it_is, n) for n in m.text if n.text in published]
        self.starts = [0]  # of each round, in the order

    def round(self, k: int) -> list[Note]:
        """The texts of a round, the same whenever it is asked for."""
        while len(self.starts) <= k:
            self.round(len(self.starts) - 1)
        notes = self._from(self.starts[k])
        if len(self.starts) == k + 1:
            self.starts.append(self.starts[k] + len(notes))
        return notes

    def _from(self, at: int) -> list[Note]:
        notes: list[Note] = []
        size = 0
        while size < self.characters:
            times, i = divmod(at, len(self.makes))
            order = Rng(self.material.seed, f"charlm/order/{times}").g.permutation(len(self.makes))
            note = self.makes[int(order[i])](times)
            check(note)
            notes.append(Note(f"{at}/{note.id}", note.text))
            size += len(note.text)
            at += 1
        return notes

    def _variant(self, n: Note, k: int) -> Note:
        m = self.material
        return variant(n, m.lexicons, Rng(m.seed, f"charlm/{k}/{n.id}"), m.without)

    def _filled(self, n: Note, k: int) -> Note:
        m = self.material
        r = Rng(m.seed, f"charlm/carrier/{k}/{n.id}")
        return document([n], self.pieces, m.lexicons, r, n.id, m.without)
