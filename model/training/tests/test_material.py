"""Each part of the material does what it is called for, and can be left out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from training.corpus import Corpus
from training.material import Material
from training.notes import Note, parse_marks
from training.recipe import MATERIAL_PARTS, Made

MARKED = (
    "Pt [[PATIENT:Ombwayo Quillonsay]] seen by Dr. [[DOCTOR:Thrudbeck]] on [[DATE:3/4/2011]] "
    "for chest pain, lives in [[CITY:Inchmurrin]], takes warfarin 5 mg at night as before.\n"
)
CARRIER = (
    "The patient is a 41-year-old woman with back pain. She takes ibuprofen. She lives with her "
    "mother and smokes.\n\nPlan: follow up in two weeks. Continue aspirin.\n"
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of carriers and lexicons."""
    (tmp_path / "carriers/primock57").mkdir(parents=True)
    for k in range(4):
        note = json.dumps({"note": CARRIER})
        (tmp_path / f"carriers/primock57/{k}.json").write_text(note)
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons/census1990_last.txt").write_text("SMITH\nJONES\n")
    return tmp_path


def corpus() -> Corpus:
    notes = [Note(f"n{k}", *parse_marks(MARKED), patient=f"p{k}") for k in range(10)]
    return Corpus(train=notes[:8], dev=notes[8:])


def made(data: Path, *without: str, variants: int = 1) -> list[Note]:
    m = Material(corpus(), Made(variants, data), 1, without)
    return m.made(0)


def texts(notes: list[Note], kind: str) -> str:
    return "".join(n.text for n in notes if n.id.startswith("carrier") == (kind == "carrier"))


def test_every_epoch_is_another_and_each_comes_again(data: Path) -> None:
    m = Material(corpus(), Made(2, data), 1)
    first, second = m.made(0), m.made(1)
    assert len([n for n in first if n.id.startswith("n")]) == 16
    assert len([n for n in first if n.id.startswith("carrier")]) > 0
    assert first == Material(corpus(), Made(2, data), 1).made(0)
    assert texts(first, "note") != texts(second, "note")
    told = m.describe()
    assert told["made_per_epoch"]["notes"] == len(second)
    assert (told["train"]["notes"], told["dev"]["notes"], told["carriers"]) == (8, 2, 4)


def test_nothing_is_made_where_nothing_is_asked_for(data: Path) -> None:
    assert not Material(corpus(), Made(0, None), 1).makes()
    assert not Material(corpus(), Made(0, data), 1, ["carriers"]).makes()
    assert Material(corpus(), Made(0, data), 1).makes()
    own = Corpus(train=[Note("n", *parse_marks("[[FECHAS:3 de mayo]]"))])
    assert not Material(own, Made(2, None), 1).makes()  # a type that no list has values for


def test_refill_changes_names(data: Path) -> None:
    assert "Quillonsay" not in texts(made(data), "note")
    assert "Quillonsay" in texts(made(data, "refill", "wear"), "note")


def test_wear_changes_what_is_around_them(data: Path) -> None:
    def outside(notes: list[Note]) -> set[str]:
        return {n.text[n.spans[-1].end :] for n in notes if n.id.startswith("n")}

    assert len(outside(made(data, variants=20))) > 1
    assert outside(made(data, "wear", variants=20)) == {MARKED[MARKED.index("]], takes") + 2 :]}


def test_inject_puts_phi_into_carriers(data: Path) -> None:
    def spans(notes: list[Note]) -> set[str]:
        return {s.type for n in notes if n.id.startswith("carrier") for s in n.spans}

    assert len(spans(made(data))) > 2
    assert spans(made(data, "inject")) == {"AGE"}
    assert "back pain" in texts(made(data, "inject", "wear"), "carrier")


def test_carriers_can_be_left_out(data: Path) -> None:
    assert texts(made(data), "carrier")
    assert texts(made(data, "carriers"), "carrier") == ""


def test_world_brings_names_of_many_origins(data: Path) -> None:
    pytest.importorskip("faker")
    assert Material(corpus(), Made(1, data), 1).lexicons.origins
    assert not Material(corpus(), Made(1, data), 1, ["world"]).lexicons.origins


def test_parts_are_those_that_can_be_named() -> None:
    assert set(MATERIAL_PARTS) == {"inject", "refill", "wear", "carriers", "world"}


def test_card_material_counts_unmarked_text_of_dev() -> None:
    dev = [Note("d1", "one"), Note("d2", "two")]
    train = [Note("t", "x")]
    plain = Material(Corpus(train, dev, text=[Note("u", "other")]), Made(0), 1)
    assert "unmarked_texts_of_dev_or_test" not in plain.describe()
    told = Material(Corpus(train, dev, text=[Note("u", "two")]), Made(0), 1).describe()
    assert told["unmarked_texts_of_dev_or_test"] == 1


def test_public_words_are_those_of_lists_and_published_texts(data: Path) -> None:
    c = corpus()
    c.public = [Note("x", "Everyone may read Balquidder", [])]
    m = Material(c, Made(1, data), 1)
    text = "\n".join(n.text for n in m.public_words())
    for word in ("Jones", "ibuprofen", "Balquidder", "January", "hospital"):
        assert word in text
    for word in ("Quillonsay", "Thrudbeck", "Inchmurrin"):
        assert word not in text


def test_names_that_are_words_are_learnt_from_annotations_alone(data: Path) -> None:
    talk = data / "carriers" / "mtsdialog"
    talk.mkdir()
    said = "he likes pottery and the harbour, walking to the harbour for pottery. " * 2
    filler = " ".join(f"{a}{b}{c}rt" for a in "bcdfghklmn" for b in "aeiou" for c in "lmnprs") + " "
    with (talk / "one.csv").open("w", encoding="utf-8") as f:
        f.write(f'section_text,dialogue\n,"{filler * 9}{said}whisper whisper"\n')
    c = corpus()
    m = Material(c, Made(variants=1, data=data, word_names=0.5), seed=1)
    assert m.wordy.ordinary == ["Harbour", "Likes", "Pottery", "Walking"]  # not the tested Whisper
    notes = [n for k in range(8) for n in m.made(k)]
    wordy = [n for n in notes if n.id.endswith("/words")]
    assert 16 <= len(wordy) <= 48  # half of 8 notes, 8 times
    assert {n.id for n in wordy} <= c.untaught
    assert not {n.id for n in notes} - {n.id for n in wordy} & c.untaught
    lists = {w.lower() for w in (*m.wordy.ordinary, *m.wordy.word_first, *m.wordy.word_last)}
    words = [
        w.lower()
        for n in wordy
        for s in n.spans
        if s.type in ("PATIENT", "DOCTOR")
        for w in n.text[s.start : s.end].split()
    ]
    assert sum(w in lists for w in words) > len(words) / 3
    plain = Material(corpus(), Made(variants=1, data=data), seed=1)
    assert [n.text for n in plain.made(0)] == [n.text for n in m.made(0) if "/words" not in n.id]


def test_notes_as_a_poor_scanner_reads_them_are_learnt_from_annotations_alone(data: Path) -> None:
    c = corpus()
    m = Material(c, Made(variants=1, data=data, faxed=0.5), seed=1)
    notes = [n for k in range(8) for n in m.made(k)]
    read = [n for n in notes if n.id.endswith("/faxed")]
    assert 16 <= len(read) <= 48  # half of 8 notes, 8 times
    assert {n.id for n in read} == {n.id for n in notes} & c.untaught
    mixed = [bool(re.search(r"[a-z][0158]|[0158][a-z]|[a-z][A-Z]", n.text)) for n in read]
    assert sum(mixed) > len(read) / 3
    plain = Material(corpus(), Made(variants=1, data=data), seed=1)
    assert [n.text for n in plain.made(0)] == [n.text for n in m.made(0) if "/faxed" not in n.id]
