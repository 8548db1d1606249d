"""Every format gives the same notes, and says where a corpus is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from training.corpora import READERS, CorpusError
from training.notes import Note, Span, write_jsonl

# A byte-order mark, a line end and a code point beyond 16 bits count as one each.
TEXT = "\ufeffSeen by Dr. Ní Bhriain\non 3 May. \U0001f642 MRN 17."
SPANS = [Span(13, 23, "DOCTOR"), Span(27, 32, "DATE"), Span(40, 42, "MEDICALRECORD")]
NOTE = Note("n1", TEXT, SPANS)


def brat(folder: Path, ann: str | None = None) -> Path:
    (folder / "n1.txt").write_bytes(TEXT.encode())
    lines = [
        f"T{i}\t{s.type} {s.start} {s.end}\t{TEXT[s.start : s.end]}"
        for i, s in enumerate(SPANS[::-1])
    ]
    (folder / "n1.ann").write_text(
        ann or "\n".join([*lines, "#1\tNote T0\tchecked", ""]), encoding="utf-8"
    )
    return folder


def i2b2(folder: Path) -> Path:
    category = {"DOCTOR": "NAME", "DATE": "DATE", "MEDICALRECORD": "ID"}
    tags = "".join(
        f'<{category[s.type]} id="P{i}" start="{s.start}" end="{s.end}" TYPE="{s.type}" text="x" comment=""/>'
        for i, s in enumerate(SPANS)
    )
    xml = f'<?xml version="1.0" encoding="UTF-8" ?><deIdi2b2><TEXT><![CDATA[{TEXT}]]></TEXT><TAGS>{tags}</TAGS></deIdi2b2>'
    (folder / "n1.xml").write_text(xml, encoding="utf-8")
    return folder


def parquet(folder: Path) -> Path:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"note_id": ["n1"], "text": [TEXT]}), folder / "notes.parquet")
    rows = [{"note_id": "n1", "start": s.start, "end": s.end, "type": s.type} for s in SPANS]
    pq.write_table(pa.Table.from_pylist(rows), folder / "gold.parquet")
    return folder


def jsonl(folder: Path) -> Path:
    write_jsonl(folder / "n.jsonl", [NOTE])
    return folder / "n.jsonl"


@pytest.mark.parametrize("make", [brat, i2b2, parquet, jsonl])
def test_formats_agree(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    assert READERS[make.__name__](make(tmp_path)) == [NOTE]


def test_overlaps_leave_the_longest(tmp_path: Path) -> None:
    nested = Note(
        "n1", TEXT, [Span(13, 15, "PATIENT"), Span(13, 23, "DOCTOR"), Span(13, 23, "DOCTOR")]
    )
    write_jsonl(tmp_path / "n.jsonl", [nested])
    assert READERS["jsonl"](tmp_path / "n.jsonl")[0].spans == [SPANS[0]]


@pytest.mark.parametrize(
    ("ann", "want"),
    [
        ("T1\tDATE 27 32\t4 May", "T1: its text is not"),
        ("T1\tDATE 27 28;30 32\t3 ay", "T1: a discontinuous"),
        ("T1 DATE 27 32", "line 1 cannot be read"),
    ],
)
def test_brat_errors_name_the_annotation(tmp_path: Path, ann: str, want: str) -> None:
    with pytest.raises(CorpusError, match="n1.ann: " + want):
        READERS["brat"](brat(tmp_path, ann))


def test_a_missing_annotation_file_is_an_error(tmp_path: Path) -> None:
    brat(tmp_path)
    (tmp_path / "n1.ann").unlink()
    with pytest.raises(CorpusError, match=r"n1\.ann: missing"):
        READERS["brat"](tmp_path)


def test_conll_sentences_become_notes(tmp_path: Path) -> None:
    file = tmp_path / "w.conll"
    lines = ["Ada\tB-person", "Lund\tI-person", "\u2019s\tO", "Rome\tB-location,B-group", "Oslo\tB-location", "", "no\tO", "", ""]  # fmt: skip
    file.write_text("\n".join(lines), encoding="utf-8")
    first, second = READERS["conll"](file)
    assert first.text == "Ada Lund \u2019s Rome Oslo"
    assert [(first.text[s.start : s.end], s.type) for s in first.spans] == [
        ("Ada Lund", "person"),
        ("Rome", "location"),
        ("Oslo", "location"),
    ]
    assert (second.text, second.spans) == ("no", [])
    file.write_text("Ada B-person\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="line 1"):
        READERS["conll"](file)
