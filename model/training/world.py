"""Names of many origins for the refiller, from the lists of the library Faker (MIT).

A character encoder can only know for a name what looks like the names it saw.
Faker's lists of names per country, those in Latin script, widen that look; each
origin is drawn as often as any other, however long its list is.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from .rng import Rng

LATIN = re.compile(r"^[A-Za-zÀ-ɏḀ-ỿ'’ \-]{2,24}$")
FIRST = ("first_names", "first_names_male", "first_names_female", "first_romanized_names")
LAST = ("last_names", "last_names_male", "last_names_female", "last_romanized_names")
ENOUGH = 40  # names of either kind, or the origin is left out


@dataclass
class Origin:
    name: str
    first: list[str]
    last: list[str]


def origins() -> list[Origin]:
    """Returns the origins in the order of their names; none where Faker is missing."""
    try:
        package: Any = importlib.import_module("faker.providers.person")
    except ImportError:
        return []
    found = []
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        provider = importlib.import_module(f"faker.providers.person.{module}").Provider
        first, last = _latin(provider, FIRST), _latin(provider, LAST)
        if len(first) >= ENOUGH and len(last) >= ENOUGH:
            found.append(Origin(module, first, last))
    return found


def _latin(provider: Any, lists: tuple[str, ...]) -> list[str]:
    names: set[str] = set()
    for field in lists:
        values = getattr(provider, field, ())
        if isinstance(values, (list, tuple, dict)):
            names |= {v for v in values if isinstance(v, str) and LATIN.match(v)}
    return sorted(names)


def plain(name: str, r: Rng) -> str:
    """Drops the marks of a name in half of the cases, as many charts do."""
    return name if name.isascii() or r.chance(0.5) else bare(name)


def bare(name: str) -> str:
    """A name without its marks."""
    letters = (c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    return "".join(letters).translate(str.maketrans("łŁøØđĐ", "lLoOdD"))
