"""PyTorch and ONNX Runtime agree on the shipped model, and training repeats itself."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from training.corpora import read_brat
from training.export import export
from training.network import Dimensions, Network
from training.notes import read_folder
from training.runtime import Directory
from training.scheme import labels_for
from training.train import Model, Settings, train
from training.vocabulary import Vocabulary
from training.windows import ROOT, Window, tokenize

SHIPPED = ROOT / "onnx/models/en-clinical"
SPANISH = ROOT / "onnx/models/es-meddocan"
MEDDOCAN = Path(os.environ.get("PALIMPSEST_MEDDOCAN", ROOT.parent / "shared/data/meddocan"))
needs_go = pytest.mark.skipif(shutil.which("go") is None, reason="the tokeniser is a Go command")


def from_directory(folder: Path) -> Model:
    """Builds the PyTorch network from an exported directory."""
    d = Directory(folder)
    weights = {}
    for name in ("char.onnx", "token.onnx"):
        for t in onnx.load(folder / name).graph.initializer:
            weights[t.name] = torch.from_numpy(numpy_helper.to_array(t).copy())
    dimensions = Dimensions(
        token=d.embedding.shape[1],
        char_embedding=weights["embedding"].shape[1],
        char_hidden=weights["chars.R"].shape[2],
        hidden=weights["tokens.R"].shape[2],
        dense=weights["dense.B"].shape[0],
    )
    settings = Settings(dimensions=dimensions)
    v = d.vocabulary
    net = Network(settings.dimensions, len(v.forms), len(v.characters), d.labels, 0.0)
    n = len(d.labels)
    scores = torch.from_numpy(d.transitions.copy())
    assert scores.shape == (n + 2, n)

    def bias(name: str) -> torch.Tensor:
        w, r = weights[name].chunk(2, dim=1)
        return w + r

    net.load_state_dict(
        {
            "embedding.weight": torch.from_numpy(d.embedding.copy()),
            "char_embedding.weight": weights["embedding"],
            "char_lstm.w": weights["chars.W"],
            "char_lstm.r": weights["chars.R"],
            "char_lstm.b": bias("chars.B"),
            "lstm.w": weights["tokens.W"],
            "lstm.r": weights["tokens.R"],
            "lstm.b": bias("tokens.B"),
            "dense.weight": weights["dense.W"].T,
            "dense.bias": weights["dense.B"],
            "out.weight": weights["out.W"].T,
            "out.bias": weights["out.B"],
            "crf.scores": scores,
            "crf.mask": net.crf.mask,
        }
    )
    return Model(net, v, d.labels, settings)


@needs_go
@pytest.mark.skipif(not (SHIPPED / "model.json").exists(), reason="no shipped model")
def test_every_label_of_dev_agrees() -> None:
    split = json.loads((ROOT / "examples/split.json").read_text(encoding="utf-8"))
    folder = ROOT / "examples/source"
    there = [p for p in split["dev"] if (folder / f"{p}.txt").exists()]
    windows, _ = tokenize(read_folder(folder, there), 128)
    assert sum(len(w.forms) for w in windows) > 1000
    model = from_directory(SHIPPED)
    assert model.predict(windows) == Directory(SHIPPED).predict(windows)


@needs_go
@pytest.mark.skipif(not (MEDDOCAN / "dev").is_dir(), reason="no MEDDOCAN; set PALIMPSEST_MEDDOCAN")
def test_every_label_of_meddocan_agrees() -> None:
    # A part of dev, for time; `python -m training score` counts the whole.
    notes = read_brat(MEDDOCAN / "dev")[::10]
    windows, _ = tokenize(notes, 128)
    assert sum(len(w.forms) for w in windows) > 10000
    assert from_directory(SPANISH).predict(windows) == Directory(SPANISH).predict(windows)


def made_up(count: int) -> list[Window]:
    """Windows in which every number of three digits is an ID and every capital a name."""
    rng = np.random.default_rng(0)
    windows = []
    for k in range(count):
        forms, classes, labels = [], [], []
        for _ in range(int(rng.integers(3, 20))):
            kind = int(rng.integers(3))
            forms.append(["seen", "Ann", "412"][kind] + ("x" if kind == 0 else ""))
            classes.append([0, 1, 5][kind])
            labels.append(["O", "S-PATIENT", "S-IDNUM"][kind])
        at = list(range(0, 5 * len(forms), 5))
        ends = [a + len(f) for a, f in zip(at, forms, strict=True)]
        windows.append(Window(f"w{k}", forms, classes, [1] * len(forms), at, ends, labels))
    return windows


def quiet(line: str) -> None:
    del line


def test_training_learns_repeats_and_exports(tmp_path: Path) -> None:
    from training.notes import Note
    from training.windows import spans_of

    windows = made_up(60)
    notes = [Note(w.id, "?" * w.end[-1], spans_of(w, w.labels)) for w in windows]
    settings = Settings(epochs=6, batch_tokens=256, rate=1e-2, max_forms=50)
    labels = labels_for(["PATIENT", "IDNUM"])
    folders = []
    for run in range(2):
        model = train([windows], (notes, windows), labels, settings, quiet)
        assert model.score(notes, windows).entity.f1 > 0.95
        folder = tmp_path / str(run)
        described = {"name": "t", "window_tokens": 128, "training": {}, "scores": {}}
        export(model, folder, described, "card\n")
        directory = Directory(folder)
        assert directory.predict(windows) == model.predict(windows)
        one_by_one = [directory.emissions([w])[0] for w in windows]
        for a, b in zip(one_by_one, directory.emissions(windows), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-5)  # padding and neighbours do not matter
        folders.append(folder)
    for path in sorted(folders[0].iterdir()):
        assert path.read_bytes() == (folders[1] / path.name).read_bytes(), path.name


def test_unknown_characters_and_long_forms_run(tmp_path: Path) -> None:
    torch.manual_seed(1)
    v = Vocabulary(["<unk>", "<nl>", "<nl2>"], ["a"])
    labels = labels_for(["DATE"])
    settings = Settings()
    model = Model(Network(settings.dimensions, 3, 1, labels, 0.0), v, labels, settings)
    described = {"name": "t", "window_tokens": 128, "training": {}, "scores": {}}
    export(model, tmp_path, described, "card\n")
    forms = ["漢", "a" * 300, "\n", "\n\n", "a"]
    w = Window("w", forms, [0, 0, 7, 7, 0], [1, 0, 1, 1, 1], [0] * 5, [1] * 5, ["O"] * 5)
    d = Directory(tmp_path)
    assert d.predict([w]) == model.predict([w])
    assert len(d.description["files"]) == 6
