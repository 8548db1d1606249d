"""The command line: faults are one line, and the work folder is nobody else's."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from training.__main__ import SETTINGS, STOPPED, main
from training.commands import _key
from training.corpus import Corpus
from training.curve import write_curve
from training.failure import Refused
from training.notes import Note, Span, write_jsonl
from training.recipe import Recipe
from training.work import work_folder

from .helper import quiet

RECIPE = """
name = "t"
output = "model"
[notes.ours]
path = "notes"
format = "jsonl"
dev = 0.25
[network]
token = 8
char_embedding = 4
char_hidden = 4
hidden = 8
dense = 8
[training]
epochs = 2
[vectors]
epochs = 1
"""

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command line in a folder with a recipe and eight notes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    text = "Seen by Ann Fox on 3 May.\nWell.\n"
    spans = [Span(8, 15, "DOCTOR"), Span(19, 24, "DATE")]
    notes = [Note(f"n{k}", text, spans, f"p{k}") for k in range(8)]
    write_jsonl(tmp_path / "notes/n.jsonl", notes)
    (tmp_path / "r.toml").write_text(RECIPE)
    (tmp_path / "empty").mkdir()

    def call(*args: str) -> int:
        monkeypatch.setattr("sys.argv", ["training", *args])
        return main()

    return call


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_all_leaves_the_model_alone(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("all", "r.toml", "--set", "made.variants=1") == 0
    assert {p.name for p in tmp_path.iterdir()} == {"notes", "r.toml", "empty", "model"}
    told = json.loads(capsys.readouterr().out)
    assert told["dev"]["labels"]["other_by_pytorch"] == 0
    assert told["dev"]["labels"]["tokens"] > 0
    model = json.loads((tmp_path / "model/model.json").read_text())
    assert model["training"]["recipe"]["made"] == {
        "variants": 1,
        "data": None,
        "word_names": 0.0,
        "faxed": 0.0,
    }
    assert model["training"]["recipe"]["notes"]["ours"]["dev"] == 0.25
    assert model["training"]["material"]["made_per_epoch"]["notes"] == 6
    assert model["scores"]["dev"].keys() == told["dev"].keys() - {"labels"}
    card = (tmp_path / "model/README.md").read_text()
    assert "6 made-up notes with 12 spans in each epoch" in card
    assert "public texts" not in card.partition("## What it holds")[0]
    # A model may be replaced, and scored again by itself.
    assert run("score", "r.toml") == 0
    assert (
        json.loads(capsys.readouterr().out)["dev"]["entity_strict"] == told["dev"]["entity_strict"]
    )
    assert run("all", "r.toml", "--set", "made.variants=0", "--set", "training.epochs=1") == 0
    assert run("speed", "model") == 0


def test_a_stopped_run_can_be_resumed(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("all", "r.toml") == 0
    whole = {p.name: p.read_bytes() for p in (tmp_path / "model").iterdir()}

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("training.commands.write_curve", stopped)
    assert run("all", "r.toml") == STOPPED
    assert "go on with --resume" in capsys.readouterr().err
    work = tmp_path / "model-private/training"
    assert (mode(work), mode(work.parent)) == (0o700, 0o700)
    monkeypatch.setattr("training.commands.write_curve", write_curve)
    # Nobody loses a checkpoint by forgetting a flag.
    assert run("all", "r.toml") == SETTINGS
    assert "holds an earlier run; go on with --resume" in capsys.readouterr().err
    assert run("all", "r.toml", "--resume", "--set", "training.epochs=3") == SETTINGS
    assert "the recipe or the notes have changed" in capsys.readouterr().err
    assert run("all", "r.toml", "--resume") == 0
    assert not work.parent.exists()
    assert {p.name: p.read_bytes() for p in (tmp_path / "model").iterdir()} == whole


def test_a_named_work_folder_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "w").mkdir(mode=0o755)
    assert run("all", "r.toml", "--work", "w", "--set", "made.variants=0") == 0
    assert mode(tmp_path / "w") == 0o700
    assert (tmp_path / "w/converted/ours/notes.jsonl").exists()
    assert (tmp_path / "w/curve.csv").exists()
    assert not (tmp_path / "model-private").exists()


@pytest.mark.parametrize(
    ("args", "want"),
    [
        (["all"], "the following arguments are required: RECIPE"),
        (["bake", "r.toml"], "invalid choice: 'bake'"),
        (["all", "r.toml", "--setting", "x"], "unrecognized arguments"),
        (["all", "none.toml"], "none.toml: No such file or directory"),
        (["all", "r.toml", "--set", "trainng.epochs=2"], "did you mean training.epochs?"),
        (["all", "r.toml", "--set", "output=notes"], "holds files and no model"),
        (["all", "r.toml", "--set", "notes.ours.path=x"], "there is nothing at "),
        (["all", "r.toml", "--set", "notes.ours.format=brat"], "notes.ours: .*no .txt file"),
        (["all", "r.toml", "--set", "notes.ours.format=x"], "no format \"x\""),
        (["all", "r.toml", "--set", "notes.b.path=notes", "--set", "notes.b.format=jsonl"],
         "8 notes have the id|are in both train and dev"),
        (["all", "r.toml", "--device", "cuda"], "finds no CUDA device"),
        (["all", "r.toml", "--resume"], "there is no checkpoint in "),
        (["all", "r.toml", "--work", "r.toml"], "work: r.toml is a file"),
        (["all", "r.toml", "--work", "notes"], "holds an earlier run"),
        (["all", "r.toml", "--work", "empty", "--set", "notes.ours.format=brat"], "no .txt file"),
        (["all", "r.toml", "--threads", "0"], "--threads must be at least 1"),
        (["score", "r.toml"], "there is no model in "),
        (["ablate", "r.toml", "--without", "hat"], "there is no part 'hat'"),
        (["ablate", "r.toml", "--without", "crf", "--sizes", "a"], "--sizes a: give whole numbers"),
        (["folds", "r.toml", "--folds", "1", "--to", "x"], "--folds at least 2"),
        (["speed", "notes"], "there is no model in notes"),
    ],
)  # fmt: skip
def test_faults_are_one_line_and_leave_nothing(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], want: str
) -> None:
    if "cuda" in args and torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    before = {p.name for p in tmp_path.iterdir()}
    assert run(*args) == SETTINGS
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert len(lines) == 1, err
    assert lines[0].startswith("training: ")
    assert re.search(want, lines[0])
    assert "Traceback" not in err
    assert {p.name for p in tmp_path.iterdir()} == before
    assert not any((tmp_path / "empty").iterdir())


def test_broken_notes_are_one_line_without_text(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes/n.jsonl").write_text('{"id": "a", "text": "SECRET"\n')
    assert run("all", "r.toml") == SETTINGS
    err = capsys.readouterr().err
    assert err.startswith("training: notes.ours: ")
    assert "n.jsonl:1: not one JSON object" in err
    assert err.count("\n") == 1
    assert "SECRET" not in err
    assert not (tmp_path / "model-private").exists()


def test_folds_and_ablations_run_from_a_recipe(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("folds", "r.toml", "--folds", "2", "--to", "folds") == 0
    assert (tmp_path / "folds/notes.jsonl").read_text().count("\n") == 6
    assert mode(tmp_path / "folds") == 0o700
    assert mode(tmp_path / "folds/notes.jsonl") == 0o600
    capsys.readouterr()
    assert run("ablate", "r.toml", "--without", "refill,wear,world,char", "--to", "figures") == 0
    table = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[0] for line in table[2:]] == [
        "| nothing", "| refill", "| wear", "| world", "| char",
    ]  # fmt: skip
    assert (tmp_path / "figures/ablation.csv").read_text().count("\n") == 6
    assert not (tmp_path / "model-private").exists()


def test_the_work_folder_goes_where_there_is_nothing_to_resume(tmp_path: Path) -> None:
    output = tmp_path / "a/model"

    def refused() -> None:
        with work_folder(None, output, False, quiet) as work:
            assert work == tmp_path / "a/model-private/training"
            (work / "notes").write_text("x")
            raise Refused("no")

    with pytest.raises(Refused, match="no"):
        refused()
    assert not (tmp_path / "a/model-private").exists()
    # What else lies in the private part stays.
    with work_folder(None, output, False, quiet) as work:
        (work.parent / "findings").mkdir()
    assert [p.name for p in (tmp_path / "a/model-private").iterdir()] == ["findings"]


def test_a_work_folder_that_is_a_link_is_emptied(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "w").symlink_to("real")

    def refused() -> None:
        with work_folder(tmp_path / "w", tmp_path / "m", False, quiet) as work:
            (work / "converted").mkdir()
            (work / "converted/notes").write_text("x")
            raise Refused("no")

    with pytest.raises(Refused, match="no"):
        refused()
    assert list((tmp_path / "real").iterdir()) == []
    assert (tmp_path / "w").is_symlink()


def test_what_cannot_be_removed_is_told_beside_the_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("training.work.shutil.rmtree", fails)
    lines: list[str] = []

    def refused() -> None:
        with work_folder(None, tmp_path / "m", False, lines.append) as work:
            (work / "converted").mkdir()
            raise Refused("no")

    with pytest.raises(Refused, match="no"):
        refused()
    assert lines == [
        f"{tmp_path}/m-private/training/converted holds notes and cannot be removed: Permission denied"
    ]


def test_a_checkpoint_belongs_to_what_is_public_and_drawn() -> None:
    r = Recipe("t", Path("t"), {})
    n = Note("n", "3 May", [Span(0, 5, "DATE")])
    corpora = (Corpus([n]), Corpus([n], public=[n]), Corpus([n], drawn=[(1, [n])]))
    assert len({_key(r, c, None, None) for c in corpora}) == 3


def test_made_up_notes_are_counted_alike_after_resuming(run: Run, tmp_path: Path) -> None:
    """The card's counts are those of the last epoch, whether it was made just now or not."""
    assert run("all", "r.toml", "--work", "w") == 0
    whole = (tmp_path / "model/model.json").read_bytes()
    assert run("all", "r.toml", "--work", "w", "--resume") == 0
    assert (tmp_path / "model/model.json").read_bytes() == whole


def test_a_new_model_is_for_its_owner_alone(run: Run, tmp_path: Path) -> None:
    quick = ("all", "r.toml", "--set", "training.epochs=1", "--set", "made.variants=0")
    assert run(*quick) == 0
    assert mode(tmp_path / "model") == 0o700
    assert "the notes of at least 5 patients" in (tmp_path / "model/README.md").read_text()
    (tmp_path / "model").chmod(0o755)
    assert run(*quick) == 0
    assert mode(tmp_path / "model") == 0o755


@pytest.mark.parametrize(
    ("args", "want"),
    [
        (["all", "r.toml", "--set", "without=['char']"], "only ablate can leave it out"),
        (["folds", "r.toml", "--to", "x", "--set", "start={m}"], "start: folds trains .* from scratch"),
        (["ablate", "r.toml", "--without", "crf", "--set", "teacher.models=['{m}']"],
         "teacher.models: ablate trains networks from scratch"),
        (["all", "r.toml", "--set", "start={m}", "--set", "context={m}"], "context: .*start reads no"),
        (["score", "r.toml", "--device", "cpu"], "unrecognized arguments: --device"),
        (["linear", "r.toml", "--threads", "2"], "unrecognized arguments: --threads"),
        (["window-lstm", "r.toml", "--device", "cpu"], "unrecognized arguments: --device"),
        (["speed", "{m}"], "is a model of the kind crf"),
        (["teachers", "r.toml"], "teacher.models: name the models"),
        (["score", "r.toml", "--set", "output={m}"], "is a model of the kind crf"),
        (["all", "r.toml", "--set", "teacher.models=['{m}']"], "is a model of the kind crf"),
        (["experiments", "r.toml", "--groups", "transfer"], "notes.examples: experiments need it"),
        (["linear", "r.toml", "--set", "linear.labels=['AGE']"], "the notes to train on have no AGE"),
        (["folds", "r.toml", "--to", "x", "--folds", "9"], "are of 6 patients; give at most so many"),
    ],
)  # fmt: skip
def test_what_a_command_cannot_do_is_one_line(
    run: Run,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    want: str,
) -> None:
    crf = tmp_path_factory.mktemp("crf")
    (crf / "model.json").write_text('{"name": "c", "version": "1", "kind": "crf", "labels": []}')
    assert run(*(a.replace("{m}", str(crf)) for a in args)) == SETTINGS
    err = capsys.readouterr().err
    assert re.search(want, err.splitlines()[-1])
    assert "Traceback" not in err
    assert not (tmp_path / "model-private").exists()
