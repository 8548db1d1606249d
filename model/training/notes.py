"""Annotated notes: with spans, as JSON lines, and pieces with inline marks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MARK = re.compile(r"\[\[([A-Z-]+):(.*?)\]\]")


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


def read_jsonl(path: Path) -> list[Note]:
    """Reads notes as cmd/convert writes them, a JSON object a line: id, patient, text, and
    annotations with start, end (code points, end exclusive) and label.

    Of annotations that overlap the longest stays, as one token has one label.
    """
    with path.open(encoding="utf-8", newline="\n") as f:
        return [_note(json.loads(line)) for line in f]


def _note(d: dict[str, Any]) -> Note:
    spans = {Span(a["start"], a["end"], a["label"]) for a in d["annotations"]}
    kept: list[Span] = []
    for s in sorted(spans, key=lambda s: (s.start - s.end, s.start, s.type)):
        if s.start < s.end and all(s.end <= k.start or s.start >= k.end for k in kept):
            kept.append(s)
    kept.sort(key=lambda s: s.start)
    return Note(d["id"], d["text"], kept, d.get("patient", ""))


def write_jsonl(path: Path, notes: Iterable[Note]) -> None:
    """Writes notes as read_jsonl reads them."""
    with path.open("w", encoding="utf-8", newline="\n") as f:
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
