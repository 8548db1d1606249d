"""Scores: strict entities by type, and tokens as PHI or not.

Strict entity: type, start and end all equal. Binary token: a token counts as
PHI whatever the type, as in Dernoncourt et al. 2017, table 3 (here over all
types, not only HIPAA's). The official i2b2 counting is the Go side's work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .notes import Note, Span
from .windows import Window


@dataclass
class Counts:
    right: int = 0
    system: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.system + self.gold) if self.system + self.gold else 0.0

    def add(self, system: set[object], gold: set[object]) -> None:
        self.right += len(system & gold)
        self.system += len(system)
        self.gold += len(gold)

    def json(self) -> dict[str, float]:
        return {
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "gold": self.gold,
        }


@dataclass
class Scores:
    entity: Counts = field(default_factory=Counts)
    token: Counts = field(default_factory=Counts)
    types: dict[str, Counts] = field(default_factory=dict)

    def brief(self) -> dict[str, float]:
        e, t = self.entity, self.token
        return {
            "p": round(e.precision, 4),
            "r": round(e.recall, 4),
            "f1": round(e.f1, 4),
            "token_p": round(t.precision, 4),
            "token_r": round(t.recall, 4),
        }

    def json(self) -> dict[str, object]:
        return {
            "entity_strict": self.entity.json(),
            "token_binary": self.token.json(),
            "entity_strict_by_type": {t: c.json() for t, c in sorted(self.types.items())},
        }


def score(
    notes: Sequence[Note], found: Mapping[str, Sequence[Span]], windows: Sequence[Window]
) -> Scores:
    """Scores found spans, by note id, against the notes' own spans."""
    s = Scores()
    for n in notes:
        gold, system = set(n.spans), set(found.get(n.id, ()))
        s.entity.add(set(system), set(gold))
        for t in {x.type for x in gold | system}:
            c = s.types.setdefault(t, Counts())
            c.add({x for x in system if x.type == t}, {x for x in gold if x.type == t})
    by_id = {n.id: n for n in notes}
    gold_at = {n.id: _covered(n.spans) for n in notes}
    found_at = {n.id: _covered(found.get(n.id, ())) for n in notes}
    for w in windows:
        if w.id not in by_id:
            continue
        spots = [
            (a, b)
            for a, b, f in zip(w.start, w.end, w.forms, strict=True)
            if not f.startswith("\n")
        ]
        s.token.add(_touched(spots, found_at[w.id]), _touched(spots, gold_at[w.id]))
    return s


def _covered(spans: Iterable[Span]) -> set[int]:
    return {i for x in spans for i in range(x.start, x.end)}


def _touched(spots: Sequence[tuple[int, int]], points: set[int]) -> set[object]:
    return {(a, b) for a, b in spots if any(i in points for i in range(a, b))}
