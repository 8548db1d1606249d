"""Every format gives the same notes, divided by patient; wrong ones are told in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from training.checks import check_parts
from training.corpus import read
from training.failure import Refused
from training.notes import Note, Span, write_jsonl
from training.recipe import Source

from .helper import quiet, write_marked

# A byte-order mark, a line end and a code point beyond 16 bits count as one each.
TEXT = "\ufeffSeen by Dr. Ní Bhriain\non 3 May. \U0001f642 MRN 17."
SPANS = [Span(13, 23, "DOCTOR"), Span(27, 32, "DATE"), Span(40, 42, "MEDICALRECORD")]
DEV = Note("dev", "Seen 3 May.", [Span(5, 10, "DATE")], "other")


def brat(folder: Path) -> None:
    (folder / "n1.txt").write_bytes(TEXT.encode())
    lines = [
        f"T{i}\t{s.type} {s.start} {s.end}\t{TEXT[s.start : s.end]}"
        for i, s in enumerate(SPANS[::-1], 1)
    ]
    ann = "\n".join([*lines, "#1\tNote T0\tchecked", ""])
    (folder / "n1.ann").write_text(ann, encoding="utf-8")


def i2b2(folder: Path) -> None:
    category = {"DOCTOR": "NAME", "DATE": "DATE", "MEDICALRECORD": "ID"}
    tags = "".join(
        f'<{category[s.type]} id="P{i}" start="{s.start}" end="{s.end}" TYPE="{s.type}" '
        f'text="{TEXT[s.start : s.end]}" comment=""/>'
        for i, s in enumerate(SPANS)
    )
    xml = f"<TEXT><![CDATA[{TEXT}]]></TEXT><TAGS>{tags}</TAGS>"
    xml = f'<?xml version="1.0" encoding="UTF-8" ?><deIdi2b2>{xml}</deIdi2b2>'
    (folder / "n1.xml").write_text(xml, encoding="utf-8")


def jsonl(folder: Path) -> None:
    write_jsonl(folder / "n.jsonl", [Note("n1", TEXT, SPANS)])


def marked(folder: Path) -> None:
    write_marked(folder, "p1", ["Seen by Dr. [[DOCTOR:Al Fox]]"])


def conll(folder: Path) -> None:
    (folder / "w.conll").write_text("Ada\tB-person\nLund\tI-person\nran\tO\n", encoding="utf-8")


def inline(folder: Path) -> None:
    (folder / "n1.txt").write_text("Vista por [[MEDICO:Ana Gil]].\n", "utf-8")
    (folder / "n2.txt").write_text("\u00d1 [[OTROS_DATOS:u\u00f1a]]\nel [[FECHA:3-5]]", "utf-8")


def sources(tmp_path: Path, make: Callable[[Path], None], **source: object) -> dict[str, Source]:
    folder = tmp_path / make.__name__
    folder.mkdir()
    make(folder)
    held = tmp_path / "held"
    held.mkdir()
    write_jsonl(held / "dev.jsonl", [DEV])
    return {
        "ours": Source(folder, make.__name__, **source),  # type: ignore[arg-type]
        "held": Source(held, "jsonl", part="dev"),
    }


@pytest.mark.parametrize("make", [brat, i2b2, jsonl])
def test_formats_agree(tmp_path: Path, make: Callable[[Path], None]) -> None:
    corpus = read(sources(tmp_path, make), tmp_path / "work", 1, quiet)
    (note,) = corpus.train
    assert (note.id, note.text, note.spans) == ("n1", TEXT, SPANS)
    assert corpus.dev == [DEV]


def test_marked_notes_and_conll_go_in(tmp_path: Path) -> None:
    (note,) = read(sources(tmp_path, marked), tmp_path / "work", 1, quiet).train
    assert note == Note("p1-01", "Seen by Dr. Al Fox", [Span(12, 18, "DOCTOR")], "p1")
    (tmp_path / "again").mkdir()
    (note,) = read(sources(tmp_path / "again", conll), tmp_path / "work2", 1, quiet).train
    assert note == Note("w-1", "Ada Lund ran", [Span(0, 8, "person")])


def test_inline_marks_may_have_types_of_any_scheme(tmp_path: Path) -> None:
    a, b = read(sources(tmp_path, inline), tmp_path / "work", 1, quiet).train
    assert a == Note("n1", "Vista por Ana Gil.", [Span(10, 17, "MEDICO")], "n1")
    assert b.spans == [Span(2, 5, "OTROS_DATOS"), Span(9, 12, "FECHA")]
    (tmp_path / "inline" / "n1.txt").write_text("Vista\npor [[MEDICO:Ana", "utf-8")
    told = r"notes\.ours: n1\.txt: stray mark brackets near line 2"
    with pytest.raises(Refused, match=told):
        read({"ours": Source(tmp_path / "inline", "inline")}, tmp_path / "w2", 1, quiet, dev=False)


def patients(count: int) -> Callable[[Path], None]:
    def jsonl(folder: Path) -> None:
        notes = [
            Note(f"n{k}-{i}", "Seen 3 May.", DEV.spans, f"p{k}")
            for k in range(count)
            for i in (1, 2)
        ]
        write_jsonl(folder / "n.jsonl", notes)

    return jsonl


def test_a_share_of_patients_is_held_back(tmp_path: Path) -> None:
    ours = sources(tmp_path, patients(10), dev=0.3)
    drawn = []
    for seed in (1, 1, 2):
        corpus = read(ours, tmp_path / "work", seed, quiet)
        people = [{n.patient for n in part} for part in (corpus.train, corpus.dev)]
        assert (len(people[0]), len(people[1])) == (7, 3 + 1)
        assert not people[0] & people[1]
        drawn.append(people[1])
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_split_names_patients(tmp_path: Path) -> None:
    split = tmp_path / "split.json"
    split.write_text(json.dumps({"dev": ["p1"], "test": ["p2", "p3"]}))
    ours = sources(tmp_path, patients(5), split=split)
    corpus = read(ours, tmp_path / "work", 1, quiet)
    assert {n.patient for n in corpus.train} == {"p0", "p4"}
    assert {n.patient for n in corpus.dev} == {"p1", "other"}
    assert {n.patient for n in corpus.test} == {"p2", "p3"}
    split.write_text(json.dumps({"dev": ["p1", "p77"]}))
    with pytest.raises(Refused, match=r"notes\.ours\.split: .* names 1 patients that .* not have"):
        read(ours, tmp_path / "work", 1, quiet)


def test_what_is_left_out_and_notes_without_patients_are_told(tmp_path: Path) -> None:
    lines: list[str] = []
    read(sources(tmp_path, brat), tmp_path / "work", 1, lines.append)
    assert [line.replace(f"{tmp_path}/", "") for line in lines] == [
        "notes.ours: warning: brat/n1.txt: lines that are no text-bound annotations are left "
        "out: JSON lines hold none",
        "1 notes name no patient: each counts as a patient of its own",
    ]


def test_text_has_no_labels_and_may_be_that_of_dev(tmp_path: Path) -> None:
    ours = sources(tmp_path, jsonl)
    ours["read"] = Source(tmp_path / "held", "jsonl", part="text", public=True)
    corpus = read(ours, tmp_path / "work", 1, quiet)
    assert corpus.text == [Note("text/dev", DEV.text)]
    assert corpus.public == [DEV]


@pytest.mark.parametrize(
    ("ann", "want"),
    [
        ("T1\tDATE 27 32\tSECRET", r'n1\.ann:1: annotation "T1" .* its text does not stand'),
        ("T1\tDATE 27 28;30 32\t3 ay", r'annotation "T1" is discontinuous'),
        ("T1\tDATE", r"n1\.ann:1: annotation"),
    ],
)
def test_errors_name_source_and_annotation(tmp_path: Path, ann: str, want: str) -> None:
    ours = sources(tmp_path, brat)
    (tmp_path / "brat/n1.ann").write_text(ann, encoding="utf-8")
    with pytest.raises(Refused, match="notes.ours: .*" + want) as e:
        read(ours, tmp_path / "work", 1, quiet)
    assert "SECRET" not in str(e.value)
    assert "\n" not in str(e.value)


def test_unknown_formats_are_refused(tmp_path: Path) -> None:
    ours = {"ours": Source(tmp_path, "parchment")}
    with pytest.raises(Refused, match=r"notes\.ours: .*parchment.*formats are i2b2"):
        read(ours, tmp_path / "work", 1, quiet)


DATED = Note("a", "3 May", [Span(0, 5, "DATE")], "p1")


@pytest.mark.parametrize(
    ("train", "dev", "test", "want"),
    [
        ([], [DATED], [], "no notes in the part train"),
        ([DATED], [], [], "no notes in the part dev"),
        ([Note("b", "x")], [DATED], [], "part train have no annotation"),
        ([DATED], [DATED], [], r"1 patients .* in both train and dev"),
        ([DATED], [Note("b", "3 May", DATED.spans, "p1")], [], "in both train and dev"),
        ([DATED], [Note("b", "3 May", DATED.spans)], [Note("b", "")], "in both dev and test"),
        ([DATED], [Note("b", "3 May", DATED.spans)], [Note("t", "", [], "p1")], "train and test"),
        ([DATED, DATED], [Note("b", "3 May", DATED.spans)], [], "1 notes have the id of another"),
    ],
)
def test_parts_that_tell_nothing_are_refused(
    train: list[Note], dev: list[Note], test: list[Note], want: str
) -> None:
    with pytest.raises(Refused, match=want):
        check_parts({"train": train, "dev": dev, "test": test, "text": []})


def test_annotations_that_were_mended_are_told(tmp_path: Path) -> None:
    ours = sources(tmp_path, jsonl)
    spans = [*SPANS, Span(26, 32, "DATE"), Span(22, 23, "CITY")]
    write_jsonl(tmp_path / "jsonl/n.jsonl", [Note("n1", TEXT, spans)])
    lines: list[str] = []
    (note,) = read(ours, tmp_path / "work", 1, lines.append).train
    assert note.spans == SPANS
    assert [line.partition(" annotations ")[0] for line in lines[:2]] == [
        "notes.ours: 1",
        "notes.ours: 1",
    ]
    assert "overlap a longer one" in lines[0]
    assert "reach over a line end" in lines[1]
