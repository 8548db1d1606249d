"""Other values for marked PHI, in the format that the author chose.

A network trained on a few hundred notes would learn their names by heart. Each
variant of a note keeps its wording and every format ("08/30/1947",
"MULVANEY, DECLAN F", "rm 6") and changes the values. One word is replaced by
one word throughout a note, so that names still recur as in a chart.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .lexicons import Lexicons
from .notes import Builder, Note
from .rng import Rng
from .wordlists import (
    CODAS,
    DATE_WORDS,
    GENERIC,
    HOLIDAY_KEYS,
    HOLIDAYS,
    MONTHS_SHORT,
    NUMBERS,
    ONSETS,
    PARTICLES,
    TENS,
    TOWNS,
    VOWELS,
)

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
PIECE = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[\W_]")


def like(value: str, model: str) -> str:
    """Gives value the letter case of model."""
    letters = [c for c in model if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return value.upper()
    if letters and all(c.islower() for c in letters):
        return value.lower()
    return value


class Refiller:
    """Replaces the PHI of one note; make a new one per note."""

    def __init__(self, lex: Lexicons, r: Rng) -> None:
        self.lex = lex
        self.r = r
        self.memo: dict[tuple[str, str], str] = {}

    def note(self, note: Note) -> Note:
        b = Builder()
        at = 0
        for s in note.spans:
            b.add(note.text[at : s.start])
            b.phi(self._hurried(self.value(note.text[s.start : s.end], s.type)), s.type)
            at = s.end
        b.add(note.text[at:])
        return b.build(note.id)

    def _hurried(self, surface: str) -> str:
        """Small letters or capitals now and then, as hurried typing has them."""
        change = str.lower if self.r.chance(0.04) else str.upper if self.r.chance(0.02) else None
        if change is None or len(change(surface)) != len(surface):
            return surface
        return change(surface)

    def value(self, surface: str, type_: str) -> str:
        key = (type_, surface.lower())
        if key not in self.memo:
            new = _REFILL[type_](self, surface)
            # A mark never crosses a line and has no blank at its edges.
            self.memo[key] = new if new.strip() == new and new and "\n" not in new else surface
        new = self.memo[key]
        return like(new, surface)

    # names

    def _word(self, word: str, kind: str, make: Callable[[], str]) -> str:
        key = (f"{kind} word", word.lower())
        if key not in self.memo:
            self.memo[key] = make()
        return like(self.memo[key], word)

    def person(self, s: str) -> str:
        words = [m for m in WORD.finditer(s) if m[0].lower() not in PARTICLES]
        comma = s.find(",")
        out, at = [], 0
        for i, m in enumerate(words):
            out.append(s[at : m.start()])
            at = m.end()
            w = m[0]
            if len(w) == 1 or (len(w) <= 3 and len(words) == 1 and not w.istitle()):
                out.append(self._word(w, "initials", lambda w=w: self._letters(w)))  # type: ignore[misc]
                continue
            if comma > 0:
                last = m.start() < comma
            elif len(words) > 1:
                last = i == len(words) - 1 or s[at : at + 1] == "-"
            else:
                last = self.r.chance(0.5)
            make = self.lex.last_name if last else self.lex.first_name
            out.append(self._word(w, "name", lambda make=make: self._single(make)))  # type: ignore[misc]
        out.append(s[at:])
        new = "".join(out)
        return self._typo(new) if self.r.chance(0.04) else new

    def _single(self, make: Callable[[Rng], str]) -> str:
        if self.r.chance(0.1):
            return self.coined()
        return self.r.choice(self.lex.words) if self.r.chance(0.04) else make(self.r)

    def coined(self) -> str:
        """A name that no list holds: the context and the letters must do."""
        name = "".join(
            self.r.choice(ONSETS) + self.r.choice(VOWELS) + self.r.choice(CODAS)
            for _ in range(self.r.int(1, 3))
        )
        return name.capitalize()

    def _letters(self, w: str) -> str:
        return "".join(self.r.letter(c) for c in w)

    def _typo(self, s: str) -> str:
        i = self.r.int(1, max(1, len(s) - 2))
        if not s[i : i + 2].isalpha():
            return s
        if self.r.chance(0.5):
            return s[:i] + s[i + 1 :]
        return s[:i] + s[i + 1 : i + 2] + s[i] + s[i + 2 :]

    def login(self, s: str) -> str:
        def letters(m: re.Match[str]) -> str:
            w = self.r.letter("a") + re.sub(r"\W", "", self.lex.last_name(self.r)).lower()
            return like(w[: max(3, min(len(w), len(m[0]) + self.r.int(-2, 2)))], m[0])

        return self._digits(WORD.sub(letters, s))

    def email(self, s: str) -> str:
        def word(m: re.Match[str]) -> str:
            if m[0].lower() in (
                "com",
                "org",
                "net",
                "example",
                "www",
                "http",
                "https",
                "uk",
                "edu",
            ):
                return m[0]
            pool = self.lex.first if self.r.chance(0.4) else self.lex.last
            new = self.r.choice(pool if self.r.chance(0.7) else self.lex.words)
            return like(re.sub(r"[\W_]", "", new).lower(), m[0])

        new = self._digits(WORD.sub(word, s))
        for other in ("gmail.com", "yahoo.com", "nhs.net", "hotmail.co.uk", "outlook.com"):
            if self.r.chance(0.08):
                return re.sub(r"@.*", "@" + other, new)
        return new

    def url(self, s: str) -> str:
        new = self.email(s)
        return re.sub(r"\.example\b", self.r.choice([".com", ".org", ".co.uk", ".example"]), new)

    # numbers

    def _digits(self, s: str) -> str:
        return re.sub(
            r"\d", lambda m: "0" if m[0] == "0" and self.r.chance(0.3) else str(self.r.int(0, 9)), s
        )

    def ident(self, s: str) -> str:
        """Digits change; letters too, where they belong to the number."""
        swap = self.r.chance(0.4)

        def piece(m: re.Match[str]) -> str:
            w = m[0]
            if swap and len(w) <= 6 and (w.isupper() or any(c.isdigit() for c in s)):
                return "".join(self.r.letter(c) for c in w)
            return w

        return self._digits(WORD.sub(piece, s))

    def digits(self, s: str) -> str:
        return self._digits(s)

    def zip(self, s: str) -> str:
        if re.search(r"[A-Za-z]", s) and self.r.chance(0.7):
            s = re.sub(r"[A-Za-z]", lambda m: self.r.letter(m[0]), s)
        return self._digits(s)

    def ip(self, s: str) -> str:
        return re.sub(r"\d+", lambda _: str(self.r.int(0, 255)), s)

    def age(self, s: str) -> str:
        def number(m: re.Match[str]) -> str:
            n = int(m[0])
            if s[m.end() :].lstrip("'’").startswith("s"):
                return str(self.r.int(1, 9) * 10)
            if n < 18:
                return str(self.r.int(1, 17))
            return str(self.r.int(18, 104))

        def word(m: re.Match[str]) -> str:
            w = m[0].lower()
            for pool in (TENS, NUMBERS):
                if w in pool:
                    return like(self.r.choice(pool), m[0])
                if w == "sixties" or w.endswith("ties"):
                    return like(
                        self.r.choice(
                            [
                                "thirties",
                                "forties",
                                "fifties",
                                "sixties",
                                "seventies",
                                "eighties",
                                "nineties",
                            ]
                        ),
                        m[0],
                    )
            return m[0]

        return re.sub(r"\d+", number, WORD.sub(word, s))

    def date(self, s: str) -> str:
        if s.lower() in HOLIDAY_KEYS:
            return self.r.choice(HOLIDAYS)
        year = self.r.int(1930, 2026) if self.r.chance(0.35) else self.r.int(2005, 2026)
        padded = bool(re.search(r"(?<!\d)0\d(?!\d)|^\d{4}-\d\d-\d\d$", s))

        def word(w: str) -> str:
            for pool in DATE_WORDS:
                for x in pool:
                    if w.lower() == x.lower():
                        return like(self.r.choice(pool), w) if len(w) > 2 else w
            if w.lower() == "sept":
                return like(self.r.choice(MONTHS_SHORT), w)
            return w

        def number(w: str, sep: str) -> str:
            n = int(w)
            if len(w) == 4 and 1850 <= n <= 2100:
                return f"{year // 10}0" if sep == "s" else str(year)
            if len(w) == 8:
                return f"{year}{self.r.int(1, 12):02}{self.r.int(1, 28):02}"
            if len(w) > 2:
                return self._digits(w)
            if n > 31 or (n == 0):
                return f"{year % 100:02}" if sep != "s" else f"{year // 10 % 10}0"
            m = self.r.int(1, 12) if n <= 12 else self.r.int(13, 28)
            return f"{m:02}" if padded else str(m)

        out: list[str] = []
        for m in PIECE.finditer(s):
            p = m[0]
            if p[0].isdecimal():
                out.append(number(p, s[m.end() : m.end() + 1]))
            elif p[0].isalpha():
                if p.lower() in ("st", "nd", "rd", "th") and out and out[-1].isdecimal():
                    out.append(like(_ordinal(int(out[-1])), p))
                else:
                    out.append(word(p))
            else:
                out.append(p)
        return "".join(out)

    # places

    def city(self, s: str) -> str:
        if self.r.chance(0.12):
            return self.coined() + self.r.choice(TOWNS)
        return self.r.choice(self.lex.cities)

    def state(self, s: str) -> str:
        letters = re.sub(r"\W", "", s)
        if (len(letters) <= 3 and letters.upper() == letters) or len(letters) == 2:
            return self.r.choice(self.lex.state_codes)
        return self.r.choice(self.lex.states)

    def country(self, s: str) -> str:
        return self.r.choice(self.lex.countries)

    def profession(self, s: str) -> str:
        if self.r.chance(0.25):
            return s
        new = self.r.choice(self.lex.professions)
        return new[0].upper() + new[1:] if s[:1].isupper() else new

    def street(self, s: str) -> str:
        if self.lex.streets and self.r.chance(0.15):
            return self.r.choice(self.lex.streets)
        return self._digits(self._named(s, keep=0.05))

    def body(self, s: str) -> str:
        """Hospitals, firms, schools, landmarks: generic words stay."""
        return self._digits(self._named(s, keep=0.1))

    def hospital(self, s: str) -> str:
        if self.lex.hospitals and self.r.chance(0.12) and len(s.split()) > 1:
            return self.r.choice(self.lex.hospitals)
        return self.body(s)

    def _named(self, s: str, keep: float) -> str:
        def word(m: re.Match[str]) -> str:
            w = m[0]
            if w.lower() in GENERIC or w.lower() in PARTICLES or len(w) == 1:
                return w
            if len(w) <= 4 and w.isupper() and not s.isupper():
                return self._word(w, "code", lambda: self._letters(w))
            if self.r.chance(keep):
                return w
            return self._word(w, "place", self._place_word)

        return WORD.sub(word, s)

    def _place_word(self) -> str:
        pool = self.r.int(0, 10)
        if pool == 10:
            return self.coined()
        if pool < 4:
            return self.r.choice(self.lex.words)
        if pool < 6:
            return self.r.choice(self.lex.cities)
        return self.lex.last_name(self.r)

    def same(self, s: str) -> str:
        return s


def _ordinal(n: int) -> str:
    if n % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


_REFILL: dict[str, Callable[[Refiller, str], str]] = {
    "PATIENT": Refiller.person,
    "DOCTOR": Refiller.person,
    "USERNAME": Refiller.login,
    "PROFESSION": Refiller.profession,
    "ROOM": Refiller.ident,
    "DEPARTMENT": Refiller.body,
    "HOSPITAL": Refiller.hospital,
    "ORGANIZATION": Refiller.body,
    "STREET": Refiller.street,
    "CITY": Refiller.city,
    "STATE": Refiller.state,
    "COUNTRY": Refiller.country,
    "ZIP": Refiller.zip,
    "LOCATION-OTHER": Refiller.body,
    "AGE": Refiller.age,
    "DATE": Refiller.date,
    "PHONE": Refiller.digits,
    "FAX": Refiller.digits,
    "EMAIL": Refiller.email,
    "URL": Refiller.url,
    "IPADDR": Refiller.ip,
    "SSN": Refiller.digits,
    "MEDICALRECORD": Refiller.ident,
    "HEALTHPLAN": Refiller.ident,
    "ACCOUNT": Refiller.ident,
    "LICENSE": Refiller.ident,
    "VEHICLE": Refiller.ident,
    "DEVICE": Refiller.ident,
    "BIOID": Refiller.ident,
    "IDNUM": Refiller.ident,
    "OTHER": Refiller.same,
}


def refillable(note: Note) -> bool:
    """Reports whether every type of a note's spans is one of i2b2 2014."""
    return all(s.type in _REFILL for s in note.spans)
