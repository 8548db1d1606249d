"""Made-up notes: offsets exact, formats kept, nothing of the original left."""

from __future__ import annotations

import re

import pytest

from training.carriers import Marker
from training.failure import Refused
from training.inject import check, document, load_pieces, rescore, variant
from training.lexicons import load
from training.notes import Note, Span, parse_marks, read_jsonl
from training.refill import Refiller
from training.rng import Rng
from training.scheme import TYPES
from training.tools import ROOT, call

LEX = load(None)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> list[Note]:
    folder = tmp_path_factory.mktemp("converted")
    arguments = ("--from", "marked", "--to", "jsonl", "--input", ROOT / "examples/source")
    call("convert", *arguments, "--output", folder)
    return [n for n in read_jsonl(folder / "notes.jsonl") if n.patient < "p010"]


def shape(s: str) -> str:
    return re.sub(r"\d", "9", s)


@pytest.mark.parametrize(
    ("type_", "surface"),
    [
        ("PHONE", "(937) 555-0143 x12"),
        ("FAX", "01632 960115"),
        ("SSN", "912-44-0178"),
        ("MEDICALRECORD", "448-12-90"),
    ],
)
def test_numbers_keep_their_format(type_: str, surface: str) -> None:
    for seed in range(20):
        assert shape(Refiller(LEX, Rng(seed, "x")).value(surface, type_)) == shape(surface)


@pytest.mark.parametrize(
    ("surface", "pattern"),
    [
        ("08/30/1947", r"\d\d/\d\d/\d{4}"),
        ("2019-11-07", r"\d{4}-\d\d-\d\d"),
        ("3/4", r"\d\d?/\d\d?"),
        ("Tuesday, 4 March 2014", r"[A-Z]\w+day, \d\d? [A-Z]\w+ \d{4}"),
        ("14th", r"\d\d(st|nd|rd|th)"),
        ("1980s", r"\d{3}0s"),
        ("NOV", r"[A-Z]{3}"),
        ("mon", r"mon|tue|wed|thu|fri|sat|sun"),
    ],
)
def test_dates_keep_their_format(surface: str, pattern: str) -> None:
    for seed in range(20):
        got = Refiller(LEX, Rng(seed, "x")).value(surface, "DATE")
        assert re.fullmatch(pattern, got), got


def test_names_recur_within_a_note() -> None:
    r = Refiller(LEX, Rng(4, "x"))
    full = r.value("Rosa Quill", "PATIENT")
    assert r.value("rosa quill", "PATIENT") == full.lower()
    assert r.value("QUILL", "DOCTOR") in full.upper()


def test_every_type_can_be_refilled() -> None:
    for t in TYPES:
        assert Refiller(LEX, Rng(1, t)).value("Ab 12", t)


def test_variants_keep_wording_and_offsets(notes: list[Note]) -> None:
    assert len({n.patient for n in notes}) == 9
    for note in notes:
        made = Refiller(LEX, Rng(1, note.id)).note(note)
        check(made)
        assert [s.type for s in made.spans] == [s.type for s in note.spans]
        assert outside(made) == outside(note)
        assert variant(note, LEX, Rng(2, "a")) == variant(note, LEX, Rng(2, "a"))


def test_scores_are_drawn_anew_and_dates_are_not() -> None:
    text, spans = parse_marks("GCS 14/15 on [[DATE:3/4]], BP 98/54, 4/5 left, 20/40, 1/2/19, 6-3/8")
    made = [rescore(Note("n", text, spans), Rng(seed, "s")) for seed in range(60)]
    form = re.compile(r"GCS 1[0-5]/15 on 3/4, BP 98/54, [0-5]/5 left, (\d\d)/40, 1/2/19, 6-3/8")
    assert all(form.fullmatch(n.text) and n.spans == spans for n in made)
    assert len({n.text for n in made}) > 30


def outside(n: Note) -> list[str]:
    edges = [0, *(x for s in n.spans for x in (s.start, s.end)), len(n.text)]
    return [n.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


def test_documents_have_exact_offsets(notes: list[Note]) -> None:
    pieces = load_pieces(notes)
    for section in pieces.sections.values():
        for piece in section:
            check(piece)
    text, spans = parse_marks(
        "The patient is a [[AGE:41]]-year-old woman. She lives with her mother and smokes.\n\n"
        "Plan: follow up. Continue aspirin. The patient agrees.\n"
    )
    carrier = Note("c", text, spans)
    for seed in range(200):
        made = document([carrier, carrier], pieces, LEX, Rng(seed, "d"), "d")
        check(made)
        for s in made.spans:
            if s.type == "AGE" and made.text[s.end :].startswith("-year-old"):
                # The refiller writes numbers or number words, nothing else.
                assert re.fullmatch(r"\d+|[A-Za-z-]+", made.text[s.start : s.end])


def test_carriers_are_marked_or_dropped() -> None:
    marker = Marker(LEX)
    note = marker.mark(
        "c",
        "Martha Nguyen is a 50-year-old female seen by Dr. XYZ in March 2007. She works as a cashier. "
        "She works for ABCD. Pain 3/10 since age 41. Ms. Nguyen has Parkinson's disease.",
    )
    got = {(note.text[s.start : s.end], s.type) for s in note.spans}
    assert {("50", "AGE"), ("March 2007", "DATE"), ("cashier", "PROFESSION"), ("41", "AGE")} <= got
    assert ("Nguyen", "PATIENT") in got
    assert "XYZ" not in note.text
    assert "ABCD" not in note.text
    assert not any(t == "DATE" for s, t in got if s == "3/10")
    check(note)


def test_raised_figures_are_no_numbers() -> None:
    for value in ("5²", "3²rd of May", "² May"):
        assert "²" in Refiller(LEX, Rng(1, "x")).value(value, "DATE")


def test_carriers_take_no_line_whose_types_no_list_has() -> None:
    own = Note("n", *parse_marks("Visto el [[FECHAS:3 de mayo]]."))
    mixed = Note("m", *parse_marks("Seen [[DATE:3 May]].\nVisto el [[FECHAS:3 de mayo]]."))
    assert [n.text for n in load_pieces([own, mixed]).lines] == ["Seen 3 May."]
    # Where none is left, the templates give what lines would.
    pieces = load_pieces([own])
    for seed in range(40):
        check(document([Note("c", "She smokes. He is well.\n")], pieces, LEX, Rng(seed, "d"), "d"))


def test_a_malformed_span_is_refused_without_the_notes_name() -> None:
    with pytest.raises(Refused, match="malformed span of type DATE") as e:
        check(Note("Ann Fox", "3 May ", [Span(0, 6, "DATE")]))
    assert "Ann" not in str(e.value)
