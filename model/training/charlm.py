"""Character language models, one forward and one backward (Akbik, Blythe and Vollgraf 2018).

One LSTM guesses each character of a window from those before it, another from those behind.
Their states at a token are the token's contextual string embedding. The two share the
vectors of characters and nothing else.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from . import checkpoint
from .context import Characters
from .lstm import BiLSTM
from .recipe import CharLM
from .rng import Rng
from .windows import Window

Sequences = list[NDArray[np.int64]]  # the characters of each window
WARM_UP = 0.02  # share of the budget in which the rate rises


class LanguageModels(nn.Module):
    """Both models."""

    def __init__(self, characters: int, d: CharLM) -> None:
        super().__init__()
        self.hidden = d.hidden
        self.embedding = nn.Embedding(characters, d.embedding)
        self.lstm = BiLSTM(d.embedding, d.hidden)
        self.next = nn.Linear(d.hidden, characters)
        self.previous = nn.Linear(d.hidden, characters)

    def states(self, chars: Tensor, lengths: Tensor) -> Tensor:
        """chars [C, B], lengths [B] -> [C, B, 2 hidden]: forward states, backward states."""
        out: Tensor = self.lstm(self.embedding(chars), lengths)
        return out

    def losses(self, chars: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Surprise (nats, summed) of the forward and of the backward model. A window's first
        character is nothing to guess forward, its last nothing to guess backward."""
        out, h = self.states(chars, lengths), self.hidden
        inside = torch.arange(len(chars) - 1, device=chars.device)[:, None] < lengths - 1
        ahead = self.next(out[:-1, :, :h][inside])
        back = self.previous(out[1:, :, h:][inside])
        lost = nn.functional.cross_entropy
        return (
            lost(ahead, chars[1:][inside], reduction="sum"),
            lost(back, chars[:-1][inside], reduction="sum"),
        )


@dataclass
class Trained:
    """Language models, the characters they know, and a report of their training."""

    network: LanguageModels
    characters: Characters
    report: dict[str, Any] = field(default_factory=dict)


@dataclass
class _Run:
    network: LanguageModels
    optimizer: torch.optim.Optimizer
    characters: Characters
    round: int = 0  # that are done
    trained: int = 0  # characters
    seconds: float = 0.0  # of processor time
    history: list[dict[str, Any]] = field(default_factory=list)


def known_characters(windows: Sequence[Window], least: int) -> Characters:
    """The characters that are seen so often; a blank and a line end always."""
    counts = Counter(c for w in windows for f in w.forms for c in f)
    kept = {c for c, n in counts.items() if n >= least and c not in "\n\r\x00"} | {" "}
    return Characters(sorted(kept))


def train(
    windows_of: Callable[[int], Sequence[Window]],
    held: Sequence[Window],
    d: CharLM,
    seed: int,
    key: str,
    log: Callable[[str], None],
    device: str = "cpu",
    save_to: Path | None = None,
    resume: bool = False,
) -> Trained:
    """Trains until the budget of characters is spent. windows_of gives the text of a round.

    After each round a checkpoint is written to save_to; with resume, training goes on from it
    to the same weights as if it had not been interrupted.
    """
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    if resume and save_to is not None and save_to.exists():
        run = _resumed(checkpoint.load(save_to, key), d, device)
        log(f"going on after {run.trained} of {d.characters} characters")
    else:
        characters = known_characters(windows_of(0), d.min_count)
        network = LanguageModels(len(characters), d).to(device)
        run = _Run(network, _optimizer(network, d), characters)
    tried = [run.characters.sequence(w)[0] for w in held]
    while run.trained < d.characters:
        _round(run, [run.characters.sequence(w)[0] for w in windows_of(run.round)], d, seed)
        found = perplexity(run.network, tried)
        run.history.append({"characters": run.trained, **found})
        log(
            f"{run.trained} of {d.characters} characters, {run.seconds:.0f} s; held back: "
            f"perplexity of a character {found['forward']} forward, {found['backward']} backward"
        )
        if save_to is not None:
            checkpoint.save(save_to, _state(run, key))
    report = {
        "characters": run.trained,
        "cpu_seconds": round(run.seconds, 1),
        "history": run.history,
        "held_back": {
            "windows": len(held),
            "characters": sum(len(s) - 1 for s in tried),
            "perplexity": {k: v for k, v in run.history[-1].items() if k != "characters"},
        },
    }
    return Trained(run.network.cpu(), run.characters, report)


def perplexity(network: LanguageModels, sequences: Sequences) -> dict[str, float]:
    """Perplexity of a character, by each direction."""
    device = network.embedding.weight.device
    lost, guessed = np.zeros(2), 0
    network.eval()
    with torch.no_grad():
        for part in _batches(sequences, 16384):
            chars, lengths = _padded([sequences[i] for i in part], device)
            lost += [float(x) for x in network.losses(chars, lengths)]
            guessed += int((lengths - 1).sum())
    network.train()
    forward, backward = (round(math.exp(x / max(1, guessed)), 3) for x in lost)
    return {"forward": forward, "backward": backward}


def _round(run: _Run, sequences: Sequences, d: CharLM, seed: int) -> None:
    """Trains on a round's text, or on what of it the budget leaves."""
    started = time.process_time()
    parts = _batches(sequences, d.batch)
    device = run.network.embedding.weight.device
    for k in Rng(seed, f"charlm/batches/{run.round}").g.permutation(len(parts)):
        if run.trained >= d.characters:
            break
        chars, lengths = _padded([sequences[i] for i in parts[int(k)]], device)
        for group in run.optimizer.param_groups:
            group["lr"] = d.rate * _share(run.trained / d.characters)
        guessed = int((lengths - 1).sum())
        forward, backward = run.network.losses(chars, lengths)
        run.optimizer.zero_grad(set_to_none=True)
        ((forward + backward) / guessed).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(run.network.parameters(), 1.0)
        run.optimizer.step()
        run.trained += guessed
    run.round += 1
    run.seconds += time.process_time() - started


def _share(done: float) -> float:
    """Of the rate: it rises, then falls along a cosine to a fiftieth."""
    if done < WARM_UP:
        return 0.02 + done / WARM_UP
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))


def _batches(sequences: Sequences, most: int) -> list[list[int]]:
    """Batches of sequences of like length, of at most so many padded characters."""
    batches: list[list[int]] = []
    for i in sorted(range(len(sequences)), key=lambda i: (len(sequences[i]), i)):
        if not batches or (len(batches[-1]) + 1) * len(sequences[i]) > most:
            batches.append([])
        batches[-1].append(i)
    return batches


def _padded(sequences: Sequences, device: torch.device) -> tuple[Tensor, Tensor]:
    chars = torch.zeros(max(map(len, sequences)), len(sequences), dtype=torch.int64)
    for b, s in enumerate(sequences):
        chars[: len(s), b] = torch.from_numpy(s)
    return chars.to(device), torch.tensor([len(s) for s in sequences], device=device)


def _optimizer(network: LanguageModels, d: CharLM) -> torch.optim.Optimizer:
    return torch.optim.Adam(network.parameters(), lr=d.rate, betas=(0.9, 0.99))


def _state(run: _Run, key: str) -> dict[str, Any]:
    return {
        "key": key,
        "network": run.network.state_dict(),
        "optimizer": run.optimizer.state_dict(),
        "characters": run.characters.known,
        "round": run.round,
        "trained": run.trained,
        "seconds": run.seconds,
        "history": run.history,
    }


def _resumed(state: dict[str, Any], d: CharLM, device: str) -> _Run:
    characters = Characters(state["characters"])
    network = LanguageModels(len(characters), d)
    network.load_state_dict(state["network"])
    network.to(device)
    optimizer = _optimizer(network, d)
    optimizer.load_state_dict(state["optimizer"])
    run = _Run(network, optimizer, characters, state["round"], state["trained"], state["seconds"])
    run.history = state["history"]
    return run
