"""The token SVM of Tafvizi and Pacula 2010, with a linear kernel, by liblinear."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from .failure import Refused
from .linear import Sentence, Table, adapted, chosen
from .recipe import Linear

ANY = "PHI"  # the one type of a model that only tells PHI from other words


def train_svm(
    parts: Iterable[tuple[bool, Iterable[Sentence]]],
    o: Linear,
    path: Path,
    log: Callable[[str], None],
) -> Table:
    """Trains one linear classifier for each type against all else. path is not used."""
    try:
        from scipy.sparse import csr_matrix
        from sklearn.svm import LinearSVC
    except ImportError:
        raise Refused("scikit-learn is needed: pip install -r requirements-linear.txt") from None

    number: dict[str, int] = {}
    counts: Counter[int] = Counter()
    columns: list[np.ndarray] = []
    labels: list[str] = []
    for target, part in parts:
        for tokens, bio in part:
            for names, label in zip(tokens, bio, strict=True):
                names = adapted(names, target) if o.target else names
                seen = np.array([number.setdefault(n, len(number)) for n in names], dtype=np.int32)
                counts.update(seen.tolist())
                columns.append(seen)
                type_ = chosen(label, o.labels)[2:]
                labels.append("O" if not type_ else ANY if o.binary else type_)
    kept = np.full(len(number), -1, dtype=np.int32)
    frequent = [k for k, n in counts.items() if n >= o.min_count]
    kept[frequent] = np.arange(len(frequent), dtype=np.int32)
    rows = [c[c >= 0] for c in (kept[c] for c in columns)]
    starts = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
    x = csr_matrix(
        (np.ones(starts[-1], dtype=np.float64), np.concatenate(rows), starts),
        shape=(len(rows), len(frequent)),
    )
    x.sum_duplicates()
    started = time.monotonic()
    machine = LinearSVC(C=o.cost, fit_intercept=False, random_state=0)  # "bias" is a feature
    machine.fit(x, labels)
    log(f"liblinear: {time.monotonic() - started:.0f} s for {len(rows)} tokens")
    classes = [str(c) for c in machine.classes_]
    table = Table(["O", *(c for c in classes if c != "O")])
    names = list(number)
    weights = machine.coef_
    if len(classes) == 2:  # one hyperplane: above it is the second class
        weights = np.stack([-weights[0] / 2, weights[0] / 2])
    for row, label in zip(weights, classes, strict=True):
        for column in np.flatnonzero(np.abs(row) > 1e-3):
            table.add(names[frequent[int(column)]], label, float(row[column]))
    return table
