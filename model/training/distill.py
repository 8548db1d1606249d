"""What trained models, the teachers, think of each window: the chance of every pair of
neighbouring labels, averaged over the teachers, for a smaller network to learn.

Each teacher is a chain CRF, so its pairs tell its whole distribution over label sequences.
Nearly all tokens have one pair that is not next to impossible: pairs below LEAST are left
out, and a window takes a few bytes a token. What was computed of a list of windows is kept in
a file, named by the windows and the teachers, so that it is computed once.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from .crf import ILLEGAL, chain
from .failure import Refused
from .runtime import Directory
from .scheme import legal, viterbi
from .windows import WINDOW_TOKENS, Soft, Window, runs, together

LEAST = 1e-3  # the least chance of a pair that is kept
TOGETHER = 16  # windows
PART = 4096  # windows that are asked about at a time
FEW = 1e-4  # the least chance of a label that is thought of as part of a pair


@dataclass
class Pairs:
    """Pairs of a list of windows, in their order: of a window of n tokens n-1 steps, then a
    last one that tells its last token's label twice."""

    counts: NDArray[np.int64]  # of each step, of all windows
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    chance: NDArray[np.float16]

    def spread(self, windows: Sequence[Window], weight: float) -> list[Window]:
        """Returns the windows, each with its own pairs."""
        ends = np.concatenate([[0], np.cumsum(self.counts)])
        out, at = [], 0
        for w in windows:
            n = len(w.forms)
            a, b = int(ends[at]), int(ends[at + n])
            steps = np.repeat(np.arange(n), self.counts[at : at + n])
            soft = Soft(steps, self.first[a:b], self.second[a:b], self.chance[a:b], weight)
            out.append(w.taught(soft))
            at += n
        return out


class Teachers:
    """Model directories whose thoughts are averaged."""

    def __init__(
        self,
        folders: Sequence[Path],
        labels: Sequence[str],
        cache: Path,
        log: Callable[[str], None],
    ) -> None:
        self.models = [Directory(f) for f in folders]
        self.cache, self.log, self.labels = cache, log, list(labels)
        self.orders = []
        for folder, m in zip(folders, self.models, strict=True):
            if set(m.labels) != set(labels):
                raise Refused(
                    f"teacher.models: {folder} has other labels than the network that is to learn"
                )
            self.orders.append([m.labels.index(x) for x in labels])
        self.key = repr([m.description["files"] for m in self.models]) + repr(list(labels))

    def teach(self, windows: Sequence[Window], weight: float) -> list[Window]:
        """Returns the windows with what the teachers think of them, which counts weight
        beside the annotations' 1 - weight."""
        if not windows:
            return []
        digest = hashlib.sha256(self.key.encode())
        for w in windows:
            digest.update(repr((w.forms, w.classes, w.space)).encode(errors="surrogatepass"))
        path = self.cache / f"{digest.hexdigest()[:32]}.npz"
        if path.exists():
            with np.load(path) as f:
                pairs = Pairs(f["counts"].astype(np.int64), f["first"], f["second"], f["chance"])
        else:
            pairs = self._pairs(windows)
            self.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = path.with_suffix(f".{os.getpid()}.new")
            with new.open("wb") as file:
                counts = pairs.counts.astype(np.uint16)
                np.savez(
                    file,
                    counts=counts,
                    first=pairs.first,
                    second=pairs.second,
                    chance=pairs.chance,
                )
            os.replace(new, path)
        return pairs.spread(windows, weight)

    def labels_of(self, windows: Sequence[Window], recall_bias: float = 0.0) -> list[list[str]]:
        """The likeliest legal labels of each window by the teachers' averaged chances of each
        token's label; recall_bias (nats) is taken from O's."""
        step, start, end = legal(self.labels)
        moves = np.where(np.vstack([step, start, end]), 0, ILLEGAL).astype(np.float32)
        out = []
        for w in self.teach(windows, 1.0):
            assert w.soft is not None
            chance = np.zeros((len(w.forms), len(self.labels)), dtype=np.float32)
            np.add.at(chance, (w.soft.steps, w.soft.first), w.soft.chance.astype(np.float32))
            e = np.log(chance + LEAST / 10)
            e[:, self.labels.index("O")] -= recall_bias
            out.append([self.labels[k] for k in viterbi(e, moves, self.labels)])
        return out

    def _pairs(self, windows: Sequence[Window]) -> Pairs:
        """Computes them, some notes at a time."""
        of: list[list[NDArray[np.float64]]] = []
        for part in _notes(windows):
            found = [
                _think(m, columns, part)
                for m, columns in zip(self.models, self.orders, strict=True)
            ]
            of += map(list, zip(*found, strict=True))
        merged = [_average(found, len(w.forms)) for found, w in zip(of, windows, strict=True)]
        rows = np.concatenate([m for _, m in merged])
        return Pairs(
            np.concatenate([c for c, _ in merged]),
            rows[:, 0].astype(np.uint8),
            rows[:, 1].astype(np.uint8),
            rows[:, 2].astype(np.float16),
        )


def _notes(windows: Sequence[Window]) -> Iterator[Sequence[Window]]:
    """Parts of windows in their order, which are cut between notes."""
    begin = 0
    for i in range(1, len(windows)):
        if i - begin >= PART and windows[i].id != windows[i - 1].id:
            yield windows[begin:i]
            begin = i
    yield windows[begin:]


def _think(
    m: Directory, columns: list[int], windows: Sequence[Window]
) -> list[NDArray[np.float64]]:
    """Returns of each window its pairs, as rows of step, label, next label and chance."""
    t = m.transitions[[*columns, len(columns), len(columns) + 1]][:, columns]
    transitions = torch.from_numpy(t.astype(np.float64))
    emissions = _emissions(m, windows)
    order = sorted(range(len(emissions)), key=lambda i: len(emissions[i]))
    out: list[NDArray[np.float64]] = [np.empty(0)] * len(emissions)
    for at in range(0, len(order), TOGETHER):
        chosen = order[at : at + TOGETHER]
        part = [emissions[i] for i in chosen]
        lengths = torch.tensor([len(e) for e in part])
        padded = np.zeros((int(lengths.max()), len(part), len(columns)))
        for b, e in enumerate(part):
            padded[: len(e), b] = e[:, columns]
        found = _of_batch(torch.from_numpy(padded), transitions, lengths)
        for i, pairs in zip(chosen, found, strict=True):
            out[i] = pairs
    return out


def _emissions(m: Directory, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
    """A model that reads more at once than its students reads windows of a note that follow each
    other as one."""
    if m.window_tokens <= WINDOW_TOKENS:
        return m.emissions(windows)
    parts = list(runs(windows, m.window_tokens))
    found = m.emissions([together(part) for part in parts])
    out: list[NDArray[np.float32]] = []
    for part, e in zip(parts, found, strict=True):
        out += np.split(e, np.cumsum([len(w.forms) for w in part])[:-1])
    return out


def _of_batch(
    emissions: torch.Tensor, transitions: torch.Tensor, lengths: torch.Tensor
) -> list[NDArray[np.float64]]:
    c = chain(emissions, transitions, lengths)
    marginals = c.marginals.numpy()
    batch, labels = marginals.shape[1:]
    # Which labels of a step may be part of a pair: a list for each place, end to end.
    places = marginals.transpose(1, 0, 2).reshape(-1, labels)
    place, label = np.nonzero(places > FEW)
    counts = np.bincount(place, minlength=len(places))
    starts = np.concatenate([[0], np.cumsum(counts)])
    steps = marginals.shape[0]
    here = np.arange(len(places))
    real = (here % steps) < np.repeat(lengths.numpy() - 1, steps)  # with a step after it
    left = here[real]
    each = counts[left] * counts[left + 1]
    of = np.repeat(np.arange(len(left)), each)  # the pair's place, among left
    k = np.arange(len(of)) - np.repeat(np.cumsum(each) - each, each)
    width = counts[left + 1][of]
    first = label[starts[left][of] + k // width]
    second = label[starts[left + 1][of] + k % width]
    b, s = left[of] // steps, left[of] % steps
    alpha, ahead, move = c.alpha.numpy(), c.ahead.numpy(), c.move.numpy()
    chance = alpha[s, b, first] * move[first, second] * ahead[s, b, second]
    out = []
    bounds = np.searchsorted(b, np.arange(batch + 1))
    for i in range(batch):
        part = slice(bounds[i], bounds[i + 1])
        last = int(lengths[i]) - 1
        at_end = np.nonzero(marginals[last, i] > FEW)[0]
        ends = [np.full(len(at_end), last), at_end, at_end, marginals[last, i, at_end]]
        pairs = [s[part], first[part], second[part], chance[part]]
        out.append(np.column_stack([np.concatenate(x) for x in zip(pairs, ends, strict=True)]))
    return out


def _average(
    found: Sequence[NDArray[np.float64]], tokens: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Returns how many pairs each step has, and them as label, next label and chance: the
    teachers' mean, with what is next to impossible left out and the rest summing to one."""
    rows = np.concatenate(found)
    key = (rows[:, 0] * 256 + rows[:, 1]) * 256 + rows[:, 2]
    keys, where = np.unique(key.astype(np.int64), return_inverse=True)
    chance = np.bincount(where, rows[:, 3]) / len(found)
    kept = chance >= LEAST
    keys, chance = keys[kept], chance[kept]
    step = keys >> 16
    sums = np.bincount(step, chance, minlength=tokens)
    counts = np.bincount(step, minlength=tokens).astype(np.int64)
    return counts, np.column_stack([keys >> 8 & 255, keys & 255, chance / sums[step]])
