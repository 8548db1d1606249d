"""The work folder of a run: the notes as JSON lines, and checkpoints.

It is as sensitive as the notes. It lies in the private part beside the output unless it
is named, is for its owner's eyes alone, and goes at the end unless it was named. The output is for
its owner's eyes alone, too, unless it was there before.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
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
            _remove(folder, named, private, log)
        raise
    if named is None:
        _remove(folder, named, private, log)
    else:
        log(f"{folder} holds the notes: keep it as you keep them")


def checkpoints(folder: Path) -> list[Path]:
    return sorted(folder.glob("seed-*.pt")) if folder.is_dir() else []


def _remove(folder: Path, named: Path | None, private: Path, log: Callable[[str], None]) -> None:
    """Removes all that the run wrote, and the folders that it made but a named one, and tells
    what stays."""
    for path in folder.iterdir():
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        except OSError as e:
            log(f"{path} holds notes and cannot be removed: {e.strerror}")
    if named is None:
        with suppress(OSError):  # they are not empty
            folder.rmdir()
            private.rmdir()


def make_private(folder: Path) -> None:
    """Makes a folder for its owner's eyes alone; one that is there stays as it is."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def clear(folder: Path, files: Collection[str]) -> None:
    """Removes the files of the model that a folder holds, but those that are to be written."""
    with suppress(OSError, ValueError, AttributeError):
        described = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        for name in described.get("files", {}):
            if name not in files and name == Path(name).name:
                (folder / name).unlink(missing_ok=True)
