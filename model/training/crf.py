"""Linear-chain CRF over legal transitions, with an explicit gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .scheme import legal

ILLEGAL = -10000.0


class _LogLikelihood(torch.autograd.Function):
    """Sum over sequences of log p(gold), by forward-backward in scaled probabilities.

    Autograd through the recursion would keep [B, L, L] per step; the gradient
    is known in closed form: gold counts minus expected counts. float64, since
    a legal path may be e^-100 times as likely as an illegal one.
    """

    @staticmethod
    def forward(
        ctx: Any, emissions: Tensor, transitions: Tensor, gold: Tensor, lengths: Tensor
    ) -> Tensor:
        steps, batch, n = emissions.shape
        e = emissions.detach().double()
        t = transitions.detach().double()
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

        # beta[s] such that alpha[s] * beta[s] are the marginals of step s.
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
        marginals = alpha * beta * inside[:, :, None]
        ahead = (p[1:] * beta[1:] / scale[1:]) * inside[1:, :, None]
        pairs = move * (alpha[:-1].reshape(-1, n).T @ ahead.reshape(-1, n))
        expected_end = final / z[:, None]

        flat = gold.clamp(min=0)
        hot = torch.zeros_like(marginals).scatter_(2, flat[:, :, None], 1.0)
        hot *= inside[:, :, None]
        gold_pairs = hot[:-1].reshape(-1, n).T @ hot[1:].reshape(-1, n)
        gold_end = hot[last, rows]
        score = (e * hot).sum() + (gold_pairs * t[:n]).sum()
        score = score + (hot[0] * t[n]).sum() + (gold_end * t[n + 1]).sum()

        d_t = torch.cat(
            [
                gold_pairs - pairs,
                (hot[0] - marginals[0]).sum(0, keepdim=True),
                (gold_end - expected_end).sum(0, keepdim=True),
            ]
        )
        ctx.save_for_backward((hot - marginals).to(emissions.dtype), d_t.to(transitions.dtype))
        return (score - log_z).to(emissions.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        d_e, d_t = ctx.saved_tensors
        return grads[0] * d_e, grads[0] * d_t, None, None


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
        out: Tensor = _LogLikelihood.apply(  # type: ignore[no-untyped-call]
            emissions, self.transitions(), gold, lengths
        )
        return out
