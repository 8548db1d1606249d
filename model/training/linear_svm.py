"""The token SVMs of Tafvizi and Pacula 2010: linear by liblinear, others by LIBSVM."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from .failure import Refused
from .linear import Sentence, Table, Vectors, adapted, chosen
from .recipe import Linear

ANY = "PHI"  # the one type of a model that only tells PHI from other words


def train_svm(
    parts: Iterable[tuple[bool, Iterable[Sentence]]],
    o: Linear,
    path: Path,
    log: Callable[[str], None],
) -> Table:
    """Trains one linear classifier for each type against all else. path is not used."""
    x, labels, names = tokens(parts, o)
    from sklearn.svm import LinearSVC

    started = time.monotonic()
    machine = LinearSVC(C=o.cost, fit_intercept=False, random_state=0)  # "bias" is a feature
    machine.fit(x, labels)
    log(f"liblinear: {time.monotonic() - started:.0f} s for {len(labels)} tokens")
    classes = [str(c) for c in machine.classes_]
    table = Table(["O", *(c for c in classes if c != "O")])
    weights = machine.coef_
    if len(classes) == 2:  # one hyperplane: above it is the second class
        weights = np.stack([-weights[0] / 2, weights[0] / 2])
    for row, label in zip(weights, classes, strict=True):
        for column in np.flatnonzero(np.abs(row) > 1e-3):
            table.add(names[int(column)], label, float(row[column]))
    return table


def train_kernel(
    parts: Iterable[tuple[bool, Iterable[Sentence]]],
    o: Linear,
    path: Path,
    log: Callable[[str], None],
) -> Vectors:
    """Trains a machine with a kernel that tells PHI from other words, from the first tokens,
    at most o.tokens. path is not used."""
    if not o.binary or o.target:
        raise Refused("linear: a kernel-svm is trained with binary = true, and without target")
    x, labels, names = tokens(parts, o)
    from sklearn.svm import SVC

    x.data[:] = 1  # a token has a feature or has it not
    started = time.monotonic()
    kernel = {"quadratic": "poly", "gaussian": "rbf"}[o.kernel]
    machine = SVC(C=o.cost, kernel=kernel, degree=2, gamma=o.gamma, coef0=1.0, cache_size=400)
    machine.fit(x, [label != "O" for label in labels])
    log(f"LIBSVM: {time.monotonic() - started:.0f} s, {len(machine.support_)} vectors")
    held = machine.support_vectors_.tocsc()
    of = [(n, held.indices[held.indptr[k] : held.indptr[k + 1]].tolist())
          for k, n in enumerate(names)]  # fmt: skip
    form: dict[str, Any] = {"name": o.kernel, "gamma": o.gamma}
    if o.kernel == "quadratic":
        form["offset"] = 1.0
    form["bias"] = float(machine.intercept_[0])
    return Vectors(["O", ANY], of, np.asarray(machine.dual_coef_.todense())[0].tolist(), form)


def tokens(parts: Iterable[tuple[bool, Iterable[Sentence]]], o: Linear) -> tuple[Any, Any, Any]:
    """The tokens that are trained on: a sparse matrix [tokens, features], their types, and
    the features' names."""
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise Refused("scikit-learn is needed: pip install -r requirements-linear.txt") from None
    number: dict[str, int] = {}
    counts: Counter[int] = Counter()
    columns: list[np.ndarray] = []
    labels: list[str] = []
    for target, part in parts:
        for of, bio in part:
            for names, label in zip(of, bio, strict=True):
                if o.tokens and len(labels) == o.tokens:
                    break
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
    every = list(number)
    return x, labels, [every[k] for k in frequent]
