"""The training material: the notes as written, and made-up ones, others in every epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import carriers as carrier_texts
from . import wordlists
from .corpus import Corpus
from .inject import check, document, load_pieces, variant
from .lexicons import load, word_names
from .notes import Note
from .recipe import Made
from .refill import refillable
from .rng import Rng
from .wear import faxed


class Material:
    """A corpus, and the made-up notes of any epoch, which are made when they are asked for.

    Patients of dev and test give nothing to them: no names, no wording.
    """

    def __init__(self, corpus: Corpus, made: Made, seed: int, without: Sequence[str] = ()) -> None:
        self.corpus = corpus
        self.variants = made.variants
        self.seed = seed
        self.without = frozenset(without)
        lists = _folder(made.data, "lexicons")
        self.lexicons = load(lists, world="world" not in self.without)
        self.pieces = load_pieces(corpus.train)
        self.text = list(corpus.text)
        self.carriers: list[Note] = []
        self.published: list[Note] = []  # texts that anybody can read
        folder = _folder(made.data, "carriers")
        if folder is not None and "carriers" not in self.without:
            marker = carrier_texts.Marker(self.lexicons)
            marked = [marker.mark(i, t) for i, t in carrier_texts.read(folder)]
            self.carriers = [c for c in marked if c.text.strip()]
            dialogues = carrier_texts.read_dialogues(folder)
            self.text += dialogues
            self.published = [*self.carriers, *dialogues]
        self.word_names = made.word_names
        if self.word_names:
            self.wordy = word_names(self.lexicons, (n.text for n in self.text))
            corpus.untaught |= {_wordy_id(n) for n in corpus.train}
        self.faxed = made.faxed
        if self.faxed:
            corpus.untaught |= {_faxed_id(n) for n in corpus.train}
        self.counts: dict[str, int] = {"notes": 0, "spans": 0}  # of what was made last

    def makes(self) -> bool:
        """Reports whether there are made-up notes at all."""
        return bool(self.carriers or self.corpus.drawn) or (
            (self.variants > 0 or self.word_names > 0 or self.faxed > 0)
            and any(map(refillable, self.corpus.train))
        )

    def types(self) -> set[str]:
        """The types that annotations of the material can have."""
        notes = [*self.corpus.train, *self.carriers]
        notes += [n for _, pool in self.corpus.drawn for n in pool]
        if self.carriers:
            notes += [p for section in self.pieces.sections.values() for p in section]
        return {s.type for n in notes for s in n.spans}

    def made(self, epoch: int) -> list[Note]:
        """Makes the notes of an epoch: variants of those as written, filled carriers, of which an
        epoch has every second group, so that the notes outweigh them, and some of the notes of
        which an epoch has some."""
        notes = [
            variant(n, self.lexicons, Rng(self.seed, f"variant/{epoch}/{v}/{n.id}"), self.without)
            for v in range(self.variants)
            for n in self.corpus.train
            if refillable(n)
        ]
        notes += self._wordy(epoch) + self._faxed(epoch)
        for group in _groups(self.carriers, Rng(self.seed, f"groups/{epoch}"))[::2]:
            id_ = f"carrier/{epoch}/{group[0].id}"
            r = Rng(self.seed, id_)
            notes.append(document(group, self.pieces, self.lexicons, r, id_, self.without))
        for n in notes:
            check(n)
        self.counts = _count(notes)
        return notes + self._drawn(epoch)

    def _wordy(self, epoch: int) -> list[Note]:
        """Variants in which most names are words, of some of the notes that have names."""
        return [
            replace(variant(n, self.wordy, r, self.without, 0.15), id=_wordy_id(n))
            for n, r in self._share(self.word_names, f"words/{epoch}")
            if _NAMES & {s.type for s in n.spans}
        ]

    def _faxed(self, epoch: int) -> list[Note]:
        """Variants of some of the notes, as a poor scanner reads them."""
        return [
            replace(faxed(variant(n, self.lexicons, r, self.without), r), id=_faxed_id(n))
            for n, r in self._share(self.faxed, f"faxed/{epoch}")
        ]

    def _share(self, share: float, stream: str) -> Iterator[tuple[Note, Rng]]:
        """A share of the notes that can be refilled, each with its chance."""
        for n in self.corpus.train if share else ():
            r = Rng(self.seed, f"{stream}/{n.id}")
            if r.chance(share) and refillable(n):
                yield n, r

    def _drawn(self, epoch: int) -> list[Note]:
        """Notes as written of sources of which an epoch has some: the pool is gone through in one
        order, so that all of it is seen before any is seen again."""
        notes = []
        for k, (count, pool) in enumerate(self.corpus.drawn):
            order = Rng(self.seed, f"drawn/{k}").g.permutation(len(pool))
            count = min(count, len(pool))
            first = epoch * count
            notes += [pool[int(order[(first + i) % len(pool)])] for i in range(count)]
        return notes

    def public_words(self) -> list[Note]:
        """Texts that anybody can read, one note each: the lists that values are drawn from,
        templates, carriers and conversations, and notes that are published."""
        lists = [*self.lexicons.entries(), *_own_lists()]
        lists += [n.text for section in self.pieces.sections.values() for n in section]
        open_ = [*self.published, *self.corpus.public]
        return [Note("lists", "\n".join(lists)), *(Note(n.id, n.text) for n in open_)]

    def describe(self, last: int = 0) -> dict[str, Any]:
        """Counts for the model card; last is the last epoch, whose made-up notes are counted."""
        if self.makes() and not self.counts["notes"]:
            self.made(last)
        held_out = {n.text for n in (*self.corpus.dev, *self.corpus.test)}
        read = sum(n.text in held_out for n in self.text)
        drawn = self.corpus.drawn
        return {
            "train": _count(self.corpus.train),
            "dev": _count(self.corpus.dev),
            "test": _count(self.corpus.test),
            "made_per_epoch": self.counts,
            **({"drawn_per_epoch": sum(min(k, len(p)) for k, p in drawn)} if drawn else {}),
            "carriers": len(self.carriers),
            "unmarked_texts": len(self.text),
            **({"unmarked_texts_of_dev_or_test": read} if read else {}),
        }


_NAMES = {"PATIENT", "DOCTOR"}


def _wordy_id(n: Note) -> str:
    return f"{n.id}/words"


def _faxed_id(n: Note) -> str:
    return f"{n.id}/faxed"


def _own_lists() -> list[str]:
    """The words of wordlists.py."""
    words = sorted(wordlists.PARTICLES | wordlists.GENERIC) + wordlists.HOLIDAYS
    for pool in (*wordlists.DATE_WORDS, wordlists.NUMBERS, wordlists.TENS):
        words += pool
    return words


def _folder(data: Path | None, name: str) -> Path | None:
    return data / name if data is not None and (data / name).is_dir() else None


def _count(notes: Sequence[Note]) -> dict[str, int]:
    return {"notes": len(notes), "spans": sum(len(n.spans) for n in notes)}


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
