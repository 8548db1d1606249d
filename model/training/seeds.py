"""Several seeds of one recipe: how far chance alone moves a score."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean, stdev
from typing import Any

from .model import Model
from .recipe import Settings
from .train import value


def best_of(settings: Settings, train: Callable[[Settings], Model], log: Any = print) -> Model:
    """Trains with the seed of the settings and those after it, and returns the best on dev.

    Its report tells every seed's best epoch, and of each score the mean and the
    standard deviation, which is what a difference between two recipes has to beat.
    """
    best: tuple[float, Model] | None = None
    each = []
    first, seeds = settings.training.seed, settings.training.seeds
    for seed in range(first, first + seeds):
        model = train(settings.with_seed(seed))
        top = max(model.report["history"], key=value)
        each.append({"seed": seed, **top})
        if best is None or value(top) > best[0]:
            best = value(top), model
    assert best is not None
    if seeds > 1:
        scores = [k for k in each[0] if k not in ("seed", "epoch", "loss")]
        spread = {
            k: {
                "mean": round(fmean(e[k] for e in each), 4),
                "sd": round(stdev(e[k] for e in each), 4),
            }
            for k in scores
        }
        best[1].report["seeds"] = {"each": each, "spread": spread}
        log(f"{seeds} seeds: {spread}")
    return best[1]
