"""What is measured beside a model: folds, ablations, speed."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from training.ablate import ablate, more_epochs, table
from training.export import export
from training.failure import Refused
from training.folds import out_of_fold
from training.model import Model
from training.notes import spread
from training.score import Scorer
from training.speed import compare
from training.train import Feed, train
from training.windows import Window

from .helper import SMALL, feed, held, made_up, notes_of, quiet, small


def test_folds_label_every_note_and_look_at_no_held_out_label() -> None:
    windows = made_up(40)
    notes = notes_of(windows)
    found = out_of_fold(notes, feed(windows), 2, SMALL, quiet)
    assert [n.id for n in found] == [n.id for n in notes]
    right = sum(len(set(a.spans) & set(b.spans)) for a, b in zip(found, notes, strict=True))
    assert right > 0.9 * sum(len(n.spans) for n in notes)
    # Other labels in the first fold change what is found in the second alone.
    spoilt = [
        Window(w.id, w.forms, w.classes, w.space, w.start, w.end, ["O"] * len(w.forms))
        if i % 2 == 0
        else w
        for i, w in enumerate(windows)
    ]
    again = out_of_fold(notes, feed(spoilt), 2, SMALL, quiet)
    assert [n.spans for n in again[::2]] == [n.spans for n in found[::2]]
    assert not any(n.spans for n in again[1::2])


def test_ablation_writes_a_row_per_run(tmp_path: Path) -> None:
    windows = made_up(24)
    dev = held(windows, tmp_path / "scores")
    logged: list[str] = []

    def run(without: str, size: int) -> Model:
        parts = (without,) if without in ("char", "token") else ()
        epochs = round(SMALL.training.epochs * more_epochs(12, size))
        # "wear" stands for a part of the material, which this corpus has not.
        some = spread(windows, size if without != "wear" else 1)  # type: ignore[arg-type]
        return train(feed(some), None, replace(small(epochs=epochs), without=parts), quiet)  # type: ignore[arg-type]

    rows = ablate(run, dev, 24, ["char", "wear"], [12, 6, 99], tmp_path, logged.append)
    with (tmp_path / "ablation.csv").open(encoding="utf-8") as f:
        written = list(csv.DictReader(f))
    assert [r["without"] for r in written] == ["", "char", "wear", "", ""]
    assert [int(r["notes"]) for r in written] == [12, 12, 12, 6, 24]
    assert [int(r["epochs"]) for r in written] == [12, 12, 12, 24, 12]
    assert float(written[0]["f1"]) > 0.8
    assert written[0]["f1_by_chance"] == written[3]["f1_by_chance"] == ""
    assert 0 < float(written[2]["f1_by_chance"]) <= 1
    assert (tmp_path / "ablation.svg").exists()
    lines = table(rows).splitlines()
    assert len(lines) == 2 + 5
    assert lines[2].startswith("| nothing | 12 | ")
    assert "(" not in lines[2]
    difference = 100 * (rows[2]["f1"] - rows[0]["f1"])
    assert f"{100 * rows[2]['f1']:.2f} ({difference:+.2f})" in lines[4]


def test_speed_compares_a_graph_with_one_of_random_weights(tmp_path: Path) -> None:
    model = train(feed(made_up(20)), None, small(epochs=1), quiet)
    export(model, tmp_path, {"name": "t", "training": {}, "scores": {}}, "card\n")
    trained, random = compare(tmp_path, steps=16, batch=4, runs=3)
    assert trained > 0
    assert random > 0


def test_scorer_keeps_its_files_to_its_folder(tmp_path: Path) -> None:
    Scorer(notes_of(made_up(2)), tmp_path / "s").score({})
    assert {p.name for p in tmp_path.rglob("*")} == {
        "s",
        "gold.jsonl",
        "system.jsonl",
        "scores.json",
    }


def test_folds_keep_a_patients_notes_together() -> None:
    windows = made_up(8)
    notes = [replace(n, patient=f"p{k // 2 % 3}") for k, n in enumerate(notes_of(windows))]
    lines: list[str] = []
    seen: list[set[str]] = []

    def see(fed: Feed, *_: object) -> Model:
        seen.append({w.id for w in fed.written})
        return train(fed, None, small(epochs=1), quiet)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.folds.train", see)
        out_of_fold(notes, feed(windows), 2, SMALL, lines.append)
    for ids in seen:
        inside = {n.patient for n in notes if n.id in ids}
        assert not inside & {n.patient for n in notes if n.id not in ids}
    with pytest.raises(Refused, match="are of 3 patients"):
        out_of_fold(notes, feed(windows), 4, SMALL, quiet)
