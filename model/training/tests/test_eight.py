"""A model of 8-bit weights is made alike each time, and says and finds what it should."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training.__main__ import SETTINGS, main
from training.eight import SCALE, _pinned, fitting, make, narrowed, rows
from training.export import export
from training.failure import Refused
from training.model import Model
from training.runtime import Directory
from training.train import train
from training.warm import read_model
from training.windows import Window

from .helper import feed, made_up, quiet, small

DESCRIBED = {"name": "t", "version": "1.2.3", "training": {}, "scores": {"dev": {}}}
CARD = "# t\n\n## Licence and attribution\nWeights: Apache-2.0.\n- Somebody's notes.\n"


@pytest.fixture(scope="module")
def windows() -> list[Window]:
    return made_up(60)


@pytest.fixture(scope="module")
def full(windows: list[Window], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    model: Model = train(feed(windows), None, small(epochs=6), quiet)
    export(model, folder, DESCRIBED, CARD)
    return folder


def test_it_finds_the_same_and_is_made_alike(
    full: Path, windows: list[Window], tmp_path: Path
) -> None:
    for name in "ab":
        make(full, tmp_path / name)
    for path in sorted((tmp_path / "a").iterdir()):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name
    eight = Directory(tmp_path / "a")
    assert eight.predict(windows) == Directory(full).predict(windows)
    some = eight.emissions(windows)
    for w, e in zip(windows[:9], some[:9], strict=True):
        np.testing.assert_array_equal(eight.emissions([w])[0], e)  # its company does not matter
    large = [replace(w, forms=[form.upper() for form in w.forms]) for w in windows[:9]]
    mixed = eight.emissions([x for pair in zip(windows[:9], large, strict=True) for x in pair])
    for e, m in zip(some[:9], mixed[::2], strict=True):
        np.testing.assert_array_equal(m, e)  # nor does what others bring


def test_states_stay_within_those_of_the_pinned_units(full: Path, windows: list[Window]) -> None:
    """Or the range of a step would depend on the windows of a run."""
    graph = onnx.load(full / "token.onnx").graph
    w, r, b = (numpy_helper.to_array(t) for t in graph.initializer[:3])
    wide, deep, bias = _pinned(50 * w, 50 * r, 50 * b)  # as large as states can get
    node = next(n for n in graph.node if n.op_type == "LSTM")
    next(a for a in node.attribute if a.name == "hidden_size").i = deep.shape[2]
    for t, a in zip(graph.initializer[:3], (wide, deep, bias), strict=True):
        t.CopyFrom(numpy_helper.from_array(a.astype(np.float32), t.name))
    states = helper.make_tensor_value_info("states", TensorProto.FLOAT, None)
    kept = helper.make_graph([node], "states", list(graph.input), [states], graph.initializer[:3])
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(kept, opset_imports=opset, ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    rng = np.random.default_rng(2)
    x = (9 * rng.standard_normal((40, 8, w.shape[2]))).astype(np.float32)
    lengths = np.array([40, 39, 30, 20, 10, 3, 2, 1], dtype=np.int32)
    (found,) = session.run(None, {"x": x, "lengths": lengths})  # [S, 2, B, H]
    for k, n in enumerate(lengths):
        own = found[:n, :, k]
        most, least = own[..., -2:-1], own[..., -1:]
        assert (own <= most).all()
        assert (own >= least).all()
        assert (most == -least).all()


def test_it_says_what_it_is(full: Path, tmp_path: Path) -> None:
    make(full, tmp_path, measured="Nothing was lost.")
    d = json.loads((tmp_path / "model.json").read_text())
    source = json.loads((full / "model.json").read_text())
    assert (d["name"], d["precision"], d["input_ranges"], d["input_bits"]) == (
        "t-int8",
        "int8",
        "fixed",
        8,
    )
    digest = hashlib.sha256((full / "model.json").read_bytes()).hexdigest()
    assert d["made_from"] == {"name": "t", "version": "1.2.3", "sha256": digest}
    assert "scores" not in d
    assert d["labels"] == source["labels"]
    assert set(d["files"]) == set(source["files"]) - {"embedding.f32"} | {"embedding.i8", SCALE}
    for name, digest in d["files"].items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    card = (tmp_path / "README.md").read_text()
    assert "Nothing was lost." in card
    assert "Somebody's notes." in card


def test_a_model_that_stands_alone_has_a_whole_card(full: Path, tmp_path: Path) -> None:
    make(full, tmp_path, measured="Little was lost.", called="small")
    d = json.loads((tmp_path / "model.json").read_text())
    assert (d["name"], d["made_from"]["name"]) == ("small", "t")
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("# small 1.2.3\n\nIt was rounded to 8 bits")
    assert card.count("## Licence and attribution") == 1
    assert card.endswith("Weights: Apache-2.0.\n- Somebody's notes.\n")
    assert "Little was lost." in card


def test_neighbours_fit_into_16_bits() -> None:
    rng = np.random.default_rng(1)
    weight = rng.standard_normal((2, 30, 12)).astype(np.float32)
    weight[0, 4:6, 3] = [9, -9]  # the worst: two large neighbours
    weight[:, :, 5] = 0
    rounded, scale = fitting(weight)
    size = np.abs(rounded.astype(int))
    assert ((size[:, 1:] + size[:, :-1]) * 255).max() <= 2**15 - 1
    assert np.abs(rounded * scale[:, None] - weight).max() <= scale.max() / 2 + 1e-6


def test_rows_keep_their_scale() -> None:
    table = np.array([[1, -2, 0.5], [0, 0, 0], [1000, 3, -1000]], dtype="<f4")
    raw = np.frombuffer(rows(table.tobytes(), 3), dtype=np.int8).reshape(3, 7)
    scale = np.ascontiguousarray(raw[:, :4]).view("<f4")
    assert (np.abs(raw[:, 4:] * scale - table) <= np.abs(table).max(axis=1)[:, None] / 254).all()


def test_what_it_refuses(
    full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*args: object) -> str:
        monkeypatch.setattr("sys.argv", ["training", "int8", *map(str, args)])
        code = main()
        assert code in (0, SETTINGS)
        return capsys.readouterr().err

    eight = tmp_path / "eight"
    assert run(full, eight) == ""
    assert "weights of int8 already" in run(eight, tmp_path / "again")
    assert "there is no model" in run(tmp_path / "none", tmp_path / "x")
    assert "name another folder" in run(full, full)
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours/x").write_text("x")
    assert "holds files and no model" in run(full, tmp_path / "ours")
    with pytest.raises(Refused, match="has weights of int8; start from a model"):
        read_model(eight)
    (eight / "model.json").write_bytes((full / "model.json").read_bytes())
    for name in json.loads((full / "model.json").read_text())["files"]:
        (eight / name).write_bytes((full / name).read_bytes())
    (eight / "transitions.f32").write_bytes(b"else")
    assert "transitions.f32: is not what model.json says" in run(eight, tmp_path / "x")


def test_a_folder_of_the_other_kind_is_cleared(full: Path, tmp_path: Path) -> None:
    """An embedding that is left behind is neither kept nor read."""
    folder = tmp_path / "m"
    make(full, folder)
    assert folder.stat().st_mode == full.stat().st_mode
    (folder / "notes.md").write_text("ours")
    model = read_model(full)
    export(model, folder, DESCRIBED, CARD)
    names = {"model.json", "README.md", "notes.md"}
    assert {p.name for p in folder.iterdir()} == {*model_files(folder), *names}
    assert "embedding.f32" in model_files(folder)
    (folder / "embedding.i8").write_bytes(b"\0")
    assert read_model(folder).labels == model.labels
    (folder / "embedding.i8").unlink()
    make(full, folder)
    assert {p.name for p in folder.iterdir()} == {*model_files(folder), *names}


def model_files(folder: Path) -> set[str]:
    return set(json.loads((folder / "model.json").read_text())["files"])


def test_inputs_are_rounded_as_the_lstm_would(full: Path, tmp_path: Path) -> None:
    """To the same emissions as where ONNX Runtime rounds them."""
    make(full, tmp_path)
    model = onnx.load(tmp_path / "token.onnx")
    graph = model.graph
    first = graph.node[0]
    assert (first.op_type, list(first.output)) == ("DequantizeLinear", ["input"])
    narrow = onnxruntime.InferenceSession(model.SerializeToString())
    del graph.node[0]
    graph.input[0].name = "input"
    graph.input[0].type.tensor_type.elem_type = TensorProto.FLOAT
    wide = onnxruntime.InferenceSession(model.SerializeToString())
    scale = np.fromfile(tmp_path / SCALE, dtype="<f4")
    rng = np.random.default_rng(3)
    numbers = (0.3 / scale * rng.standard_normal((30, 4, len(scale)))).astype(np.float32)
    others = (rng.random((30, 4, narrow.get_inputs()[0].shape[2] - len(scale))) < 0.5).astype(int)
    others[:, :, :2] = [0, 1]
    x = np.concatenate([narrowed(numbers, scale), 255 * others], axis=2).astype(np.uint8)
    moved = (numbers * scale + np.float32(0.5)).clip(0, 1)
    assert ((moved == 0).any(), (moved == 1).any()) == (True, True)
    lengths = np.array([30, 30, 12, 1], dtype=np.int32)
    (a,) = narrow.run(None, {"x": x, "lengths": lengths})
    y = np.concatenate([moved, others], axis=2).astype(np.float32)
    (b,) = wide.run(None, {"input": y, "lengths": lengths})
    for i, n in enumerate(lengths):
        np.testing.assert_array_equal(a[:n, i], b[:n, i])


def test_nothing_is_off_for_inputs_in_the_middle(full: Path, tmp_path: Path) -> None:
    """Where the LSTM's inputs are the middle of their ranges, its gates see what they see in full,
    however the weights were rounded."""
    make(full, tmp_path)
    was = weights_of(full / "token.onnx")
    now = weights_of(tmp_path / "token.onnx")
    rounded = now["tokens.W"] * now["tokens.W.scale"][:, None].astype(np.float64)
    known = len(np.fromfile(tmp_path / SCALE, dtype="<f4"))
    hidden = now["tokens.R"].shape[1]
    gates = rounded[:, :known].sum(axis=1) / 2 + now["tokens.B"][:, : 4 * hidden]
    _, _, bias = _pinned(was["tokens.W"], was["tokens.R"], was["tokens.B"])
    np.testing.assert_allclose(gates, bias[:, : 4 * hidden], atol=1e-5)


def weights_of(path: Path) -> dict[str, NDArray[Any]]:
    return {t.name: numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
