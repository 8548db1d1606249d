"""PyTorch and ONNX Runtime agree on the shipped models, and training repeats itself."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from training.corpus import read
from training.export import export
from training.model import Model
from training.network import Network
from training.recipe import Settings, Source
from training.runtime import Directory
from training.scheme import labels_for
from training.tools import ROOT
from training.train import train
from training.vocabulary import Vocabulary, make_batch
from training.warm import read_model
from training.windows import Window, tokenize

from .helper import feed, held, made_up, quiet, small

SHIPPED = ROOT / "onnx/models/en-clinical-accurate"
SPANISH = ROOT / "onnx/models/es-meddocan"
MEDDOCAN = Path(os.environ.get("PALIMPSEST_MEDDOCAN", ROOT.parent / "shared/data/meddocan"))
DESCRIBED = {"name": "t", "training": {}, "scores": {}}


@pytest.mark.skipif(not (SHIPPED / "model.json").exists(), reason="no shipped model")
def test_every_label_of_dev_agrees(tmp_path: Path) -> None:
    examples = Source(ROOT / "examples/source", "marked", split=ROOT / "examples/split.json")
    windows, _ = tokenize(read({"examples": examples}, tmp_path, 1, quiet).dev)
    assert sum(len(w.forms) for w in windows) > 1000
    model = read_model(SHIPPED)
    assert model.predict(windows) == Directory(SHIPPED).predict(windows)


@pytest.mark.skipif(not (MEDDOCAN / "dev").is_dir(), reason="no MEDDOCAN; set PALIMPSEST_MEDDOCAN")
def test_every_label_of_meddocan_agrees(tmp_path: Path) -> None:
    # A part of dev, for time; `python -m training score` counts the whole.
    dev = Source(MEDDOCAN / "dev", "brat", dev=0.1)
    windows, _ = tokenize(read({"dev": dev}, tmp_path, 1, quiet).dev)
    assert sum(len(w.forms) for w in windows) > 10000
    assert read_model(SPANISH).predict(windows) == Directory(SPANISH).predict(windows)


def test_training_learns_repeats_and_exports(tmp_path: Path) -> None:
    windows = made_up(60)
    dev = held(windows, tmp_path / "scores")
    folders = []
    for run in range(2):
        model = train(feed(windows), dev, small(epochs=6), quiet)
        assert dev.score(model).entity.f1 > 0.95
        folder = tmp_path / str(run)
        export(model, folder, DESCRIBED, "card\n")
        directory = Directory(folder)
        assert directory.predict(windows) == model.predict(windows)
        # The graphs hold every gate where it belongs: a network read back from them agrees.
        assert read_model(folder).predict(windows) == model.predict(windows)
        one_by_one = [directory.emissions([w])[0] for w in windows]
        for a, b in zip(one_by_one, directory.emissions(windows), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-5)  # padding and neighbours do not matter
        folders.append(folder)
    for path in sorted(folders[0].iterdir()):
        assert path.read_bytes() == (folders[1] / path.name).read_bytes(), path.name


def test_graphs_emit_what_pytorch_does(tmp_path: Path) -> None:
    """Emissions, not only labels: a bias or a gate in another's place would show."""
    windows = made_up(12)
    model = train(feed(windows), None, small(epochs=1), quiet)
    export(model, tmp_path, DESCRIBED, "card\n")
    ours = Directory(tmp_path).emissions(windows)
    batch = make_batch(windows, model.vocabulary, {x: i for i, x in enumerate(model.labels)})
    with torch.no_grad():
        theirs = model.network.eval()(batch).numpy()
    for b, (w, e) in enumerate(zip(windows, ours, strict=True)):
        np.testing.assert_allclose(e, theirs[: len(w.forms), b], atol=1e-5)


def test_unknown_characters_and_long_forms_run(tmp_path: Path) -> None:
    torch.manual_seed(1)
    v = Vocabulary(["<unk>", "<nl>", "<nl2>"], ["a"])
    labels = labels_for(["DATE"])
    settings = Settings()
    model = Model(Network(settings.network, 3, 1, labels, 0.0), v, labels, settings)
    export(model, tmp_path, DESCRIBED, "card\n")
    forms = ["漢", "a" * 300, "\n", "\n\n", "a"]
    w = Window("w", forms, [0, 0, 7, 7, 0], [1, 0, 1, 1, 1], [0] * 5, [1] * 5, ["O"] * 5)
    d = Directory(tmp_path)
    assert d.predict([w]) == model.predict([w])
    assert len(d.description["files"]) == 6
