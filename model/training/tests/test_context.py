"""Character language models: what they read, how they learn, and a network over them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from training import charlm_command, context
from training.__main__ import SETTINGS, main
from training.charlm import LanguageModels, Trained, known_characters, perplexity, train
from training.charlm_text import Texts, keeps, redrawable
from training.corpus import Corpus
from training.corpus import read as read_corpus
from training.export import export
from training.failure import Refused
from training.material import Material
from training.model import Model
from training.notes import Note, Span, parse_marks, write_jsonl
from training.recipe import CharLM, Made, Recipe, Source
from training.runtime import Directory
from training.tools import ROOT
from training.train import train as train_tagger
from training.warm import read_model
from training.windows import Window

from .helper import feed, held, made_up, quiet, small

TINY = CharLM(hidden=6, embedding=4, characters=12000, round=1000, batch=100, rate=2e-2)
DESCRIBED = {"name": "t", "training": {}, "scores": {}}


def window(forms: list[str], space: list[int]) -> Window:
    n = len(forms)
    return Window("w", forms, [0] * n, space, [0] * n, [1] * n, ["O"] * n)


def trained(folder: Path, d: CharLM = TINY, resume: bool = False) -> Trained:
    texts = [made_up(12, seed) for seed in range(40)]
    path = folder / "seed-1.pt"
    return train(lambda k: texts[k], made_up(5, 99), d, 1, "key", quiet, "cpu", path, resume)


def directory(folder: Path, lm: Trained) -> Path:
    recipe = Recipe("lm", folder / "lm", {}, charlm=TINY)
    charlm_command.write(recipe, lm)
    return recipe.output


def test_a_window_is_read_as_forms_and_single_blanks() -> None:
    c = context.Characters([" ", "A", "b", "é"])
    chars, places = c.sequence(window(["Ab", "é", "\n\n", "x" * 30 + "b"], [1, 1, 0, 0]))
    # A line end, A, b, a blank, é, two line ends, of the long form what is seen, a line end.
    assert chars.tolist() == [1, 3, 4, 2, 5, 1, 1, *[0] * 23, 4, 1]
    assert places == [(1, 2), (4, 4), (5, 6), (7, 30)]


def test_states_are_those_of_each_model_at_a_tokens_edge(tmp_path: Path) -> None:
    """Against PyTorch, one direction at a time: the forward state has seen all up to the
    token's last character, the backward one all down to its first."""
    lm = trained(tmp_path)
    found = context.read(directory(tmp_path, lm))
    w = made_up(1, 7)[0]
    chars, places = lm.characters.sequence(w)
    longer = made_up(9, 8)
    states = found.states([w])[0]
    beside = context.read(tmp_path / "lm").states([*longer, w, *longer])
    np.testing.assert_array_equal(beside[9], states)  # neighbours do not matter
    h = TINY.hidden
    with torch.no_grad():
        embedded = lm.network.embedding(torch.from_numpy(chars))
        for k, (first, last) in enumerate(places):
            ahead = lm.network.lstm.ahead(embedded[: last + 1, None])[0][-1, 0]
            back = lm.network.lstm.back(embedded[first:, None].flip(0))[0][-1, 0]
            np.testing.assert_allclose(states[k, :h], ahead.numpy(), atol=1e-5)
            np.testing.assert_allclose(states[k, h:], back.numpy(), atol=1e-5)


def test_models_learn_repeat_and_resume(tmp_path: Path) -> None:
    whole = trained(tmp_path)
    assert whole.report["characters"] >= TINY.characters
    guesses = whole.report["held_back"]["perplexity"]
    chance = len(whole.characters)
    assert max(guesses.values()) < 0.5 * chance
    again = tmp_path / "again"
    again.mkdir()
    with pytest.raises(Refused, match="have changed"):
        train(lambda k: [], [], TINY, 1, "other", quiet, "cpu", tmp_path / "seed-1.pt", True)

    def stopping(line: str) -> None:
        if "characters" in line and int(line.split()[0]) > 4000:
            raise KeyboardInterrupt

    texts = [made_up(12, seed) for seed in range(40)]
    path = again / "seed-1.pt"
    with pytest.raises(KeyboardInterrupt):
        train(lambda k: texts[k], made_up(5, 99), TINY, 1, "key", stopping, "cpu", path)
    assert path.exists()
    resumed = trained(again, resume=True)
    for a, b in zip(whole.network.parameters(), resumed.network.parameters(), strict=True):
        assert torch.equal(a, b)
    assert [x["forward"] for x in resumed.report["history"]] == [
        x["forward"] for x in whole.report["history"]
    ]


def test_perplexity_of_no_knowledge_is_the_number_of_characters() -> None:
    windows = made_up(3)
    known = known_characters(windows, 1)
    net = LanguageModels(len(known), TINY)
    for p in (*net.next.parameters(), *net.previous.parameters()):
        torch.nn.init.zeros_(p)
    found = perplexity(net, [known.sequence(w)[0] for w in windows])
    assert found == {"forward": float(len(known)), "backward": float(len(known))}


def test_text_holds_no_phi_as_written() -> None:
    """Notes are read with their PHI redrawn, or not at all; published ones as they are."""
    ours = Note("a", "Seen by Zyxwvut Qponmlk.\n", [Span(8, 23, "DOCTOR")], "p1")
    other = Note("b", "A tattoo of Zyxwvut.\n", [Span(12, 19, "OTHER")], "p2")
    foreign = Note("c", "Visto por Zyxwvut.\n", [Span(10, 17, "MEDICO")], "p3")
    public = Note("d", "Visto por Abcdef.\n", [Span(10, 16, "MEDICO")], "p4")
    assert [redrawable(n) for n in (ours, other, foreign, public)] == [True, False, False, False]
    corpus = Corpus(train=[ours, other, foreign, public], public=[public])
    corpus.text = [Note("text/c", foreign.text)]
    texts = Texts(Material(corpus, Made(variants=0), 1), 400)
    rounds = [texts.round(k) for k in range(3)]
    read = "".join(n.text for r in rounds for n in r)
    assert "Abcdef" in read
    assert "zyxwvut" not in read.lower()
    assert "Seen by" in read
    # A round is the same whenever it is asked for, and by whom.
    other_texts = Texts(Material(corpus, Made(variants=0), 1), 400)
    assert other_texts.round(2) == rounds[2]
    assert rounds[0] != rounds[1]


def tagger(folder: Path) -> tuple[list[Window], Model, context.Contexts]:
    """A small network over small language models."""
    windows = made_up(60)
    contexts = context.read(directory(folder, trained(folder)))
    settings = small(epochs=6)
    network = replace(settings.network, context=contexts.width)
    fed = replace(feed(windows), contexts=contexts)
    model = train_tagger(
        fed, held(windows, folder / "scores"), replace(settings, network=network), quiet
    )
    return windows, model, contexts


def test_a_network_over_them_learns_and_exports(tmp_path: Path) -> None:
    windows, model, contexts = tagger(tmp_path)
    assert held(windows, tmp_path / "again").score(model).entity.f1 > 0.95
    export(model, tmp_path / "model", DESCRIBED, "card\n")
    d = Directory(tmp_path / "model")
    assert d.description["dimensions"]["context"] == contexts.width == 2 * TINY.hidden
    assert {"context.onnx", "context.txt"} < set(d.description["files"])
    assert d.predict(windows) == model.predict(windows)
    # The states matter: without them the network says something else.
    assert d.contexts is not None
    seen = d.emissions(windows[:1])[0]
    d.contexts.remembered = {k: np.zeros_like(v) for k, v in d.contexts.remembered.items()}
    assert not np.allclose(d.emissions(windows[:1])[0], seen)
    with pytest.raises(Refused, match="reads language models"):
        read_model(tmp_path / "model")


def test_what_is_no_directory_of_them_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="context: "):
        context.read(tmp_path)
    folder = directory(tmp_path, trained(tmp_path))
    raw = (folder / context.GRAPH).read_bytes()
    (folder / context.GRAPH).write_bytes(raw[:-1] + b"\0")
    with pytest.raises(Refused, match="is damaged or was changed"):
        context.read(folder)
    described = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(described | {"kind": "crf"}))
    with pytest.raises(Refused, match="holds no character language models"):
        context.read(folder)


def test_the_commands_make_models_from_recipes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """charlm, then all with its directory as context; the card and the description tell of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    text = "Seen by Ann Fox on 3 May.\nShe is well.\n"
    spans = [Span(8, 15, "DOCTOR"), Span(19, 24, "DATE")]
    write_jsonl(tmp_path / "notes/n.jsonl", [Note(f"n{k}", text, spans, f"p{k}") for k in range(8)])
    notes = '[notes.ours]\npath = "notes"\nformat = "jsonl"\ndev = 0.25\n'
    models = "[charlm]\nhidden = 6\nembedding = 4\ncharacters = 2000\nround = 900\nbatch = 300\n"
    (tmp_path / "lm.toml").write_text(f'name = "lm"\noutput = "lm"\n{notes}{models}')
    small = "token = 8\nchar_embedding = 4\nchar_hidden = 4\nhidden = 8\ndense = 8\n"
    (tmp_path / "r.toml").write_text(
        f'name = "t"\noutput = "model"\ncontext = "lm"\n{notes}[network]\n{small}'
        "[training]\nepochs = 2\n[vectors]\nepochs = 1\n"
    )

    def run(*args: str) -> int:
        monkeypatch.setattr("sys.argv", ["training", *args])
        return main()

    assert run("all", "r.toml") == SETTINGS
    assert "train them with python -m training charlm" in capsys.readouterr().err
    assert run("charlm", "lm.toml") == 0
    first = (tmp_path / "lm/context.onnx").read_bytes()
    assert run("charlm", "lm.toml") == 0  # in its place, to the same bytes
    assert (tmp_path / "lm/context.onnx").read_bytes() == first
    assert "They tag nothing" in (tmp_path / "lm/README.md").read_text()
    assert not (tmp_path / "lm-private").exists()
    capsys.readouterr()
    assert run("all", "r.toml") == 0
    assert json.loads(capsys.readouterr().out)["dev"]["labels"]["other_by_pytorch"] == 0
    d = json.loads((tmp_path / "model/model.json").read_text())
    assert d["dimensions"]["context"] == 12
    assert d["training"]["context"]["name"] == "lm"
    assert "reads the states of the character language models lm" in (
        tmp_path / "model/README.md"
    ).read_text().replace("\n", " ")
    assert run("all", "r.toml", "--set", "network.context=4") == SETTINGS
    assert run("charlm", "lm.toml", "--set", "without=['refill']") == SETTINGS
    assert "no text to train on" in capsys.readouterr().err


def marked(text: str) -> Note:
    return Note("n", *parse_marks(text))


def test_kept_words_are_seen() -> None:
    was = marked("[[STREET:12 Zyx Lane]] [[DOCTOR:Do]] [[PHONE:555 ext 1]] [[DATE:mid May]]")
    for now, want in (
        ("[[STREET:7 Oak Lane]] [[DOCTOR:Poe]] [[PHONE:123 ext 4]] [[DATE:mid May]]", False),
        ("[[STREET:7 ZYX Lane]] [[DOCTOR:Poe]] [[PHONE:123 ext 4]] [[DATE:mid June]]", True),
        ("[[STREET:7 Oak Lane]] [[DOCTOR:Do]] [[PHONE:123 ext 4]] [[DATE:mid June]]", True),
    ):
        assert keeps(was, marked(now)) is want
    assert keeps(marked("[[STREET:1 May Road]]"), marked("[[STREET:2 May Road]]"))


def test_no_variant_that_is_read_keeps_a_word() -> None:
    """Words that the refiller often leaves as they are; of the repository's notes it may."""
    text = (
        "[[PROFESSION:Zyxwright]] of [[ORGANIZATION:Qponm Vutsr]], [[STREET:1 Zyxwvut Lane]], on "
        "[[DATE:Michzelmas]].\n"
    )
    ours = Note("a", *parse_marks(text.replace("Michzelmas", "3 May")), patient="p1")
    never = Note("b", *parse_marks(text.replace("1 Zyx", "1 Klm")), patient="p2")
    corpus = Corpus(train=[ours, never])

    def read(corpus: Corpus) -> str:
        texts = Texts(Material(corpus, Made(variants=0), 1, ["wear"]), 20_000)
        return "".join(n.text for n in texts.round(0)).lower()

    secret = ("zyxwright", "qponm", "vutsr", "zyxwvut", "michzelmas")
    assert not any(w in read(corpus) for w in secret)
    assert " of " in read(corpus)
    everything = read(replace(corpus, invented={"a", "b"}))
    assert all(w in everything for w in secret)
    with pytest.raises(Refused, match="keeps some PHI"):
        read(replace(corpus, train=[never]))


def test_documents_have_no_line_of_a_sites_notes() -> None:
    ours, shipped = (marked(f"Seen by [[DOCTOR:{w}]].") for w in ("Zyxwvut", "Qponmlk"))
    ours.id, shipped.id = "a", "b"
    corpus = Corpus(train=[ours, shipped], invented={"b"})
    lines = Texts(Material(corpus, Made(variants=0), 1), 400).pieces.lines
    assert [n.text for n in lines] == [shipped.text]


def test_the_repositorys_notes_are_known(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "n.jsonl", [Note("n", "3 May", [Span(0, 5, "DATE")], "p")])
    split = ROOT / "examples/split.json"
    sources = {
        "ours": Source(tmp_path / "n.jsonl", "jsonl"),
        "examples": Source(ROOT / "examples/source", "marked", split=split),
    }
    corpus = read_corpus(sources, tmp_path / "work", 1, quiet)
    ids = {n.id for part in (corpus.train, corpus.dev, corpus.test) for n in part}
    assert corpus.invented == ids - {"n"}
