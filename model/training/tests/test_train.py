"""Epochs are made when they are needed; a run that was stopped comes to the same weights."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from training.failure import Refused
from training.model import Model
from training.pretrained import Pretrained
from training.progress import Progress
from training.recipe import Settings
from training.seeds import best_of
from training.survey import EPOCHS
from training.train import Feed, train, value
from training.windows import Window

from .helper import LABELS, SMALL, feed, held, made_up, quiet, small


def same(a: Model, b: Model) -> bool:
    x, y = a.network.state_dict(), b.network.state_dict()
    return x.keys() == y.keys() and all(torch.equal(x[k], y[k]) for k in x)


def growing(made: list[int]) -> Feed:
    """A feed with other windows in every epoch, which notes for which epochs they were made."""

    def make(epoch: int) -> list[Window]:
        made.append(epoch)
        return made_up(8, seed=100 + epoch)

    return replace(feed(made_up(16)), made=make, key="k")


class Stopped(Exception):
    pass


def stop_at(epoch: int) -> Callable[[str], None]:
    def log(line: str) -> None:
        if line.startswith(f"epoch {epoch} of"):
            raise Stopped

    return log


@pytest.mark.parametrize("pretrained", [False, True])
def test_a_stopped_run_comes_to_the_same_weights(tmp_path: Path, pretrained: bool) -> None:
    settings = small(epochs=5, first_score=2, dropout=0.3, blank=0.05)
    dev = held(made_up(10, seed=9), tmp_path / "scores")
    fed = growing([])
    if pretrained:
        vectors = np.ones((2, settings.network.token), dtype=np.float32)
        fed = replace(fed, pretrained=Pretrained(["ann", "other"], vectors))
    whole = train(fed, dev, settings, quiet)
    file = tmp_path / "seed-1.pt"
    for epoch in (1, 3):
        with pytest.raises(Stopped):
            train(fed, dev, settings, stop_at(epoch), save_to=file, resume=epoch > 1)
    resumed = train(fed, dev, settings, quiet, save_to=file, resume=True)
    assert same(whole, resumed)
    assert whole.report == resumed.report
    # One that is done is read back without training.
    made: list[int] = []
    again = train(growing(made), dev, settings, quiet, save_to=file, resume=True)
    assert made == []
    assert same(again, whole)
    with pytest.raises(Refused, match="changed since"):
        train(replace(fed, key="other"), dev, settings, quiet, save_to=file, resume=True)
    file.write_bytes(b"?")
    with pytest.raises(Refused, match="no checkpoint"):
        train(fed, dev, settings, quiet, save_to=file, resume=True)


def test_epochs_are_made_when_they_are_needed() -> None:
    made: list[int] = []
    counted: list[int] = []
    settings = small(epochs=6)

    def log(line: str) -> None:
        counted.append(len(made))

    train(growing(made), None, settings, log)
    first = list(range(EPOCHS))  # looked at for vocabulary and vectors
    assert made == [*first, *range(6)]
    assert counted == [EPOCHS, *range(EPOCHS + 1, EPOCHS + 7)]  # one more for each epoch's line


def test_training_stops_where_dev_gets_no_better(tmp_path: Path) -> None:
    dev = held(made_up(10, seed=9), tmp_path)
    lines: list[str] = []
    settings = small(epochs=60, patience=3)
    model = train(feed(made_up(40)), dev, settings, lines.append)
    history = model.report["history"]
    assert len(history) < 60
    assert model.report["epochs"] == len(history) == model.report["best_epoch"] + 3
    assert max(range(len(history)), key=lambda k: value(history[k])) + 1 == len(history) - 3
    assert "stopped early" in lines[-1]
    assert (
        len(train(feed(made_up(4)), dev, small(epochs=5, patience=0), quiet).report["history"]) == 5
    )


def test_scoring_later_changes_nothing(tmp_path: Path) -> None:
    windows = made_up(20)
    dev = held(windows, tmp_path)
    models = [
        train(feed(windows), dev if first else None, small(epochs=3, first_score=first or 1), quiet)
        for first in (3, 9, 0)
    ]
    assert same(models[0], models[1])
    assert same(models[0], models[2])


def test_seeds_keep_the_best_and_tell_their_spread(tmp_path: Path) -> None:
    windows, dev = made_up(20), held(made_up(12, seed=3), tmp_path)
    settings = small(epochs=2, seed=5, seeds=3)
    trained: list[int] = []

    def one(s: Settings) -> Model:
        trained.append(s.training.seed)
        return train(feed(windows), dev, s, quiet)

    alone = [one(settings.with_seed(s)).report["history"] for s in (5, 6, 7)]
    best = best_of(settings, one, quiet)
    assert trained == [5, 6, 7] * 2
    told = best.report["seeds"]
    assert [e["seed"] for e in told["each"]] == [5, 6, 7]
    tops = [max(map(value, h)) for h in alone]
    assert max(map(value, best.report["history"])) == max(tops)
    r = [max(h, key=value)["r"] for h in alone]
    assert told["spread"]["r"]["mean"] == pytest.approx(sum(r) / 3, abs=1e-4)
    assert "seeds" not in best_of(small(epochs=2), one, quiet).report


def test_a_soup_has_the_mean_of_the_seeds_weights(tmp_path: Path) -> None:
    windows, dev = made_up(20), held(made_up(12, seed=3), tmp_path)
    networks = []

    def one(s: Settings) -> Model:
        model = train(feed(windows), dev, s, quiet)
        networks.append(copy.deepcopy(model.network))
        return model

    best = best_of(small(epochs=1, seeds=2, soup=True), one, quiet)
    assert len(best.report["seeds"]["each"]) == 2
    for name, weight in best.network.named_parameters():
        a, b = (dict(n.named_parameters())[name] for n in networks)
        assert torch.allclose(weight, (a + b) / 2, atol=1e-6)
        assert not torch.equal(a, b) or torch.equal(weight, a)


def test_each_part_of_the_network_can_be_left_out() -> None:
    windows = made_up(30)
    whole = train(feed(windows), None, SMALL, quiet)
    for without in ("crf", "vectors", "char", "token"):
        model = train(feed(windows), None, replace(SMALL, without=(without,)), quiet)
        if without == "crf":
            assert not model.network.crf.scores.any()
            assert whole.network.crf.scores.any()
        # What is left out is never trained: its weights are those it began with.
        name = {"char": "char_lstm.ahead.weight_ih_l0", "token": "embedding.weight"}.get(without)
        if name is not None:
            again = train(feed(windows), None, replace(small(epochs=1), without=(without,)), quiet)
            ours, theirs = model.network.state_dict()[name], again.network.state_dict()[name]
            assert torch.equal(ours, theirs)


def test_the_log_tells_the_time_left() -> None:
    lines: list[str] = []
    now = [0.0]
    p = Progress(2, 12, lines.append, lambda: now[0])  # goes on after two epochs
    for share, now[0] in ((0.1, 30.0), (0.5, 90.0), (0.9, 100.0)):
        p.batch_done(share, round(1e6 * share))
    now[0] = 200.0
    p.epoch_done(3, "loss 0.1")
    now[0] = 7200.0
    p.epoch_done(7, "loss 0.05")
    p.epoch_done(12, "loss 0.01")
    assert lines == [
        "epoch 3 of 12: 50 %, 5,556 tokens/s; about 28 min left",
        "epoch 3 of 12: loss 0.1; about 30 min left",
        "epoch 7 of 12: loss 0.05; about 2 h 00 min left",
        "epoch 12 of 12: loss 0.01",
    ]


def test_labels_are_those_of_the_feed() -> None:
    assert train(feed(made_up(4)), None, small(epochs=1), quiet).labels == LABELS
