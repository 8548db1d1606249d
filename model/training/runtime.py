"""Runs a model directory with ONNX Runtime, as the job does.

An independent reader of the format: it takes everything from the directory and
nothing from PyTorch, so that tests can compare the two.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from .context import joined, of_model
from .eight import SCALE, TABLE, narrowed
from .failure import Refused
from .scheme import viterbi
from .vocabulary import Vocabulary
from .windows import Window


def _embedding(folder: Path, description: dict[str, Any], width: int) -> NDArray[np.float32]:
    """The table of forms, of 32 bits a number, or of 8 with a scale before each row."""
    small = folder / TABLE
    if small.name not in description["files"]:
        return np.fromfile(folder / "embedding.f32", dtype="<f4").reshape(-1, width)
    raw = np.fromfile(small, dtype=np.int8).reshape(-1, 4 + width)
    scale: NDArray[np.float32] = np.ascontiguousarray(raw[:, :4]).view("<f4")
    return raw[:, 4:].astype(np.float32) * scale


class Directory:
    """A loaded model directory."""

    def __init__(self, folder: Path) -> None:
        self.description = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        kind = self.description.get("kind", "bilstm-crf")
        if kind != "bilstm-crf":
            raise Refused(
                f"{folder}: is a model of the kind {kind}; give one of the kind bilstm-crf"
            )
        self.labels: list[str] = self.description["labels"]
        d = self.description["dimensions"]
        self.classes: int = d["class"]

        def lines(name: str) -> list[str]:
            text = (folder / name).read_bytes().decode("utf-8")
            return text.removesuffix("\n").split("\n")

        self.vocabulary = Vocabulary(lines("vocabulary.txt"), lines("characters.txt"))
        self.embedding = _embedding(folder, self.description, d["token"])
        n = len(self.labels)
        self.transitions = np.fromfile(folder / "transitions.f32", dtype="<f4").reshape(n + 2, n)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.char = onnxruntime.InferenceSession(folder / "char.onnx", options)
        self.token = onnxruntime.InferenceSession(folder / "token.onnx", options)
        self.contexts = of_model(folder)
        self.scale: NDArray[np.float32] | None = None
        if self.description.get("input_bits") == 8:
            self.scale = np.fromfile(folder / SCALE, dtype="<f4")

    @property
    def window_tokens(self) -> int:
        """The most tokens of a window."""
        most: int = self.description["tokenizer"]["window_tokens"]
        return most

    def rows(self, forms: Sequence[str]) -> NDArray[Any]:
        """Token embedding and character vector of each form, in 32 bits or 8."""
        chars, lengths = (a.astype(np.int32) for a in self.vocabulary.padded(forms))
        (vectors,) = self.char.run(["char_vectors"], {"chars": chars, "lengths": lengths})
        ids = [self.vocabulary.form(f) for f in forms]
        rows: NDArray[np.float32] = np.concatenate([self.embedding[ids], vectors], axis=1)
        return rows if self.scale is None else narrowed(rows, self.scale)

    def emissions(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """Returns each window's emissions, [tokens, labels]."""
        forms = sorted({f for w in windows for f in w.forms})
        index = {f: i for i, f in enumerate(forms)}
        rows = self.rows(forms)
        one = 1 if self.scale is None else 255
        order = sorted(range(len(windows)), key=lambda i: len(windows[i].forms))
        out: list[NDArray[np.float32]] = [np.empty(0, dtype=np.float32)] * len(windows)
        together: int = self.description.get("windows_per_run", 16)
        for at in range(0, len(order), together):
            part = [windows[i] for i in order[at : at + together]]
            steps = max(len(w.forms) for w in part)
            width = rows.shape[1]
            x = np.zeros((steps, len(part), width + self.classes + 1), dtype=rows.dtype)
            if self.contexts is not None:
                x = np.concatenate([x, joined(self.contexts.states(part))], axis=2)
            for b, w in enumerate(part):
                k = np.arange(len(w.forms))
                x[k, b, :width] = rows[[index[f] for f in w.forms]]
                x[k, b, width + np.array(w.classes)] = one
                x[k, b, width + self.classes] = np.array(w.space) * one
            lengths = np.array([len(w.forms) for w in part], dtype=np.int32)
            (e,) = self.token.run(["emissions"], {"x": x, "lengths": lengths})
            for b, i in enumerate(order[at : at + together]):
                out[i] = e[: lengths[b], b]
        return out

    def predict(self, windows: Sequence[Window]) -> list[list[str]]:
        """Returns each window's labels."""
        return [
            [self.labels[k] for k in viterbi(e, self.transitions, self.labels)]
            for e in self.emissions(windows)
        ]
