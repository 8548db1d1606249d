"""The BIOES label scheme: which labels there are and which may follow which."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

# The i2b2 2014 types in the guideline's order, so that label numbers do not
# depend on which note comes first.
TYPES = [
    "PATIENT",
    "DOCTOR",
    "USERNAME",
    "PROFESSION",
    "ROOM",
    "DEPARTMENT",
    "HOSPITAL",
    "ORGANIZATION",
    "STREET",
    "CITY",
    "STATE",
    "COUNTRY",
    "ZIP",
    "LOCATION-OTHER",
    "AGE",
    "DATE",
    "PHONE",
    "FAX",
    "EMAIL",
    "URL",
    "IPADDR",
    "SSN",
    "MEDICALRECORD",
    "HEALTHPLAN",
    "ACCOUNT",
    "LICENSE",
    "VEHICLE",
    "DEVICE",
    "BIOID",
    "IDNUM",
    "OTHER",
]


def labels_for(types: Iterable[str]) -> list[str]:
    """Returns O and then B-, I-, E-, S- of each type: i2b2 2014's in the
    guideline's order, then a corpus's own by name."""
    wanted = set(types)
    ordered = [t for t in TYPES if t in wanted] + sorted(wanted.difference(TYPES))
    return ["O"] + [f"{p}-{t}" for t in ordered for p in "BIES"]


def may_follow(a: str, b: str) -> bool:
    """Reports whether label b may follow label a."""
    if a[0] in "OES":
        return b[0] in "OBS"
    return b[0] in "IE" and a[2:] == b[2:]


def legal(labels: list[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns masks: transitions [L, L] (from, to), starts [L], ends [L]."""
    step = np.array([[may_follow(a, b) for b in labels] for a in labels])
    start = np.array([x[0] in "OBS" for x in labels])
    end = np.array([x[0] in "OES" for x in labels])
    return step, start, end


def viterbi(
    emissions: NDArray[np.float32], transitions: NDArray[np.float32], labels: list[str]
) -> list[int]:
    """Returns the best legal path through emissions [S, L].

    transitions is [L+2, L]: row = from, column = to, then a row of start and a
    row of end scores.
    """
    n = len(labels)
    step, start, end = legal(labels)
    t = np.where(step, transitions[:n], -np.inf)
    score = np.where(start, transitions[n], -np.inf) + emissions[0]
    back = np.zeros((len(emissions), n), dtype=np.int64)
    for i in range(1, len(emissions)):
        all_ = score[:, None] + t
        back[i] = all_.argmax(axis=0)
        score = all_.max(axis=0) + emissions[i]
    last = int((score + np.where(end, transitions[n + 1], -np.inf)).argmax())
    path = [last]
    for i in range(len(emissions) - 1, 0, -1):
        path.append(int(back[i][path[-1]]))
    return path[::-1]
