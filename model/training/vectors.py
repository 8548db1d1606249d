"""Skip-gram token vectors with negative sampling (Mikolov et al. 2013), from our own text.

No downloaded vectors: the text at hand is enough to put names near names and
drugs near drugs. Frequent forms are subsampled as in the paper; negatives are
shared by a batch, which makes them one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray


def skip_gram(
    sentences: Sequence[NDArray[np.int64]],
    forms: int,
    dim: int,
    rng: np.random.Generator,
    epochs: int = 5,
    reach: int = 5,
    negatives: int = 64,
    batch: int = 4096,
    rate: float = 0.5,
    fixed: tuple[NDArray[np.bool_], NDArray[np.float32]] | None = None,
    device: str = "cpu",
) -> NDArray[np.float32]:
    """Returns vectors [forms, dim]; rows of unseen forms stay near zero.

    sentences hold forms by number, from 0 to below forms. fixed gives forms whose vectors are known and stay (which of them, and the
    vectors): the others then find their places among them.
    """
    flat = np.concatenate(sentences)
    where = np.concatenate([np.full(len(s), i) for i, s in enumerate(sentences)])
    count = np.bincount(flat, minlength=forms).astype(np.float64)
    share = count / count.sum()
    keep = np.minimum(1.0, np.sqrt(1e-4 / np.maximum(share, 1e-12)))
    noise = count**0.75
    noise_edges = np.cumsum(noise / noise.sum())
    start = torch.from_numpy(((rng.random((forms, dim)) - 0.5) / dim).astype(np.float32))
    if fixed is not None:
        start[torch.from_numpy(fixed[0])] = torch.from_numpy(fixed[1][fixed[0]])
    inner, outer = start.to(device), torch.zeros(forms, dim, device=device)
    which = None if fixed is None else torch.from_numpy(fixed[0]).to(device)
    # Adagrad per row: rare forms take larger steps.
    inner_sum = torch.full((forms, 1), 1e-3, device=device)
    outer_sum = inner_sum.clone()
    for _ in range(epochs):
        kept = np.flatnonzero(rng.random(len(flat)) < keep[flat])
        ids, sent = flat[kept], where[kept]
        width = rng.integers(1, reach + 1, len(ids))
        left, right = [], []
        for d in range(1, reach + 1):
            ok = np.flatnonzero((sent[d:] == sent[:-d]) & (width[d:] >= d))
            left += [ids[ok + d], ids[ok]]
            right += [ids[ok], ids[ok + d]]
        centre, context = np.concatenate(left), np.concatenate(right)
        order = rng.permutation(len(centre))
        for at in range(0, len(order), batch):
            pick = order[at : at + batch]
            c = torch.from_numpy(centre[pick]).to(device)
            o = torch.from_numpy(context[pick]).to(device)
            drawn = np.searchsorted(noise_edges, rng.random(negatives))
            k = torch.from_numpy(np.minimum(drawn, forms - 1)).to(device)
            vc, vo, vk = inner[c], outer[o], outer[k]
            # 5 negatives' weight is spread over all shared ones.
            g_pos = torch.sigmoid((vc * vo).sum(1, keepdim=True)) - 1
            g_neg = torch.sigmoid(vc @ vk.T) * (5.0 / negatives)
            g = g_pos * vo + g_neg @ vk
            if which is None:
                _step(inner, inner_sum, c, g, rate)
            else:
                free = ~which[c]
                _step(inner, inner_sum, c[free], g[free], rate)
            _step(outer, outer_sum, o, g_pos * vc, rate)
            _step(outer, outer_sum, k, g_neg.T @ vc, rate)
    vectors: NDArray[np.float32] = inner.cpu().numpy()
    if fixed is not None:
        return vectors
    # One scale for all, that of the network's other inputs.
    seen = count > 0
    vectors[seen] *= 0.5 / max(float(vectors[seen].std()), 1e-6)
    return vectors


def _step(
    table: torch.Tensor, sums: torch.Tensor, rows: torch.Tensor, g: torch.Tensor, rate: float
) -> None:
    sums.index_add_(0, rows, g.square().mean(1, keepdim=True))
    table.index_add_(0, rows, g / sums[rows].sqrt(), alpha=-rate * 0.1)
