"""The Go commands that training calls: convert, tokenize, evaluate.

The job's own reader of corpora, tokeniser and scorer, so that there is one of each. They are
commands of the program, which is built from the module unless PALIMPSEST_PROGRAM names one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from .failure import Refused

ROOT = Path(__file__).resolve().parents[2]  # of the Go module

PACKAGE = "./cmd/run"
PROGRAM = "PALIMPSEST_PROGRAM"  # set by palimpsest adapt


def check_program() -> None:
    """Refuses to begin without the program and without Go to build it."""
    if not os.environ.get(PROGRAM) and shutil.which("go") is None:
        raise Refused(
            f"Go is needed (the corpus reader, tokeniser and scorer are Go): install it, or name "
            f"the palimpsest program in {PROGRAM}"
        )


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where the programs are built; it goes with the process. It holds no note."""
    return tempfile.TemporaryDirectory(prefix="palimpsest-programs-")


@cache
def _program() -> Path:
    """Builds the program once for each process, which takes seconds where Go has it in its cache."""
    if named := os.environ.get(PROGRAM):
        return Path(named)
    check_program()
    program = Path(_folder().name) / "palimpsest"
    command = ["go", "build", "-o", str(program), PACKAGE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return program


def call(name: str, *args: str | Path, stdin: bytes = b"") -> tuple[bytes, str]:
    """Runs a command of the program and returns its standard output, and what it said beside it.

    A failure is Refused, with the last line that the command said: none of them quotes a text.
    """
    command = [str(_program()), name, *map(str, args)]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode:
        last = (said.splitlines() or [f"{name} failed"])[-1]
        raise Refused(last.removeprefix("palimpsest ").removeprefix(f"{name}: "))
    return done.stdout, said
