"""The feature CRF and the token SVM: what they learn, and what their tables hold."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from training.__main__ import main
from training.corpus import read
from training.failure import Refused
from training.linear import (
    CLASSES,
    JOINER,
    SOURCE,
    TARGET,
    Table,
    adapted,
    check_table,
    class_of,
    fold,
    of_classes,
)
from training.linear_command import fresh
from training.notes import Note, read_jsonl, write_jsonl
from training.recipe import PROFILES, Recipe, Source
from training.tools import call, lines
from training.work import make_private

from .helper import quiet
from .test_disclosure import COMMON, LISTED, OVERLOOKED, RARE, notes, only_in_phi

pytest.importorskip("pycrfsuite")

RECIPE = """
name = "t"
output = "model"
[notes.t]
path = "marked"
format = "marked"
dev = 0.1
[linear]
c1 = 0.0
c2 = 0.01
min_count = 1
"""

KINDS = {
    "crf": ["linear.kind=crf"],
    "svm": ["linear.kind=svm"],
    "kernel-svm": ["linear.kind=kernel-svm", "linear.binary=true", "linear.cost=10",
                   f"profile={PROFILES / 'binary.json'}"],
}  # fmt: skip

# Templates of words, of stems and of parts of words: see model/features.
WORDS = [f"@w{k:+d}={{}}" for k in range(-2, 3)] + ["@left={}", "@right={}", "%s+0={}"]
AFFIXES = [f"~{kind}{k}={{}}" for kind in "pq" for k in range(1, 5)] + ["~x-1={}", "~x+1={}"]


def trained(folder: Path, *more: str) -> Path:
    (folder / "marked").mkdir()
    notes(folder / "marked")
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    sets = [x for m in more for x in ("--set", m)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["training", "linear", str(folder / "recipe.toml"), *sets])
        assert main() == 0
    return folder / "model"


def annotated(folder: Path) -> list[Note]:
    source = {"t": Source(folder / "marked", "marked", dev=0.1)}
    corpus = read(source, folder / "work", 1, quiet)
    return [*corpus.train, *corpus.dev]


def held(model: Path, names: list[str]) -> set[str]:
    found, _ = call("weights", "--holds", model, stdin="\n".join(names).encode())
    return set(found.decode().split("\n")) - {""}


@pytest.mark.parametrize("kind", [*KINDS, "easyadapt"])
def test_a_table_holds_no_word_that_only_phi_has(tmp_path: Path, kind: str) -> None:
    if "svm" in kind:
        pytest.importorskip("sklearn")
    model = trained(tmp_path, *KINDS.get(kind, ['linear.target=["t"]']))
    described = json.loads((model / "model.json").read_text(encoding="utf-8"))
    assert ("target_notes" in described["training"]) == (kind == "easyadapt")
    secret = only_in_phi(annotated(tmp_path))
    assert len(secret) > 20
    secret |= {OVERLOOKED.lower(), RARE}
    every = [t.format(fold(w)) for t in (*WORDS, *AFFIXES) for w in secret]
    every += [f"@@w[{k},{k + 1}]={a}{JOINER}{b}" for k in range(-2, 2) for w in map(fold, secret)
              for a, b in ((w, ","), (",", w), ("dr", w), (w, "mrn"), (".", w))]  # fmt: skip
    assert held(model, every) == set()
    # What may stand there does, so that the search finds what there is.
    assert held(model, [t.format(COMMON) for t in WORDS])
    assert held(model, [t.format(LISTED.lower()) for t in WORDS])


@pytest.mark.parametrize("kind", KINDS)
def test_training_is_learnt_and_repeats_itself(tmp_path: Path, kind: str) -> None:
    pytest.importorskip("sklearn")
    digests = []
    for name in "ab":
        (tmp_path / name).mkdir()
        model = trained(tmp_path / name, *KINDS[kind])
        digests.append({f.name: hashlib.sha256(f.read_bytes()).hexdigest()
                        for f in model.iterdir() if f.name != "model.json"})  # fmt: skip
    assert digests[0] == digests[1]
    described = json.loads((model / "model.json").read_text(encoding="utf-8"))
    assert described["kind"] == kind
    gold = annotated(tmp_path / "b")
    write_jsonl(tmp_path / "notes.jsonl", gold)
    places = ("--model", model, "--input", tmp_path / "notes.jsonl", "--output", tmp_path / "out")
    call("tag", *places, "--from", "jsonl", "--to", "jsonl", "--rules", "none")
    found = {
        n.id: {(s.start, s.end, s.type) for s in n.spans}
        for n in read_jsonl(tmp_path / "out" / "notes.jsonl")
    }
    if kind == "kernel-svm":  # it tells no types, and touching names are one to it
        right = sum(any(f[0] <= s.start and s.end <= f[1] for f in found[n.id])
                    for n in gold for s in n.spans)  # fmt: skip
    else:
        right = sum((s.start, s.end, s.type) in found[n.id] for n in gold for s in n.spans)
    assert right > 0.8 * sum(len(n.spans) for n in gold)


def test_every_feature_is_of_a_class(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    text = "DISCHARGE SUMMARY\nPatient: José Álvarez\nSeen by:\nDr. Ann Smith (smith saw her)."
    path.write_text(json.dumps({"id": "a", "text": text, "spans": []}) + "\n", encoding="utf-8")
    seen = {class_of(name.partition("=")[0]) for line in lines("tokenize", "--features", "en", stdin=path)
            for name in line.split("\t")[1:]}  # fmt: skip
    assert seen == set(CLASSES)


def test_easy_adapt_counts_the_general_and_the_targets_weights() -> None:
    assert adapted(["a"], target=True) == ["a", TARGET + "a"]
    assert adapted(["a"], target=False) == ["a", SOURCE + "a"]
    table = Table(["O", "B-X"])
    for name, weight in ((TARGET + "a", 2.0), ("a", 0.5), (SOURCE + "a", 9.0), (TARGET + "b", 1.0)):
        table.add(name, "B-X", weight)
    assert table.weights == {("a", "B-X"): 2.5, ("b", "B-X"): 1.0}


def test_a_table_with_a_withheld_word_is_refused() -> None:
    table = Table(["O", "B-X"])
    table.add("@w+0=smith", "B-X", 1.0)
    check_table(table, {"vexnard"})
    for name in ("@left=vexnard", f"@@w[-1,0]=dr{JOINER}vexnard", "@lab=dr\x1evexnard\x1f0"):
        other = Table(table.labels)
        other.add(name, "B-X", 1.0)
        with pytest.raises(Refused):
            check_table(other, {"vexnard"})


def test_fold_is_that_of_the_job() -> None:
    assert [fold(w) for w in ("José", "ØRSTED", "Straße", "Ñuñez")] == [
        "jose", "orsted", "strasse", "nunez"]  # fmt: skip


def test_a_model_is_replaced_when_all_is_done(tmp_path: Path) -> None:
    """What lies beside it stays, whatever its name; nothing else is left."""
    (tmp_path / "model-old").mkdir()
    output = tmp_path / "model"
    recipe = Recipe("t", output, {})

    def make(text: str, fails: bool = False) -> None:
        with fresh(recipe) as new:
            assert new.output != output
            make_private(new.output)
            (new.output / "x").write_text(text)
            if fails:
                raise Refused("no")

    make("1")
    output.chmod(0o750)
    make("2")
    with pytest.raises(Refused, match="no"):
        make("3", fails=True)
    assert (output / "x").read_text() == "2"
    assert output.stat().st_mode & 0o777 == 0o750
    assert {p.name for p in tmp_path.iterdir()} == {"model", "model-old"}


def test_classes_of_features_can_be_chosen() -> None:
    made = [([["bias", "@w+0=a", "sh+0=X"]], ["O"])]
    assert list(of_classes(made, ["shape"])) == [([["bias", "sh+0=X"]], ["O"])]
    assert list(of_classes(made, [])) == made


def test_linear_takes_chosen_classes(tmp_path: Path) -> None:
    model = trained(tmp_path, 'linear.classes=["shape"]')
    assert held(model, [WORDS[2].format(COMMON)]) == set()
    card = (model / "README.md").read_text(encoding="utf-8")
    assert "PHI in the notes of at least 5 patients; of stems" in card
