"""Several seeds of one recipe: how far chance alone moves a score, and the mean of their weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Any

import torch

from .model import Model
from .network import Network
from .recipe import Settings
from .train import value


def best_of(settings: Settings, train: Callable[[Settings], Model], log: Any = print) -> Model:
    """Trains with the seed of the settings and those after it, and returns the best on dev. With
    training.soup the weights are the mean of all of theirs, at each one's best epoch.

    Its report tells every seed's best epoch, and of each score the mean and the
    standard deviation, which is what a difference between two recipes has to beat.
    """
    first, seeds = settings.training.seed, settings.training.seeds
    models = [train(settings.with_seed(seed)) for seed in range(first, first + seeds)]
    tops = [max(model.report["history"], key=value) for model in models]
    best = models[max(range(seeds), key=lambda k: value(tops[k]))]
    if seeds > 1:
        each = [{"seed": first + k, **top} for k, top in enumerate(tops)]
        scores = [k for k in each[0] if k not in ("seed", "epoch", "loss")]
        spread = {
            k: {
                "mean": round(fmean(e[k] for e in each), 4),
                "sd": round(stdev(e[k] for e in each), 4),
            }
            for k in scores
        }
        best.report["seeds"] = {"each": each, "spread": spread}
        log(f"{seeds} seeds: {spread}")
    if settings.training.soup:
        soup(best.network, [model.network for model in models])
    return best


def soup(network: Network, of: Sequence[Network]) -> None:
    """Gives a network the mean of the weights of some that were trained from the same ones, which
    is better than each where they differ by chance alone (Wortsman et al. 2022, model soups)."""
    weights = [dict(n.named_parameters()) for n in of]
    with torch.no_grad():
        for name, weight in network.named_parameters():
            weight.copy_(torch.stack([w[name] for w in weights]).double().mean(0))
