"""Training goes on from a model's own weights, and puts no word into its tables."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from training.__main__ import SETTINGS, main
from training.card import GLOVE
from training.corpus import read
from training.export import export
from training.model import Held, collect
from training.notes import Note, Span, write_jsonl
from training.recipe import Source
from training.runtime import Directory
from training.score import Scorer
from training.tools import ROOT
from training.train import train
from training.warm import blend, read_model
from training.windows import tokenize

from .helper import feed, held, made_up, quiet, small
from .test_disclosure import holding, only_in_phi
from .test_train import Stopped, stop_at

SHIPPED = ROOT / "onnx/models/en-clinical-accurate"
GRAPHS = ("char.onnx", "token.onnx")
TABLES = ("vocabulary.txt", "characters.txt", "embedding.f32")


def test_a_model_that_is_read_back_is_the_shipped_one(tmp_path: Path) -> None:
    """At no step: the same files to the byte, and so the same scores."""
    model = read_model(SHIPPED)
    export(model, tmp_path / "m", model.report["description"], "card\n")
    owed = model.report["description"]["attribution"]
    assert model.report["attribution"] == owed
    assert owed.count(GLOVE) == 1
    for name in (*GRAPHS, *TABLES, "transitions.f32"):
        assert (tmp_path / "m" / name).read_bytes() == (SHIPPED / name).read_bytes(), name
    source = Source(ROOT / "examples/source", "marked", split=ROOT / "examples/split.json")
    dev = read({"examples": source}, tmp_path, 1, quiet).dev
    windows, _ = tokenize(dev)
    scorer = Scorer(dev, tmp_path / "scores")
    shipped = scorer.score(collect(windows, Directory(SHIPPED).predict(windows)))
    assert Held(dev, windows, scorer).score(model) == shipped
    assert shipped.entity.f1 > 0.7


def test_weights_are_blended_with_those_before() -> None:
    first, network = read_model(SHIPPED).network, read_model(SHIPPED).network
    with torch.no_grad():
        network.dense.bias.add_(1)
    trained = network.dense.bias.clone()
    blend(network, first, 0.75)
    assert torch.allclose(network.dense.bias, trained - 0.25)
    for (name, a), b in zip(network.named_parameters(), first.parameters(), strict=True):
        assert torch.equal(a, b) == (name != "dense.bias"), name


def test_training_goes_on_and_leaves_the_tables(tmp_path: Path) -> None:
    first = train(feed(made_up(30)), None, small(epochs=3), quiet)
    export(first, tmp_path / "first", DESCRIBED, "card\n")
    start = read_model(tmp_path / "first")
    fed = replace(feed(made_up(20, seed=5)), start=start, key="k")
    dev = held(made_up(20, seed=6), tmp_path / "scores")
    settings = small(epochs=4)
    whole = train(fed, dev, settings, quiet, save_to=tmp_path / "seed-1.pt")
    history = whole.report["history"]
    before = dev.score(start).brief()
    assert [line["epoch"] for line in history] == list(range(len(history)))
    assert history[0] == {"epoch": 0, "loss": 0.0, **before}
    assert dev.score(whole).entity.f1 > before["f1"]
    export(whole, tmp_path / "whole", DESCRIBED, "card\n")
    for name in TABLES:
        made = (tmp_path / "whole" / name).read_bytes()
        assert made == (tmp_path / "first" / name).read_bytes(), name
    for name in GRAPHS:
        assert (tmp_path / "whole" / name).read_bytes() != (tmp_path / "first" / name).read_bytes()
    file = tmp_path / "stopped.pt"
    with pytest.raises(Stopped):
        train(fed, dev, settings, stop_at(2), save_to=file)
    resumed = train(fed, dev, settings, quiet, save_to=file, resume=True)
    assert resumed.report == whole.report
    for k, v in whole.network.state_dict().items():
        assert v.equal(resumed.network.state_dict()[k]), k


DESCRIBED = {
    "name": "t", "version": "1", "types": {}, "attribution": [], "scores": {}, "training": {},
}  # fmt: skip

# Invented, and in no vocabulary.
NAMES = "Quillonsay Thrudbeck Ombwayo Vexnard Zuurkool Ploughgate Inchmurrin Skelwith".split()
RECIPE = """
name = "ours"
output = "model"
start = "{start}"
[notes.ours]
path = "notes"
format = "jsonl"
dev = 0.25
[notes.shipped]
path = "shipped"
format = "jsonl"
per_epoch = 2
[made]
variants = 0
[training]
epochs = 1
rate = 3e-4
"""


def write_notes(folder: Path, names: list[str], prefix: str) -> list[Note]:
    folder.mkdir()
    notes = []
    for k, name in enumerate(names):
        text = f"Seen by {name} on 3 May. MRN {7310044 + k}.\nWell.\n"
        at = len(f"Seen by {name} on ")
        number = text.index("73")
        spans = [Span(8, 8 + len(name), "DOCTOR"), Span(at, at + 5, "DATE")]
        spans.append(Span(number, number + 7, "MEDICALRECORD"))
        notes.append(Note(f"{prefix}{k}", text, spans, f"{prefix}p{k}"))
    write_jsonl(folder / "n.jsonl", notes)
    return notes


def run(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr("sys.argv", ["training", *args])
    return main()


def test_no_file_of_an_adapted_model_holds_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ours = write_notes(tmp_path / "notes", NAMES, "n")
    write_notes(tmp_path / "shipped", ["Ann", "Bo", "Cy"], "s")
    (tmp_path / "r.toml").write_text(RECIPE.format(start=SHIPPED))
    assert run(monkeypatch, "all", "r.toml") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["dev"]["labels"]["other_by_pytorch"] == 0
    model = tmp_path / "model"
    for name in TABLES:
        assert (model / name).read_bytes() == (SHIPPED / name).read_bytes(), name
    secret = {w for w in only_in_phi(ours) if len(w) > 1}
    assert {n.lower() for n in NAMES} <= secret
    assert holding(tmp_path / "notes", secret) == {"n.jsonl": secret}
    assert holding(model, secret) == {}
    described = json.loads((model / "model.json").read_text())
    assert described["training"]["start"]["name"] == "en-clinical-accurate"
    assert described["training"]["material"]["drawn_per_epoch"] == 2
    card = (model / "README.md").read_text()
    assert "no word of the notes was added to any table" in card
    assert "Training went on from en-clinical-accurate" in card
    assert not (tmp_path / "model-private").exists()


@pytest.mark.parametrize(
    ("change", "want"),
    [
        ("start=none", "there is no model in "),
        ("output={start}", "it is the model that training goes on from"),
        ("notes.shipped.path=notes", "8 notes have the id|are in both train and dev"),
        ("notes.shipped.part=dev", "per_epoch"),
        ("notes.shipped.path=strange", "types that the first model does not: SHOE"),
    ],
)
def test_what_cannot_be_gone_on_from_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: str,
    want: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_notes(tmp_path / "notes", NAMES, "n")
    write_notes(tmp_path / "shipped", ["Ann", "Bo"], "s")
    (tmp_path / "strange").mkdir()
    write_jsonl(tmp_path / "strange/n.jsonl", [Note("x", "A red shoe.", [Span(2, 5, "SHOE")], "x")])
    (tmp_path / "r.toml").write_text(RECIPE.format(start=SHIPPED))
    assert run(monkeypatch, "all", "r.toml", "--set", change.format(start=SHIPPED)) == SETTINGS
    err = capsys.readouterr().err
    assert re.search(want, err.splitlines()[-1]), err
    assert not (tmp_path / "model").exists()
