"""Annotated notes: the marked source format, and notes with spans."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

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


class MarkError(ValueError):
    """A malformed mark. The message names file and line, never text."""


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


def read_patient(path: Path) -> list[Note]:
    """Reads one patient's marked notes.

    A file is a header, then per note a line `%% note`, `key: value` lines, a
    line `%%` and the text. Note ids are `<file stem>-<number from 1>`.
    """
    parts = re.split(r"(?m)^%% note\n", path.read_text(encoding="utf-8"))
    notes = []
    for number, part in enumerate(parts[1:], 1):
        head, mark, body = part.partition("\n%%\n")
        if not mark:
            raise MarkError(f"{path.name}: note {number} has no line %% after its header")
        del head
        try:
            text, spans = parse_marks(body.rstrip("\n"))
        except MarkError as e:
            raise MarkError(f"{path.name}: note {number}: {e}") from None
        notes.append(Note(f"{path.stem}-{number}", text, spans))
    return notes


def read_folder(folder: Path, patients: Iterable[str]) -> list[Note]:
    """Reads the marked files `<patient>.txt` of a folder, in the order given."""
    return [note for p in patients for note in read_patient(folder / f"{p}.txt")]


def read_jsonl(path: Path) -> list[Note]:
    """Reads notes as JSON lines: {"id", "text", "spans": [{"start", "end", "type"}]}."""
    notes = []
    with path.open(encoding="utf-8") as f:
        for line in f:
            d = json.loads(line)
            spans = [Span(s["start"], s["end"], s["type"]) for s in d.get("spans", [])]
            notes.append(Note(d["id"], d["text"], spans))
    return notes


def write_jsonl(path: Path, notes: Iterable[Note]) -> None:
    """Writes notes as read_jsonl reads them."""
    with path.open("w", encoding="utf-8") as f:
        for n in notes:
            f.write(to_json(n) + "\n")


def to_json(note: Note) -> str:
    spans = [{"start": s.start, "end": s.end, "type": s.type} for s in note.spans]
    return json.dumps({"id": note.id, "text": note.text, "spans": spans}, ensure_ascii=False)


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
