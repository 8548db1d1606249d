"""Going on from a model that is there: its weights, read back from its directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from .card import GLOVE
from .export import GATES
from .failure import Refused
from .model import Model
from .network import Network
from .recipe import Dimensions, Settings
from .runtime import Directory


def read_model(folder: Path) -> Model:
    """Reads a model directory as the network that it was exported from, without dropout. The
    report has the directory's description."""
    try:
        directory = Directory(folder)
        if precision := directory.description.get("precision"):
            raise Refused(
                f"start: {folder} has weights of {precision}; start from a model with weights in "
                "full, such as en-clinical-accurate"
            )
        if directory.contexts is not None:
            raise Refused(f"start: {folder} reads language models; start from one that does not")
        weights = {
            t.name: torch.from_numpy(numpy_helper.to_array(t).copy())
            for name in ("char.onnx", "token.onnx")
            for t in onnx.load(folder / name).graph.initializer
        }
        card = folder / "README.md"
        owed = [*directory.description.get("attribution", [])]
        if card.is_file() and GLOVE["name"] in card.read_text(encoding="utf-8"):
            owed.append(GLOVE)  # which model.json of a model from scratch does not list
        owed = [a for i, a in enumerate(owed) if a not in owed[:i]]
        model = _model(directory, weights)
    except OSError as e:
        raise Refused(f"start: {e.filename or folder}: {e.strerror or e}") from None
    except (KeyError, ValueError, RuntimeError) as e:
        raise Refused(f"start: {folder} is no model of this trainer: {type(e).__name__}") from None
    model.report |= {"description": directory.description, "attribution": owed}
    return model


def blend(network: Network, first: Network, share: float) -> None:
    """Moves a network's weights towards those of the one that its training went on from, until
    share of the way is left. What training left as it was stays so, to the bit."""
    weights = dict(first.named_parameters())
    with torch.no_grad():
        for name, weight in network.named_parameters():
            weight.copy_(torch.lerp(weights[name].to(weight.device), weight, share))


def _model(d: Directory, weights: dict[str, torch.Tensor]) -> Model:
    dimensions = Dimensions(
        token=d.embedding.shape[1],
        char_embedding=weights["embedding"].shape[1],
        char_hidden=weights["chars.R"].shape[2],
        char_out=weights["char_out.W"].shape[1] if "char_out.W" in weights else 0,
        hidden=weights["tokens.R"].shape[2],
        dense=weights["dense.B"].shape[0],
    )
    v = d.vocabulary
    net = Network(dimensions, len(v.forms), len(v.characters), d.labels, 0.0)
    state = {
        "embedding.weight": torch.from_numpy(d.embedding.copy()),
        "char_embedding.weight": weights["embedding"],
        "dense.weight": weights["dense.W"].T,
        "dense.bias": weights["dense.B"],
        "out.weight": weights["out.W"].T,
        "out.bias": weights["out.B"],
        "crf.scores": torch.from_numpy(d.transitions.copy()),
        "crf.mask": net.crf.mask,
    }
    if dimensions.char_out:
        state["char_out.weight"] = weights["char_out.W"].T
    for ours, theirs in (("char_lstm", "chars"), ("lstm", "tokens")):
        state |= {f"{ours}.{k}": w for k, w in _lstm(theirs, weights).items()}
    net.load_state_dict(state)
    return Model(net, v, d.labels, Settings(dimensions))


def _lstm(name: str, weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights of an LSTM of a graph, as BiLSTM has them."""
    back = np.argsort(GATES)
    bias = dict(zip(("ih", "hh"), weights[f"{name}.B"].chunk(2, dim=1), strict=True))
    state = {}
    for d, side in enumerate(("ahead", "back")):
        for ours, theirs in (("weight_ih", "W"), ("weight_hh", "R")):
            state[f"{side}.{ours}_l0"] = weights[f"{name}.{theirs}"][d]
        for which, b in bias.items():
            state[f"{side}.bias_{which}_l0"] = b[d]
    return {k: torch.cat([v.chunk(4)[i] for i in back]) for k, v in state.items()}


def inherited(
    profile: dict[str, Any], start: Model, teachers: Sequence[str] = (), began: str = ""
) -> dict[str, Any]:
    """A card's profile for a model that goes on from start: what that one owes to others, this
    one owes, too. teachers are the names of those that it learnt from; began tells, where that is
    not what training commonly does, what became of start."""
    described = start.report["description"]
    first = f"{described['name']} {described['version']}, whose card tells what that was trained on"
    was, d = described["dimensions"], start.settings.network
    tables = "vocabulary, characters and token vectors are unchanged, to the byte."
    if (d.token, d.char) != (was["token"], was["char"]):
        tables = (
            f"vocabulary and characters are unchanged, to the byte; of the {was['token']} numbers "
            f"that told of a form and the {was['char']} of its characters, it reads {d.token} and "
            f"{d.char}, so chosen that the first network sees the least difference."
        )
    if not began:
        began = f"Training went on from {first}."
        if start.report.get("cut"):
            began = (
                f"The network was cut out of {first}: of its token network the units that weigh "
                "most."
            )
        began += f" Its {tables}"
    if teachers:
        began += (
            " It learnt annotations and, of the same texts and of texts without any, "
            f"the chances that {' and '.join(teachers)} gave the labels."
        )
    owed = [*profile.get("attribution", []), *start.report["attribution"]]
    return profile | {
        "attribution": [a for i, a in enumerate(owed) if a not in owed[:i]],
        "types": described["types"],
        "data": [*profile["data"], began],
    }
