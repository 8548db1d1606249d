"""The versions of what this package carries."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass

from ._errors import error
from ._program import program


@dataclass(frozen=True)
class Library:
    """ONNX Runtime, or in ``error`` why none can be used."""

    version: str = ""
    path: str = ""
    error: str = ""


@dataclass(frozen=True)
class Model:
    name: str
    version: str
    language: str
    kind: str  # bilstm-crf, crf or svm
    path: str


@dataclass(frozen=True)
class Versions:
    palimpsest: str
    go: str
    platform: str
    beam: str
    onnxruntime: Library
    models: tuple[Model, ...]


def version() -> Versions:
    """Returns the versions of the program, its models, ONNX Runtime and Beam."""
    done = subprocess.run([os.fspath(program()), "version", "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise error(done.returncode, done.stderr.strip())
    v = json.loads(done.stdout)
    return Versions(
        palimpsest=v["palimpsest"],
        go=v["go"],
        platform=v["platform"],
        beam=v["beam"],
        onnxruntime=Library(**v["onnxruntime"]),
        models=tuple(Model(**m) for m in v["models"]),
    )
