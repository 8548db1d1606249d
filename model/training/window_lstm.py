"""The sliding-window LSTM of Kassaie 2016 (De-identification in practice, 4.3): windows of so
many tokens, each token a vector of its own CBOW, one LSTM that reads forwards, and a layer that
labels each token of the window. Where windows overlap, Go merges their labels (model/windowlstm).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from .disclosure import Disclosure
from .forms import LINE, PARAGRAPH, SPECIAL, key
from .network import CLASSES, Dropout
from .recipe import Sliding
from .vocabulary import MAX_FORM_BYTES
from .windows import Window

# The first lines of vocabulary.txt: the unknown form, *UNK* of the paper, one for each
# letter-case class. The paper has one in all; but it may keep the names of its training notes.
UNKNOWN = [f"<unk{c}>" for c in range(CLASSES)]


def normal(form: str) -> str:
    """The vocabulary line of a form: digits are one (the paper's DIGIT), case stays."""
    return SPECIAL.get(form) or "".join("0" if c.isdecimal() else c for c in form)


@dataclass
class Text:
    """The tokens of one note: forms, letter-case classes and BIOES labels."""

    forms: list[str]
    classes: list[int]
    labels: list[str]


def texts(windows: Iterable[Window]) -> list[Text]:
    """The notes that windows were cut from, whole again."""
    out: dict[str, Text] = {}
    for w in windows:
        t = out.setdefault(w.id, Text([], [], []))
        t.forms += w.forms
        t.classes += w.classes
        t.labels += w.labels
    return list(out.values())


class Lines:
    """vocabulary.txt: which line a token is."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.index = {x: i for i, x in enumerate(lines)}

    def numbers(self, t: Text) -> NDArray[np.int64]:
        at = [
            self.index.get(normal(f), c) if len(f.encode()) <= MAX_FORM_BYTES else c
            for f, c in zip(t.forms, t.classes, strict=True)
        ]
        return np.array(at, dtype=np.int64)


def build(notes: Sequence[Text], may_hold: Disclosure, min_count: int, most: int) -> Lines:
    """The forms that are seen min_count times and more, the most frequent first, of those that
    a model may hold."""
    counts: Counter[str] = Counter()
    for form, n in Counter(f for t in notes for f in t.forms).items():
        if (
            form in SPECIAL
            or any(c in form for c in "\n\r\x00")
            or len(form.encode()) > MAX_FORM_BYTES
        ):
            continue
        if not any(c.isalpha() for c in form) or may_hold.may_hold(key(form)):
            counts[normal(form)] += n
    for reserved in (*UNKNOWN, LINE, PARAGRAPH):
        counts.pop(reserved, None)
    seen = [f for f, n in counts.items() if n >= min_count]
    ranked = sorted(seen, key=lambda f: (-counts[f], f))
    return Lines([*UNKNOWN, LINE, PARAGRAPH, *ranked[:most]])


def starts(tokens: int, length: int, stride: int) -> list[int]:
    """Where the windows of a text begin: every so many tokens; the last one ends with it."""
    if tokens <= length:
        return [0] if tokens else []
    out = list(range(0, tokens - length, stride))
    return [*out, tokens - length]


def window_labels(labels: Sequence[str], start: int, end: int) -> list[str]:
    """The labels of a window, in BIO: those of a span that it breaks are O (4.3.2)."""
    out = ["O"] * (end - start)
    first = -1
    for i in range(start, end):
        prefix, kind = labels[i][0], labels[i][2:]
        if prefix in "BS":
            first = i
        if prefix in "ES" and first >= 0:
            out[first - start : i + 1 - start] = [f"B-{kind}"] + [f"I-{kind}"] * (i - first)
        if prefix in "OES":
            first = -1
    return out


def labels_of(notes: Iterable[Text]) -> list[str]:
    kinds = sorted({x[2:] for t in notes for x in t.labels if x != "O"})
    return ["O", *(f"{p}-{k}" for k in kinds for p in "BI")]


class Network(nn.Module):
    """One LSTM and a dense layer; the vectors are given."""

    def __init__(self, width: int, hidden: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden)
        second = dict(self.lstm.named_parameters())["bias_hh_l0"]
        nn.init.zeros_(second).requires_grad_(False)  # one bias is enough
        self.out = nn.Linear(hidden, labels)
        self.drop = Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """x [S, B, width] -> [S, B, labels]."""
        y: Tensor = self.out(self.drop(self.lstm(x)[0]))
        return y


@dataclass
class Trained:
    """What a model directory is made of."""

    network: Network
    lines: Lines
    vectors: NDArray[np.float32]  # [lines, width]
    labels: list[str]


def train(
    notes: Sequence[Text],
    lines: Lines,
    vectors: NDArray[np.float32],
    o: Sliding,
    seed: int,
    log: Callable[[str], None],
) -> Trained:
    """Trains on the windows of notes, by Adam on the sum of the labels' binary cross entropies."""
    labels = labels_of(notes)
    windows = _Windows(notes, lines, labels, o)
    torch.manual_seed(seed)
    network = Network(o.width, o.hidden, len(labels), o.dropout)
    table = torch.from_numpy(vectors)
    optimiser = torch.optim.Adam([p for p in network.parameters() if p.requires_grad], lr=o.rate)
    steps = o.epochs * -(-len(windows.first) // o.batch)
    log(f"{len(windows.first)} windows of {o.length} tokens, {len(labels)} labels, {steps} steps")
    # At a constant rate the last batches decide; it falls to nothing.
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda k: 1 - k / max(steps, 1))
    rng = np.random.default_rng(seed)
    network.train()
    started = time.monotonic()
    for epoch in range(o.epochs):
        order = rng.permutation(len(windows.first))
        total = 0.0
        for at in range(0, len(order), o.batch):
            tokens, gold, inside = windows.batch(order[at : at + o.batch])
            p = torch.softmax(network(table[tokens])[inside], dim=1)
            hot = nn.functional.one_hot(gold[inside], len(labels)).float()
            loss = nn.functional.binary_cross_entropy(p, hot, reduction="sum") / len(p)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            falling.step()
            total += loss.item()
        mean = total / max(1, -(-len(order) // o.batch))
        log(f"epoch {epoch + 1} of {o.epochs}: loss {mean:.4f}, {time.monotonic() - started:.0f} s")
    return Trained(network.eval(), lines, vectors, labels)


class _Windows:
    """The windows of all notes, whose tokens lie behind one another."""

    def __init__(
        self, notes: Sequence[Text], lines: Lines, labels: Sequence[str], o: Sliding
    ) -> None:
        index = {x: i for i, x in enumerate(labels)}
        tokens: list[NDArray[np.int64]] = []
        gold: list[list[int]] = []
        first: list[int] = []
        sizes: list[int] = []
        before = 0
        for t in notes:
            tokens.append(lines.numbers(t))
            for s in starts(len(t.forms), o.length, o.stride):
                end = min(s + o.length, len(t.forms))
                own = [index[x] for x in window_labels(t.labels, s, end)]
                gold.append(own + [0] * (o.length - len(own)))
                first.append(before + s)
                sizes.append(len(own))
            before += len(t.forms)
        self.tokens = np.concatenate([*tokens, np.zeros(o.length, dtype=np.int64)])
        self.gold = np.array(gold, dtype=np.int64)
        self.first, self.sizes = np.array(first), np.array(sizes)
        self.steps = np.arange(o.length)

    def batch(self, which: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
        """Vocabulary lines, labels, and what is inside of the text; all [S, B]."""
        tokens = self.tokens[self.first[which] + self.steps[:, None]]
        inside = self.steps[:, None] < self.sizes[which]
        gold = np.ascontiguousarray(self.gold[which].T)
        return torch.from_numpy(tokens), torch.from_numpy(gold), torch.from_numpy(inside)
