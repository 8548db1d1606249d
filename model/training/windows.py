"""Windows of tokens, cut by the job's own tokeniser (tools/tokenize, in Go)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .notes import Note, Span, to_json

ROOT = Path(__file__).resolve().parents[2]  # the Go module


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


def tokenize(notes: Sequence[Note], window_tokens: int) -> tuple[list[Window], str]:
    """Cuts notes into windows; also returns the command's summary line."""
    command = ["go", "run", "./tools/tokenize", f"-window_tokens={window_tokens}"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        input="\n".join(map(to_json, notes)).encode(),
        capture_output=True,
        check=False,
    )
    summary = done.stderr.decode().strip()
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed: {summary}")
    windows = []
    for line in done.stdout.decode().split("\n"):
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
