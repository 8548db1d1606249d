"""Windows of tokens, cut by the job's own tokeniser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .notes import Note, Span
from .tools import call

WINDOW_TOKENS = 128
# By how far a line is from the text's beginning; where the job cuts; notes in turns both ways, and
# by content more finely (palimpsest tokenize).
CUTS = ("place", "content", "mixed")


@dataclass(eq=False)
class Soft:
    """What teachers think of a window (see distill.py): pairs of neighbouring labels and their
    chances. The last token's label stands there twice, as a pair of its own."""

    steps: NDArray[np.int64]
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    chance: NDArray[np.float16]
    weight: float  # beside the annotations' 1 - weight


@dataclass
class Window:
    """Parallel lists, one entry per token; start and end are code points."""

    id: str
    forms: list[str]
    classes: list[int]
    space: list[int]
    start: list[int]
    end: list[int]
    labels: list[str]
    soft: Soft | None = None

    def taught(self, soft: Soft) -> Window:
        return replace(self, soft=soft)


def tokenize(
    notes: Sequence[Note], window_tokens: int = WINDOW_TOKENS, cut: str = "place"
) -> tuple[list[Window], str]:
    """Cuts notes into windows, in one of CUTS; also returns the command's summary line."""
    lines = [
        json.dumps({"id": n.id, "text": n.text, "spans": list(map(asdict, n.spans))}) for n in notes
    ]
    found, summary = call(
        "tokenize",
        f"--window_tokens={window_tokens}",
        f"--cut={cut}",
        stdin="\n".join(lines).encode(),
    )
    windows = []
    for line in found.decode().split("\n"):
        if line:
            d = json.loads(line)
            d["classes"] = d.pop("class")
            windows.append(Window(**d))
    return windows, summary


def spans_of(window: Window, labels: Sequence[str]) -> list[Span]:
    """Returns the spans that a legal BIOES sequence marks, in code points."""
    spans = []
    first = 0
    for i, label in enumerate(labels):
        if label[0] in "BS":
            first = i
        if label[0] in "ES":
            spans.append(Span(window.start[first], window.end[i], label[2:]))
    return spans
