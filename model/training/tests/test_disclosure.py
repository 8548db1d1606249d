"""A model holds no word that only PHI has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from training.__main__ import main
from training.corpus import read
from training.disclosure import disclosure, whose
from training.lexicons import load
from training.notes import Note, read_jsonl
from training.recipe import Source
from training.windows import tokenize

from .helper import write_marked

# Invented, and on no list of ours.
NAMES = (
    "Quillonsay Thrudbeck Ombwayo Vexnard Zuurkool Ploughgate Inchmurrin Skelwith Dravinder "
    "Oxenfrith Balquidder Jorvikson Nkumbulo Wrathgar"
).split()
OVERLOOKED = "Umberglade"  # a name that nobody marked, in the notes of two patients
LISTED = "Smith"  # on the lists, and only ever in PHI here
COMMON, RARE = "zolpidem", "ondansetron"  # of all patients, and of four


def notes(folder: Path) -> None:
    for k, name in enumerate(NAMES):
        text = (
            f"[[PATIENT:{name}, {LISTED}]] MRN [[MEDICALRECORD:{731004 + 97 * k}]] seen by "
            f"Dr. [[DOCTOR:{NAMES[-k - 1]}]], {COMMON} 5 mg at night in January 2019."
        )
        if k < 2:
            text += f" Sister {OVERLOOKED} called."
        if k < 4:
            text += f" Given {RARE}."
        write_marked(folder, f"p{k:02}", [text])


def words(texts: Iterable[str]) -> set[str]:
    return {w.lower() for t in texts for w in re.findall(r"\w+", t)}


def only_in_phi(notes: Iterable[Note]) -> set[str]:
    """The words that stand within annotations of notes and nowhere else, but for those on
    public lists."""
    inside, outside = [], []
    for n in notes:
        at = 0
        for s in n.spans:
            inside.append(n.text[s.start : s.end])
            outside.append(n.text[at : s.start])
            at = s.end
        outside.append(n.text[at:])
    return words(inside) - words(outside) - words(load(None).entries())


def holding(folder: Path, wanted: set[str]) -> dict[str, set[str]]:
    """The wanted words in each file of a folder: whole words of texts; of other files bytes, of
    words of five letters at least, as shorter ones stand in random bytes by chance."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            try:
                held = words([data.decode()]) & wanted
            except UnicodeDecodeError:
                held = {w for w in wanted if len(w) > 4 and w.encode() in data.lower()}
            if held:
                found[str(path.relative_to(folder))] = held
    return found


RECIPE = """
name = "t"
output = "model"
[notes.ours]
path = "notes"
format = "marked"
dev = 0.1
[network]
token = 8
char_embedding = 4
char_hidden = 4
hidden = 8
dense = 8
[training]
epochs = 1
[vectors]
epochs = 1
"""


def test_no_file_of_a_model_holds_a_word_that_only_phi_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").mkdir()
    notes(tmp_path / "notes")
    (tmp_path / "r.toml").write_text(RECIPE)
    work = tmp_path / "work"
    command = ["training", "all", str(tmp_path / "r.toml"), "--work", str(work)]
    monkeypatch.setattr("sys.argv", command)
    assert main() == 0
    read = read_jsonl(work / "converted/ours/notes.jsonl")
    secret = only_in_phi(read)
    assert {n.lower() for n in NAMES} <= secret
    assert sum(w.isdigit() for w in secret) == len(NAMES)  # record numbers
    assert "january" not in secret
    # The search finds them all where they are: in the notes.
    assert holding(work, secret)["converted/ours/notes.jsonl"] == secret
    assert holding(tmp_path / "model", secret) == {}
    vocabulary = (tmp_path / "model/vocabulary.txt").read_text().split("\n")
    assert LISTED.lower() in vocabulary
    assert COMMON in vocabulary
    assert "january" in vocabulary
    assert "2019" in vocabulary
    assert RARE not in vocabulary
    assert OVERLOOKED.lower() not in vocabulary
    card = (tmp_path / "model/README.md").read_text()
    assert "outside of PHI in the notes of at least 5 patients" in card
    assert "public texts filled" not in card


def test_a_form_is_held_if_it_is_public_or_common(tmp_path: Path) -> None:
    notes(tmp_path)
    train = read({"t": Source(tmp_path, "marked", dev=0.1)}, tmp_path / "w", 1).train
    windows, _ = tokenize(train)
    public, _ = tokenize([Note("p", "Thrudbeck lives here")])
    for k, rare in ((5, False), (2, True)):
        d = disclosure(train, windows, public, {"vexnard"}, k)
        assert d.may_hold("thrudbeck")
        assert d.may_hold("vexnard")
        assert not d.may_hold("quillonsay")
        assert d.may_hold(COMMON)
        assert d.may_hold(RARE) == rare
        assert [d.may_hold(n) for n in ("7", "07", "99", "1985", "731", "731004")] == [
            *[True] * 4, False, False,
        ]  # fmt: skip


def test_cards_say_in_whose_notes_words_stand() -> None:
    named, alone = Note("a", "", patient="p"), Note("b", "")
    assert whose([named], 5) == "the notes of at least 5 patients"
    assert whose([named], 1) == "the notes of at least 1 patient"
    assert whose([alone], 5) == "at least 5 notes (they name no patient)"
    assert whose([named, alone], 5).endswith("5 patients (one that names no patient counts as one)")
