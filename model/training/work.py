"""The work folder of a run: the notes as JSON lines, and checkpoints.

It is as sensitive as the notes. It lies in the private part beside the output unless it
is named, is for its owner's eyes alone, and goes at the end unless it was named.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .failure import Refused


@contextmanager
def work_folder(
    named: Path | None, output: Path, resume: bool, log: Callable[[str], None]
) -> Iterator[Path]:
    """Makes the work folder, which must be empty but for --resume, and yields it.

    It is left behind if it was named, and after a run that was stopped if there is a
    checkpoint to go on from."""
    private = output.parent / f"{output.name}-private"
    folder = named if named is not None else private / "training"
    if folder.exists() and not folder.is_dir():
        raise Refused(f"work: {folder} is a file; name a folder")
    used = folder.is_dir() and any(folder.iterdir())
    if resume and not checkpoints(folder):
        raise Refused(f"--resume: there is no checkpoint in {folder}")
    if used and not resume:
        raise Refused(
            f"{folder} holds an earlier run; go on with --resume, or remove it to start anew"
        )
    if named is None:
        private.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    try:
        yield folder
    except BaseException:
        if checkpoints(folder):
            log(f"{folder} holds the notes and a checkpoint; go on with --resume, or remove it")
        else:
            _remove(folder, named, private)
        raise
    if named is None:
        _remove(folder, named, private)
    else:
        log(f"{folder} holds the notes: keep it as you keep them")


def checkpoints(folder: Path) -> list[Path]:
    return sorted(folder.glob("seed-*.pt")) if folder.is_dir() else []


def _remove(folder: Path, named: Path | None, private: Path) -> None:
    """Removes all that the run wrote, and the folders that it made."""
    shutil.rmtree(folder, ignore_errors=True)
    if named is not None:
        folder.mkdir(mode=0o700)
    elif private.is_dir() and not any(private.iterdir()):
        private.rmdir()
