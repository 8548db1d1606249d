"""A network over a pretrained encoder: read as it was published, trained, written, run and asked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import BertModel

from training import bert, encoder
from training.__main__ import SETTINGS
from training.context import Contexts
from training.distill import Teachers
from training.eight import make
from training.encoder import batches, fresh, pieces_of, train
from training.export import export
from training.failure import Refused
from training.model import Model
from training.recipe import EncoderSettings
from training.runtime import Directory
from training.tools import ROOT
from training.train import train as train_tagger
from training.warm import read_model
from training.windows import Window, runs, together
from training.wordpieces import INSIDE, MOST, Pieces

from .helper import LABELS, feed, held, made_up, quiet, small
from .test_command import Run, mode, run  # noqa: F401  (a fixture)
from .test_warm import DESCRIBED

SMALL = EncoderSettings(batch=64, rate=3e-3, window=24)
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] a n ##n seen ##x 4 ##1 ##2 - . elan".split()


class Published(BertModel):  # type: ignore[no-untyped-call]
    """As exporters call it."""

    def forward(self, ids: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = super().forward(input_ids=ids, attention_mask=there).last_hidden_state
        return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of random weights, as exporters write it."""
    folder = tmp_path_factory.mktemp("encoder")
    words = {w: i for i, w in enumerate(WORDS)}
    t = Tokenizer(models.WordPiece(words, unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer()
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.save(str(folder / bert.TOKENIZER))
    torch.manual_seed(3)
    net = Published(bert.config(2, 64, 48, len(words), 64), add_pooling_layer=False)
    net.train(False)
    with torch.no_grad():
        for p in net.parameters():
            p.add_(0.05 * torch.randn_like(p))  # exporters keep one of two that are equal
    torch.save(net.state_dict(), folder / "weights")
    ids = torch.ones(1, 5, dtype=torch.long)
    torch.onnx.export(net, (ids, ids), str(folder / bert.GRAPH), dynamo=False)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A tagger that knows forms and characters."""
    folder = tmp_path_factory.mktemp("base") / "t"
    export(train_tagger(feed(made_up(60)), None, small(), quiet), folder, DESCRIBED, "card\n")
    return read_model(folder)


@pytest.fixture(scope="module")
def model(folder: Path, base: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a network that has learnt a little."""
    torch.manual_seed(1)
    own, pieces = bert.read(folder)
    settings = small(rate=1e-2)
    tagger = fresh(bert.Encoder(own), base, settings)
    train(tagger, pieces, base, made_up(300), SMALL, settings, quiet)
    read = encoder.contexts(tagger.encoder, pieces, SMALL, {"name": "e"})
    made = Model(tagger.network, base.vocabulary, base.labels,
                 replace(settings, network=tagger.network.d), contexts=read)  # fmt: skip
    out = tmp_path_factory.mktemp("model") / "m"
    export(made, out, DESCRIBED, "card\n")
    return out


def test_an_encoder_is_read_as_it_was_published(folder: Path) -> None:
    want = torch.load(folder / "weights", weights_only=True)
    own, pieces = bert.read(folder)
    got = own.state_dict()
    assert got.keys() == want.keys()
    for name, w in want.items():
        assert got[name].equal(w), name
    assert (pieces.known, pieces.places) == (WORDS, 64)


def test_what_is_no_encoder_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="No such file"):
        bert.read(tmp_path)
    graph = (folder / bert.GRAPH).read_bytes()
    (tmp_path / bert.GRAPH).write_bytes(graph[:-100])
    (tmp_path / bert.TOKENIZER).write_text('{"model": {"vocab": {"a": 0}}}')
    with pytest.raises(Refused, match="no BERT"):
        bert.read(tmp_path)
    (tmp_path / bert.GRAPH).write_bytes(graph)
    with pytest.raises(Refused, match=f"no piece for each of {len(WORDS)} rows"):
        bert.read(tmp_path)
    with pytest.raises(Refused, match="not BERT's"):
        Pieces(["a", "[UNK]"], 64)


def window(*forms: str, id_: str = "w", start: int = 0) -> Window:
    n = len(forms)
    at = list(range(start, start + 2 * n, 2))
    return Window(id_, list(forms), [0] * n, [1] * n, at, [a + 1 for a in at], ["O"] * n)


def test_pieces_of_forms() -> None:
    """The same cases are in model/bilstmcrf/pieces_test.go."""
    p = Pieces(WORDS, 10)
    w = window("Ann", "\n", "seenx", "ζ", "Élan-.")
    w.classes, w.space = [1, 7, 0, 0, 1], [1, 0, 0, 1, 0]
    numbers, places = p.sequence(replace(w, forms=w.forms[:4]))
    told = [(WORDS[n >> 6], n >> 2 & 15, n & 3) for n in numbers.tolist()]
    assert told == [
        ("[CLS]", 0, 3), ("a", 2, 2), ("##n", 2, 3), ("##n", 2, 3), ("[UNK]", 8, 0),
        ("seen", 1, 0), ("##x", 1, 3), ("[UNK]", 1, 1), ("[SEP]", 0, 3),
    ]  # fmt: skip
    assert places == [(1, 3), (4, 4), (5, 6), (7, 7)]
    # More pieces than places: each form by its first piece.
    numbers, places = p.sequence(w)
    assert [WORDS[n >> 6] for n in numbers.tolist()][1:-1] == [
        "a",
        "[UNK]",
        "seen",
        "[UNK]",
        "elan",
    ]
    assert places == [(k, k) for k in range(1, 6)]
    assert len(p.form("-" * 90)) == MOST
    assert len(p.form("-" * 200)) == MOST


def test_pieces_are_those_of_the_job() -> None:
    """Forms in many scripts, as BERT's own tokeniser cuts them; the job's test reads the same file."""
    told = json.loads((ROOT / "model/bilstmcrf/testdata/pieces.json").read_text())
    p = Pieces(told["pieces"], 512)
    assert len(told["forms"]) > 80
    for form, want in told["forms"]:
        assert [p.known[i] for i in p.form(form)] == want, form


def test_windows_of_a_note_are_read_together() -> None:
    ws = [window(*"aaa", id_="a"), window(*"aaa", id_="a", start=6), window(*"aaa", id_="a", start=12),
          window("a", id_="b", start=18), window("a", id_="b")]  # fmt: skip
    assert [len(r) for r in runs(ws, 6)] == [2, 1, 1, 1]
    assert [len(r) for r in runs(ws, 100)] == [3, 1, 1]
    assert [len(r) for r in runs(ws, 1)] == [1] * 5
    assert list(runs([], 6)) == []
    whole = together(ws[:3])
    assert (len(whole.forms), whole.start[-1], whole.id) == (9, 16, "a")


def test_batches_have_every_sequence_once_and_no_more_pieces_than_asked() -> None:
    lengths = [int(n) for n in np.random.default_rng(1).integers(3, 90, size=200)]
    got = batches(lengths, 128, np.random.default_rng(2))
    assert sorted(i for part in got for i in part) == list(range(200))
    assert all(len(p) == 1 or len(p) * max(lengths[i] for i in p) <= 128 for p in got)


def test_masked_pieces_keep_their_case(folder: Path) -> None:
    _, pieces = bert.read(folder)
    ws = made_up(400, seed=2)
    seen, _, _ = pieces_of(pieces, ws)
    hidden, _, _ = pieces_of(pieces, ws, np.random.default_rng(1))
    other = seen != hidden
    assert 0.02 < other.sum() / ((seen >> 2 & 15) > 0).sum() < 0.04
    assert set((hidden[other] >> 6).tolist()) == {pieces.mask}
    assert ((hidden ^ seen)[other] & 63).max() == 0
    assert not ((seen[other] & 63) == INSIDE).any()  # of what stands for no form


def test_the_graph_is_the_encoder(folder: Path) -> None:
    """Of each window what PyTorch makes of it in 32 bits, whatever stands beside it."""
    torch.manual_seed(5)
    own, pieces = bert.read(folder)
    net = bert.Encoder(own).eval()
    torch.nn.init.normal_(net.case.weight)
    torch.nn.init.normal_(net.gap.weight)
    ws = [replace(w, space=[k % 2 for k in range(len(w.forms))]) for w in made_up(20, seed=7)]
    got = encoder.contexts(net, pieces, SMALL, {}).states(ws)
    with torch.no_grad():
        for w, states in zip(ws, got, strict=True):
            want = net(*pieces_of(pieces, [w]), half=False)[:, 0].numpy()
            np.testing.assert_allclose(states, want, atol=1e-4)
            half = net(*pieces_of(pieces, [w]))[:, 0].numpy()
            assert np.abs(half - want).max() < 0.3


def test_it_learns_and_what_the_base_knows_stays(model: Path, base: Model, tmp_path: Path) -> None:
    windows = made_up(40, seed=5)
    directory = Directory(model)
    assert held(windows, tmp_path).of_labels(directory.predict(windows)).brief()["f1"] > 0.95
    assert directory.description["tokenizer"] == {
        "window_tokens": 24, "max_chars": [16, 8], "least_tokens": 12, "pieces": 64,
    }  # fmt: skip
    assert isinstance(directory.contexts, Contexts)
    assert np.array_equal(
        directory.embedding, base.network.get_parameter("embedding.weight").detach().numpy()
    )
    with pytest.raises(Refused, match="reads language models"):
        read_model(model)


def test_in_8_bits_it_finds_the_same(model: Path, tmp_path: Path) -> None:
    for name in "ab":
        make(model, tmp_path / name)
    for path in sorted((tmp_path / "a").iterdir()):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name
    full, eight = Directory(model), Directory(tmp_path / "a")
    assert eight.description["precision"] == "int8"
    assert eight.description["windows_per_run"] == 1
    assert "input_bits" not in eight.description
    windows = made_up(60, seed=11)
    same = [a == b for a, b in zip(eight.predict(windows), full.predict(windows), strict=True)]
    assert np.mean(same) > 0.9
    some = eight.emissions(windows)
    for w, e in zip(windows[:9], some[:9], strict=True):
        assert np.array_equal(eight.emissions([w])[0], e)  # its company does not matter
    sizes = [sum((d / n).stat().st_size for n in ("context.onnx", "embedding.f32", "embedding.i8")
                 if (d / n).exists()) for d in (model, tmp_path / "a")]  # fmt: skip
    assert sizes[1] < sizes[0] / 2
    assert "The encoder's matrices" in (tmp_path / "a/README.md").read_text()


def test_case_counts(model: Path) -> None:
    """BERT's small kin read small letters alone: the classes tell capitals."""
    directory = Directory(model)
    assert directory.contexts is not None
    w = window("Ann", "seenx")
    a, b = directory.contexts.states([w, replace(w, classes=[1, 0])])
    assert np.abs(a - b).max() > 0.01


def test_it_teaches_windows_of_a_note_together(model: Path, tmp_path: Path) -> None:
    apart = made_up(12, seed=6)
    of_one = [
        replace(
            w, id="one", start=[s + 1000 * k for s in w.start], end=[e + 1000 * k for e in w.end]
        )
        for k, w in enumerate(apart)
    ]
    teachers = Teachers([model], LABELS, tmp_path, quiet)
    for windows in (apart, of_one):
        want = [
            label
            for part in runs(windows, 24)
            for label in Directory(model).predict([together(part)])[0]
        ]
        taught = teachers.teach(windows, 0.5)
        got = []
        for w in taught:
            assert w.soft is not None
            best = np.zeros((len(w.forms), len(LABELS)))
            np.add.at(best, (w.soft.steps, w.soft.first), w.soft.chance.astype(float))
            got += [LABELS[k] for k in best.argmax(1)]
        assert np.mean([a == b for a, b in zip(got, want, strict=True)]) > 0.95


def test_the_command(
    run: Run,  # noqa: F811  (the fixture)
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    of = ("--set", f"encoder.folder={folder}", "--set", "start=base", "--set", "encoder.window=24")
    assert run("encoder", "r.toml") == SETTINGS
    assert "start: name the tagger" in capsys.readouterr().err
    assert run("all", "r.toml", "--set", "output=base") == 0
    assert run("encoder", "r.toml", "--set", "start=base") == SETTINGS
    assert "encoder.folder: give its folder" in capsys.readouterr().err
    assert (
        run("encoder", "r.toml", "--set", "start=base", "--set", "encoder.folder=empty") == SETTINGS
    )
    assert "empty" in capsys.readouterr().err
    assert run("encoder", "r.toml", *of) == 0
    told = json.loads(capsys.readouterr().out)
    described = json.loads((tmp_path / "model/model.json").read_text())
    assert described["scores"]["dev"] == told["dev"]
    assert described["training"]["context"]["tokens"] > 0
    assert "the states of the encoder" in (tmp_path / "model/README.md").read_text()
    assert mode(tmp_path / "model") == 0o700
    assert not (tmp_path / "model-private").exists()
    teaches = ("--set", "start=base", "--set", f"teacher.models=['{tmp_path}/model']")
    assert run("all", "r.toml", *teaches, "--set", "output=student") == 0
    student = json.loads((tmp_path / "student/model.json").read_text())
    assert student["training"]["teachers"] == ["t 0.1.0"]
    both = f"teacher.models=['{tmp_path}/base', '{tmp_path}/model']"
    capsys.readouterr()
    assert run("teachers", "r.toml", "--set", "output=none", "--set", both) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["t 0.1.0", "t 0.1.0 + t 0.1.0"]
    assert set(told["t 0.1.0"]["0"]) == {"p", "r", "f1", "token_p", "token_r"}
    assert not (tmp_path / "none").exists()
