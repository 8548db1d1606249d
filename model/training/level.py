"""A student that finds as much as its teachers.

A smaller network is in doubt more often than those that it learnt from, and where it is, "no PHI"
is the likeliest label: it finds less and is right more often. So what makes up for that is taken
from the score of O, as the job's recall_bias does, and is part of the model.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .model import Held, Model
from .runtime import Directory

MOST = 50  # hundredths of a nat; a student that needs more did not learn enough


def level(model: Model, teachers: Sequence[Directory], dev: Held) -> float:
    """Takes from the score of O the least, in hundredths of a nat, with which the network finds as
    large a share of dev's tokens of PHI as the best of its teachers, and MOST where that does not
    do. Returns it, in nats."""
    wanted = max(dev.of_labels(t.predict(dev.windows)).token.recall for t in teachers)
    low, high = 0, MOST
    while low < high:
        middle = (low + high) // 2
        if dev.score(model, middle / 100).token.recall < wanted:
            low = middle + 1
        else:
            high = middle
    with torch.no_grad():
        model.network.out.bias[model.labels.index("O")] -= low / 100
    return low / 100
