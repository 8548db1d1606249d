"""Linear-chain CRF over legal transitions, with an explicit gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .scheme import legal

ILLEGAL = -10000.0


@dataclass
class Chain:
    """Forward and backward passes over a batch of sequences, in scaled probabilities.

    float64, since a legal path may be e^-100 times as likely as an illegal one.
    """

    alpha: Tensor  # [S, B, L]
    beta: Tensor  # [S, B, L], such that alpha * beta are the marginals of a step
    ahead: Tensor  # [S-1, B, L]: alpha[s, i] * move[i, j] * ahead[s, j] is the chance of i, j
    move: Tensor  # [L, L], of transitions
    inside: Tensor  # bool [S, B]
    last: Tensor  # int64 [B], each sequence's last step
    at_end: Tensor  # [B, L], marginals of the last steps
    log_z: Tensor  # of all sequences together

    @property
    def marginals(self) -> Tensor:
        return self.alpha * self.beta * self.inside[:, :, None]


def chain(e: Tensor, t: Tensor, lengths: Tensor) -> Chain:
    """e float64 [S, B, L], transitions t float64 [L+2, L], lengths [B]."""
    steps, batch, n = e.shape
    shift = t[:n].max()
    move = torch.exp(t[:n] - shift)
    start, end = torch.exp(t[n]), torch.exp(t[n + 1])
    top = e.max(dim=2, keepdim=True).values
    p = torch.exp(e - top)
    inside = torch.arange(steps, device=e.device)[:, None] < lengths[None, :]  # [S, B]
    last = lengths - 1
    rows = torch.arange(batch, device=e.device)

    alpha = torch.empty_like(e)
    scale = torch.empty_like(e[:, :, :1])
    a = start * p[0]
    for s in range(steps):
        if s:
            a = (alpha[s - 1] @ move) * p[s]
        scale[s] = a.sum(dim=1, keepdim=True)
        alpha[s] = a / scale[s]
    final = alpha[last, rows] * end  # [B, L]
    z = final.sum(dim=1)
    parts = (scale.log() + top).squeeze(2) * inside
    log_z = parts.sum() + z.log().sum() + shift * last.sum()

    beta = torch.empty_like(e)
    tail = end / z[:, None]  # at each sequence's last step
    b = tail
    for s in range(steps - 1, -1, -1):
        if s + 1 < steps:
            g = p[s + 1] * b / scale[s + 1]
            b = torch.where((last == s)[:, None], tail, g @ move.T)
        else:
            b = tail
        beta[s] = b
    ahead = (p[1:] * beta[1:] / scale[1:]) * inside[1:, :, None]
    return Chain(alpha, beta, ahead, move, inside, last, final / z[:, None], log_z)


@dataclass
class Wanted:
    """What a sequence is to be: a distribution of labels at each step, and how often each
    label follows each. Of annotations it is certain; of a teacher, what that expects."""

    labels: Tensor  # float64 [S, B, L], zero past a length
    pairs: Tensor  # float64 [L, L], summed over steps and sequences

    def to(self, device: torch.device) -> Wanted:
        return Wanted(self.labels.to(device), self.pairs.to(device))


def certain(gold: Tensor, lengths: Tensor, n: int) -> Wanted:
    """gold int64 [S, B], of n labels; what stands past a length is not read."""
    inside = torch.arange(len(gold), device=gold.device)[:, None] < lengths[None, :]
    hot = torch.zeros(*gold.shape, n, dtype=torch.float64, device=gold.device)
    hot.scatter_(2, gold.clamp(min=0)[:, :, None], 1.0)
    hot *= inside[:, :, None]
    return Wanted(hot, hot[:-1].reshape(-1, n).T @ hot[1:].reshape(-1, n))


class _LogLikelihood(torch.autograd.Function):
    """Sum over sequences of the log likelihood that is expected of what is wanted.

    Autograd through the recursion would keep [B, L, L] per step; the gradient
    is known in closed form: wanted counts minus expected counts.
    """

    @staticmethod
    def forward(
        ctx: Any,
        emissions: Tensor,
        transitions: Tensor,
        labels: Tensor,
        pairs: Tensor,
        lengths: Tensor,
    ) -> Tensor:
        n = emissions.shape[2]
        e = emissions.detach().double()
        t = transitions.detach().double()
        c = chain(e, t, lengths)
        marginals = c.marginals
        expected = c.move * (c.alpha[:-1].reshape(-1, n).T @ c.ahead.reshape(-1, n))
        end = labels[c.last, torch.arange(e.shape[1], device=e.device)]
        score = (e * labels).sum() + (pairs * t[:n]).sum()
        score = score + (labels[0] * t[n]).sum() + (end * t[n + 1]).sum()
        d_t = torch.cat(
            [
                pairs - expected,
                (labels[0] - marginals[0]).sum(0, keepdim=True),
                (end - c.at_end).sum(0, keepdim=True),
            ]
        )
        ctx.save_for_backward((labels - marginals).to(emissions.dtype), d_t.to(transitions.dtype))
        return (score - c.log_z).to(emissions.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        d_e, d_t = ctx.saved_tensors
        return grads[0] * d_e, grads[0] * d_t, None, None, None


class CRF(nn.Module):
    """Transition scores [L+2, L]: row = from, column = to, start scores, end scores."""

    mask: Tensor

    def __init__(self, labels: list[str]) -> None:
        super().__init__()
        step, start, end = legal(labels)
        self.scores = nn.Parameter(torch.zeros(len(labels) + 2, len(labels)))
        self.register_buffer("mask", torch.from_numpy(np.vstack([step, start, end])))

    def transitions(self) -> Tensor:
        """Scores with the illegal ones at a large negative, finite value."""
        return torch.where(self.mask, self.scores, torch.full_like(self.scores, ILLEGAL))

    def log_likelihood(self, emissions: Tensor, gold: Tensor, lengths: Tensor) -> Tensor:
        """Sum of log p(gold | emissions); emissions [S, B, L], gold [S, B], lengths [B]."""
        return self.expected(emissions, certain(gold, lengths, emissions.shape[2]), lengths)

    def expected(self, emissions: Tensor, wanted: Wanted, lengths: Tensor) -> Tensor:
        """Sum of the log likelihood that is expected where labels are as wanted. Of a teacher
        that is, but for a constant, minus the divergence between its distribution over
        whole sequences and ours, as both are chains."""
        out: Tensor = _LogLikelihood.apply(  # type: ignore[no-untyped-call]
            emissions, self.transitions(), wanted.labels, wanted.pairs, lengths
        )
        return out
