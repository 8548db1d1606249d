"""Annotated notes: with spans, as JSON lines, and pieces with inline marks."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MARK = re.compile(r"\[\[([A-Z_-]+):(.*?)\]\]")


@dataclass(frozen=True)
class Span:
    """A stretch of PHI; start and end are code points, end is exclusive."""

    start: int
    end: int
    type: str


@dataclass
class Note:
    """A text and its PHI. Spans are in text order and do not overlap."""

    id: str
    text: str
    spans: list[Span] = field(default_factory=list)
    patient: str = ""  # "" where the corpus does not say

    @property
    def person(self) -> str:
        """The patient; a note that names none is a patient of its own."""
        return self.patient or self.id


class MarkError(ValueError):
    """A malformed mark. The message names the line, never text."""


def parse_marks(marked: str) -> tuple[str, list[Span]]:
    """Strips inline marks, `[[TYPE:surface]]`, and returns text and spans."""
    out: list[str] = []
    spans: list[Span] = []
    length = at = 0
    for m in MARK.finditer(marked):
        gap = marked[at : m.start()]
        out += (gap, m[2])
        length += len(gap)
        spans.append(Span(length, length + len(m[2]), m[1]))
        length += len(m[2])
        at = m.end()
    out.append(marked[at:])
    text = "".join(out)
    if "[[" in text or "]]" in text:
        line = 1 + text[: max(text.find("[["), text.find("]]"))].count("\n")
        raise MarkError(f"stray mark brackets near line {line} of the note")
    return text, spans


def read_inline(folder: Path) -> list[Note]:
    """The texts of a folder, each a note and its patient's only one. Their marks have types of any
    scheme, where those of cmd/convert's format marked have i2b2's."""
    notes: list[Note] = []
    for path in sorted(folder.glob("*.txt")):
        try:
            text, spans = parse_marks(path.read_text(encoding="utf-8").rstrip("\n"))
        except MarkError as e:
            raise MarkError(f"{path.name}: {e}") from None
        notes.append(Note(path.stem, text, spans, path.stem))
    return notes


TRIMMED = "reach over a line end, or begin or end with a blank: each line is a span, without them"
OVERLAPPING = "overlap a longer one: what it leaves of them stays"


def read_jsonl(path: Path, mended: Counter[str] | None = None) -> list[Note]:
    """Reads notes as cmd/convert writes them, a JSON object a line: id, patient, text, and
    annotations with start, end (code points, end exclusive) and label.

    A span has no blank at its edges and lies in one line. Of annotations that overlap the longest
    stays whole, as one token has one label, and of the others what it leaves. mended counts the
    annotations that were changed, by TRIMMED and OVERLAPPING.
    """
    mended = Counter() if mended is None else mended
    with path.open(encoding="utf-8", newline="\n") as f:
        return [_note(json.loads(line), mended) for line in f]


def _note(d: dict[str, Any], mended: Counter[str]) -> Note:
    text: str = d["text"]
    spans: set[Span] = set()
    for s in {Span(a["start"], a["end"], a["label"]) for a in d["annotations"]}:
        trimmed = list(_trimmed(text, s))
        mended[TRIMMED] += trimmed != [s]
        spans.update(trimmed)
    kept: list[Span] = []
    for s in sorted(spans, key=lambda s: (s.start - s.end, s.start, s.type)):
        free = _outside(s, kept)
        if free == [s]:
            kept.append(s)
            continue
        mended[OVERLAPPING] += 1
        # Punctuation alone is no PHI.
        parts = [p for f in free for p in _trimmed(text, f)]
        kept += [p for p in parts if any(c.isalnum() for c in text[p.start : p.end])]
    kept.sort(key=lambda s: s.start)
    return Note(d["id"], text, kept, d.get("patient", ""))


def _trimmed(text: str, s: Span) -> Iterator[Span]:
    """What a span has of each line, without blanks at its edges."""
    at = s.start
    for line in text[s.start : s.end].split("\n"):
        if bare := line.strip():
            start = at + line.index(bare)
            yield Span(start, start + len(bare), s.type)
        at += len(line) + 1


def _outside(s: Span, kept: Iterable[Span]) -> list[Span]:
    """The parts of a span that no other has."""
    free = [s]
    for k in kept:
        free = [
            Span(start, end, s.type)
            for f in free
            for start, end in ((f.start, min(f.end, k.start)), (max(f.start, k.end), f.end))
            if start < end
        ]
    return free


def _private(path: str, flags: int) -> int:
    """Opens a file for its owner's eyes alone."""
    file = os.open(path, flags, 0o600)
    os.fchmod(file, 0o600)
    return file


def write_jsonl(path: Path, notes: Iterable[Note]) -> None:
    """Writes notes as read_jsonl reads them, for their owner's eyes alone."""
    with open(path, "w", encoding="utf-8", newline="\n", opener=_private) as f:
        for n in notes:
            spans = [{"start": s.start, "end": s.end, "label": s.type} for s in n.spans]
            d = {"id": n.id, "patient": n.patient, "text": n.text, "annotations": spans}
            f.write(json.dumps(d, ensure_ascii=False) + "\n")


class Builder:
    """Builds a note piece by piece, so that offsets are right by construction."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[Span] = []

    def add(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def phi(self, text: str, type_: str) -> None:
        if text:
            self.spans.append(Span(self.length, self.length + len(text), type_))
        self.add(text)

    def note(self, note: Note) -> None:
        """Appends a whole note with its spans."""
        self.spans += [Span(s.start + self.length, s.end + self.length, s.type) for s in note.spans]
        self.add(note.text)

    def build(self, id_: str) -> Note:
        return Note(id_, "".join(self.parts), self.spans)


def cut_note(note: Note, start: int, end: int) -> Note:
    """Returns the code points start to end of a note; a span across an edge is cut."""
    spans = [
        Span(max(s.start, start) - start, min(s.end, end) - start, s.type)
        for s in note.spans
        if s.end > start and s.start < end
    ]
    return Note(note.id, note.text[start:end], spans)


def spread(notes: Sequence[Note], size: int) -> list[Note]:
    """Takes so many notes at even steps, so that a smaller set does not come from one end."""
    return [notes[k * len(notes) // size] for k in range(size)]
