"""python -m training window-lstm: trains the sliding-window LSTM and writes its directory."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper
from torch import nn

from .card import dev_scores, load_profile
from .cbow import cbow
from .corpus import Corpus, read
from .disclosure import disclosure, whose
from .export import GATES, initializer, save
from .failure import Refused
from .linear_command import fresh, score
from .material import Material
from .notes import spread
from .recipe import Recipe, Sliding
from .window_lstm import Lines, Text, Trained, build, texts, train
from .windows import tokenize
from .work import make_private

Log = Callable[[str], None]

LENGTHS = (5, 15, 31)  # of windows, in the experiment; the paper has 15


def make_window_lstm(recipe: Recipe, work: Path, log: Log) -> None:
    """Trains from a recipe, writes the model directory, and prints its scores on dev."""
    started = time.process_time()
    corpus, own, vectors, lines = _prepare(recipe, work, log)
    trained = train(own, lines, vectors, recipe.sliding, recipe.training.seed, log)
    told: dict[str, Any] = {"notes": len(own), "forms": len(lines.lines)}
    held_in = whose(corpus.train, recipe.vocabulary.min_patients)
    with fresh(recipe) as new:
        told["cpu_seconds"] = round(time.process_time() - started)
        described = write(new, trained, told, held_in)
        if corpus.dev:
            scores = {"dev": score(new, work, corpus.dev)}
            _describe(new, {**described, "scores": scores}, held_in)
            print(json.dumps(scores["dev"], indent=2))
    log(f"wrote {recipe.output} after {told['cpu_seconds']} s of the processor")


def _prepare(
    recipe: Recipe, work: Path, log: Log
) -> tuple[Corpus, list[Text], NDArray[np.float32], Lines]:
    """The corpus, the texts that are trained on, and the vectors of all texts at hand."""
    corpus = read(recipe.notes, work, recipe.training.seed, log, dev=False)
    material = Material(corpus, recipe.made, recipe.training.seed, recipe.without)
    windows, summary = tokenize(corpus.train)
    log(summary)
    public = tokenize(material.public_words())[0]
    may_hold = disclosure(corpus.train, windows, public, (), recipe.vocabulary.min_patients)
    o = recipe.sliding
    # The paper reads all its records for the vectors, though few have labels.
    everything = texts(windows) + texts(tokenize(material.published)[0])
    lines = build(everything, may_hold, o.min_count, recipe.vocabulary.max_forms)
    rng = np.random.default_rng(recipe.training.seed)
    sentences = [lines.numbers(t) for t in everything if t.forms]
    began = time.monotonic()
    vectors = cbow(sentences, len(lines.lines), o.width, rng, o.vector_epochs, o.reach)
    log(f"CBOW: {len(lines.lines)} forms, {sum(map(len, sentences))} tokens, "
        f"{time.monotonic() - began:.0f} s")  # fmt: skip
    train_on = corpus.train
    if o.notes:
        train_on = spread(train_on, min(o.notes, len(train_on)))
    wanted = {n.id for n in train_on}
    return corpus, texts(w for w in windows if w.id in wanted), vectors, lines


def write(recipe: Recipe, t: Trained, told: dict[str, Any], held_in: str) -> dict[str, Any]:
    """Writes the model directory, and returns what model.json says."""
    finite = all(torch.isfinite(p).all() for p in t.network.parameters())
    if not finite or not np.isfinite(t.vectors).all():
        raise Refused("a weight is not finite: training diverged; lower sliding.rate")
    o = recipe.sliding
    files = {
        "window.onnx": graph(t, o),
        "vocabulary.txt": ("\n".join(t.lines.lines) + "\n").encode(),
        "embedding.f32": t.vectors.astype("<f4").tobytes(),
    }
    make_private(recipe.output)
    for name, data in files.items():
        (recipe.output / name).write_bytes(data)
    profile = load_profile(recipe.profile)
    types = {x[2:] for x in t.labels}
    described = {
        "format_version": 1,
        "kind": "window-lstm",
        "name": recipe.name,
        "version": recipe.version,
        "language": recipe.language,
        "licence": recipe.licence,
        "attribution": profile["attribution"],
        "types": {k: i for k, i in profile["types"].items() if k in types},
        "labels": t.labels,
        "window": {"length": o.length, "stride": o.stride},
        "dimensions": {"token": o.width},
        "files": {n: hashlib.sha256(data).hexdigest() for n, data in sorted(files.items())},
        "training": {**told, "recipe": recipe.described()},
    }
    _describe(recipe, described, held_in)
    return described


def graph(t: Trained, o: Sliding) -> bytes:
    """x float32 [S, B, width], lengths int32 [B] -> emissions float32 [S, B, labels]."""

    def gates(weight: str) -> NDArray[Any]:
        chunks = getattr(t.network.lstm, weight).detach().numpy().reshape(4, o.hidden, -1)
        ordered: NDArray[Any] = np.concatenate([chunks[k] for k in GATES])[None]
        return ordered

    out: nn.Linear = t.network.out
    bias = [gates("bias_ih_l0")[:, :, 0], gates("bias_hh_l0")[:, :, 0]]
    weights = [
        initializer("lstm.W", gates("weight_ih_l0")),
        initializer("lstm.R", gates("weight_hh_l0")),
        initializer("lstm.B", np.concatenate(bias, axis=1)),
        # [S, 1, B, H] -> [S, B, H]
        initializer("direction", np.array([1], dtype=np.int64)),
        initializer("out.W", out.weight.detach().numpy().T),
        initializer("out.B", out.bias.detach().numpy()),
    ]
    nodes = [
        helper.make_node(
            "LSTM", ["x", "lstm.W", "lstm.R", "lstm.B", "lengths"], ["states"], hidden_size=o.hidden
        ),
        helper.make_node("Squeeze", ["states", "direction"], ["by_token"]),
        helper.make_node("MatMul", ["by_token", "out.W"], ["out"]),
        helper.make_node("Add", ["out", "out.B"], ["emissions"]),
    ]
    value = helper.make_tensor_value_info
    return save(
        nodes,
        "window",
        [
            value("x", TensorProto.FLOAT, ["S", "B", o.width]),
            value("lengths", TensorProto.INT32, ["B"]),
        ],
        [value("emissions", TensorProto.FLOAT, ["S", "B", len(t.labels)])],
        weights,
    )


def _describe(recipe: Recipe, described: dict[str, Any], held_in: str) -> None:
    """Writes model.json and the card."""
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    (recipe.output / "model.json").write_text(text, encoding="utf-8")
    (recipe.output / "README.md").write_text(_card(described, recipe, held_in), encoding="utf-8")


def _card(d: dict[str, Any], recipe: Recipe, held_in: str) -> str:
    o, profile, t = recipe.sliding, load_profile(recipe.profile), d["training"]
    lines = [
        f"# {d['name']} {d['version']}",
        "",
        profile["summary"],
        "",
        f"**Not a promise of safety.** {profile['caution']}",
        "",
        "## Model",
        f"Kassaie 2016, 4.3: CBOW vectors of our own ({o.width} wide, {t['forms']} forms), windows "
        f"of {o.length} tokens, one every {o.stride}, an LSTM that reads forwards ({o.hidden}), and "
        f"a layer that gives {len(d['labels'])} labels. Where windows overlap, PHI goes before what "
        "is none, and of two types that of the window in which the token stands further on.",
        "",
        "## Data",
        f"{t['notes']} notes as written.",
        *profile["data"],
        "",
        "## What it holds of its notes",
        "vocabulary.txt holds a form in clear only if it is public or stands outside of PHI in "
        f"{held_in}. Digits are all one.",
    ]
    lines += dev_scores(d)
    lines += ["", "## Known weaknesses", *(f"- {w}" for w in profile["weaknesses"])]
    lines += ["", "## Licence and attribution", f"Weights: {d['licence']}."]
    return "\n".join(lines) + "\n"


def window_experiments(recipe: Recipe, work: Path, log: Log) -> None:
    """Trains models of windows of several lengths, and writes each with several overlaps."""
    corpus, own, vectors, lines = _prepare(recipe, work, log)
    held_in = whose(corpus.train, recipe.vocabulary.min_patients)
    number = 0
    for length in LENGTHS:
        o = replace(recipe.sliding, length=length, stride=max(1, length // 3))
        started = time.process_time()
        trained = train(own, lines, vectors, o, recipe.training.seed, log)
        seconds = round(time.process_time() - started)
        for stride, how in ((1, "one token on"), (o.stride, "a third on"), (length, "no overlap")):
            name = f"windows-{number:02}"
            number += 1
            one = replace(recipe, name=name, output=recipe.output / name,
                          sliding=replace(o, stride=stride))  # fmt: skip
            row = f"{length} tokens, {how}"
            told = {"notes": len(own), "forms": len(lines.lines), "cpu_seconds": seconds,
                    "experiment": {"group": "windows", "row": row}}  # fmt: skip
            with fresh(one) as new:
                write(new, trained, told, held_in)
            log(f"{name}: {row}")
