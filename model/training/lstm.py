"""A bidirectional LSTM whose both directions run in one loop.

Equal to torch.nn.LSTM on packed sequences, and twice as fast to train on one
CPU core: torch runs the directions one after the other and adds to the weight
gradient at every step, where one matrix product at the end does.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn


class _BiLSTM(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, r: Tensor, b: Tensor, turn: Tensor) -> Tensor:
        steps, batch, width = x.shape
        h4 = w.shape[1]
        h = h4 // 4
        flat = x.reshape(-1, width)
        gates = torch.empty(2, steps, batch, h4)
        for d in range(2):
            p = torch.addmm(b[d], flat, w[d].T)
            gates[d] = (p if d == 0 else p[turn]).view(steps, batch, h4)
        rt = r.transpose(1, 2).contiguous()
        cells = torch.zeros(steps + 1, 2, batch, h)
        hidden = torch.zeros(steps + 1, 2, batch, h)
        tanhs = torch.empty(steps, 2, batch, h)
        act = gates.transpose(0, 1).contiguous()  # [S, 2, B, 4H]
        for s in range(steps):
            a = act[s]
            a.baddbmm_(hidden[s], rt)
            a[..., : 3 * h].sigmoid_()
            a[..., 3 * h :].tanh_()
            i, o, f, g = torch.split(a, h, dim=2)
            torch.mul(f, cells[s], out=cells[s + 1])
            cells[s + 1].addcmul_(i, g)
            torch.tanh(cells[s + 1], out=tanhs[s])
            torch.mul(o, tanhs[s], out=hidden[s + 1])
        ctx.save_for_backward(flat, w, r, turn, act, cells, hidden, tanhs)
        back = hidden[1:, 1].reshape(-1, h)[turn].view(steps, batch, h)
        return torch.cat([hidden[1:, 0], back], dim=2)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        flat, w, r, turn, act, cells, hidden, tanhs = ctx.saved_tensors
        steps, _, batch, h = tanhs.shape
        back = grads[0][..., h:].reshape(-1, h)[turn].view(steps, batch, h)
        dh_in = torch.stack([grads[0][..., :h], back], dim=1)  # [S, 2, B, H]
        i, o, f, g = torch.split(act, h, dim=3)
        # What does not depend on the recursion, for all steps at once.
        d_cell = o * (1 - tanhs * tanhs)
        k = torch.empty_like(act)
        ki, ko, kf, kg = torch.split(k, h, dim=3)
        torch.mul(g, i * (1 - i), out=ki)
        torch.mul(tanhs, o * (1 - o), out=ko)
        torch.mul(cells[:-1], f * (1 - f), out=kf)
        torch.mul(i, 1 - g * g, out=kg)
        dh = torch.zeros(2, batch, h)
        dc = torch.zeros(2, batch, h)
        for s in range(steps - 1, -1, -1):
            dh += dh_in[s]
            dc.addcmul_(dh, d_cell[s])
            k[s, ..., :h] *= dc
            k[s, ..., h : 2 * h] *= dh
            k[s, ..., 2 * h : 3 * h] *= dc
            k[s, ..., 3 * h :] *= dc
            dc *= f[s]
            torch.bmm(k[s], r, out=dh)
        dx = torch.zeros_like(flat)
        dw, dr, db = torch.empty_like(w), torch.empty_like(r), torch.empty(2, 4 * h)
        for d in range(2):
            kd = k[:, d].reshape(-1, 4 * h)
            dr[d] = kd.T @ hidden[:-1, d].reshape(-1, h)
            db[d] = kd.sum(0)
            if d == 1:
                kd = kd[turn]
            dw[d] = kd.T @ flat
            dx.addmm_(kd, w[d])
        return dx.view(steps, batch, -1), dw, dr, db, None


class BiLSTM(nn.Module):
    """Weights as ONNX lays them out: [direction, gates i o f c, ...]."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        k = 1 / math.sqrt(hidden)
        self.w = nn.Parameter(torch.empty(2, 4 * hidden, width).uniform_(-k, k))
        self.r = nn.Parameter(torch.empty(2, 4 * hidden, hidden).uniform_(-k, k))
        self.b = nn.Parameter(torch.zeros(2, 4 * hidden))
        # Forget gates open: remember by default.
        self.b.data[:, 2 * hidden : 3 * hidden] = 1.0

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """x [S, B, width], lengths [B] -> [S, B, 2 hidden]; undefined past a length."""
        steps, batch = x.shape[:2]
        s = torch.arange(steps)[:, None]
        mirrored = torch.where(s < lengths, lengths - 1 - s, s)
        turn = (mirrored * batch + torch.arange(batch)).reshape(-1)
        out: Tensor = _BiLSTM.apply(x, self.w, self.r, self.b, turn)  # type: ignore[no-untyped-call]
        return out

    def last(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Both directions' final states, [B, 2 hidden]."""
        out = self(x, lengths)
        h = out.shape[2] // 2
        rows = torch.arange(x.shape[1])
        return torch.cat([out[lengths - 1, rows, :h], out[0, :, h:]], dim=1)
