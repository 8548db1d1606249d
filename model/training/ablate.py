"""What each part of the network and of its material brings, and how much text it needs:
figures 4 and 3 of Dernoncourt et al. 2017, on a corpus of one's own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .model import Held, Model

FIELDS = [
    "figure", "without", "notes", "epochs", "p", "r", "f1", "token_p", "token_r",
    "f1_by_chance", "token_r_by_chance",
]  # fmt: skip
MOST_EPOCHS = 4  # times those asked for, where the notes are few


def more_epochs(most: int, size: int) -> float:
    """Few notes get more epochs, up to four times as many: an epoch of them has few steps."""
    return min(MOST_EPOCHS, max(1.0, most / size))


def ablate(
    run: Callable[[str, int], Model],
    dev: Held,
    notes: int,
    parts: Sequence[str],
    sizes: Sequence[int],
    folder: Path | None,
    log: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Trains the whole and each one with a part left out on sizes[0] notes (all, if there is
    no size), then the whole one on each other size; run(without, notes) trains one.

    The last epoch is scored; dev chooses nothing. The rows tell dev scores, and by what
    chance (p, approximate randomisation over notes) such a difference to the whole arises
    where there is none. With folder they are written there as they come, and drawn.
    """
    size = min(sizes[0], notes) if sizes else notes
    runs = [("parts", w, size) for w in ("", *parts)]
    runs += [("size", "", min(n, notes)) for n in sizes[1:]]
    rows: list[dict[str, Any]] = []
    whole: Any = None
    for figure, without, count in runs:
        log(f"{figure}: {count} notes, without {without or 'nothing'}")
        model = run(without, count)
        found = model.find(dev.windows)
        row = {"figure": figure, "without": without, "notes": count}
        row |= {"epochs": model.settings.training.epochs, **dev.scorer.score(found).brief()}
        if whole is None:
            whole = found
        elif without:
            p = dev.scorer.p_values(found, whole)
            row |= {"f1_by_chance": p["f1"], "token_r_by_chance": p["token_r"]}
        rows.append(row)
        log(f"{row}")
        if folder is not None:
            write(rows, folder)
    if folder is not None:
        plot(rows, folder / "ablation.svg")
    return rows


def write(rows: Sequence[Mapping[str, Any]], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "ablation.csv").open("w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, fieldnames=FIELDS)
        out.writeheader()
        out.writerows(rows)


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as a Markdown table, rates in percent; in brackets the difference to the first."""
    lines = [
        "| without | notes | entity P | R | F1 | by chance | token P | R | by chance |",
        "|---|" + "--:|" * 8,
    ]
    whole = rows[0]
    for r in rows:

        def rate(key: str, r: Mapping[str, Any] = r) -> str:
            difference = f" ({100 * (r[key] - whole[key]):+.2f})" if r is not whole else ""
            return f"{100 * r[key]:.2f}{difference}"

        def chance(key: str, r: Mapping[str, Any] = r) -> str:
            return f"{r[key]:.4f}" if key in r else ""

        cells = [r["without"] or "nothing", str(r["notes"]), rate("p"), rate("r"), rate("f1")]
        cells += [chance("f1_by_chance"), rate("token_p"), rate("token_r")]
        lines.append("| " + " | ".join([*cells, chance("token_r_by_chance")]) + " |")
    return "\n".join(lines)


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
