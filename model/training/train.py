"""Training of the network, and the choice of the best epoch on dev."""

from __future__ import annotations

import copy
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
from torch import nn

from .network import Dimensions, Network
from .notes import Note
from .pretrained import FixedEmbedding, Pretrained, extend, known_vectors
from .scheme import viterbi
from .score import Scores, score
from .vectors import skip_gram
from .vocabulary import Vocabulary, build, form_counts, key, make_batch
from .windows import Window, spans_of

# What a network can be trained without (Dernoncourt et al. 2017, figure 4).
ABLATIONS = ("crf", "vectors", "char", "token")


@dataclass
class Settings:
    """Hyperparameters; defaults are the recipe of the first shipped model."""

    epochs: int = 18
    batch_tokens: int = 2048
    rate: float = 2e-3
    warm_up: float = 0.05  # share of all steps
    dropout: float = 0.5
    char_dropout: float = 0.02  # characters turned into the unknown one
    blank: float = 0.0  # share of tokens that are seen as nothing
    clip: float = 5.0
    ema: float = 0.995
    word_dropout: float = 2.0  # a form seen n times is unknown with p = w / (w + n)
    max_forms: int = 24000
    first_score: int = 1  # epoch from which dev is scored, which takes time
    vector_epochs: int = 5  # of the token vectors' own training
    more_forms: int = 48000  # of pre-trained vectors, beyond the forms of the training text
    tune_from: float = 20.0  # times a form is seen in an epoch from which its vector is trained
    known_dropout: float = 0.15  # the most that a form with a pre-trained vector is dropped
    without: str = ""  # of ABLATIONS, comma separated: for measuring what each brings
    seed: int = 1
    dimensions: Dimensions = field(default_factory=Dimensions)


@dataclass
class Model:
    """A trained network and what is needed to run it."""

    network: Network
    vocabulary: Vocabulary
    labels: list[str]
    settings: Settings
    report: dict[str, Any] = field(default_factory=dict)

    def predict(self, windows: Sequence[Window], recall_bias: float = 0.0) -> list[list[str]]:
        """Returns each window's labels, by Viterbi over legal transitions.

        recall_bias (nats) is subtracted from O's emissions, as the job can.
        """
        self.network.eval()
        transitions = self.network.crf.transitions().detach().numpy()
        index = {x: i for i, x in enumerate(self.labels)}
        out: list[list[str]] = [[]] * len(windows)
        order = sorted(range(len(windows)), key=lambda i: len(windows[i].forms))
        with torch.no_grad():
            for at in range(0, len(order), 32):
                part = order[at : at + 32]
                b = make_batch([windows[i] for i in part], self.vocabulary, index)
                e = self.network(b).numpy()
                e[:, :, index["O"]] -= recall_bias
                for j, i in enumerate(part):
                    path = viterbi(e[: len(windows[i].forms), j], transitions, self.labels)
                    out[i] = [self.labels[k] for k in path]
        return out

    def score(
        self, notes: Sequence[Note], windows: Sequence[Window], recall_bias: float = 0.0
    ) -> Scores:
        spans = {n.id: [] for n in notes}  # type: dict[str, list[Any]]
        for w, labels in zip(windows, self.predict(windows, recall_bias), strict=True):
            spans[w.id] += spans_of(w, labels)
        return score(notes, spans, windows)


def train(
    rounds: Sequence[Sequence[Window]],
    dev: tuple[Sequence[Note], Sequence[Window]],
    labels: list[str],
    settings: Settings,
    log: Any = print,
    text: Sequence[Window] = (),
    last: bool = False,
    pretrained: Pretrained | None = None,
) -> Model:
    """Trains on one round of windows per epoch (they repeat in turn).

    rounds[k] holds what epoch k sees: the notes as written and that epoch's
    variants of them. text is read for the token vectors and the vocabulary only,
    its labels are not. The best epoch is the one with the highest dev entity F1,
    recall breaking near ties; with last set it is the last one, and dev is not
    looked at. pretrained gives token vectors that stay as they are.
    """
    without = set(filter(None, settings.without.split(",")))
    if not without <= set(ABLATIONS):
        raise ValueError(f"--without={settings.without}: give any of {','.join(ABLATIONS)}")
    torch.manual_seed(settings.seed)
    torch.use_deterministic_algorithms(True)
    rng = np.random.default_rng(settings.seed)
    counts = form_counts(w for r in rounds for w in r)
    known = form_counts(text)
    # A word of the plain text counts as if every round held it.
    of_all = Counter({f: n + len(rounds) * known[f] for f, n in (counts + known).items()})
    vocabulary = build(of_all, settings.max_forms)
    per_epoch: dict[str, float] = {}
    for form, n in counts.items():
        per_epoch[key(form)] = per_epoch.get(key(form), 0.0) + n / len(rounds)
    fixed = None
    if pretrained is not None:
        vocabulary = extend(vocabulary, pretrained, settings.more_forms)
        fixed = known_vectors(vocabulary, pretrained)
    drop = {f: settings.word_dropout / (settings.word_dropout + n) for f, n in per_epoch.items()}

    if fixed is not None:
        for f, there in zip(vocabulary.forms, fixed[0], strict=True):
            if there and f in drop:
                drop[f] = min(drop[f], settings.known_dropout)

    started = time.monotonic()
    # A few rounds are enough: their made-up notes share the carriers' wording.
    read = [w for r in rounds[:4] for w in r] + list(text)
    vectors = None
    if not without & {"vectors", "token"}:
        width, epochs = settings.dimensions.token, settings.vector_epochs
        vectors = skip_gram(read, vocabulary, width, rng, epochs, fixed=fixed)
    log(f"vectors: {len(vocabulary.forms)} forms, {time.monotonic() - started:.0f} s")

    network = Network(
        settings.dimensions,
        len(vocabulary.forms),
        len(vocabulary.characters),
        labels,
        settings.dropout,
    )
    network.without = frozenset(without)
    if vectors is not None and fixed is not None:
        # What is seen often can learn its own place; the rare stay among their like.
        rare = [per_epoch.get(f, 0.0) < settings.tune_from for f in vocabulary.forms]
        network.embedding = FixedEmbedding(vectors, fixed[0] & np.array(rare))
    elif vectors is not None:
        assert isinstance(network.embedding, nn.Embedding)
        network.embedding.weight.data.copy_(torch.from_numpy(vectors))
    model = Model(network, vocabulary, labels, settings)
    average = copy.deepcopy(network)
    averaged = Model(average, vocabulary, labels, settings)
    optimizer = torch.optim.Adam(
        network.parameters(), lr=settings.rate, betas=(0.9, 0.99), fused=True
    )

    plans = [_batches(r, settings.batch_tokens, rng) for r in rounds]
    total = sum(len(plans[e % len(plans)]) for e in range(settings.epochs))
    index = {x: i for i, x in enumerate(labels)}
    best, step = -1.0, 0
    best_state: dict[str, Any] | None = None
    history = []
    for epoch in range(settings.epochs):
        network.train()
        loss_sum, tokens = 0.0, 0
        windows = rounds[epoch % len(rounds)]
        for part in _batches(windows, settings.batch_tokens, rng):
            for group in optimizer.param_groups:
                group["lr"] = settings.rate * _schedule(step / total, settings.warm_up)
            b = make_batch([windows[i] for i in part], vocabulary, index, drop, rng, settings.blank)
            lost = torch.from_numpy(rng.random(b.chars.shape) < settings.char_dropout)
            b.chars.masked_fill_(lost, 0)
            n = int(b.lengths.sum())
            loss = network.loss(b)
            optimizer.zero_grad(set_to_none=True)
            (loss / len(part)).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), settings.clip)
            optimizer.step()
            step += 1
            keep = min(settings.ema, step / (step + 10))
            with torch.no_grad():
                for p, q in zip(average.parameters(), network.parameters(), strict=True):
                    p.lerp_(q, 1 - keep)
            loss_sum += float(loss.detach())
            tokens += n
        if last or epoch + 1 < min(settings.first_score, settings.epochs):
            log(f"epoch {epoch + 1}: {loss_sum / tokens:.4f}, {time.monotonic() - started:.0f} s")
            continue
        s = averaged.score(*dev)
        history.append({"epoch": epoch + 1, "loss": round(loss_sum / tokens, 4), **s.brief()})
        log(f"epoch {epoch + 1}: {history[-1]}, {time.monotonic() - started:.0f} s")
        if value(history[-1]) > best:
            best, best_state = value(history[-1]), copy.deepcopy(average.state_dict())
            model.report["best_epoch"] = epoch + 1
    if best_state is None:
        best_state = average.state_dict()
        model.report["best_epoch"] = settings.epochs
    network.load_state_dict(best_state)
    if isinstance(network.embedding, FixedEmbedding):
        network.embedding = network.embedding.folded()
        assert fixed is not None
        model.report["pretrained_forms"] = int(fixed[0].sum())
    described = asdict(settings)
    model.report |= {"settings": described, "history": history}
    return model


def value(scores: dict[str, Any]) -> float:
    """What the best epoch and the best seed are chosen by, of a line of the history.

    A point of recall is worth more than one of precision: a miss is a leak.
    """
    return float(scores["f1"] + 0.25 * scores["r"])


def _schedule(done: float, warm_up: float) -> float:
    """Linear warm-up, then a cosine down to a hundredth."""
    if done < warm_up:
        return done / warm_up
    return float(0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * (done - warm_up) / (1 - warm_up))))


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
