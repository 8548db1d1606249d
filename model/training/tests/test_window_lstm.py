"""The sliding-window LSTM: what it learns, what its table holds, and that the job runs it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from training.__main__ import main
from training.cbow import cbow
from training.notes import Note, read_jsonl, write_jsonl
from training.tools import call
from training.window_lstm import UNKNOWN, Lines, Text, normal, starts, texts, window_labels
from training.windows import tokenize

from .test_disclosure import COMMON, LISTED, OVERLOOKED, RARE, notes, only_in_phi
from .test_linear import annotated

RECIPE = """
name = "t"
output = "model"
[notes.t]
path = "marked"
format = "marked"
dev = 0.1
[sliding]
length = 6
stride = 2
width = 16
hidden = 24
epochs = 80
batch = 16
rate = 0.02
"""


def trained(folder: Path, *more: str) -> Path:
    (folder / "marked").mkdir()
    notes(folder / "marked")
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["training", "window-lstm", str(folder / "recipe.toml"), *more])
        assert main() == 0
    return folder / "model"


def found(model: Path, folder: Path, gold: list[Note]) -> dict[str, list[tuple[int, int, str]]]:
    """What the job's own code finds."""
    write_jsonl(folder / "notes.jsonl", gold)
    places = ("--model", model, "--input", folder / "notes.jsonl", "--output", folder / "out")
    call("tag", *places, "--from", "jsonl", "--to", "jsonl", "--rules", "none")
    read = read_jsonl(folder / "out" / "notes.jsonl")
    return {n.id: [(s.start, s.end, s.type) for s in n.spans] for n in read}


def expected(model: Path, gold: list[Note]) -> dict[str, list[tuple[int, int, str]]]:
    """The same by an independent reader of the directory, with the paper's rules as they stand
    there: all labels of a token first, then a choice."""
    d = json.loads((model / "model.json").read_text(encoding="utf-8"))
    lines = Lines(
        (model / "vocabulary.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    )
    width, length = d["dimensions"]["token"], d["window"]["length"]
    table = np.fromfile(model / "embedding.f32", dtype="<f4").reshape(-1, width)
    graph = onnxruntime.InferenceSession(model / "window.onnx")
    out: dict[str, list[tuple[int, int, str]]] = {n.id: [] for n in gold}
    for n in gold:
        windows, _ = tokenize([n])
        (t,) = texts(windows)
        begin = [x for w in windows for x in w.start]
        end = [x for w in windows for x in w.end]
        votes: list[list[tuple[int, str]]] = [[] for _ in t.forms]  # place in the window, label
        for s in starts(len(t.forms), length, d["window"]["stride"]):
            rows = table[lines.numbers(t)[s : s + length]][:, None]
            inputs = {"x": rows, "lengths": np.array([len(rows)], dtype=np.int32)}
            (e,) = graph.run(["emissions"], inputs)
            for k, at in enumerate(e[:, 0].argmax(axis=1)):
                votes[s + k].append((k, d["labels"][at]))
        before = "O"
        for i, of in enumerate(votes):
            label = max((v for v in of if v[1] != "O"), default=(0, "O"))[1]
            if label[0] == "I" and before[2:] == label[2:]:
                a, _, kind = out[n.id][-1]
                out[n.id][-1] = (a, end[i], kind)
            elif label != "O":
                out[n.id].append((begin[i], end[i], label[2:]))
            before = label
    return out


def test_training_learns_repeats_and_the_job_runs_it(tmp_path: Path) -> None:
    digests = []
    for name in "ab":
        (tmp_path / name).mkdir()
        model = trained(tmp_path / name)
        digests.append({f.name: hashlib.sha256(f.read_bytes()).hexdigest()
                        for f in model.iterdir() if f.name not in ("model.json", "README.md")})  # fmt: skip
    assert len(digests[0]) == 3
    assert digests[0] == digests[1]
    gold = annotated(tmp_path / "b")
    spans = found(model, tmp_path, gold)
    assert spans == expected(model, gold)
    wanted = [(n.id, s.start, s.end, s.type) for n in gold for s in n.spans]
    right = sum((s, e, t) in spans[id_] for id_, s, e, t in wanted)
    assert right > 0.7 * len(wanted)


def test_the_vocabulary_holds_no_word_that_only_phi_has(tmp_path: Path) -> None:
    model = trained(tmp_path, "--set", "sliding.epochs=1")
    lines = (model / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    held = {x.lower() for x in lines}
    secret = {w for w in only_in_phi(annotated(tmp_path)) if not w.isdigit()}
    assert len(secret) > 10
    assert not held & (secret | {OVERLOOKED.lower(), RARE})
    # What may stand there does.
    assert COMMON in held
    assert LISTED.lower() in held
    assert not any(c.isdecimal() and c != "0" for x in lines[len(UNKNOWN) + 2 :] for c in x)


def test_experiment_writes_a_model_for_each_overlap(tmp_path: Path) -> None:
    model = trained(tmp_path, "--experiment", "--set", "sliding.epochs=1")
    rows = {}
    for file in sorted(model.glob("windows-*/model.json")):
        d = json.loads(file.read_text(encoding="utf-8"))
        assert d["training"]["experiment"]["group"] == "windows"
        rows[d["training"]["experiment"]["row"]] = (d["window"]["length"], d["window"]["stride"])
    assert len(rows) == 9
    assert rows["15 tokens, a third on"] == (15, 5)
    assert rows["31 tokens, no overlap"] == (31, 31)


@pytest.mark.parametrize(
    ("tokens", "length", "stride", "want"),
    [(0, 15, 5, []), (1, 15, 5, [0]), (15, 15, 5, [0]), (16, 15, 5, [0, 1]), (25, 15, 5, [0, 5, 10]),
     (13, 4, 4, [0, 4, 8, 9]), (6, 3, 1, [0, 1, 2, 3])],
)  # fmt: skip
def test_windows_are_those_of_the_job(
    tokens: int, length: int, stride: int, want: list[int]
) -> None:
    assert starts(tokens, length, stride) == want


def test_broken_spans_are_none() -> None:
    labels = ["B-A", "I-A", "E-A", "O", "S-B", "B-C", "E-C"]
    assert window_labels(labels, 0, 7) == ["B-A", "I-A", "I-A", "O", "B-B", "B-C", "I-C"]
    assert window_labels(labels, 1, 6) == ["O", "O", "O", "B-B", "O"]
    assert window_labels(labels, 0, 2) == ["O", "O"]


def test_forms() -> None:
    assert [normal(f) for f in ("Ann", "ann", "1990", "٣B", "\n", "\n\n")] == [
        "Ann", "ann", "0000", "0B", "<nl>", "<nl2>",
    ]  # fmt: skip
    lines = Lines([*UNKNOWN, "<nl>", "<nl2>", "Ann"])
    t = Text(["Ann", "Bob", "x" * 97, "\n"], [1, 1, 0, 7], ["O"] * 4)
    assert lines.numbers(t).tolist() == [len(UNKNOWN) + 2, 1, 0, len(UNKNOWN)]


def test_cbow_puts_forms_of_one_use_together() -> None:
    rng = np.random.default_rng(1)
    sentences = []  # a colour (0 to 4) stands before a thing (5 to 9), a verb (10 to 14) behind
    for _ in range(600):
        c, t, v = rng.integers(5, size=3)
        sentences.append(np.array([c, 5 + t, 10 + v, 15], dtype=np.int64))
    v = cbow(sentences, 17, 16, np.random.default_rng(1), epochs=30, reach=2)
    assert np.isfinite(v).all()
    unit = v[:15] / np.linalg.norm(v[:15], axis=1, keepdims=True)
    alike = (unit @ unit.T).reshape(3, 5, 3, 5).mean(axis=(1, 3))
    for k in range(3):
        assert alike[k, k] == alike[k].max()
    assert np.abs(v[16]).max() < 0.1  # never seen
    again = cbow(sentences, 17, 16, np.random.default_rng(1), epochs=30, reach=2)
    assert (again == v).all()
