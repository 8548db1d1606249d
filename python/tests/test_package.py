"""The package with a real program: PALIMPSEST_PROGRAM, in a checkout's PALIMPSEST_REPOSITORY."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import palimpsest
from palimpsest._errors import error
from palimpsest._run import flag

KEY = {"PALIMPSEST_EXAMPLE_KEY": "this key is public and for the invented example notes only"}


@pytest.fixture(autouse=True)
def checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(os.environ["PALIMPSEST_REPOSITORY"])


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> palimpsest.Done:
    os.chdir(os.environ["PALIMPSEST_REPOSITORY"])
    folder = tmp_path_factory.mktemp("done")
    return palimpsest.run(config="examples/config.yaml", output=folder / "out", private=folder / "private", env=KEY)


def test_run(done: palimpsest.Done) -> None:
    assert done.report["rows_in"] == done.report["rows_out"] == 278
    assert done.manifest["configuration"]["program_version"] == palimpsest.version().palimpsest
    assert (Path(done.output) / "_SUCCESS").exists()


def test_findings(done: palimpsest.Done) -> None:
    table = palimpsest.findings(done.private)
    assert table.num_rows == done.report["spans"]
    assert table.column_names[:5] == ["document_id", "text_column", "element", "start", "end"]
    assert palimpsest.quarantine(done.private).num_rows == 0
    with pytest.raises(FileNotFoundError, match="private part"):
        palimpsest.findings(done.output)


def test_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(palimpsest.SettingsError, match="key") as raised:
        palimpsest.run(input="examples/notes.parquet", output=tmp_path / "released/out", private=tmp_path / "held/private")
    assert raised.value.status == 64


def test_data_is_refused(tmp_path: Path) -> None:
    """A column that nobody has decided about."""
    with pytest.raises(palimpsest.Error, match="written_at") as raised:
        palimpsest.run(
            input="examples/notes.parquet",
            output=tmp_path / "released" / "out",
            private=tmp_path / "held" / "private",
            key="env:PALIMPSEST_EXAMPLE_KEY",
            env=KEY,
            columns={"note_type": "keep"},
            date_columns=["note_date"],
        )
    assert raised.value.status in {64, 65}
    assert not (tmp_path / "released").exists()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (1, palimpsest.Failed),
        (2, palimpsest.Failed),
        (64, palimpsest.SettingsError),
        (65, palimpsest.DataRefused),
        (70, palimpsest.Defect),
        (75, palimpsest.Locked),
        (130, palimpsest.Stopped),
        (143, palimpsest.Stopped),
        (-9, palimpsest.Stopped),
    ],
)
def test_statuses(status: int, kind: type[palimpsest.Error]) -> None:
    e = error(status, "")
    assert type(e) is kind
    assert e.status == status
    assert str(status) in str(e)


def test_every_status_of_the_program_has_an_exception() -> None:
    said = subprocess.run([palimpsest.program(), "run", "--help"], capture_output=True, text=True, check=True).stdout
    line = said[said.index("Exit status:") :]
    statuses = {int(s) for s in re.findall(r"\b\d+\b", line)} - {0}
    assert statuses == {1, 64, 65, 70, 75, 130, 143}


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (0.5, "0.5"),
        ("a,b", "a,b"),
        (Path("x/y"), "x/y"),
        (["a", Path("b")], "a,b"),
        ({"a": "keep", "b": "drop"}, "a=keep,b=drop"),
    ],
)
def test_flags(value: palimpsest.Setting, want: str) -> None:
    assert flag("name", value) == want


def test_a_comma_in_a_list_is_refused() -> None:
    with pytest.raises(ValueError, match="comma"):
        flag("input", ["a,b"])


def test_versions() -> None:
    v = palimpsest.version()
    assert re.fullmatch(r"2\.\d+\.\d+", v.beam)
    assert v.onnxruntime.version
    assert not v.onnxruntime.error
    assert "en-clinical" in {m.name for m in v.models}


def test_the_command_becomes_the_program() -> None:
    ran = subprocess.run([sys.executable, "-m", "palimpsest", "no-such-command"], capture_output=True, text=True, check=False)
    assert ran.returncode == 64
    assert "is no command" in ran.stderr


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_PROGRAM", "/nowhere/palimpsest")
    with pytest.raises(FileNotFoundError, match="/nowhere/palimpsest"):
        palimpsest.program()
