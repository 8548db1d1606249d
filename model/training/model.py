"""A trained network with what is needed to run it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from .context import Contexts
from .network import Network
from .notes import Note, Span
from .recipe import Settings
from .scheme import viterbi
from .score import Scorer, Scores
from .vocabulary import Vocabulary, make_batch
from .windows import Window, spans_of


@dataclass
class Model:
    """A network, its vocabulary and labels, and a report of its training."""

    network: Network
    vocabulary: Vocabulary
    labels: list[str]
    settings: Settings
    report: dict[str, Any] = field(default_factory=dict)
    contexts: Contexts | None = None  # language models that the network reads

    def predict(self, windows: Sequence[Window], recall_bias: float = 0.0) -> list[list[str]]:
        """Returns each window's labels, by Viterbi over legal transitions.

        recall_bias (nats) is subtracted from O's emissions, as the job can.
        """
        self.network.eval()
        device = next(self.network.parameters()).device
        transitions = self.network.crf.transitions().detach().cpu().numpy()
        index = {x: i for i, x in enumerate(self.labels)}
        out: list[list[str]] = [[]] * len(windows)
        order = sorted(range(len(windows)), key=lambda i: len(windows[i].forms))
        with torch.no_grad():
            for at in range(0, len(order), 32):
                part = order[at : at + 32]
                chosen = [windows[i] for i in part]
                b = make_batch(chosen, self.vocabulary, index, contexts=self.contexts)
                e = self.network(b.to(device)).cpu().numpy()
                e[:, :, index["O"]] -= recall_bias
                for j, i in enumerate(part):
                    path = viterbi(e[: len(windows[i].forms), j], transitions, self.labels)
                    out[i] = [self.labels[k] for k in path]
        return out

    def find(self, windows: Sequence[Window], recall_bias: float = 0.0) -> dict[str, list[Span]]:
        """Returns the spans found, by note id."""
        return collect(windows, self.predict(windows, recall_bias))


def collect(windows: Sequence[Window], labels: Sequence[Sequence[str]]) -> dict[str, list[Span]]:
    """Returns the spans of each note's windows, by note id."""
    found: dict[str, list[Span]] = {w.id: [] for w in windows}
    for w, path in zip(windows, labels, strict=True):
        found[w.id] += spans_of(w, path)
    return found


@dataclass
class Held:
    """Notes held out of training, cut into windows, and their scorer."""

    notes: Sequence[Note]
    windows: Sequence[Window]
    scorer: Scorer

    def score(self, model: Model, recall_bias: float = 0.0) -> Scores:
        return self.of_labels(model.predict(self.windows, recall_bias))

    def of_labels(self, labels: Sequence[Sequence[str]]) -> Scores:
        """Scores the labels of each window, whoever found them."""
        return self.scorer.score(collect(self.windows, labels))
