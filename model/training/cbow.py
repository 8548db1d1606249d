"""Continuous bag of words (Mikolov et al. 2013) with negative sampling: vectors by which
the mean of a token's neighbours tells the token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from .vectors import _step


def cbow(
    sentences: Sequence[NDArray[np.int64]],
    forms: int,
    dim: int,
    rng: np.random.Generator,
    epochs: int = 5,
    reach: int = 5,
    negatives: int = 64,
    batch: int = 4096,
    rate: float = 0.5,
) -> NDArray[np.float32]:
    """Returns vectors [forms, dim]; rows of unseen forms stay near zero. sentences hold forms
    by number, from 0 to below forms. Frequent forms are subsampled, negatives shared by a
    batch, and 5 negatives' weight is spread over them, as in skip_gram."""
    flat = np.concatenate(sentences)
    where = np.concatenate([np.full(len(s), i) for i, s in enumerate(sentences)])
    count = np.bincount(flat, minlength=forms).astype(np.float64)
    keep = np.minimum(1.0, np.sqrt(1e-4 / np.maximum(count / count.sum(), 1e-12)))
    edges = np.cumsum(count**0.75 / (count**0.75).sum())
    start = ((rng.random((forms, dim)) - 0.5) / dim).astype(np.float32)
    inner, outer = torch.from_numpy(start), torch.zeros(forms, dim)
    # Adagrad per row: rare forms take larger steps.
    inner_sum, outer_sum = torch.full((forms, 1), 1e-3), torch.full((forms, 1), 1e-3)
    offsets = np.array([d for d in range(-reach, reach + 1) if d])
    for _ in range(epochs):
        kept = np.flatnonzero(rng.random(len(flat)) < keep[flat])
        ids, sent = flat[kept], where[kept]
        width = rng.integers(1, reach + 1, len(ids))
        order = rng.permutation(len(ids))
        for first in range(0, len(order), batch):
            at = order[first : first + batch]
            beside = at[:, None] + offsets  # [B, 2 reach]
            inside = (beside >= 0) & (beside < len(ids))
            beside = np.where(inside, beside, 0)
            inside &= (sent[beside] == sent[at][:, None]) & (np.abs(offsets) <= width[at][:, None])
            some = inside.any(1)
            at, beside, inside = at[some], beside[some], inside[some]
            if not len(at):
                continue
            share = inside / inside.sum(1, keepdims=True)
            rows, columns = np.nonzero(inside)
            context = torch.from_numpy(ids[beside])
            weight = torch.from_numpy(share.astype(np.float32))
            mean = (inner[context] * weight[:, :, None]).sum(1)
            o = torch.from_numpy(ids[at])
            drawn = np.searchsorted(edges, rng.random(negatives))
            k = torch.from_numpy(np.minimum(drawn, forms - 1))
            vo, vk = outer[o], outer[k]
            g_pos = torch.sigmoid((mean * vo).sum(1, keepdim=True)) - 1
            g_neg = torch.sigmoid(mean @ vk.T) * (5.0 / negatives)
            g = g_pos * vo + g_neg @ vk
            # As word2vec does, each neighbour takes the whole error.
            _step(inner, inner_sum, context[rows, columns], g[rows], rate)
            _step(outer, outer_sum, o, g_pos * mean, rate)
            _step(outer, outer_sum, k, g_neg.T @ mean, rate)
    vectors: NDArray[np.float32] = inner.numpy()
    # One scale for all that were seen: that of a network's other inputs.
    seen = count > 0
    vectors[seen] *= 0.5 / max(float(vectors[seen].std()), 1e-6)
    return vectors
