"""Where the program is, and starting it in place of Python."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def program() -> Path:
    """Returns the path of the program that this package carries.

    Its models and ONNX Runtime lie beside it. PALIMPSEST_PROGRAM names another
    one, such as that of a checkout.
    """
    named = os.environ.get("PALIMPSEST_PROGRAM")
    path = Path(named) if named else Path(__file__).resolve().parent / "_release" / "palimpsest"
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no program at {path}: install the wheel of palimpsest-deid, or set PALIMPSEST_PROGRAM to a program that was built"
        )
    return path


def main() -> None:
    """The console script: becomes the program, with its arguments and exit status."""
    try:
        path = program()
        os.execv(path, ["palimpsest", *sys.argv[1:]])
    except OSError as e:
        sys.exit(f"palimpsest: {e}")
