"""Contextual string embeddings: the states of character language models at each token; or, in
their place, those of an encoder of word pieces (wordpieces.py).

A window is read as its tokens' forms, with one blank where blanks stand before a token,
between two line ends. So its states depend on what the window holds for the rest of the
network, too, and on nothing else: not on the text around it, nor on how wide its gaps are.
The job does the same (model/bilstmcrf/context.go), with the graph that is run here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from . import wordpieces
from .failure import Refused
from .forms import cut
from .windows import Window
from .wordpieces import Pieces

KIND = "char-lm"  # of model.json
GRAPH, TABLE = "context.onnx", "context.txt"
LINE = 1  # the index of a line end; 0 is an unknown character or padding
REMEMBERED = 512 << 20  # bytes of states
TOGETHER = 16  # windows in a run of the graph


@dataclass
class Characters:
    """The characters that the language models know, by number from 2."""

    known: list[str]

    def __post_init__(self) -> None:
        self.index = {c: i for i, c in enumerate(self.known, 2)} | {"\n": LINE}

    def __len__(self) -> int:
        return len(self.known) + 2

    def sequence(self, w: Window) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
        """A window's characters, and of each token the places of its first and its last one."""
        chars, places = [LINE], []
        for k, form in enumerate(w.forms):
            if k > 0 and w.space[k]:
                chars.append(self.index.get(" ", 0))
            first = len(chars)
            chars += [self.index.get(c, 0) for c in cut(form)]
            places.append((first, len(chars) - 1))
        return np.array([*chars, LINE]), places


@dataclass
class Contexts:
    """Trained language models, ready to be read. States are remembered up to REMEMBERED."""

    description: dict[str, Any]
    files: dict[str, bytes]  # that a model with them carries
    width: int  # of both states together
    tokenizer: dict[str, int] = field(default_factory=dict)  # what model.json's says for them
    remembered: dict[bytes, NDArray[np.float32]] = field(default_factory=dict)
    held: int = 0  # bytes of them

    def __post_init__(self) -> None:
        pieces = wordpieces.TABLE in self.files
        text = self.files[wordpieces.TABLE if pieces else TABLE].decode("utf-8").removesuffix("\n")
        self.characters: Characters | Pieces = (
            Pieces(text.split("\n"), self.tokenizer["pieces"])
            if pieces
            else Characters(text.split("\n"))
        )
        # An encoder's sums are over all pieces of a run, so their last bits tell how many there are.
        self.together = 1 if pieces else TOGETHER
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(self.files[GRAPH], options)

    def states(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """Of each window, [tokens, width]."""
        keys = [
            hashlib.sha256(
                repr((w.forms, w.space, w.classes)).encode(errors="surrogatepass")
            ).digest()
            for w in windows
        ]
        found = {k: self.remembered[k] for k in keys if k in self.remembered}
        new = {k: w for k, w in zip(keys, windows, strict=True) if k not in found}
        order = sorted(new, key=lambda k: len(new[k].forms))
        for at in range(0, len(order), self.together):
            part = order[at : at + self.together]
            for k, states in zip(part, self._computed([new[k] for k in part]), strict=True):
                found[k] = states
                if self.held + states.nbytes <= REMEMBERED:
                    self.remembered[k] = states
                    self.held += states.nbytes
        return [found[k] for k in keys]

    def _computed(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """The states of a few windows, which do not depend on each other."""
        n = len(windows)
        read = [self.characters.sequence(w) for w in windows]
        lengths = np.array([len(chars) for chars, _ in read], dtype=np.int32)
        rows = int(lengths.max())
        padded = np.zeros((rows, n), dtype=np.int32)
        at = np.zeros((max(len(w.forms) for w in windows), n, 2), dtype=np.int32)
        for b, (chars, places) in enumerate(read):
            padded[: len(chars), b] = chars
            # Rows of the graph's states: those of the forward model, then of the backward one.
            at[: len(places), b] = [
                (last * n + b, (rows + first) * n + b) for first, last in places
            ]
        given = {"chars": padded, "lengths": lengths, "places": at}
        (states,) = self.session.run(["context"], given)
        return [states[: len(w.forms), b].copy() for b, w in enumerate(windows)]


def joined(states: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The states of several windows, padded: [S, B, width]."""
    out = np.zeros((max(map(len, states)), len(states), states[0].shape[1]), dtype=np.float32)
    for b, s in enumerate(states):
        out[: len(s), b] = s
    return out


def read(folder: Path) -> Contexts:
    """Reads the directory that `charlm` writes."""
    try:
        d = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        if d.get("kind") != KIND:
            raise Refused(f"context: {folder} holds no character language models")
        files = {name: (folder / name).read_bytes() for name in (GRAPH, TABLE)}
        for name, data in files.items():
            if hashlib.sha256(data).hexdigest() != d["files"][name]:
                raise Refused(f"context: {folder / name} is damaged or was changed: train it anew")
        return Contexts(d, files, 2 * d["dimensions"]["hidden"])
    except OSError as e:
        raise Refused(f"context: {e.filename or folder}: {e.strerror or e}") from None
    except (ValueError, KeyError):
        raise Refused(f"context: {folder} holds no character language models") from None


def of_model(folder: Path) -> Contexts | None:
    """The language models of a tagger's directory, None where it has none."""
    d = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    width: int = d["dimensions"].get("context", 0)
    if not width:
        return None
    table = wordpieces.TABLE if wordpieces.TABLE in d["files"] else TABLE
    files = {name: (folder / name).read_bytes() for name in (GRAPH, table)}
    return Contexts(d, files, width, d["tokenizer"])
