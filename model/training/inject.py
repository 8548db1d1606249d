"""Puts PHI into carriers: headers, sentences, names for "the patient", signatures.

Everything is assembled as marked pieces with example values; the refiller then
draws the values, so that one document's names recur in it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .carriers import STOP
from .failure import Refused
from .lexicons import TEXT, Lexicons
from .notes import Builder, Note, cut_note, parse_marks
from .refill import Refiller, refillable
from .rng import Rng
from .wear import wear

SUBJECT = re.compile(r"(?:(?<=\. )|(?<=\.  )|(?<=\n)|^)(The patient|Patient|This patient|Pt)(?= )")
PERSON = re.compile(r"\b(?:mother|father|wife|husband|brother|sister|son|daughter)\b(?= [a-z(])")
SCORE = re.compile(r"(?<![\d/.-])([1-9]?\d)/([1-9]\d?)(?![\d/.-])")
HEADINGS = {
    "social": re.compile(r"(?i)\b(?:social|family|SHx?|FHx?|lives|married|smok|tobacco)\b"),
    "plan": re.compile(r"(?i)\b(?:plan|follow|continue|refer|prescri|review|return)"),
}


@dataclass
class Pieces:
    """Template pieces by section, and lines of the training notes."""

    sections: dict[str, list[Note]]
    lines: list[Note]

    def line(self, r: Rng) -> Note:
        """A line of the training notes; where none has PHI, a sentence of the templates."""
        return r.choice(self.lines or self.sections["narrative"])


def load_pieces(train: Sequence[Note]) -> Pieces:
    """Reads text/templates.txt, and cuts the marked lines out of training notes, as far as their
    PHI can be drawn anew."""
    sections: dict[str, list[Note]] = {}
    current: list[Note] = []
    piece: list[str] = []
    for line in (TEXT / "templates.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            current = sections.setdefault(line[3:], [])
        elif line == "--":
            text, spans = parse_marks("\n".join(piece))
            current.append(Note("piece", text, spans))
            piece = []
        elif not line.startswith("#"):
            piece.append(line)
    lines = [x for n in train for x in marked_lines(n)]
    return Pieces(sections, list(filter(refillable, lines)))


def marked_lines(note: Note) -> list[Note]:
    lines, at = [], 0
    for line in note.text.split("\n"):
        end = at + len(line)
        if line.strip() and any(s.start >= at and s.end <= end for s in note.spans):
            lines.append(cut_note(note, at, end))
        at = end + 1
    return lines


def variant(
    note: Note, lex: Lexicons, r: Rng, without: Collection[str] = (), case: float = 0.06
) -> Note:
    """A note with other values, worn, and with chance case each in capitals or in small letters.
    without may name "refill" and "wear"."""
    if "refill" not in without:
        note = rescore(Refiller(lex, r).note(note), r)
    return note if "wear" in without else recase(wear(note, r), r, case)


def rescore(note: Note, r: Rng) -> Note:
    """Draws the first number of scores outside of spans anew ("14/27" to "19/27"), of the same
    length and no greater than the second."""
    text, spans = list(note.text), iter(note.spans)
    span = next(spans, None)
    for m in SCORE.finditer(note.text):
        while span is not None and span.end <= m.start():
            span = next(spans, None)
        number, of = int(m[1]), int(m[2])
        if number <= of and (span is None or span.start >= m.end()):
            low, high = (0, 9) if len(m[1]) == 1 else (10, 99)
            text[m.start(1) : m.end(1)] = str(r.int(low, min(high, of)))
    return Note(note.id, "".join(text), note.spans)


def recase(note: Note, r: Rng, p: float) -> Note:
    """With chance p each, puts a note into capitals or into small letters."""
    change = str.upper if r.chance(p) else str.lower if r.chance(p) else None
    if change is None:
        return note
    # Only where the length stays: spans must not move.
    text = "".join(c if len(change(c)) != 1 else change(c) for c in note.text)
    return Note(note.id, text, note.spans)


def document(
    carriers: Sequence[Note],
    pieces: Pieces,
    lex: Lexicons,
    r: Rng,
    id_: str,
    without: Collection[str] = (),
) -> Note:
    """Builds one document from one or more carriers. Without "inject" they get no more PHI
    than they have; "refill" and "wear" can be left out too."""
    b = Builder()
    if "inject" in without:
        for carrier in carriers:
            b.note(carrier)
            b.add("\n\n")
        return variant(b.build(id_), lex, r, without, 0.08)
    sections = pieces.sections
    if r.chance(0.75):
        b.note(r.choice(sections["header"]))
        b.add("\n" if r.chance(0.5) else "\n\n")
    if r.chance(0.3):
        b.note(pieces.line(r))
        b.add("\n")
    for carrier in carriers:
        _body(b, carrier, pieces, r)
        b.add("\n" if r.chance(0.5) else "\n\n")
    for _ in range(r.int(0, 2)):
        b.note(pieces.line(r) if r.chance(0.3) else r.choice(sections["signature"]))
        b.add("\n")
    return variant(b.build(id_), lex, r, without, 0.08)


def _body(b: Builder, carrier: Note, pieces: Pieces, r: Rng) -> None:
    """Appends a carrier with names for its subjects and pieces between sentences."""
    for start, end in _sentences(carrier.text):
        part = cut_note(carrier, start, end)
        b.note(_named(part, r))
        if part.text.endswith("\n\n"):
            chance = 0.1
        elif part.text[-1:].isspace():
            chance = 0.16
        else:
            continue
        if r.chance(chance):
            b.note(_piece(part.text, pieces, r))
            b.add("\n" if part.text.endswith("\n") else " ")


def _piece(near: str, pieces: Pieces, r: Rng) -> Note:
    if r.chance(0.25):
        return pieces.line(r)
    for section, cue in HEADINGS.items():
        if cue.search(near) and r.chance(0.7):
            return r.choice(pieces.sections[section])
    draw = r.int(0, 9)
    section = "narrative" if draw < 7 else "social" if draw < 9 else "plan"
    return r.choice(pieces.sections[section])


def _sentences(text: str) -> list[tuple[int, int]]:
    cuts = [m.end() for m in re.finditer(rf"{STOP}\s+(?=[A-Z\"])|\n+", text)]
    edges = [0, *cuts, len(text)]
    return [(a, b) for a, b in itertools.pairwise(edges) if a < b]


def _named(part: Note, r: Rng) -> Note:
    """Now and then puts a name for "The patient", or after "his wife"."""
    m = SUBJECT.search(part.text)
    if m and r.chance(0.2):
        before, title = r.choice(
            [("Mr. ", "Smith"), ("Mrs. ", "Smith"), ("Ms ", "Smith"), ("", "John Smith"),
             ("", "Jane"), ("", "SMITH"), ("pt ", "smith"), ("Pt. ", "J. Smith")]
        )  # fmt: skip
        return _splice(part, m.start(), m.end(), before, title)
    m = PERSON.search(part.text)
    if m and r.chance(0.12):
        return _splice(part, m.end(), m.end(), " ", "Jane" if r.chance(0.7) else "Jane Smith")
    return part


def _splice(part: Note, start: int, end: int, before: str, name: str) -> Note:
    if any(s.start < end and s.end > start for s in part.spans):
        return part
    b = Builder()
    b.note(cut_note(part, 0, start))
    b.add(before)
    b.phi(name, "PATIENT")
    b.note(cut_note(part, end, len(part.text)))
    return b.build(part.id)


def check(note: Note) -> None:
    """Refuses a made-up note unless spans are in order, apart, inside the text and free of blanks
    at their edges."""
    at = 0
    for s in note.spans:
        surface = note.text[s.start : s.end]
        if s.start < at or not surface or surface != surface.strip() or "\n" in surface:
            raise Refused(f"a made-up note has a malformed span of type {s.type}: this is a defect")
        at = s.end
