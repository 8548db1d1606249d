"""Readers of annotated corpora: marked notes, brat standoff, i2b2 2014 XML and the job's Parquet.

Offsets are code points. Errors name the file and the annotation, never text.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from .notes import Builder, Note, Span, read_folder, read_jsonl

TEXT_BOUND = re.compile(r"(T\d+)\t(\S+) (\d+(?: \d+;\d+)* \d+)\t(.*)")
I2B2_ELEMENTS = {
    "PHI", "NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER",
}  # fmt: skip


class CorpusError(ValueError):
    """A corpus that cannot be read."""


def read_brat(folder: Path) -> list[Note]:
    """Reads a folder of <id>.txt and <id>.ann. A byte-order mark counts as a code point."""
    notes = []
    for path in _files(folder, "*.txt"):
        with path.open(encoding="utf-8", newline="") as f:
            text = f.read()
        ann = path.with_suffix(".ann")
        if not ann.exists():
            raise CorpusError(f"{ann.name}: missing; every text needs its annotations")
        spans = []
        for number, line in enumerate(ann.read_text(encoding="utf-8").split("\n"), 1):
            if not line.startswith("T"):
                continue  # relations, events and notes carry no span
            m = TEXT_BOUND.fullmatch(line)
            if m is None:
                raise CorpusError(f"{ann.name}: line {number} cannot be read")
            where = f"{ann.name}: {m[1]}"
            if ";" in m[3]:
                raise CorpusError(f"{where}: a discontinuous span; a label must cover one stretch")
            start, end = map(int, m[3].split(" "))
            if text[start:end].replace("\n", " ") != m[4].replace("\n", " "):
                raise CorpusError(f"{where}: its text is not what stands at {start} to {end}")
            spans.append(Span(start, end, m[2]))
        notes.append(Note(path.stem, text, spans))
    return [_tidy(n) for n in notes]


def read_i2b2(folder: Path) -> list[Note]:
    """Reads a folder of i2b2 2014 XML records."""
    notes = []
    for path in _files(folder, "*.xml"):
        try:
            root = ET.parse(path).getroot()
        except ET.ParseError as e:
            raise CorpusError(f"{path.name}: not XML: {e}") from None
        text = root.findtext("TEXT")
        if text is None:
            raise CorpusError(f"{path.name}: no TEXT")
        spans = []
        for tag in root.iterfind("TAGS/*"):
            if tag.tag not in I2B2_ELEMENTS:
                continue
            where = f"{path.name}: {tag.get('id', '?')}"
            try:
                start, end, type_ = (
                    int(tag.attrib["start"]),
                    int(tag.attrib["end"]),
                    tag.attrib["TYPE"],
                )
            except (KeyError, ValueError):
                raise CorpusError(f"{where}: needs start, end and TYPE") from None
            if not 0 <= start < end <= len(text):
                raise CorpusError(f"{where}: {start} to {end} lies outside of the text")
            spans.append(Span(start, end, type_.upper()))
        notes.append(Note(path.stem, text, spans))
    return [_tidy(n) for n in notes]


def read_parquet(folder: Path) -> list[Note]:
    """Reads notes.parquet (note_id, text) and gold.parquet of a folder, as the examples have them."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise CorpusError("reading Parquet needs pyarrow: pip install pyarrow") from None
    texts = pq.read_table(folder / "notes.parquet", columns=["note_id", "text"]).to_pylist()
    gold = pq.read_table(folder / "gold.parquet").to_pylist()
    spans: dict[str, list[Span]] = {str(t["note_id"]): [] for t in texts}
    for g in gold:
        id_ = str(g.get("note_id", g.get("document_id")))
        if id_ not in spans:
            raise CorpusError(f"gold.parquet: note {id_} is not in notes.parquet")
        spans[id_].append(Span(g["start"], g["end"], g["type"]))
    notes = [Note(str(t["note_id"]), t["text"], spans[str(t["note_id"])]) for t in texts]
    return [_tidy(n) for n in notes]


def read_marked(folder: Path) -> list[Note]:
    """Reads every patient of a folder of marked notes."""
    return read_folder(folder, [p.stem for p in _files(folder, "*.txt")])


def read_lines(path: Path) -> list[Note]:
    """Reads one file of JSON lines."""
    return [_tidy(n) for n in read_jsonl(path)]


def read_conll(path: Path) -> list[Note]:
    """Reads one file of lines "token <tab> BIO label", a blank line after each sentence.

    A sentence is a note, its tokens joined by blanks.
    """
    notes: list[Note] = []
    made = Builder()
    open_type = ""
    held: list[str] = []

    def close() -> None:
        nonlocal open_type, held
        if held:
            made.phi(" ".join(held), open_type)
        open_type, held = "", []

    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n") + [""], 1):
        if not line.strip():
            close()
            if made.length:
                notes.append(made.build(f"{path.stem}-{len(notes) + 1}"))
            made = Builder()
            continue
        form, tab, label = line.rpartition("\t")
        if not tab or not re.fullmatch(r"O|[BI]-\S+", label):
            raise CorpusError(f"{path.name}: line {number} is no token and label")
        form = form.strip().replace(" ", "_")
        if label[0] != "I" or label[2:] != open_type:
            close()
        if made.length + len(held):
            if held:
                held.append(form)
                continue
            made.add(" ")
        if label == "O":
            made.add(form)
        else:
            open_type, held = label[2:], [form]
    return notes


READERS: dict[str, Callable[[Path], list[Note]]] = {
    "marked": read_marked,
    "brat": read_brat,
    "i2b2": read_i2b2,
    "parquet": read_parquet,
    "jsonl": read_lines,
    "conll": read_conll,
}


def _files(folder: Path, pattern: str) -> list[Path]:
    files = sorted(folder.glob(pattern))
    if not files:
        raise CorpusError(f"{folder}: no {pattern} in it")
    return files


def _tidy(note: Note) -> Note:
    """Puts spans in order; of those that overlap the longest stays, as one token has one label."""
    kept: list[Span] = []
    for s in sorted(set(note.spans), key=lambda s: (s.start - s.end, s.start, s.type)):
        if all(s.end <= k.start or s.start >= k.end for k in kept):
            kept.append(s)
    return Note(note.id, note.text, sorted(kept, key=lambda s: s.start))
