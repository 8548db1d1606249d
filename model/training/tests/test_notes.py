"""Marked notes, labels and windows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from training.forms import cut, key, lower
from training.notes import (
    OVERLAPPING,
    TRIMMED,
    Builder,
    MarkError,
    Note,
    Span,
    cut_note,
    parse_marks,
    read_jsonl,
    write_jsonl,
)
from training.scheme import labels_for, may_follow
from training.vocabulary import build
from training.windows import spans_of, tokenize


def test_marks() -> None:
    text, spans = parse_marks("Seen by Dr. [[DOCTOR:Zoë Lund]] on [[DATE:3/4]].")
    assert text == "Seen by Dr. Zoë Lund on 3/4."
    assert [(text[s.start : s.end], s.type) for s in spans] == [
        ("Zoë Lund", "DOCTOR"),
        ("3/4", "DATE"),
    ]


@pytest.mark.parametrize("bad", ["[[DATE:3/4", "a ]] b", "[[date:3/4]]", "[[DATE:a\nb]]"])
def test_stray_marks_are_refused_without_their_text(bad: str) -> None:
    with pytest.raises(MarkError) as e:
        parse_marks(bad)
    assert "3/4" not in str(e.value)


def test_json_lines_there_and_back(tmp_path: Path) -> None:
    text = "\ufeffSeen by Zoë\r\non 3 May.\u2028 \U0001f642 MRN 17."
    note = Note("n1", text, [Span(9, 12, "DOCTOR"), Span(17, 22, "DATE")], "p1")
    write_jsonl(tmp_path / "n.jsonl", [note, Note("n2", "")])
    assert read_jsonl(tmp_path / "n.jsonl") == [note, Note("n2", "")]
    assert (note.person, Note("n2", "").person) == ("p1", "n2")


def test_of_overlapping_annotations_the_longest_stays(tmp_path: Path) -> None:
    spans = [Span(2, 4, "CITY"), Span(0, 2, "PATIENT"), Span(0, 6, "DOCTOR"), Span(0, 6, "DOCTOR")]
    write_jsonl(tmp_path / "n.jsonl", [Note("n", "abcdefgh", [*spans, Span(6, 7, "AGE")])])
    (read,) = read_jsonl(tmp_path / "n.jsonl")
    assert read.spans == [Span(0, 6, "DOCTOR"), Span(6, 7, "AGE")]


def test_builder_and_cut_keep_offsets() -> None:
    b = Builder()
    b.add("é ")
    b.phi("Ann", "PATIENT")
    b.note(Note("", " of Rye", [Span(4, 7, "CITY")]))
    n = b.build("x")
    assert [n.text[s.start : s.end] for s in n.spans] == ["Ann", "Rye"]
    part = cut_note(n, 2, len(n.text))
    assert [part.text[s.start : s.end] for s in part.spans] == ["Ann", "Rye"]


def test_labels_are_in_the_guidelines_order_and_complete() -> None:
    labels = labels_for(["DATE", "PATIENT"])
    assert labels[0] == "O"
    assert labels[1:5] == [f"{p}-PATIENT" for p in "BIES"]
    assert len(labels) == 9
    assert labels_for({"DATE", "SEXO", "CALLE"})[1::4] == ["B-DATE", "B-CALLE", "B-SEXO"]


@pytest.mark.parametrize(
    ("a", "b", "want"),
    [
        ("O", "B-DATE", True),
        ("O", "I-DATE", False),
        ("B-DATE", "E-DATE", True),
        ("B-DATE", "E-AGE", False),
        ("B-DATE", "O", False),
        ("I-DATE", "I-DATE", True),
        ("E-DATE", "S-AGE", True),
        ("S-AGE", "E-AGE", False),
    ],
)
def test_may_follow(a: str, b: str, want: bool) -> None:
    assert may_follow(a, b) is want


def test_long_forms_and_lower_case_are_gos() -> None:
    assert cut("a" * 24) == "a" * 24
    assert cut("a" * 16 + "b" * 5 + "c" * 8) == "a" * 16 + "c" * 8
    assert lower("ÉΣİ") == "éσi"
    assert key("\n\n") == "<nl2>"


def test_vocabulary_has_no_line_ends_and_keeps_its_size() -> None:
    from collections import Counter

    counts = Counter({"Ann": 3, "ann": 2, "\n": 9, "x" * 200: 50, "Bo": 4})
    v, kept_out = build(counts, max_forms=4)
    assert kept_out == 0
    assert build(counts, 5, may_hold=lambda line: line != "ann")[0].forms[3:] == ["bo"]
    assert build(counts, 5, may_hold=lambda line: line != "ann")[1] == 1
    assert v.forms == ["<unk>", "<nl>", "<nl2>", "ann"]
    assert v.form("ANN") == 3
    assert v.form("Bo") == 0
    assert v.form("\n") == 1
    assert v.chars("\n") == [0]
    assert 0 not in v.chars("Ann")


def test_windows_give_the_spans_back() -> None:
    text, spans = parse_marks("Señora [[PATIENT:Ana Ruiz]]\n\nDOB[[DATE:3/4/61]], [[AGE:62]]yo")
    windows, summary = tokenize([Note("n", text, spans)], 128)
    assert "0 spans widened" in summary
    assert spans_of(windows[0], windows[0].labels) == spans
    assert windows[0].forms[3] == "\n\n"


def mended(folder: Path, text: str, *spans: Span) -> tuple[list[tuple[str, str]], Counter[str]]:
    write_jsonl(folder / "n.jsonl", [Note("n", text, list(spans))])
    counts: Counter[str] = Counter()
    (read,) = read_jsonl(folder / "n.jsonl", counts)
    assert read.spans == sorted(read.spans, key=lambda s: s.start)
    return [(text[s.start : s.end], s.type) for s in read.spans], counts


def test_what_a_longer_annotation_leaves_of_another_stays(tmp_path: Path) -> None:
    text = "Mr. John Ray Fox, Leeds, ill"
    long, left, right = Span(4, 16, "PATIENT"), Span(0, 8, "DOCTOR"), Span(13, 23, "CITY")
    want = [("Mr.", "DOCTOR"), ("John Ray Fox", "PATIENT"), (", Leeds", "CITY")]
    assert mended(tmp_path, text, right, left, long) == (want, Counter({OVERLAPPING: 2}))
    # One in the middle of another, and one of which punctuation alone is left, leave nothing.
    inner, comma = Span(9, 12, "CITY"), Span(13, 17, "CITY")
    want = [("John Ray Fox", "PATIENT")]
    assert mended(tmp_path, text, inner, comma, long) == (want, Counter({OVERLAPPING: 2}))


def test_spans_lie_in_one_line_and_have_no_blank_at_their_edges(tmp_path: Path) -> None:
    text = "Lives at 3 Mill Lane,\r\n \n  Leeds . So."
    want = [("3 Mill Lane,", "STREET"), ("Leeds", "STREET"), ("So", "CITY")]
    spans = (Span(8, 33, "STREET"), Span(35, 37, "CITY"))
    assert mended(tmp_path, text, *spans) == (want, Counter({TRIMMED: 1}))
    assert mended(tmp_path, text, Span(8, 9, "CITY")) == ([], Counter({TRIMMED: 1}))


def test_files_of_notes_are_for_their_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "n.jsonl").write_text("")
    (tmp_path / "n.jsonl").chmod(0o644)
    write_jsonl(tmp_path / "n.jsonl", [])
    write_jsonl(tmp_path / "new.jsonl", [])
    assert [p.stat().st_mode & 0o777 for p in tmp_path.iterdir()] == [0o600, 0o600]
