"""What is measured beside a model: folds, ablations, speed."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from training.ablate import ablate
from training.corpora import read_brat
from training.folds import out_of_fold, write_brat
from training.network import Dimensions
from training.notes import Note
from training.prepare import Material, describe
from training.scheme import labels_for
from training.seeds import best_of
from training.speed import compare
from training.train import ABLATIONS, Model, Settings, train, value
from training.windows import Window, spans_of

from .test_export import made_up, quiet

SMALL = Settings(
    epochs=12,
    batch_tokens=64,
    rate=1e-2,
    max_forms=50,
    dimensions=Dimensions(token=16, char_embedding=8, char_hidden=8, hidden=16, dense=16),
)


def corpus(count: int) -> tuple[list[Note], list[Window]]:
    windows = made_up(count)
    return [Note(w.id, "?" * w.end[-1], spans_of(w, w.labels)) for w in windows], windows


def test_folds_label_every_note_and_look_at_no_held_out_label(tmp_path: Path) -> None:
    notes, windows = corpus(40)
    found = out_of_fold(notes, windows, 2, SMALL, quiet)
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
    again = out_of_fold(notes, spoilt, 2, SMALL, quiet)
    assert [n.spans for n in again[::2]] == [n.spans for n in found[::2]]
    assert not any(n.spans for n in again[1::2])
    write_brat(tmp_path, found)
    read = {n.id: n for n in read_brat(tmp_path)}
    assert all(read[n.id].spans == n.spans for n in found)


def test_each_part_can_be_left_out() -> None:
    notes, windows = corpus(30)
    labels = labels_for(["PATIENT", "IDNUM"])
    whole = train([windows], (notes, windows), labels, SMALL, quiet, last=True)
    for without in ABLATIONS:
        settings = Settings(**{**vars(SMALL), "without": without})
        model = train([windows], (notes, windows), labels, settings, quiet, last=True)
        if without == "crf":
            assert not model.network.crf.scores.any()
            assert whole.network.crf.scores.any()
        if without in ("char", "token"):
            name = {"char": "char_lstm.w", "token": "embedding.weight"}[without]
            torch.manual_seed(SMALL.seed)
            other = dict(model.network.named_parameters())[name].grad
            assert other is None or not other.any()
    with pytest.raises(ValueError, match="give any of"):
        train(
            [windows],
            (notes, windows),
            labels,
            Settings(**{**vars(SMALL), "without": "hat"}),
            quiet,
        )


def test_ablation_writes_a_row_per_run(tmp_path: Path) -> None:
    notes, windows = corpus(24)
    ablate(notes, windows, (notes, windows), [12, 6, 99], SMALL, tmp_path, quiet)
    with (tmp_path / "ablation.csv").open(encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    assert [r["without"] for r in rows] == ["", *ABLATIONS, "", ""]
    assert [int(r["notes"]) for r in rows] == [12] * 5 + [6, 24]
    assert [int(r["epochs"]) for r in rows] == [12] * 5 + [24, 12]
    assert float(rows[0]["f1"]) > 0.8
    assert (tmp_path / "ablation.svg").exists()


def test_scoring_later_changes_nothing() -> None:
    notes, windows = corpus(20)
    labels = labels_for(["PATIENT", "IDNUM"])
    states = [
        train(
            [windows],
            (notes, windows),
            labels,
            Settings(**{**vars(SMALL), "epochs": 3, "first_score": first}),
            quiet,
            last=first == 0,
        ).network.state_dict()
        for first in (3, 9, 0)
    ]
    for name, tensor in states[0].items():
        assert torch.equal(tensor, states[1][name])
        assert torch.equal(tensor, states[2][name])


def test_seeds_keep_the_best_and_tell_their_spread() -> None:
    _, windows = corpus(20)
    labels = labels_for(["PATIENT", "IDNUM"])
    dev = corpus(12)
    settings = Settings(**{**vars(SMALL), "epochs": 2, "seed": 5})
    trained: list[int] = []

    def one(s: Settings) -> Model:
        trained.append(s.seed)
        return train([windows], dev, labels, s, quiet)

    alone = [one(replace(settings, seed=s)).report["history"] for s in (5, 6, 7)]
    best = best_of(settings, 3, one, quiet)
    assert trained == [5, 6, 7] * 2
    told = best.report["seeds"]
    assert [e["seed"] for e in told["each"]] == [5, 6, 7]
    tops = [max(map(value, h)) for h in alone]
    assert max(map(value, best.report["history"])) == max(tops)
    r = [max(h, key=value)["r"] for h in alone]
    assert told["spread"]["r"]["mean"] == pytest.approx(sum(r) / 3, abs=1e-4)
    assert "seeds" not in best_of(settings, 1, one, quiet).report


def test_card_material_counts_unmarked_text_of_dev() -> None:
    dev = [Note("d1", "one"), Note("d2", "two")]
    quiet_ = describe(Material([Note("t", "x")], dev, [], [], [Note("u", "other")]))
    assert "unmarked_texts_of_dev_or_test" not in quiet_
    told = describe(Material([Note("t", "x")], dev, [], [], [Note("u", "two")]))
    assert told["unmarked_texts_of_dev_or_test"] == 1


def test_speed_compares_a_graph_with_one_of_random_weights(tmp_path: Path) -> None:
    from training.export import export

    notes, windows = corpus(20)
    model = train(
        [windows], (notes, windows), labels_for(["PATIENT", "IDNUM"]), SMALL, quiet, last=True
    )
    described = {"name": "t", "window_tokens": 128, "training": {}, "scores": {}}
    export(model, tmp_path, described, "card\n")
    trained, random = compare(tmp_path, steps=16, batch=4, runs=3)
    assert trained > 0
    assert random > 0
