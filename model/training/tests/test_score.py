"""Scores are the job's own scorer's."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.notes import Note, Span
from training.score import Scorer

TEXT = "Zoë Lund, seen 3/4 by Dr. Ní Bhriain.\n"
NOTES = [
    Note("a", TEXT, [Span(0, 8, "PATIENT"), Span(15, 18, "DATE"), Span(26, 36, "DOCTOR")]),
    Note("b", TEXT, [Span(0, 8, "PATIENT")]),
    Note("c", "", []),
]


def test_scores_are_counted_by_hand(tmp_path: Path) -> None:
    found = {
        # right; of another type; cut short
        "a": [Span(0, 8, "PATIENT"), Span(15, 18, "AGE"), Span(29, 36, "DOCTOR")],
        "b": [Span(0, 8, "PATIENT"), Span(19, 21, "OTHER")],
    }
    s = Scorer(NOTES, tmp_path).score(found)
    e = s.entity
    assert (e.precision, e.recall, e.gold) == (0.4, 0.5, 4)
    assert e.f1 == pytest.approx(2 * 2 / 9, abs=1e-4)
    # Gold: Zoë Lund, 3 / 4, Ní Bhriain, Zoë Lund: 9 tokens, of which Ní is missed; by is none.
    assert (s.token.gold, s.token.recall, s.token.precision) == (
        9,
        round(8 / 9, 4),
        round(8 / 9, 4),
    )
    assert s.by_type["PATIENT"].f1 == 1
    assert (s.by_type["DOCTOR"].recall, s.by_type["DOCTOR"].gold) == (0, 1)
    assert s.brief()["r"] == 0.5


def test_a_corpus_may_have_types_of_its_own(tmp_path: Path) -> None:
    notes = [Note("a", TEXT, [Span(0, 8, "NOMBRE_SUJETO_ASISTENCIA")])]
    s = Scorer(notes, tmp_path).score({"a": notes[0].spans})
    assert s.by_type["NOMBRE_SUJETO_ASISTENCIA"].f1 == 1


def test_differences_have_p_values(tmp_path: Path) -> None:
    notes = [Note(f"n{k}", TEXT, [Span(0, 8, "PATIENT")]) for k in range(20)]
    right = {n.id: n.spans for n in notes}
    scorer = Scorer(notes, tmp_path)
    assert scorer.p_values(right, right) == {"f1": 1, "token_r": 1}
    p = scorer.p_values({}, right)
    assert p["f1"] < 0.01
    assert p["token_r"] < 0.01
