"""The command charlm: trains character language models and writes their directory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper

from . import context
from .charlm import LanguageModels, Trained, train
from .charlm_text import Texts
from .corpus import read
from .export import initializer, lstm_weights, save
from .failure import Refused
from .material import Material
from .notes import Note
from .recipe import Recipe
from .windows import tokenize
from .work import make_private

CARD = """# {name} {version}

Character language models ({language}), forward and backward, one LSTM of {hidden} each (Akbik,
Blythe and Vollgraf 2018), trained by Palimpsest on {characters:,} characters: notes whose PHI was
drawn anew from lists, carriers with made-up PHI, and published texts. They have read no note as
its author wrote it that is not published. Held-back notes: {held:,} characters, perplexity of a
character {forward} forward, {backward} backward.

They tag nothing: a recipe names this directory by its key `context`.
"""


def make_language_models(
    recipe: Recipe, work: Path, device: str, resume: bool, log: Callable[[str], None]
) -> None:
    """Trains the models of a recipe and writes the directory that others name as context."""
    seed, d = recipe.training.seed, recipe.charlm
    corpus = read(recipe.notes, work, seed, log)
    material = Material(corpus, recipe.made, seed, recipe.without)
    texts = Texts(material, d.round)
    if not texts.makes:
        raise Refused(
            "no text to train on: language models read notes whose PHI can be drawn anew, those "
            "that are published (public = true), and made.data"
        )
    log(f"{len(texts.makes)} sources of text")
    held = tokenize(_some(corpus.dev, d.held_back))[0]
    key = hashlib.sha256(
        "\n".join(
            [repr(x) for x in (d, recipe.made, recipe.without, seed)]
            + [repr(n) for part in (corpus.train, corpus.dev, corpus.text) for n in part]
            + [repr(corpus.drawn), *(repr(n) for n in corpus.public)]
        ).encode(errors="surrogatepass")
    ).hexdigest()
    trained = train(
        lambda k: tokenize(texts.round(k))[0],
        held,
        d,
        seed,
        key,
        log,
        device,
        work / f"seed-{seed}.pt",
        resume,
    )
    trained.report["sources"] = len(texts.makes)
    write(recipe, trained)
    log(f"wrote {recipe.output}")
    print(json.dumps(trained.report["held_back"]))


def _some(notes: list[Note], most: int) -> list[Note]:
    """The first notes that have so many characters together."""
    some: list[Note] = []
    for n in notes:
        if most <= 0:
            break
        some.append(n)
        most -= len(n.text)
    return some


def graph(net: LanguageModels) -> bytes:
    """chars int32 [C, B], lengths int32 [B], places int32 [S, B, 2] -> context float32
    [S, B, 2 hidden].

    A place is a row of [2 C B, hidden]: c B + b of the forward states, and C B more of the
    backward ones, so that one Gather picks both.
    """
    h = net.hidden
    weights = [
        initializer("embedding", net.embedding.weight.detach().numpy()),
        *lstm_weights(net.lstm, "context"),
        initializer("rows", np.array([-1, h], dtype=np.int64)),
        initializer("join", np.array([0, 0, 2 * h], dtype=np.int64)),
    ]
    nodes = [
        helper.make_node("Gather", ["embedding", "chars"], ["embedded"], axis=0),
        helper.make_node(
            "LSTM",
            ["embedded", "context.W", "context.R", "context.B", "lengths"],
            ["states"],
            hidden_size=h,
            direction="bidirectional",
        ),
        # [C, 2, B, H] -> [2, C, B, H] -> [2 C B, H] -> [S, B, 2, H] -> [S, B, 2 H]
        helper.make_node("Transpose", ["states"], ["by_model"], perm=[1, 0, 2, 3]),
        helper.make_node("Reshape", ["by_model", "rows"], ["flat"]),
        helper.make_node("Gather", ["flat", "places"], ["picked"], axis=0),
        helper.make_node("Reshape", ["picked", "join"], ["context"]),
    ]
    value = helper.make_tensor_value_info
    return save(
        nodes,
        "context",
        [
            value("chars", TensorProto.INT32, ["C", "B"]),
            value("lengths", TensorProto.INT32, ["B"]),
            value("places", TensorProto.INT32, ["S", "B", 2]),
        ],
        [value("context", TensorProto.FLOAT, ["S", "B", 2 * h])],
        weights,
    )


def write(recipe: Recipe, trained: Trained) -> None:
    """Writes graph, characters, description and card."""
    files = {
        context.GRAPH: graph(trained.network),
        context.TABLE: ("\n".join(trained.characters.known) + "\n").encode(),
    }
    folder = recipe.output
    make_private(folder)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    described = {
        "format_version": 1,
        "kind": context.KIND,
        "name": recipe.name,
        "version": recipe.version,
        "language": recipe.language,
        "licence": recipe.licence,
        "dimensions": {"hidden": recipe.charlm.hidden},
        "files": {n: hashlib.sha256(data).hexdigest() for n, data in sorted(files.items())},
        "training": {**trained.report, "recipe": recipe.described()},
    }
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    (folder / "model.json").write_text(text, encoding="utf-8")
    held = trained.report["held_back"]
    card = CARD.format(
        name=recipe.name,
        version=recipe.version,
        language=recipe.language,
        hidden=recipe.charlm.hidden,
        characters=trained.report["characters"],
        held=held["characters"],
        **held["perplexity"],
    )
    (folder / "README.md").write_text(card, encoding="utf-8")
