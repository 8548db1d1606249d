"""Vocabulary, characters, and the batches that are made with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from .context import Contexts, joined
from .crf import Wanted, certain
from .forms import LINE, PARAGRAPH, SPECIAL, UNKNOWN, cut, key
from .network import Batch
from .windows import Window

MAX_FORM_BYTES = 96  # the job does not look longer forms up


@dataclass
class Vocabulary:
    """Forms and characters by number. Character 0 is unknown or padding."""

    forms: list[str]
    characters: list[str]

    def __post_init__(self) -> None:
        self.index = {f: i for i, f in enumerate(self.forms)}
        self.char_index = {c: i for i, c in enumerate(self.characters, 1)}

    def form(self, form: str) -> int:
        if len(form.encode()) > MAX_FORM_BYTES:
            return 0
        return self.index.get(key(form), 0)

    def chars(self, form: str) -> list[int]:
        return [self.char_index.get(c, 0) for c in cut(form)] or [0]

    def padded(self, forms: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The characters of forms, [U, T], and how many of each, [T]."""
        chars = [self.chars(f) for f in forms]
        lengths = np.array([len(c) for c in chars])
        padded = np.zeros((int(lengths.max()), len(chars)), dtype=np.int64)
        for i, c in enumerate(chars):
            padded[: len(c), i] = c
        return padded, lengths


def build(
    counts: Counter[str],
    max_forms: int,
    min_char_count: int = 3,
    may_hold: Callable[[str], bool] = lambda line: True,
) -> tuple[Vocabulary, int]:
    """Builds a vocabulary of the most frequent forms, and counts those that were kept out.

    counts holds the surface forms of tokens; ties are broken by spelling. may_hold tells
    of a line whether it may stand in a vocabulary (see disclosure.py).
    """
    keys: Counter[str] = Counter()
    chars: Counter[str] = Counter()
    for form, n in counts.items():
        if form in SPECIAL:
            continue
        for c in cut(form):
            chars[c] += n
        if len(form.encode()) <= MAX_FORM_BYTES and not any(c in form for c in "\n\r\x00"):
            keys[key(form)] += n
    for special in (UNKNOWN, LINE, PARAGRAPH):
        keys.pop(special, None)
    held = [f for f in keys if may_hold(f)]
    ranked = sorted(held, key=lambda f: (-keys[f], f))[: max_forms - 3]
    kept = sorted(c for c, n in chars.items() if n >= min_char_count and c not in "\n\r\x00")
    return Vocabulary([UNKNOWN, LINE, PARAGRAPH, *ranked], kept), len(keys) - len(held)


def make_batch(
    windows: Sequence[Window],
    vocabulary: Vocabulary,
    label_index: dict[str, int],
    drop: dict[str, float] | None = None,
    rng: np.random.Generator | None = None,
    blank: float = 0.0,
    contexts: Contexts | None = None,
) -> Batch:
    """Makes one batch; drop is the chance, per form, to become the unknown form.

    Whether a form is dropped is drawn once per batch and token, so a form may
    stand dropped and whole in one batch; labels unknown here count as O. blank
    is the chance that a token is seen as nothing, not even its letters, so that
    the words around it must tell, and must be told without it. contexts are the
    language models of a network that has some.
    """
    steps = max(len(w.forms) for w in windows)
    n = len(windows)
    forms = np.zeros((steps, n), dtype=np.int64)
    classes = np.zeros((steps, n), dtype=np.int64)
    space = np.zeros((steps, n), dtype=np.float32)
    gold = np.zeros((steps, n), dtype=np.int64)
    states = joined(contexts.states(windows)) if contexts is not None else None
    distinct: dict[tuple[str, bool], int] = {}
    for b, w in enumerate(windows):
        k = len(w.forms)
        lost = rng.random(k) if rng is not None else None
        blanked = rng.random(k) < blank if rng is not None and blank > 0 else None
        for s, form in enumerate(w.forms):
            gone = drop is not None and lost is not None and lost[s] < drop.get(key(form), 0.0)
            if blanked is not None and blanked[s]:
                form, gone = "", True
            forms[s, b] = distinct.setdefault((form, gone), len(distinct))
        if states is not None and blanked is not None:
            states[:k, b][blanked] = 0
        classes[:k, b] = w.classes
        space[:k, b] = w.space
        gold[:k, b] = [label_index.get(x, 0) for x in w.labels]
    lengths = torch.tensor([len(w.forms) for w in windows])
    wanted = None
    if any(w.soft is not None for w in windows):
        wanted = _wanted(windows, torch.from_numpy(gold), lengths, len(label_index))
    chars, char_lengths = vocabulary.padded([f for f, _ in distinct])
    return Batch(
        forms=torch.from_numpy(forms),
        vocabulary=torch.tensor([0 if gone else vocabulary.form(f) for f, gone in distinct]),
        chars=torch.from_numpy(chars),
        char_lengths=torch.from_numpy(char_lengths),
        classes=torch.from_numpy(classes),
        space=torch.from_numpy(space),
        gold=torch.from_numpy(gold),
        lengths=lengths,
        wanted=wanted,
        context=torch.from_numpy(states) if states is not None else None,
    )


def _wanted(
    windows: Sequence[Window], gold: torch.Tensor, lengths: torch.Tensor, labels: int
) -> Wanted:
    """What teachers and annotations want, each by its weight."""
    shares = torch.tensor([1 - w.soft.weight if w.soft else 1.0 for w in windows]).double()
    hot = certain(gold, lengths, labels).labels
    part = (hot * shares[:, None])[:-1].reshape(-1, labels)
    pairs = (part.T @ hot[1:].reshape(-1, labels)).numpy()
    wanted = (hot * shares[:, None]).numpy()
    for b, w in enumerate(windows):
        if w.soft is None:
            continue
        chance = w.soft.weight * w.soft.chance.astype(np.float64)
        np.add.at(wanted[:, b], (w.soft.steps, w.soft.first.astype(np.int64)), chance)
        within = w.soft.steps < len(w.forms) - 1
        np.add.at(pairs, (w.soft.first[within], w.soft.second[within]), chance[within])
    return Wanted(torch.from_numpy(wanted), torch.from_numpy(pairs))
