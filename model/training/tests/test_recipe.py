"""Recipes: typed, with the nearest key where one is misspelt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training.card import load_profile
from training.checks import check_recipe
from training.failure import Refused
from training.recipe import PROFILES, RECIPES, Recipe, load
from training.tools import ROOT
from training.windows import CUTS

BASE = """
name = "ours"
output = "out/model"
[notes.ours]
path = "notes"
format = "brat"
dev = 0.2
"""


def recipe(tmp_path: Path, more: str = "", *overrides: str, base: str = BASE) -> Recipe:
    (tmp_path / "notes").mkdir(exist_ok=True)
    path = tmp_path / "r.toml"
    path.write_text(base + more, encoding="utf-8")
    return load(path, overrides)


def test_a_short_recipe_is_enough(tmp_path: Path) -> None:
    r = recipe(tmp_path, "[training]\nepochs = 3\nrate = 1\nseed = 4\n[network]\nhidden = 20")
    check_recipe(r)
    assert r.output == tmp_path / "out/model"
    assert r.notes["ours"].path == tmp_path / "notes"
    assert (r.training.epochs, r.training.rate, r.network.hidden) == (3, 1.0, 20)
    assert r.settings().with_seed(9).training.seed == 9
    assert r.settings().network is r.network


def test_set_replaces_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    r = recipe(
        tmp_path, "", "training.epochs=6", "training.rate=1e-3", "name=b", "made.variants=0",
        "notes.ours.path=else", 'without=["wear"]', "notes.more.path=m", "notes.more.format=i2b2",
        "vectors.file=", "version=1.0",
    )  # fmt: skip
    assert (r.training.epochs, r.training.rate, r.name, r.made.variants) == (6, 1e-3, "b", 0)
    assert r.notes["ours"].path == tmp_path / "else"
    assert r.notes["more"].path == tmp_path / "m"
    assert (r.without, r.vectors.file, r.version) == (("wear",), None, "1.0")


@pytest.mark.parametrize(
    ("more", "overrides", "want"),
    [
        ("[training]\nepoch = 3", [], "no key training.epoch; did you mean training.epochs?"),
        ("[trainig]\nepochs = 3", [], "no key trainig; did you mean training?"),
        ("", ["epochs=3"], "did you mean vectors.epochs or training.epochs or sliding.epochs?"),
        ("", ["training=3"], "no key 'training'"),
        ("", ["notes.ours.pth=3"], "did you mean notes.NAME.path?"),
        ("", ["training.epochs"], "write KEY=VALUE"),
        ("", ["xyzzy=1"], "keys are charlm.batch, charlm.characters, "),
        ("", ["training.epochs=many"], "training.epochs: needs a whole number"),
        ("", ["training.epochs=1.5"], "training.epochs: needs a whole number"),
        ("", ["training.epochs=true"], "training.epochs: needs a whole number"),
        ("", ["training.rate=fast"], "training.rate: needs a number"),
        ("", ["notes.ours.public=1"], "notes.ours.public: needs true or false"),
        ("", ["without=wear"], "without: needs a list of strings"),
        ("", ["output="], "output: needs a path"),
        ("", ["name.x=1"], "no key 'name.x'"),
        ("[notes.more]\npath = 'x'", [], "notes.more.format is missing"),
        ("[made]\nvariants = 'x'", [], "made.variants: needs a whole number"),
        ("x =", [], "r.toml: not TOML: "),
    ],
)
def test_wrong_keys_are_refused(tmp_path: Path, more: str, overrides: list[str], want: str) -> None:
    with pytest.raises(Refused) as e:
        recipe(tmp_path, more, *overrides)
    assert want in str(e.value)
    assert "\n" not in str(e.value)


def test_ways_to_cut_windows(tmp_path: Path) -> None:
    for way in CUTS:
        assert recipe(tmp_path, "", f"training.windows={way}").training.windows == way
    with pytest.raises(Refused, match=r"training\.windows: give one of place, content, mixed"):
        check_recipe(recipe(tmp_path, "", "training.windows=words"))


@pytest.mark.parametrize("key", ["name", "output", "notes"])
def test_missing_keys_are_refused(tmp_path: Path, key: str) -> None:
    base = BASE if key == "notes" else BASE.replace(f"{key} = ", "licence = ")
    if key == "notes":
        base = base[: base.index("[notes")]
    with pytest.raises(Refused, match=f"^{key} is missing"):
        recipe(tmp_path, base=base)
    with pytest.raises(Refused, match="No such file"):
        load(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("overrides", "want"),
    [
        (["training.epochs=0"], "training.epochs is 0: give at least 1"),
        (["training.dropout=1"], "training.dropout is 1: give at least 0 and at most 0.95"),
        (["training.soup=true"], "training.soup needs a model that all seeds go on from"),
        (["training.soup=true", "start=."], "training.soup needs training.seeds of at least 2"),
        (["training.rate=0"], "training.rate is 0"),
        (["notes.ours.dev=0"], "no notes for dev"),
        (["notes.ours.dev=1.0"], "notes.ours.dev is 1"),
        (["notes.ours.part=dev"], "no notes for train"),
        (["notes.ours.part=deb"], "no notes for train"),
        (
            ["notes.b.path=notes", "notes.b.format=brat", "notes.b.part=deb"],
            "notes.b.part is 'deb'",
        ),
        (["notes.b.path=no", "notes.b.format=brat"], "notes.b.path: there is nothing at "),
        (["notes.ours.split=no.json"], "share is held back of a train source without a split"),
        (["notes.ours.split=no.json", "notes.ours.dev=0"], "notes.ours.split: .*No such file"),
        (["without=['hat']"], "no part 'hat'; parts are crf, vectors"),
        (["made.data=notes"], "made.data: .* has neither carriers/ nor lexicons/"),
        (["vectors.file=no.json"], "vectors.file: there is no file"),
        (["profile=no.json"], "profile: .*No such file"),
        (["profile=r.toml"], "profile: .* is no JSON"),
        (["output=r.toml"], "output: .* is a file"),
        (["output=r.toml/model"], "output: .* is no folder that can be written to"),
        (["output=full"], "output: .* holds files and no model"),
        (["name=a/b"], "name: "),
        (["notes.ours.per_epoch=2"], "per_epoch: leave it out of a train source"),
        (["linear.iterations=0"], "linear.iterations is 0: give at least 1"),
        (["sliding.dropout=1"], "sliding.dropout is 1"),
        (["sliding.stride=16"], "sliding.stride: at most sliding.length"),
        (["linear.kind=tree"], "linear.kind is 'tree': give one of crf, svm, kernel-svm"),
        (["linear.kernel=cubic"], "linear.kernel is 'cubic'"),
        (["linear.classes=['hat']"], "linear.classes is 'hat': give one of the word, parts of"),
        (["linear.target=['theirs']"], "linear.target is 'theirs': give one of ours"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overrides: list[str], want: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("x")
    with pytest.raises(Refused, match=want):
        check_recipe(recipe(tmp_path, "", *overrides))


@pytest.mark.parametrize(
    ("split", "want"),
    [
        ("{", "is no JSON"),
        ("[]", "is not of the form"),
        ('{"deb": ["a"]}', "is not of the form"),
        ('{"dev": "a"}', "is not of the form"),
        ('{"dev": ["a"], "test": ["a"]}', "names a patient in two parts"),
    ],
)
def test_splits_are_looked_at(tmp_path: Path, split: str, want: str) -> None:
    (tmp_path / "split.json").write_text(split)
    r = recipe(tmp_path, "split = 'split.json'", base=BASE.replace("dev = 0.2", ""))
    with pytest.raises(Refused, match=want):
        check_recipe(r)


def test_a_folder_of_several_models_may_hold_some(tmp_path: Path) -> None:
    r = recipe(tmp_path, "", f"output={tmp_path}/full")
    (tmp_path / "full/transfer-00").mkdir(parents=True)
    check_recipe(r, one=False)
    with pytest.raises(Refused, match="holds files and no model"):
        check_recipe(r)


def test_names_of_notes_cannot_lead_elsewhere(tmp_path: Path) -> None:
    r = recipe(tmp_path, "[notes.'../x']\npath = 'notes'\nformat = 'brat'")
    with pytest.raises(Refused, match="letters, digits"):
        check_recipe(r)


def test_the_copy_tells_all_keys_and_no_folder(tmp_path: Path) -> None:
    inside = ROOT / "examples/source"
    r = recipe(tmp_path, "", f"notes.b.path={inside}", "notes.b.format=marked")
    told = json.loads(json.dumps(r.described()))
    assert told["notes"]["ours"]["path"] == "notes"
    assert told["notes"]["b"]["path"] == "examples/source"
    assert told["training"]["epochs"] == 18
    assert str(tmp_path) not in json.dumps(told)
    assert "output" not in told


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda p: p.stem)
def test_shipped_recipes_hold(path: Path) -> None:
    r = load(path)
    assert r.name == path.stem
    assert max(map(len, path.read_text(encoding="utf-8").splitlines())) < 140
    if r.name in ("en-clinical-accurate", "en-crf", "es-meddocan"):
        assert r.output == ROOT / "onnx/models" / r.name
    # Without what lies outside of the repository, where that is missing.
    sources = [s.path for s in r.notes.values()]
    named = [r.made.data, r.vectors.file, r.context, r.start]
    outside = [*sources, *named, *r.teacher.models]
    if all(p is None or p.exists() for p in outside):
        check_recipe(r)
    else:
        assert not any(p.is_relative_to(ROOT / "examples") for p in outside if p and not p.exists())


def test_there_is_a_recipe_for_each_shipped_model() -> None:
    names = {p.stem for p in RECIPES.glob("*.toml")}
    networks = {"en-clinical-accurate", "en-clinical-fast"}
    others = {
        "en-charlm",
        "en-contextual",
        "en-crf",
        "en-encoder",
        "en-window-lstm",
        "es-contextual",
    }
    assert names == networks | others | {"es-charlm", "es-crf", "es-meddocan", "wnut17"}
    shipped = {p.parent.name for p in (ROOT / "onnx/models").glob("*/model.json")}
    assert shipped - {"en-clinical"} <= names  # which is en-clinical-accurate, rounded


def test_paths_of_set_are_relative_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    r = recipe(tmp_path, "", 'teacher.models=["a", "/b"]', "start=c")
    assert r.teacher.models == (tmp_path / "here/a", Path("/b"))
    assert r.start == tmp_path / "here/c"


@pytest.mark.parametrize(
    ("change", "want"),
    [
        ({"types": ["DATE"]}, "types needs a table"),
        ({"types": {"DATE": 1}}, "types needs a table"),
        ({"data": "one"}, "data needs a list of texts"),
        ({"summary": None}, "summary needs a text"),
        ({"attribution": [{"name": "N", "licence": "L"}]}, "tables of changes, citation, licence"),
        ({"attribution": ["N"]}, "attribution needs tables"),
    ],
)
def test_profiles_are_looked_at(tmp_path: Path, change: dict[str, Any], want: str) -> None:
    profile = json.loads((PROFILES / "site.json").read_text(encoding="utf-8"))
    (tmp_path / "p.json").write_text(json.dumps(profile | change))
    with pytest.raises(Refused, match=want):
        load_profile(tmp_path / "p.json")


@pytest.mark.parametrize("path", sorted(PROFILES.glob("*.json")), ids=lambda p: p.stem)
def test_shipped_profiles_hold(path: Path) -> None:
    load_profile(path)
