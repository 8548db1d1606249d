"""The curve of a training run: CSV, and a picture where matplotlib is installed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_curve(stem: Path, history: Sequence[Mapping[str, float]]) -> None:
    """Writes <stem>.csv and <stem>.png: loss and dev scores by epoch."""
    with stem.with_suffix(".csv").open("w", encoding="utf-8", newline="") as f:
        w = csv.DictWriter(f, fieldnames=list(history[0]))
        w.writeheader()
        w.writerows(history)
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    epochs = [h["epoch"] for h in history]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    left.plot(epochs, [h["loss"] for h in history], marker=".")
    left.set(title="training loss per token", xlabel="epoch", yscale="log")
    names = {
        "p": "entity precision",
        "r": "entity recall",
        "f1": "entity F1",
        "token_r": "token recall",
    }
    for key, name in names.items():
        right.plot(epochs, [100 * h[key] for h in history], marker=".", label=name)
    right.set(title="dev, strict, in %", xlabel="epoch")
    right.legend()
    figure.savefig(stem.with_suffix(".png"), dpi=110, metadata={"Software": None})
    plt.close(figure)
