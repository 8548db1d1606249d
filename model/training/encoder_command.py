"""The command encoder: trains a network over a pretrained encoder and writes a model directory."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace

import torch

from . import bert, encoder
from .card import load_profile
from .commands import Bench, held_of, known_labels, write_model
from .disclosure import whose
from .material import Material
from .model import Model
from .notes import Note
from .recipe import EncoderSettings
from .rng import Rng
from .warm import inherited, read_model
from .windows import Window, tokenize

CUT = "content"
PART = 500  # notes that are cut at a time


def make_encoder(bench: Bench) -> None:
    """Trains from a recipe, writes the model directory with its card, and prints its scores."""
    recipe, d = bench.recipe, bench.recipe.encoder
    assert recipe.start is not None
    assert d.folder is not None
    started = time.monotonic()
    corpus = bench.corpus()
    base = read_model(recipe.start)
    described = base.report["description"]
    began = (
        f"What the network knows of a token's form and characters is that of {described['name']} "
        f"{described['version']}, to the byte; the card of that tells where it is from."
    )
    profile = inherited(load_profile(recipe.profile), base, began=began)
    recipe = replace(recipe, language=described["language"], licence=described["licence"])
    material = Material(corpus, recipe.made, recipe.training.seed, recipe.without)
    labels = known_labels(base, material)
    torch.manual_seed(recipe.training.seed)
    torch.use_deterministic_algorithms(True)
    own, pieces = bert.read(d.folder)
    tagger = encoder.fresh(bert.Encoder(own), base, recipe.settings())
    windows = some(material, d)
    read = encoder.train(tagger, pieces, base, windows, d, recipe.settings(), bench.log)
    told = {
        "name": d.name,
        "layers": own.config.num_hidden_layers,
        "tokens": read,
    }
    model = Model(
        tagger.network,
        base.vocabulary,
        labels,
        replace(recipe.settings(), network=tagger.network.d),
        {
            **{"start": {k: described[k] for k in ("name", "version", "files")}},
            **{"best_epoch": 1, "epochs": 1},
        },
        encoder.contexts(tagger.encoder, pieces, d, told),
    )
    model.report["material"] = material.describe(0)
    model.report["whose"] = whose(corpus.train, recipe.vocabulary.min_patients)
    held = held_of(bench, corpus, d.window, d.least)
    scores = write_model(recipe, profile, model, held)
    bench.log(f"wrote {recipe.output} after {time.monotonic() - started:.0f} s")
    print(json.dumps({part: s.json() for part, s in scores.items()}, indent=2))


def some(material: Material, d: EncoderSettings) -> list[Window]:
    """Windows of the notes as they are written, and of made-up ones until there are so many
    tokens."""

    def cut(notes: Sequence[Note]) -> list[Window]:
        return tokenize(notes, d.window, CUT, d.least)[0]

    out = cut(material.corpus.train)
    left = d.tokens - sum(len(w.forms) for w in out)
    notes = material.made(0) if left > 0 and material.makes() else []
    order = [notes[int(i)] for i in Rng(0, "encoder").g.permutation(len(notes))]
    while left > 0 and order:
        more = cut(order[:PART])
        order = order[PART:]
        out += more
        left -= sum(len(w.forms) for w in more)
    return out
