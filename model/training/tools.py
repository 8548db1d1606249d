"""The Go commands that training calls: convert, tokenize, evaluate.

The job's own reader of corpora, tokeniser and scorer, so that there is one of each.
COMMANDS is the one place that knows where they lie.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .failure import Refused

ROOT = Path(__file__).resolve().parents[2]  # of the Go module

# The package of each command, and the arguments that come before all others.
COMMANDS: dict[str, tuple[str, ...]] = {
    "convert": ("./cmd/run", "convert"),
    "tokenize": ("./tools/tokenize",),
    "evaluate": ("./cmd/run", "evaluate"),
    "weights": ("./tools/weights",),
    "tag": ("./tools/tag",),
}


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where the programs are built; it goes with the process. It holds no note."""
    return tempfile.TemporaryDirectory(prefix="palimpsest-programs-")


@cache
def _program(package: str) -> Path:
    """Builds a package once for each process, which takes a second where Go has it in its cache."""
    if shutil.which("go") is None:
        raise Refused("Go is needed (the corpus reader, tokeniser and scorer are Go): install it")
    program = Path(_folder().name) / Path(package).name
    command = ["go", "build", "-o", str(program), package]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return program


def call(name: str, *args: str | Path, stdin: bytes = b"") -> tuple[bytes, str]:
    """Runs a command of COMMANDS and returns its standard output, and what it said beside it.

    A failure is Refused, with the last line that the command said: none of them quotes a text.
    """
    package, *before = COMMANDS[name]
    command = [str(_program(package)), *before, *map(str, args)]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode:
        last = (said.splitlines() or [f"{name} failed"])[-1]
        raise Refused(last.removeprefix("palimpsest ").removeprefix(f"{name}: "))
    return done.stdout, said


def lines(name: str, *args: str | Path, stdin: Path) -> Iterator[str]:
    """Runs a command of COMMANDS on a file and yields the lines that it writes, as it goes."""
    package, *before = COMMANDS[name]
    command = [str(_program(package)), *before, *map(str, args)]
    with (
        stdin.open("rb") as file,
        subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE) as running,
    ):
        assert running.stdout is not None
        for line in running.stdout:
            yield line.decode().removesuffix("\n")
    if running.returncode:
        raise Refused(f"{name} failed")
