"""Names, places and occupations that stand in for those in the notes.

The lists in text/ were written for this project and ship with it. Larger ones
(US Census 1990 names, the CMS hospital list, dariusk/corpora; see the model
card) and names of many origins (world.py) are added where a folder with them is given.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

from .rng import Rng
from .tools import ROOT
from .world import Origin, bare, origins, plain

TEXT = Path(__file__).parent / "text"
TESTED = ROOT / "tools" / "origins" / "names"  # names that recall is measured by


def read_list(path: Path) -> list[str]:
    """Reads a list divided by commas or lines; lines that begin with # are remarks."""
    lines = [x for x in path.read_text(encoding="utf-8").splitlines() if not x.startswith("#")]
    return [w.strip() for x in lines for w in x.split(",") if w.strip()]


@dataclass
class Lexicons:
    first: list[str]
    last: list[str]
    common_first: list[str]  # most frequent first
    common_last: list[str]
    cities: list[str]
    professions: list[str]
    states: list[str]
    state_codes: list[str]
    countries: list[str]
    words: list[str]
    hospitals: list[str]
    streets: list[str]
    word_first: list[str]
    word_last: list[str]
    origins: list[Origin]

    def first_name(self, r: Rng) -> str:
        if self.origins and r.chance(0.35):
            return plain(r.choice(r.choice(self.origins).first), r)
        if r.chance(0.06):
            return r.choice(self.word_first)
        return r.choice(self.first) if r.chance(0.5) else r.early(self.common_first)

    def last_name(self, r: Rng) -> str:
        if self.origins and r.chance(0.35):
            return plain(r.choice(r.choice(self.origins).last), r)
        if r.chance(0.08):
            return r.choice(self.word_last)
        return r.choice(self.last) if r.chance(0.45) else r.early(self.common_last)

    def entries(self) -> Iterator[str]:
        """Every entry of every list."""
        for f in fields(self):
            if f.name != "origins":
                yield from getattr(self, f.name)
        for o in self.origins:
            for name in (*o.first, *o.last):
                yield name
                yield bare(name)


@dataclass
class WordNames(Lexicons):
    """Lexicons whose names are mostly ordinary words, so that the place must tell a name."""

    ordinary: list[str] = field(default_factory=list)  # other words than those of the lists

    def first_name(self, r: Rng) -> str:
        return self._word(self.word_first, r) if r.chance(0.6) else super().first_name(r)

    def last_name(self, r: Rng) -> str:
        return self._word(self.word_last, r) if r.chance(0.4) else super().last_name(r)

    def _word(self, names: list[str], r: Rng) -> str:
        return r.choice(self.ordinary if self.ordinary and r.chance(0.25) else names)


def word_names(lex: Lexicons, texts: Iterable[str]) -> WordNames:
    """Returns lex with names that are words: of the lists, and of ordinary texts."""
    own = {f.name: getattr(lex, f.name) for f in fields(lex)}
    return WordNames(**own, ordinary=ordinary_words(texts))


def ordinary_words(texts: Iterable[str]) -> list[str]:
    """Returns words that texts use now and then, as names: not the commonest, which hold
    sentences together, and none that recall of names is measured by."""
    counts = Counter(w for t in texts for w in re.findall(r"\b[a-z]{4,10}\b", t))
    commonest = {w for w, _ in counts.most_common(300)}
    tested = {w.lower() for f in sorted(TESTED.glob("*.txt")) for w in f.read_text("utf-8").split()}
    words = sorted(w for w, n in counts.items() if n > 1 and w not in commonest | tested)
    return [w.capitalize() for w in words]


def load(folder: Path | None, world: bool = True) -> Lexicons:
    """Loads the shipped lists and, where folder is given, the larger ones in it and, with
    world, the names of many origins."""
    regions, words = _named_lists("regions.txt"), _named_lists("word_names.txt")
    lex = Lexicons(
        first=read_list(TEXT / "first_names.txt"),
        last=read_list(TEXT / "surnames.txt"),
        common_first=[],
        common_last=[],
        cities=read_list(TEXT / "places.txt"),
        professions=read_list(TEXT / "professions.txt"),
        states=regions["state"],
        state_codes=regions["short"],
        countries=regions["country"],
        words=read_list(TEXT / "words.txt"),
        hospitals=[],
        streets=[],
        word_first=words["first"],
        word_last=words["last"],
        origins=origins() if world and folder is not None else [],
    )
    if folder is not None:
        _add(lex, folder)
    lex.common_first = lex.common_first or lex.first
    lex.common_last = lex.common_last or lex.last
    return lex


def _named_lists(file: str) -> dict[str, list[str]]:
    """Reads lines `name: word, word, ...`."""
    lists = {}
    for line in (TEXT / file).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, _, rest = line.partition(": ")
            lists[name] = [w.strip() for w in rest.split(",")]
    return lists


def _add(lex: Lexicons, folder: Path) -> None:
    def lines(name: str) -> list[str]:
        path = folder / name
        return path.read_text(encoding="utf-8").split() if path.exists() else []

    def title(s: str) -> str:
        s = s.title()
        return re.sub(r"\bMc([a-z])", lambda m: "Mc" + m[1].upper(), s)

    female = [title(x) for x in lines("census1990_female.txt")[:2500]]
    male = [title(x) for x in lines("census1990_male.txt")]
    lex.common_first = [x for pair in zip(female, male, strict=False) for x in pair]
    lex.common_first += female[len(male) :]
    lex.common_last = [title(x) for x in lines("census1990_last.txt")[:12000]]
    cities = folder / "corpora_us_cities.json"
    if cities.exists():
        known = set(lex.cities)
        lex.cities += [
            c["city"]
            for c in json.loads(cities.read_text(encoding="utf-8"))["cities"]
            if c["city"] not in known
        ]
    jobs = folder / "corpora_occupations.json"
    if jobs.exists():
        known = set(lex.professions)
        found = json.loads(jobs.read_text(encoding="utf-8"))["occupations"]
        lex.professions += [x for x in found if x not in known and len(x) < 32]
    cms = folder / "cms_hospital_general_information.csv"
    if cms.exists():
        with cms.open(encoding="utf-8", errors="replace") as f:
            for row in csv.DictReader(f):
                lex.hospitals.append(_tidy(row["Hospital Name"]))
                if re.match(r"\d+ ", row["Address"]):
                    lex.streets.append(_tidy(row["Address"]))


def _tidy(capitals: str) -> str:
    s = re.sub(r"'S\b", "'s", capitals.title())
    s = re.sub(r"\d(St|Nd|Rd|Th)\b", lambda m: m[0].lower(), s)
    return re.sub(r"\b(Of|And|The|At|For|In)\b", lambda m: m[1].lower(), s).strip()
