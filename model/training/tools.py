"""The Go commands that training calls: convert, tokenize, weights, evaluate.

The job's own reader of corpora, tokeniser and scorer, so that there is one of each. They are
commands of the program, which is built from the module unless PALIMPSEST_PROGRAM names one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .failure import Refused

ROOT = Path(__file__).resolve().parents[2]  # of the Go module

PACKAGE = "./cmd/run"
PROGRAM = "PALIMPSEST_PROGRAM"  # set by palimpsest adapt

# Commands that are programs of their own, for developers; all others are the program's.
TOOLS = {"tag": "./tools/tag"}


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
def _built(package: str) -> Path:
    """Builds a package once for each process, which takes seconds where Go has it in its cache."""
    if shutil.which("go") is None:
        check_program()
        raise Refused(f"Go is needed to build {package}: install it")
    program = Path(_folder().name) / Path(package).name
    command = ["go", "build", "-o", str(program), package]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return program


def _command(name: str, args: tuple[str | Path, ...]) -> list[str]:
    """Returns how a command is called."""
    if name in TOOLS:
        return [str(_built(TOOLS[name])), *map(str, args)]
    program = os.environ.get(PROGRAM) or str(_built(PACKAGE))
    return [program, name, *map(str, args)]


def call(name: str, *args: str | Path, stdin: bytes = b"") -> tuple[bytes, str]:
    """Runs a command and returns its standard output, and what it said beside it.

    A failure is Refused, with the last line that the command said: none of them quotes a text.
    """
    done = subprocess.run(_command(name, args), input=stdin, capture_output=True, check=False)
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode:
        last = (said.splitlines() or [f"{name} failed"])[-1]
        raise Refused(last.removeprefix("palimpsest ").removeprefix(f"{name}: "))
    return done.stdout, said


def lines(name: str, *args: str | Path, stdin: Path) -> Iterator[str]:
    """Runs a command on a file and yields the lines that it writes, as it goes."""
    with (
        stdin.open("rb") as file,
        subprocess.Popen(_command(name, args), stdin=file, stdout=subprocess.PIPE) as running,
    ):
        assert running.stdout is not None
        for line in running.stdout:
            yield line.decode().removesuffix("\n")
    if running.returncode:
        raise Refused(f"{name} failed")
