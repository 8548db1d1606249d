"""Pre-trained vectors stay, the others move, and a folded embedding does the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from training.failure import Refused
from training.pretrained import FixedEmbedding, extend, known_vectors, read
from training.vocabulary import Vocabulary

VECTORS = {"rose": [1.0, 0.5], "o'brien": [3.0, 3.0], "2019": [4.0, 4.0], "leeds": [-0.25, 2.0]}


@pytest.fixture(params=["vectors.txt", "vectors.json"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path: Path = tmp_path / request.param
    if path.suffix == ".json":
        data = {"dimensions": 2, "words": list(VECTORS)}
        data["vectors"] = {w: [*v, 9.0, 9.0] for w, v in VECTORS.items()}
        path.write_text(json.dumps(data))
    else:
        path.write_text("".join(f"{w} {v[0]} {v[1]}\n" for w, v in VECTORS.items()))
    return path


def test_read_takes_words_of_letters(file: Path) -> None:
    p = read(file, 2)
    assert p.words == ["rose", "leeds"]
    assert p.vectors.tolist() == [[1.0, 0.5], [-0.25, 2.0]]
    with pytest.raises(Refused, match=r"width network\.token, 3"):
        read(file, 3)
    file.write_text("{}" if file.suffix == ".json" else "rose one\n")
    with pytest.raises(Refused, match="no word vectors"):
        read(file, 2)


def test_extend_adds_what_is_not_there(file: Path) -> None:
    p = read(file, 2)
    v = extend(Vocabulary(["<unk>", "rose"], ["a"]), p, 5)
    assert v.forms == ["<unk>", "rose", "leeds"]
    assert extend(v, p, 5).forms == v.forms
    fixed, vectors = known_vectors(v, p)
    assert fixed.tolist() == [False, True, True]
    assert vectors.tolist() == [[0, 0], [1.0, 0.5], [-0.25, 2.0]]


def test_fixed_rows_stay_and_free_ones_move() -> None:
    vectors = np.arange(8, dtype=np.float32).reshape(4, 2)
    fixed = np.array([False, True, False, True])
    e = FixedEmbedding(vectors, fixed)
    ids = torch.tensor([3, 0, 2, 1, 0])
    assert torch.equal(e(ids), torch.from_numpy(vectors)[ids])
    optimizer = torch.optim.Adam(e.parameters(), lr=0.1)
    e(ids).square().sum().backward()
    optimizer.step()
    folded = e.folded()
    assert isinstance(folded, nn.Embedding)
    assert torch.equal(folded(ids), e(ids))
    moved = (folded.weight.detach().numpy() != vectors).any(axis=1)
    assert moved.tolist() == [True, False, True, False]


def test_words_may_hold_blanks(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("rose 1.0 0.5\n. . . 2.0 1.0\nat name@domain.com 3.0 1.0\n")
    assert read(path, 2).words == ["rose"]
    path.write_text("rose 1.0 0.5\nleeds 1.0\n")
    with pytest.raises(Refused, match=r"width network\.token, 2"):
        read(path, 2)
