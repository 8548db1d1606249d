"""A BiLSTM-CRF that reads, beside what a tagger knows of each token, the states of a pretrained
encoder, which is trained with it. The job runs it as it runs a network over language models.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .bert import Encoder
from .bert_graph import graph
from .context import GRAPH, Contexts
from .model import Model
from .network import Batch, Network
from .recipe import EncoderSettings, Settings
from .train import known_drop
from .vocabulary import make_batch
from .windows import Window
from .wordpieces import BITS, TABLE, Pieces

WARM_UP = 0.06  # share of all steps
DECAY = 0.01  # of the encoder's weights
MASKED = 0.03  # of the pieces
LIKE = 24  # pieces by which sequences of a batch may differ in length, more or less
Log = Callable[[str], None]


class Tagger(nn.Module):
    """An encoder and the network that reads its states."""

    def __init__(self, encoder: Encoder, network: Network) -> None:
        super().__init__()
        self.encoder, self.network = encoder, network

    def loss(self, b: Batch, read: Sequence[Tensor]) -> Tensor:
        """Minus the log likelihood of the gold labels, summed over the windows."""
        return self.network.loss(replace(b, context=self.encoder(*read)))


def fresh(encoder: Encoder, base: Model, settings: Settings) -> Tagger:
    """A network that is to be trained. What it knows of forms and characters is base's, and
    stays as it is."""
    d = replace(
        base.settings.network,
        hidden=settings.network.hidden,
        dense=settings.network.dense,
        context=encoder.width,
    )
    v = base.vocabulary
    dropout = settings.training.dropout
    network = Network(d, len(v.forms), len(v.characters), base.labels, dropout)
    for name in ("embedding", "char_embedding", "char_lstm", "char_out"):
        part = network.get_submodule(name)
        part.load_state_dict(base.network.get_submodule(name).state_dict())
        part.requires_grad_(False)
    return Tagger(encoder, network)


def batches(lengths: Sequence[int], most: int, rng: np.random.Generator) -> list[list[int]]:
    """Sequences of like length together, at most so many pieces with padding, in a random order."""
    order = np.argsort(lengths + LIKE * rng.random(len(lengths)), kind="stable")
    out: list[list[int]] = []
    longest = 0
    for i in map(int, order):
        longest = max(longest, lengths[i])
        if out and (len(out[-1]) + 1) * longest <= most:
            out[-1].append(i)
        else:
            out.append([i])
            longest = lengths[i]
    return [out[int(k)] for k in rng.permutation(len(out))]


def pieces_of(
    pieces: Pieces, windows: Sequence[Window], rng: np.random.Generator | None = None
) -> list[Tensor]:
    """What Encoder.forward takes of windows; rng masks some pieces."""
    read = [pieces.sequence(w) for w in windows]
    lengths = [len(numbers) for numbers, _ in read]
    padded = np.zeros((len(windows), max(lengths)), np.int64)
    at = np.zeros((max(len(w.forms) for w in windows), len(windows), 2), np.int64)
    for b, (numbers, places) in enumerate(read):
        padded[b, : len(numbers)] = numbers
        at[: len(places), b] = places
    if rng is not None:
        told = padded & ((1 << BITS) - 1)
        hidden = (told >> 2 > 0) & (rng.random(padded.shape) < MASKED)
        padded[hidden] = pieces.mask << BITS | told[hidden]
    return [torch.from_numpy(padded), torch.tensor(lengths), torch.from_numpy(at)]


def train(
    tagger: Tagger,
    pieces: Pieces,
    base: Model,
    windows: Sequence[Window],
    d: EncoderSettings,
    settings: Settings,
    log: Log,
) -> int:
    """Reads all windows once, and returns how many tokens that were."""
    t = settings.training
    rng = np.random.default_rng(t.seed)
    drop = known_drop(windows, settings)
    parts = batches([pieces.count(w.forms) for w in windows], d.batch, rng)
    optimizer = torch.optim.AdamW(
        [
            {"params": list(tagger.encoder.parameters()), "lr": d.rate, "weight_decay": DECAY},
            {"params": [p for p in tagger.network.parameters() if p.requires_grad], "lr": t.rate,
             "weight_decay": 0.0},
        ],
        betas=(0.9, 0.98),
        fused=True,
    )  # fmt: skip
    rates = [g["lr"] for g in optimizer.param_groups]
    trained = [p for g in optimizer.param_groups for p in g["params"]]
    index = {x: i for i, x in enumerate(base.labels)}
    tagger.train()
    began, lost, tokens, all_tokens = time.monotonic(), 0.0, 0, 0
    for k, part in enumerate(parts):
        share = k / len(parts)
        for g, rate in zip(optimizer.param_groups, rates, strict=True):
            g["lr"] = rate * min(share / WARM_UP, (1 - share) / (1 - WARM_UP))
        chosen = [windows[i] for i in part]
        b = make_batch(chosen, base.vocabulary, index, drop, rng, t.blank)
        loss = tagger.loss(b, pieces_of(pieces, chosen, rng))
        optimizer.zero_grad(set_to_none=True)
        (loss / len(part)).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trained, t.clip)
        optimizer.step()
        lost += float(loss.detach())
        tokens += int(b.lengths.sum())
        if k % 100 == 99 or k + 1 == len(parts):
            left = (time.monotonic() - began) / (k + 1) * (len(parts) - k - 1) / 60
            log(f"step {k + 1} of {len(parts)}; loss {lost / tokens:.4f}; {left:.0f} min left")
            all_tokens, lost, tokens = all_tokens + tokens, 0.0, 0
    tagger.eval()
    return all_tokens


def contexts(
    encoder: Encoder, pieces: Pieces, d: EncoderSettings, told: dict[str, Any]
) -> Contexts:
    """The encoder as the network reads it once it is trained."""
    files = {GRAPH: graph(encoder), TABLE: ("\n".join(pieces.known) + "\n").encode()}
    tokenizer = {"window_tokens": d.window, "least_tokens": d.least, "pieces": pieces.places}
    return Contexts(told, files, encoder.width, tokenizer)
