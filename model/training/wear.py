"""What hurried hands, dictation and scanners do to a note.

Each note suffers little and few at once: most stay as they are, because most of
real text is clean.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .notes import Builder, Note
from .rng import Rng

TITLE = re.compile(r"(?i)(?:\b(?:dr|mr|mrs|ms|miss|prof|doctor|nurse|sister)\.?|\bpt|\bpatient) $")
LABEL = re.compile(r"(?:^|(?<=[ \t|]))[A-Za-z#./ ]{2,18}[:#] ?$")
LOOKS = {
    "O": "0", "0": "O", "l": "1", "1": "l", "I": "l", "S": "5", "5": "S", "B": "8", "8": "B",
    "e": "c", "c": "e", "a": "o", "n": "u", "u": "n", "h": "b", "t": "f", "i": "l", "g": "q",
}  # fmt: skip
# What poor engines of optical character recognition take for another, from and to; the most
# frequent first.
MISREAD = (
    ("O", "0"), ("0", "O"), ("o", "0"), ("0", "o"), ("l", "1"), ("1", "l"), ("I", "l"), ("I", "1"),
    ("l", "I"), ("1", "I"), ("i", "1"), ("l", "|"), ("S", "5"), ("s", "5"), ("5", "S"), ("B", "8"),
    ("8", "B"), ("G", "6"), ("6", "G"), ("Z", "2"), ("2", "Z"), ("g", "9"), ("q", "9"), ("A", "4"),
    ("T", "7"), ("D", "0"), ("rn", "m"), ("m", "rn"), ("cl", "d"), ("d", "cl"), ("vv", "w"),
    ("w", "vv"), ("li", "h"), ("h", "li"), ("e", "c"), ("c", "e"), ("t", "f"), ("f", "t"),
    ("u", "ii"), ("n", "ri"), (".", ","), (",", "."), (":", ";"), ("/", "1"), ("-", "~"),
)  # fmt: skip
NAMES = ("PATIENT", "DOCTOR")


def wear(note: Note, r: Rng) -> Note:
    """Wears a note in none, one or several ways."""
    for way, chance in WAYS:
        if r.chance(chance):
            note = way(note, r)
    return note


def _rebuild(
    note: Note,
    gap: Callable[[str, str | None], str],
    surface: Callable[[str, str], str] = lambda s, _: s,
) -> Note:
    """Rewrites the text between spans, given the type of the span behind it, and the spans."""
    b = Builder()
    at = 0
    for s in note.spans:
        b.add(gap(note.text[at : s.start], s.type))
        old = note.text[s.start : s.end]
        new = surface(old, s.type)
        b.phi(new if new.strip() == new and new else old, s.type)
        at = s.end
    b.add(gap(note.text[at:], None))
    return b.build(note.id)


def uncued(note: Note, r: Rng) -> Note:
    """Drops titles before names, and labels before anything, here and there."""

    def gap(s: str, type_: str | None) -> str:
        if type_ in NAMES and r.chance(0.4):
            return TITLE.sub("", s)
        return LABEL.sub("", s) if type_ is not None and r.chance(0.1) else s

    return _rebuild(note, gap)


def glued(note: Note, r: Rng) -> Note:
    """Drops blanks beside spans; two spans never become one token of two types."""

    def gap(s: str, type_: str | None) -> str:
        if len(s) < 3 or not r.chance(0.12):
            return s
        if type_ is not None and s.endswith(" ") and s[-2] not in " \n":
            return s[:-1]
        return s[1:] if s.startswith(" ") and s[1] not in " \n" and r.chance(0.3) else s

    return _rebuild(note, gap)


def hurried(note: Note, r: Rng) -> Note:
    """Writes the names and places of a note in small letters."""

    def surface(s: str, type_: str) -> str:
        low = s.lower()
        return low if type_ not in ("SSN", "ZIP") and len(low) == len(s) and r.chance(0.8) else s

    return _rebuild(note, lambda s, _: s, surface)


def mistyped(note: Note, r: Rng) -> Note:
    """Swaps, drops or doubles a letter in one word of forty."""

    def word(m: re.Match[str]) -> str:
        w = m[0]
        if not r.chance(0.025):
            return w
        i = r.int(1, len(w) - 2)
        match r.int(0, 2):
            case 0:
                return w[:i] + w[i + 1 :]
            case 1:
                return w[:i] + w[i + 1] + w[i] + w[i + 2 :]
        return w[:i] + w[i] + w[i:]

    def change(s: str, _: object) -> str:
        return re.sub(r"[^\W\d_]{4,}", word, s)

    return _rebuild(note, change, change)


def scanned(note: Note, r: Rng) -> Note:
    """Takes letters and digits for those that look like them, one in a hundred."""

    def change(s: str, _: object) -> str:
        return "".join(LOOKS.get(c, c) if r.chance(0.012) else c for c in s)

    return _rebuild(note, change, change)


def faxed(note: Note, r: Rng) -> Note:
    """Reads a note as a poor scanner does: of a few letters, figures and signs most or some are
    taken for what looks like them, words are cut in two or lose a letter."""
    becomes: dict[str, tuple[str, float]] = {}
    for _ in range(r.int(2, 8)):
        old, new = r.early(MISREAD)
        becomes[old] = (new, r.choice((0.1, 0.3, 0.6, 0.9)))
    misread = re.compile("|".join(re.escape(x) for x in sorted(becomes, key=len, reverse=True)))
    cut, lost = (r.choice((0.0, 0.004, 0.015)) for _ in range(2))

    def look(m: re.Match[str]) -> str:
        new, share = becomes[m[0]]
        return new if r.chance(share) else m[0]

    def change(s: str, _: object) -> str:
        s = misread.sub(look, s)
        if lost:
            s = re.sub(r"(?<=\w)\w(?=\w)", lambda m: "" if r.chance(lost) else m[0], s)
        if cut:
            s = re.sub(r"(?<=\w\w)(?=\w\w)", lambda _: " " if r.chance(cut) else "", s)
        return s

    return _rebuild(note, change, change)


def rewrapped(note: Note, r: Rng) -> Note:
    """Breaks lines anew at some width, but never within a span."""
    width = r.int(36, 90)
    column = 0

    def gap(s: str, _: object) -> str:
        nonlocal column
        out = []
        for c in s:
            if c == "\n":
                column = 0
            elif c == " " and column >= width:
                c, column = "\n", 0
            else:
                column += 1
            out.append(c)
        return "".join(out)

    def surface(s: str, _: str) -> str:
        nonlocal column
        column += len(s)
        return s

    return _rebuild(note, gap, surface)


WAYS: tuple[tuple[Callable[[Note, Rng], Note], float], ...] = (
    (uncued, 0.25),
    (glued, 0.12),
    (hurried, 0.08),
    (mistyped, 0.1),
    (scanned, 0.06),
    (rewrapped, 0.08),
)
