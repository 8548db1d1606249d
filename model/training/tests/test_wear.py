"""Wear moves spans with their text, loses none and leaves most notes alone."""

from __future__ import annotations

import pytest

from training.inject import check
from training.notes import Note, parse_marks
from training.rng import Rng
from training.wear import WAYS, faxed, glued, hurried, rewrapped, uncued, wear
from training.world import origins, plain

MARKED = (
    "MRN: [[MEDICALRECORD:448-12-90]]  DOB: [[DATE:3/4/1957]]\n"
    "Seen by Dr. [[DOCTOR:Grace Okonkwo]] with Mrs [[PATIENT:Rose May]], who lives in "
    "[[CITY:Leeds]] and takes warfarin 5 mg, tel [[PHONE:01632 960114]].\n"
)


def note() -> Note:
    return Note("n", *parse_marks(MARKED))


@pytest.mark.parametrize("way", [*(w for w, _ in WAYS), faxed], ids=lambda w: w.__name__)
def test_every_way_keeps_the_spans_in_place(way):  # type: ignore[no-untyped-def]
    changed = 0
    for k in range(200):
        worn = way(note(), Rng(1, f"{way.__name__}/{k}"))
        check(worn)
        assert [s.type for s in worn.spans] == [s.type for s in note().spans]
        changed += worn.text != note().text
    assert changed > 20


def test_hurried_and_rewrapped_keep_the_letters() -> None:
    for k in range(50):
        for way in (hurried, rewrapped):
            worn = way(note(), Rng(2, str(k)))
            assert worn.text.lower().split() == note().text.lower().split()


def test_uncued_drops_a_title_and_no_other_word() -> None:
    texts = {uncued(note(), Rng(3, str(k))).text for k in range(100)}
    assert any("Seen by Grace Okonkwo" in t for t in texts)
    assert all("takes warfarin 5 mg" in t for t in texts)


def test_glued_drops_blanks_only() -> None:
    for k in range(100):
        worn = glued(note(), Rng(4, str(k))).text
        assert worn.replace(" ", "") == note().text.replace(" ", "")


def test_a_poor_scanner_misreads_the_same_letters_all_over_a_note() -> None:
    texts = [faxed(note(), Rng(6, str(k))).text for k in range(300)]
    assert any("448-l2-90" in t and "0196O" not in t and "O196O114" not in t for t in texts)
    assert any("DOB" not in t and "0k0nkw0" in t for t in texts)
    assert any("warfari" not in t for t in texts)


def test_wear_depends_on_its_stream_only() -> None:
    assert wear(note(), Rng(5, "a")) == wear(note(), Rng(5, "a"))


def test_origins_are_many_and_in_latin_script() -> None:
    pytest.importorskip("faker")
    found = origins()
    assert len(found) > 20
    assert len({o.name for o in found}) == len(found)
    assert {plain("Wałęsa", Rng(1, str(k))) for k in range(20)} == {"Wałęsa", "Walesa"}
