"""The network of Dernoncourt et al. 2017: char BiLSTM, token BiLSTM, dense, CRF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from torch import Tensor, nn

from .crf import CRF, Wanted
from .lstm import BiLSTM
from .recipe import Dimensions

CLASSES = 8  # letter-case classes of a token, model/token's


def input_width(d: Dimensions) -> int:
    """Width of the token graph's input: token embedding, char vector, class one-hot, space, context."""
    return d.token + d.char + CLASSES + 1 + d.context


@dataclass
class Batch:
    """Windows, time-major. Forms that occur several times are encoded once."""

    forms: Tensor  # int64 [S, B], index of the distinct form
    vocabulary: Tensor  # int64 [T], vocabulary line of each distinct form
    chars: Tensor  # int64 [U, T]
    char_lengths: Tensor  # int64 [T]
    classes: Tensor  # int64 [S, B]
    space: Tensor  # float32 [S, B]
    gold: Tensor  # int64 [S, B]
    lengths: Tensor  # int64 [B]
    wanted: Wanted | None = None  # in place of gold, where there are teachers
    context: Tensor | None = None  # float32 [S, B, context], of language models

    def to(self, device: torch.device) -> Batch:
        there = [f.name for f in fields(self) if getattr(self, f.name) is not None]
        return replace(self, **{name: getattr(self, name).to(device) for name in there})


class Dropout(nn.Module):
    """torch's dropout with the chance rounded to a 256th, and seven times as fast on a CPU:
    torch draws a float per element, one byte is enough. Elsewhere torch's own."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.lost = round(256 * p)
        self.rng = np.random.default_rng(torch.initial_seed())

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or not self.lost:
            return x
        if x.device.type != "cpu":
            return nn.functional.dropout(x, self.lost / 256)
        drawn = bytearray(self.rng.bytes(x.numel()))
        kept = torch.frombuffer(drawn, dtype=torch.uint8).view(x.shape) >= self.lost
        return (x * kept).mul_(256 / (256 - self.lost))


class Network(nn.Module):
    def __init__(
        self, d: Dimensions, vocabulary: int, characters: int, labels: Sequence[str], dropout: float
    ) -> None:
        super().__init__()
        self.d = d
        self.embedding: nn.Module = nn.Embedding(vocabulary, d.token)
        self.char_embedding = nn.Embedding(characters + 1, d.char_embedding)
        self.char_lstm = BiLSTM(d.char_embedding, d.char_hidden)
        # A smaller network reads less of a form's characters than its teacher (smaller.py).
        self.char_out: nn.Module = nn.Identity()
        if d.char_out:
            self.char_out = nn.Linear(2 * d.char_hidden, d.char_out, bias=False)
        self.lstm = BiLSTM(input_width(d), d.hidden)
        self.dense = nn.Linear(2 * d.hidden, d.dense)
        self.out = nn.Linear(d.dense, len(labels))
        self.crf = CRF(list(labels))
        self.drop = Dropout(dropout)
        self.without: frozenset[str] = frozenset()  # of recipe.NETWORK_PARTS

    def char_vectors(self, chars: Tensor, lengths: Tensor) -> Tensor:
        """chars [U, T], lengths [T] -> [T, char]."""
        out: Tensor = self.char_out(self.char_lstm.last(self.char_embedding(chars), lengths))
        return out

    def inputs(self, b: Batch) -> Tensor:
        """Returns the token graph's input x [S, B, width]."""
        tokens: Tensor = self.embedding(b.vocabulary)
        chars = self.char_vectors(b.chars, b.char_lengths)
        if "token" in self.without:
            tokens = torch.zeros_like(tokens)
        if "char" in self.without:
            chars = torch.zeros_like(chars)
        rows = torch.cat([tokens, chars], dim=1)
        one_hot = nn.functional.one_hot(b.classes, CLASSES).float()
        parts = [rows[b.forms], one_hot, b.space[:, :, None]]
        if self.d.context:
            assert b.context is not None
            parts.append(b.context)
        return torch.cat(parts, dim=2)

    def _dropped(self, x: Tensor) -> Tensor:
        """Inputs of which some are lost. None is of what was narrowed: where many numbers tell
        much the same, one can be lost, and of few that do not, none."""
        y: Tensor = self.drop(x)
        if not self.d.char_out:
            return y
        at, end = self.d.token, self.d.token + self.d.char
        return torch.cat([y[..., :at], x[..., at:end], y[..., end:]], dim=-1)

    def emissions(self, x: Tensor, lengths: Tensor) -> Tensor:
        """x [S, B, width] -> [S, B, labels]."""
        h = self.lstm(self._dropped(x), lengths)
        out: Tensor = self.out(torch.tanh(self.dense(self.drop(h))))
        return out

    def loss(self, b: Batch) -> Tensor:
        """Minus the log likelihood of the gold labels, summed over the windows; where there are
        teachers, of what they and the gold labels want."""
        emissions = self(b)
        if b.wanted is not None:
            return -self.crf.expected(emissions, b.wanted, b.lengths)
        if "crf" not in self.without:
            return -self.crf.log_likelihood(emissions, b.gold, b.lengths)
        inside = torch.arange(len(b.gold), device=b.gold.device)[:, None] < b.lengths
        return nn.functional.cross_entropy(emissions[inside], b.gold[inside], reduction="sum")

    def forward(self, b: Batch) -> Tensor:
        return self.emissions(self.inputs(b), b.lengths)
