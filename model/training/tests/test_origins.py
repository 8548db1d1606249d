"""The names that recall is measured by (tools/origins/names) are none that is trained on."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from training import world
from training.lexicons import load

ROOT = Path(__file__).parents[3]
SPELLED = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)


def fold(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.lower().translate(SPELLED))
    return "".join(c for c in letters if not unicodedata.combining(c))


def parts(name: str) -> list[str]:
    """A name's folded parts, and the whole without what divides them."""
    found = [p for p in re.split(r"[-'’\s]", fold(name)) if p]
    return [*found, "".join(found)]


def test_no_name_of_an_origin_is_trained_on() -> None:
    pytest.importorskip("faker")
    data = ROOT.parent / "shared" / "data" / "lexicons"
    lists = load(data if data.is_dir() else None)
    trained = [lists.first, lists.last, lists.common_first, lists.common_last]
    trained += [lists.word_first, lists.word_last]
    for o in world.origins():
        trained += [o.first, o.last]
    known = {p for names in trained for n in names for p in parts(n)}
    assert len(known) > 20_000, "Faker's names are missing"
    files = sorted((ROOT / "tools" / "origins" / "names").glob("*.txt"))
    assert len(files) == 16
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                names = line.partition(": ")[2].split()
                assert not [n for n in names if known.intersection(parts(n))], file.stem
