"""Running the job."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from ._errors import error
from ._program import program

Setting = Union[str, int, float, bool, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]], Mapping[str, str]]
"""A setting's value: a list stands for several values, a mapping for COLUMN=ROLE pairs."""


@dataclass(frozen=True)
class Done:
    """A job that has ended well.

    ``output`` is what may be released, ``private`` what must never be. ``report``
    and ``manifest`` are the contents of report.json and manifest.json, and empty
    where the output is not on a local disk or the run was a dry one.
    """

    output: str
    private: str
    report: dict[str, Any]
    manifest: dict[str, Any]


def run(
    *,
    output: str | os.PathLike[str],
    private: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    quiet: bool = True,
    **settings: Setting,
) -> Done:
    """De-identifies tables of notes and returns when they are published.

    ``settings`` are those of ``palimpsest run --help all``, such as ``input``,
    ``key``, ``identifiers`` or ``date_columns``; ``config`` names a YAML file of
    them, over which the others win. ``env`` is added to the environment, for keys
    that are named ``env:NAME``. Unless ``quiet``, progress goes to standard error.

    Raises SettingsError, DataRefused, Locked, Failed, Defect or Stopped, by the
    program's exit status, and ValueError for a value that no flag can hold.
    """
    args = [os.fspath(program()), "run"]
    if config is not None:
        args.append(f"--config={os.fspath(config)}")
    everything: dict[str, Setting] = {"output": output, "private": private, **settings}
    args += [f"--{name}={flag(name, value)}" for name, value in everything.items()]
    process = subprocess.Popen(
        args,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quiet else None,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, **(env or {})},
    )
    try:
        said = _listen(process, quiet)
        status = process.wait()
    except BaseException:  # above all KeyboardInterrupt: the job tidies up before it ends
        process.terminate()
        process.wait()
        raise
    if status != 0:
        raise error(status, said)
    out = os.fspath(output)
    return Done(out, os.fspath(private), _read(out, "report.json"), _read(out, "manifest.json"))


def flag(name: str, value: Setting) -> str:
    """Writes a setting as the flag of its name takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)):
        return str(value)
    parts = [f"{k}={v}" for k, v in value.items()] if isinstance(value, Mapping) else [os.fspath(v) for v in value]
    if any("," in part for part in parts):
        raise ValueError(f"{name}: a value with a comma goes into a file of settings (config=), as an item of a list")
    return ",".join(parts)


def _listen(process: subprocess.Popen[str], quiet: bool) -> str:
    """Returns the last lines of standard error, which say why a job has failed."""
    import sys

    last: list[str] = []
    assert process.stderr is not None
    for line in process.stderr:
        if not quiet:
            sys.stderr.write(line)
        last = [*last, line][-40:]
    return "".join(last).strip()


def _read(output: str, name: str) -> dict[str, Any]:
    path = Path(output) / name
    if "://" in output or not path.is_file():
        return {}
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
