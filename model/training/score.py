"""Scores, by the job's own scorer (palimpsest evaluate).

Entity: type, start and end all equal. Token: a token counts as PHI whatever the type,
as in Dernoncourt et al. 2017, table 3 (here the job's own tokens, over all types).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .notes import Note, Span, write_jsonl
from .tools import call

ENTITY, TOKEN = "strict", "blind token"  # model/score's names of the two measures


@dataclass(frozen=True)
class Rates:
    """Precision, recall and F1, and the number of gold spans or tokens."""

    precision: float
    recall: float
    f1: float
    gold: int

    def json(self) -> dict[str, float]:
        return dict(vars(self))


@dataclass(frozen=True)
class Scores:
    """Scores over all documents; by_type has each label, in capitals."""

    entity: Rates
    token: Rates
    by_type: dict[str, Rates]

    def brief(self) -> dict[str, float]:
        e, t = self.entity, self.token
        return {
            "p": e.precision,
            "r": e.recall,
            "f1": e.f1,
            "token_p": t.precision,
            "token_r": t.recall,
        }

    def json(self) -> dict[str, object]:
        return {
            "entity_strict": self.entity.json(),
            "token_binary": self.token.json(),
            "entity_strict_by_type": {t: c.json() for t, c in sorted(self.by_type.items())},
        }


class Scorer:
    """Scores what is found in some notes. Its files, which hold their text, lie in folder."""

    def __init__(self, notes: Sequence[Note], folder: Path) -> None:
        self.notes = notes
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        write_jsonl(folder / "gold.jsonl", notes)

    def score(self, found: Mapping[str, Sequence[Span]]) -> Scores:
        """Scores found spans, by note id."""
        result = self._evaluate(found)["score"]
        total = {m["measure"]: _rates(m) for m in result["metrics"] if m["subset"] == "all"}
        types = {m["label"]: _rates(m) for m in result["by_type"] if m["measure"] == ENTITY}
        return Scores(total[ENTITY], total[TOKEN], types)

    def p_values(
        self, found: Mapping[str, Sequence[Span]], other: Mapping[str, Sequence[Span]]
    ) -> dict[str, float]:
        """Returns two-sided p-values, by approximate randomisation over notes, that the two
        systems' entity F1 and token recall differ by chance alone."""
        self._write("other.jsonl", other)
        compare = ("--compare", self.folder / "other.jsonl", "--compare_format", "jsonl")
        measures = self._evaluate(found, *compare)["comparison"]["measures"]
        p = {m["measure"]: m["p"] for m in measures if m["subset"] == "all"}
        return {"f1": p[ENTITY]["f1"], "token_r": p[TOKEN]["recall"]}

    def _write(self, name: str, found: Mapping[str, Sequence[Span]]) -> None:
        notes = (Note(n.id, n.text, list(found.get(n.id, ())), n.patient) for n in self.notes)
        write_jsonl(self.folder / name, notes)

    def _evaluate(self, found: Mapping[str, Sequence[Span]], *more: str | Path) -> Any:
        self._write("system.jsonl", found)
        out = self.folder / "scores.json"
        sides = ("--gold", self.folder / "gold.jsonl", "--system", self.folder / "system.jsonl")
        formats = ("--gold_format", "jsonl", "--system_format", "jsonl")
        call("evaluate", *sides, *formats, "--bootstrap", "0", "--json", out, *more)
        return json.loads(out.read_text(encoding="utf-8"))


def _rates(metric: Mapping[str, Any]) -> Rates:
    precision, recall, f1 = (round(metric["micro"][k], 4) for k in ("precision", "recall", "f1"))
    return Rates(precision, recall, f1, metric["tp"] + metric["fn"])
