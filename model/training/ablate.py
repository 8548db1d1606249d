"""What each part of the network brings, and how much text it needs: figures 4 and 3
of Dernoncourt et al. 2017, on a corpus of one's own."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .notes import Note
from .scheme import labels_for
from .train import ABLATIONS, Settings, train
from .windows import Window

FIELDS = ["figure", "without", "notes", "epochs", "p", "r", "f1", "token_p", "token_r"]
MOST_EPOCHS = 4  # times those asked for, where the notes are few


def ablate(
    notes: Sequence[Note],
    windows: Sequence[Window],
    dev: tuple[Sequence[Note], Sequence[Window]],
    sizes: Sequence[int],
    settings: Settings,
    folder: Path,
    log: Any,
) -> None:
    """Trains the whole network and each one with a part left out on sizes[0] notes,
    then the whole one on each other size, and writes ablation.csv and ablation.svg.

    Notes are taken at even steps from the list, so that a smaller set does not
    come from one end. Few notes get more epochs, up to four times as many, as an
    epoch of them has few steps. The last epoch is scored; dev chooses nothing.
    Rows are written as they come.
    """
    types = labels_for({s.type for n in notes for s in n.spans})
    folder.mkdir(parents=True, exist_ok=True)
    runs = [("parts", w, sizes[0]) for w in ("", *ABLATIONS)]
    runs += [("size", "", n) for n in sizes[1:]]
    rows: list[dict[str, Any]] = []
    with (folder / "ablation.csv").open("w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, fieldnames=FIELDS)
        out.writeheader()
        for figure, without, size in runs:
            size = min(size, len(notes))
            chosen = {notes[k * len(notes) // size].id for k in range(size)}
            some = [w for w in windows if w.id in chosen]
            times = min(MOST_EPOCHS, max(1.0, sizes[0] / size))
            of_run = replace(settings, without=without, epochs=round(settings.epochs * times))
            log(f"{figure}: {size} notes, without {without or 'nothing'}")
            model = train([some], dev, types, of_run, log, last=True)
            row = {"figure": figure, "without": without, "notes": size, "epochs": of_run.epochs}
            rows.append(row | model.score(*dev).brief())
            out.writerow(rows[-1])
            f.flush()
            log(f"{rows[-1]}")
    plot(rows, folder / "ablation.svg")


def plot(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draws both figures side by side, where matplotlib is installed."""
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "palimpsest"
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    parts = [r for r in rows if r["figure"] == "parts"]
    names = ["whole network" if not r["without"] else f"no {r['without']}" for r in parts]
    values = [100 * r["f1"] for r in parts]
    bars = left.barh(names[::-1], values[::-1], color="#4c78a8")
    left.bar_label(bars, fmt="%.1f", padding=3)
    left.set(title=f"parts, {parts[0]['notes']} notes", xlabel="dev entity F1, %")
    left.set_xlim(max(0.0, min(values) - 10), 100)
    sizes = [r for r in rows if not r["without"]]
    sizes = sorted(sizes, key=lambda r: r["notes"])
    at = [r["notes"] for r in sizes]
    for key, name in (("f1", "entity F1"), ("r", "entity recall"), ("token_r", "token recall")):
        right.plot(at, [100 * r[key] for r in sizes], marker="o", label=name)
    right.set(title="training notes", xlabel="notes", ylabel="dev, %", xscale="log")
    right.set_xticks(at, [str(n) for n in at])
    right.minorticks_off()
    right.legend()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
