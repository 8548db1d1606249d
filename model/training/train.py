"""Training of the network, and the choice of the best epoch on dev."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from . import checkpoint
from .context import Contexts
from .disclosure import Disclosure
from .distill import Teachers
from .model import Held, Model
from .network import Network
from .pretrained import FixedEmbedding, Pretrained, extend, known_vectors
from .progress import Progress
from .recipe import Settings
from .survey import EPOCHS, Survey
from .vectors import skip_gram
from .vocabulary import Vocabulary, build, make_batch
from .windows import Window


@dataclass
class Feed:
    """What training sees: in each epoch the notes as written, and others made for it."""

    written: Sequence[Window]
    labels: list[str]
    made: Callable[[int], Sequence[Window]] | None = None  # of an epoch, from 0
    text: Sequence[Window] = ()  # for token vectors and vocabulary alone; labels are not read
    disclosure: Disclosure | None = None  # None: every form may stand in the vocabulary
    pretrained: Pretrained | None = None  # token vectors that stay as they are
    key: str = ""  # names recipe and notes, for checkpoints
    start: Model | None = None  # whose weights training goes on from; its tables stay
    teachers: Teachers | None = None  # who say what they think of all windows, text too
    weight: float = 0.0  # of what they think, where there are annotations
    untaught: Collection[str] = frozenset()  # ids of the notes that they are not asked about
    contexts: Contexts | None = None  # language models that the network reads

    def kept(self) -> tuple[str, ...]:
        """The parts of the network that stay as they are in the model that training goes on from:
        its tables; where there are teachers, what characters say of a form, too."""
        tables = ("embedding", "char_embedding") if self.start is not None else ()
        return (*tables, "char_lstm", "char_out") if self.teachers is not None else tables

    def epoch(self, k: int) -> list[Window]:
        made = self.made(k) if self.made is not None else ()
        if self.teachers is None:
            return [*self.written, *made]
        windows = [w for w in (*self.written, *made) if w.id in self.untaught]
        for part, weight in ((self.written, self.weight), (made, self.weight), (self.text, 1.0)):
            asked = [w for w in part if w.id not in self.untaught]
            windows += self.teachers.teach(asked, weight)
        return windows


@dataclass
class _Start:
    """What is settled before the first epoch."""

    vocabulary: Vocabulary
    vectors: NDArray[np.float32] | None
    fixed: NDArray[np.bool_] | None  # forms whose vectors stay
    drop: dict[str, float]  # chance that a form is shown as unknown
    report: dict[str, Any]


@dataclass
class Run:
    """Where a training run stands: all that the next epoch depends on."""

    network: Network
    average: Network  # of the weights over the steps, which is scored and kept
    optimizer: torch.optim.Optimizer
    rng: np.random.Generator
    drop: dict[str, float]
    fixed: NDArray[np.bool_] | None  # forms whose vectors stay
    epoch: int = 0  # that are done
    step: int = 0
    best: float = -1.0
    best_state: dict[str, Any] | None = None
    waited: int = 0  # scored epochs since the best
    history: list[dict[str, Any]] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)


def train(
    feed: Feed,
    dev: Held | None,
    settings: Settings,
    log: Callable[[str], None] = print,
    device: str = "cpu",
    save_to: Path | None = None,
    resume: bool = False,
) -> Model:
    """Trains the network and returns the epoch with the highest score on dev (see value);
    without dev it is the last one.

    With save_to, a checkpoint is written there after each epoch; with resume too, training
    goes on from it, and comes to the same weights as if it had not been interrupted.
    """
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(settings.training.seed)
    rng = np.random.default_rng(settings.training.seed)
    if resume and save_to is not None and save_to.exists():
        state = checkpoint.load(save_to, feed.key)
        if state["done"]:
            return checkpoint.finished(state, settings, feed.contexts)
        vocabulary = Vocabulary(state["forms"], state["characters"])
        run = _resumed(state, settings, rng, device, feed.kept())
        log(f"going on after epoch {run.epoch} of {settings.training.epochs}")
    else:
        started = time.monotonic()
        start = (
            _warm(feed, feed.start, settings) if feed.start else _start(feed, settings, rng, device)
        )
        vocabulary = start.vocabulary
        log(f"vectors: {len(vocabulary.forms)} forms, {time.monotonic() - started:.0f} s")
        run = _fresh(start, feed, settings, rng, device)
        if feed.start is not None and dev is not None:
            # Only what is better than the first model is kept.
            before = Model(run.average, vocabulary, feed.labels, settings)
            log(f"before: {_note_score(run, 0.0, dev.score(before).brief())}")
    progress = Progress(run.epoch, settings.training.epochs, log)
    done = False
    while not done:
        loss = _epoch(run, feed, vocabulary, settings, progress)
        line = f"loss {loss:.4f}"
        if dev is not None and run.epoch >= min(
            settings.training.first_score, settings.training.epochs
        ):
            averaged = Model(run.average, vocabulary, feed.labels, settings, contexts=feed.contexts)
            line = _note_score(run, loss, dev.score(averaged).brief())
        patience = settings.training.patience
        done = run.epoch == settings.training.epochs or 0 < patience <= run.waited
        if done and run.best_state is None:
            run.best_state, run.report["best_epoch"] = run.average.state_dict(), run.epoch
        run.report |= {"history": run.history, "epochs": run.epoch}
        state = _state(run, feed, vocabulary, done)
        if save_to is not None:
            checkpoint.save(save_to, state)
        progress.epoch_done(run.epoch, line)
        if done and run.epoch < settings.training.epochs:
            log(f"stopped early: {run.waited} scored epochs without a better one on dev")
    return checkpoint.finished(state, settings, feed.contexts)


def value(scores: dict[str, Any]) -> float:
    """What the best epoch and the best seed are chosen by, of a line of the history.

    A point of recall is worth more than one of precision: a miss is a leak.
    """
    return float(scores["f1"] + 0.25 * scores["r"])


def _start(feed: Feed, settings: Settings, rng: np.random.Generator, device: str) -> _Start:
    """Settles vocabulary and token vectors from the first epochs."""
    survey = Survey()
    # Without made-up notes all epochs are alike.
    for k in range(min(EPOCHS, settings.training.epochs) if feed.made is not None else 1):
        survey.add_epoch(feed.epoch(k))
    survey.add_text(feed.text)
    s = settings.vocabulary
    may_hold = feed.disclosure.may_hold if feed.disclosure is not None else lambda line: True
    vocabulary, kept_out = build(survey.counts(), s.max_forms, may_hold=may_hold)
    report: dict[str, Any] = {"forms_kept_out": kept_out}
    per_epoch = survey.per_epoch()
    word = settings.training.word_dropout
    drop = {f: word / (word + n) for f, n in per_epoch.items()} if word else {}
    known: tuple[NDArray[np.bool_], NDArray[np.float32]] | None = None
    fixed = None
    if feed.pretrained is not None:
        vocabulary = extend(vocabulary, feed.pretrained, settings.vectors.more_forms)
        known = known_vectors(vocabulary, feed.pretrained)
        for f, there in zip(vocabulary.forms, known[0], strict=True):
            if there and f in drop:
                drop[f] = min(drop[f], settings.vectors.known_dropout)
        # What is seen often can learn its own place; the rare stay among their like.
        rare = [per_epoch.get(f, 0.0) < settings.vectors.tune_from for f in vocabulary.forms]
        fixed = known[0] & np.array(rare)
        report["pretrained_forms"] = int(known[0].sum())
    vectors = None
    if not {"vectors", "token"} & set(settings.without):
        vectors = skip_gram(
            survey.encoded(vocabulary),
            len(vocabulary.forms),
            settings.network.token,
            rng,
            settings.vectors.epochs,
            fixed=known,
            device=device,
        )
    else:
        fixed = None
    return _Start(vocabulary, vectors, fixed, drop, report)


def _warm(feed: Feed, first: Model, settings: Settings) -> _Start:
    """Settles how often forms are dropped where a model is there already."""
    drop = known_drop(feed.epoch(0), settings)
    description = first.report["description"]
    report = {"start": {k: description[k] for k in ("name", "version", "files")}}
    return _Start(first.vocabulary, None, None, drop, report)


def known_drop(windows: Sequence[Window], settings: Settings) -> dict[str, float]:
    """How often each form is dropped where a model is there already. All forms that it knows have
    their place, so none is dropped as often as one that must find it."""
    survey = Survey()
    survey.add_epoch(windows)
    word, most = settings.training.word_dropout, settings.vectors.known_dropout
    return {f: min(most, word / (word + n)) for f, n in survey.per_epoch().items() if word}


def _fresh(
    start: _Start,
    feed: Feed,
    settings: Settings,
    rng: np.random.Generator,
    device: str,
) -> Run:
    network = Network(
        settings.network,
        len(start.vocabulary.forms),
        len(start.vocabulary.characters),
        feed.labels,
        settings.training.dropout,
    )
    network.without = frozenset(settings.without)
    if start.fixed is not None and start.vectors is not None:
        network.embedding = FixedEmbedding(start.vectors, start.fixed)
    elif start.vectors is not None:
        assert isinstance(network.embedding, nn.Embedding)
        network.embedding.weight.data.copy_(torch.from_numpy(start.vectors))
    if feed.start is not None:
        network.load_state_dict(feed.start.network.state_dict())
    network.to(device)
    average = copy.deepcopy(network)
    optimizer = _optimizer(network, settings, feed.kept())
    return Run(network, average, optimizer, rng, start.drop, start.fixed, report=start.report)


def _optimizer(network: Network, settings: Settings, kept: Sequence[str]) -> torch.optim.Optimizer:
    rate = settings.training.rate
    for name in kept:
        network.get_submodule(name).requires_grad_(False)
    return torch.optim.Adam(network.parameters(), lr=rate, betas=(0.9, 0.99), fused=True)


def _state(run: Run, feed: Feed, vocabulary: Vocabulary, done: bool) -> dict[str, Any]:
    """A run as a checkpoint holds it; of one that is done, what finished needs."""
    shape = {
        "key": feed.key,
        "done": done,
        "forms": vocabulary.forms,
        "characters": vocabulary.characters,
        "labels": feed.labels,
        "fixed": None if run.fixed is None else torch.from_numpy(run.fixed),
        "best": run.best_state,
        "report": run.report,
    }
    if done:
        return shape
    return shape | {
        "network": run.network.state_dict(),
        "average": run.average.state_dict(),
        "optimizer": run.optimizer.state_dict(),
        "random": checkpoint.rng_states(run.rng, run.network),
        "drop": run.drop,
        "epoch": run.epoch,
        "step": run.step,
        "best_value": run.best,
        "waited": run.waited,
    }


def _resumed(
    state: dict[str, Any],
    settings: Settings,
    rng: np.random.Generator,
    device: str,
    kept: Sequence[str],
) -> Run:
    network = checkpoint.empty_network(state, settings)
    average = copy.deepcopy(network)
    network.load_state_dict(state["network"])
    average.load_state_dict(state["average"])
    network.to(device)
    average.to(device)
    optimizer = _optimizer(network, settings, kept)
    optimizer.load_state_dict(state["optimizer"])
    checkpoint.set_rng_states(state["random"], rng, network)
    fixed = None if state["fixed"] is None else state["fixed"].numpy()
    run = Run(network, average, optimizer, rng, state["drop"], fixed)
    run.epoch, run.step = state["epoch"], state["step"]
    run.best, run.best_state, run.waited = state["best_value"], state["best"], state["waited"]
    run.report, run.history = state["report"], state["report"]["history"]
    return run


def _epoch(
    run: Run, feed: Feed, vocabulary: Vocabulary, settings: Settings, progress: Progress
) -> float:
    """Trains one epoch and returns the loss per token."""
    s = settings.training
    network, device = run.network, next(run.network.parameters()).device
    network.train()
    index = {x: i for i, x in enumerate(feed.labels)}
    windows = feed.epoch(run.epoch)
    parts = _batches(windows, s.batch_tokens, run.rng)
    lost = torch.zeros((), dtype=torch.float64, device=device)
    tokens = 0
    for k, part in enumerate(parts):
        share = (run.epoch + k / len(parts)) / s.epochs
        for group in run.optimizer.param_groups:
            group["lr"] = s.rate * _schedule(share, s.warm_up)
        chosen = [windows[i] for i in part]
        b = make_batch(chosen, vocabulary, index, run.drop, run.rng, s.blank, feed.contexts)
        hidden = torch.from_numpy(run.rng.random(b.chars.shape) < s.char_dropout)
        b.chars.masked_fill_(hidden, 0)
        tokens += int(b.lengths.sum())
        loss = network.loss(b.to(device))
        run.optimizer.zero_grad(set_to_none=True)
        (loss / len(part)).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), s.clip)
        run.optimizer.step()
        run.step += 1
        keep = min(s.ema, run.step / (run.step + 10))
        with torch.no_grad():
            for p, q in zip(run.average.parameters(), network.parameters(), strict=True):
                p.lerp_(q, 1 - keep)
        lost += loss.detach()
        progress.batch_done((k + 1) / len(parts), tokens)
    run.epoch += 1
    return float(lost) / max(1, tokens)


def _note_score(run: Run, loss: float, scores: dict[str, float]) -> str:
    """Adds a line to the history, keeps the best weights, and returns the line for the log."""
    run.history.append({"epoch": run.epoch, "loss": round(loss, 4), **scores})
    run.waited += 1
    if value(run.history[-1]) > run.best:
        run.best, run.waited = value(run.history[-1]), 0
        run.best_state = copy.deepcopy(run.average.state_dict())
        run.report["best_epoch"] = run.epoch
    told = {"P": "p", "R": "r", "F1": "f1", "token P": "token_p", "token R": "token_r"}
    rates = ", ".join(f"{name} {100 * scores[k]:.2f}" for name, k in told.items())
    return f"loss {loss:.4f}; dev {rates}"


def _schedule(done: float, warm_up: float) -> float:
    """Linear warm-up, then a cosine down to a hundredth."""
    if done < warm_up:
        return done / warm_up
    return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (done - warm_up) / (1 - warm_up)))


def _batches(windows: Sequence[Window], tokens: int, rng: np.random.Generator) -> list[list[int]]:
    """Batches of windows of like length, in random order."""
    noise = rng.random(len(windows)) * 8
    order = sorted(range(len(windows)), key=lambda i: (len(windows[i].forms) + noise[i], i))
    batches: list[list[int]] = [[]]
    size = 0
    for i in order:
        size += len(windows[i].forms)
        if size > tokens and batches[-1]:
            batches.append([])
            size = len(windows[i].forms)
        batches[-1].append(i)
    return [batches[i] for i in rng.permutation(len(batches))]
