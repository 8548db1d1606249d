"""What a training run leaves behind after each epoch, to go on from and to export."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .context import Contexts
from .failure import Refused
from .model import Model
from .network import Network
from .pretrained import FixedEmbedding
from .recipe import Settings
from .vocabulary import Vocabulary


def save(path: Path, state: dict[str, Any]) -> None:
    """Writes a checkpoint whole or not at all."""
    new = path.with_suffix(".new")
    torch.save(state, new)
    os.replace(new, path)


def load(path: Path, key: str) -> dict[str, Any]:
    """Reads a checkpoint. key must be the one that it was saved under: it names the recipe and
    the notes."""
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    except Exception:
        raise Refused(f"{path}: no checkpoint that can be read; train without --resume") from None
    if state["key"] != key:
        raise Refused(
            f"{path}: the recipe or the notes have changed since; train without --resume, "
            "in another work folder"
        )
    return state


def rng_states(rng: np.random.Generator, network: Network) -> dict[str, Any]:
    """The states of all random choices of a training run."""
    return {
        "rng": json.dumps(rng.bit_generator.state),
        "dropout": json.dumps(network.drop.rng.bit_generator.state),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state() if torch.cuda.is_available() else None,
    }


def set_rng_states(states: dict[str, Any], rng: np.random.Generator, network: Network) -> None:
    rng.bit_generator.state = json.loads(states["rng"])
    network.drop.rng.bit_generator.state = json.loads(states["dropout"])
    torch.set_rng_state(states["torch"])
    if states["cuda"] is not None and torch.cuda.is_available():
        torch.cuda.set_rng_state(states["cuda"])


def empty_network(state: dict[str, Any], settings: Settings) -> Network:
    """A network of the shape that a checkpoint has."""
    network = Network(
        settings.network,
        len(state["forms"]),
        len(state["characters"]),
        state["labels"],
        settings.training.dropout,
    )
    network.without = frozenset(settings.without)
    if state["fixed"] is not None:
        fixed = state["fixed"].numpy()
        vectors = np.zeros((len(fixed), settings.network.token), dtype=np.float32)
        network.embedding = FixedEmbedding(vectors, fixed)
    return network


def finished(state: dict[str, Any], settings: Settings, contexts: Contexts | None = None) -> Model:
    """The model of a checkpoint whose training is over."""
    network = empty_network(state, settings)
    network.load_state_dict(state["best"])
    if isinstance(network.embedding, FixedEmbedding):
        network.embedding = network.embedding.folded()
    vocabulary = Vocabulary(state["forms"], state["characters"])
    return Model(network, vocabulary, state["labels"], settings, state["report"], contexts)
