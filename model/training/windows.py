"""Windows of tokens, cut by the job's own tokeniser."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

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
    notes: Sequence[Note], window_tokens: int = WINDOW_TOKENS, cut: str = "place", least: int = 0
) -> tuple[list[Window], str]:
    """Cuts notes into windows, in one of CUTS; also returns the command's summary line. least is
    the least tokens of a window where the content decides; 0 for an eighth of window_tokens."""
    lines = [
        json.dumps({"id": n.id, "text": n.text, "spans": list(map(asdict, n.spans))}) for n in notes
    ]
    found, summary = call(
        "tokenize",
        f"--window_tokens={window_tokens}",
        f"--cut={cut}",
        f"--least_tokens={least}",
        stdin="\n".join(lines).encode(),
    )
    windows = []
    for line in found.decode().split("\n"):
        if line:
            d = json.loads(line)
            d["classes"] = d.pop("class")
            windows.append(Window(**d))
    return windows, summary


def runs(windows: Sequence[Window], most: int) -> Iterator[Sequence[Window]]:
    """Parts of windows in their order: of one note, following each other, and of so many tokens
    together unless one alone has more."""
    begin, tokens = 0, 0
    for i, w in enumerate(windows):
        tokens += len(w.forms)
        last = windows[i - 1]
        follows = last.id == w.id and w.start[0] >= last.end[-1]
        if i > begin and (not follows or tokens > most):
            yield windows[begin:i]
            begin, tokens = i, len(w.forms)
    if windows:
        yield windows[begin:]


def together(windows: Sequence[Window]) -> Window:
    """Windows that follow each other as one."""
    names = ("forms", "classes", "space", "start", "end", "labels")
    joined: dict[str, Any] = {n: [x for w in windows for x in getattr(w, n)] for n in names}
    return Window(windows[0].id, **joined)


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
