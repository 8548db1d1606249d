"""What is looked at before any work: each fault is one line that says what to do."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .card import load_profile
from .failure import Refused
from .linear import CLASSES
from .notes import Note
from .recipe import (
    KERNELS,
    LINEAR_KINDS,
    MATERIAL_PARTS,
    NETWORK_PARTS,
    PARTS,
    Recipe,
    Source,
)
from .tools import check_program
from .windows import CUTS

# The least and the most that a number may be; None where nothing bounds it.
LIMITS: dict[str, tuple[float, float | None]] = {
    "made.variants": (0, 100),
    "made.word_names": (0, 1),
    "made.faxed": (0, 1),
    "vocabulary.max_forms": (3, None),
    "vocabulary.min_patients": (1, None),
    "vectors.epochs": (1, None),
    "vectors.more_forms": (0, None),
    "vectors.known_dropout": (0, 1),
    "network.token": (1, None),
    "network.char_embedding": (1, None),
    "network.char_hidden": (1, None),
    "network.char_out": (0, None),
    "network.hidden": (1, None),
    "network.dense": (1, None),
    "training.epochs": (1, None),
    "training.patience": (0, None),
    "training.first_score": (1, None),
    "training.batch_tokens": (1, None),
    "training.rate": (1e-9, 1),
    "training.warm_up": (0, 0.9),
    "training.dropout": (0, 0.95),
    "training.char_dropout": (0, 0.95),
    "training.word_dropout": (0, None),
    "training.blank": (0, 0.95),
    "training.clip": (1e-9, None),
    "training.ema": (0, 0.99999),
    "training.blend": (0, 1),
    "training.seed": (0, None),
    "training.seeds": (1, 100),
    "teacher.weight": (0, 1),
    "teacher.rounds": (0, None),
    "charlm.hidden": (1, None),
    "charlm.embedding": (1, None),
    "charlm.characters": (1, None),
    "charlm.round": (1, None),
    "charlm.batch": (1, None),
    "charlm.rate": (1e-9, 1),
    "charlm.min_count": (1, None),
    "charlm.held_back": (1, None),
    "linear.notes": (0, None),
    "linear.rounds": (0, None),
    "linear.c1": (0, None),
    "linear.c2": (0, None),
    "linear.iterations": (1, None),
    "linear.min_count": (1, None),
    "linear.cost": (1e-9, None),
    "linear.gamma": (1e-9, None),
    "linear.tokens": (0, None),
    "sliding.notes": (0, None),
    "sliding.length": (1, None),
    "sliding.stride": (1, None),
    "sliding.width": (1, None),
    "sliding.hidden": (1, None),
    "sliding.dropout": (0, 0.95),
    "sliding.epochs": (1, None),
    "sliding.batch": (1, None),
    "sliding.rate": (1e-9, 1),
    "sliding.min_count": (1, None),
    "sliding.vector_epochs": (1, None),
    "sliding.reach": (1, None),
    "encoder.tokens": (1, None),
    "encoder.window": (8, 510),
    "encoder.batch": (1, None),
    "encoder.rate": (1e-9, 1),
}


def check_recipe(recipe: Recipe, dev: bool = True, one: bool = True, command: str = "all") -> None:
    """Refuses what cannot be trained, as far as it can be seen without reading notes. dev says
    that there must be notes for dev: a linear model does without. one says that the output is a
    model's directory, and not a folder of several. command is what the recipe is for."""
    if not recipe.name or "/" in recipe.name:
        raise Refused("name: give the model a name without slashes")
    for key, (low, high) in LIMITS.items():
        section, name = key.split(".")
        value = getattr(getattr(recipe, section), name)
        if value < low or (high is not None and value > high):
            bounds = f"at least {low:g}" + (f" and at most {high:g}" if high is not None else "")
            raise Refused(f"{key} is {value:g}: give {bounds}")
    if recipe.training.windows not in CUTS:
        raise Refused(f"training.windows: give one of {', '.join(CUTS)}")
    if recipe.training.blend < 1 and recipe.start is None and not recipe.teacher.models:
        raise Refused("training.blend needs a model that training goes on from: start or [teacher]")
    if recipe.training.soup and recipe.start is None and not recipe.teacher.models:
        raise Refused("training.soup needs a model that all seeds go on from: start or [teacher]")
    if recipe.training.soup and recipe.training.seeds < 2:
        raise Refused("training.soup needs training.seeds of at least 2")
    check_without(recipe.without)
    for part in ("train", "dev") if dev else ("train",):
        if not any(_feeds(s, part) for s in recipe.notes.values()):
            raise Refused(
                f"no notes for {part}: give a [notes.NAME] with part = {part!r}"
                + (", or dev = 0.2, the share of patients to hold back" if part == "dev" else "")
            )
    if all(s.per_epoch for s in recipe.notes.values() if _feeds(s, "train")):
        raise Refused(
            "per_epoch: leave it out of a train source, of which each epoch has all notes"
        )
    for name, source in recipe.notes.items():
        _check_source(f"notes.{name}", source)
    load_profile(recipe.profile)
    if recipe.made.data is not None and not any(
        (recipe.made.data / x).is_dir() for x in ("carriers", "lexicons")
    ):
        raise Refused(f"made.data: {recipe.made.data} has neither carriers/ nor lexicons/")
    if recipe.network.context:
        raise Refused("network.context: name language models by the key context in its place")
    if recipe.context is not None and not (recipe.context / "model.json").is_file():
        raise Refused(
            f"context: there are no language models in {recipe.context}; train them with "
            "python -m training charlm"
        )
    if recipe.start is not None:
        if not (recipe.start / "model.json").is_file():
            raise Refused(f"start: there is no model in {recipe.start}")
        if recipe.start.resolve() == recipe.output.resolve():
            raise Refused("output: it is the model that training goes on from; name another folder")
        if recipe.vectors.file is not None:
            raise Refused(
                "vectors.file: a model that training goes on from has its vectors already"
            )
    _check_teachers(recipe)
    _check_command(recipe, command)
    _check_linear(recipe)
    if recipe.sliding.stride > recipe.sliding.length:
        raise Refused("sliding.stride: at most sliding.length, or tokens lie in no window")
    if recipe.vectors.file is not None and not recipe.vectors.file.is_file():
        raise Refused(f"vectors.file: there is no file {recipe.vectors.file}")
    if one:
        check_output(recipe.output)
    check_program()


def _check_teachers(recipe: Recipe) -> None:
    models = recipe.teacher.models
    if recipe.teacher.match_recall and not models:
        raise Refused("teacher.match_recall: give teacher.models, whose recall is to be matched")
    for folder in models:
        if not (folder / "model.json").is_file():
            raise Refused(f"teacher.models: there is no model in {folder}")
        if folder.resolve() == recipe.output.resolve():
            raise Refused("output: it is one of teacher.models; name another folder")
    if models and recipe.vectors.file is not None:
        raise Refused("vectors.file: a network that has teachers takes the first one's vectors")


def _check_encoder(recipe: Recipe) -> None:
    if recipe.start is None:
        raise Refused("start: name the tagger that tells the encoder of forms, characters and case")
    folder = recipe.encoder.folder
    if folder is None or not (folder / "model.onnx").is_file():
        where = "give its folder" if folder is None else f"there is none in {folder}"
        raise Refused(f"encoder.folder: {where}; fetch-encoder.sh fetches one")


def _check_command(recipe: Recipe, command: str) -> None:
    """Refuses keys that a command would leave unread, and the lack of those that it needs."""
    if command == "encoder":
        _check_encoder(recipe)
    if command == "teachers" and not recipe.teacher.models:
        raise Refused("teacher.models: name the models that are to be scored")
    first = "teacher.models" if recipe.teacher.models else "start"
    if recipe.teacher.models or recipe.start is not None:
        if recipe.context is not None:
            raise Refused(f"context: training with {first} reads no language models; leave it out")
        if command in ("folds", "ablate"):
            raise Refused(f"{first}: {command} trains networks from scratch; leave it out")
    for part in ("char", "token"):
        if command == "all" and part in recipe.without:
            raise Refused(f"without: a model has the part {part!r}; only ablate can leave it out")


def _check_linear(recipe: Recipe) -> None:
    o = recipe.linear
    for key, values, known in (
        ("kind", [o.kind], LINEAR_KINDS),
        ("kernel", [o.kernel], KERNELS),
        ("classes", o.classes, [c for c in CLASSES if c]),
        ("target", o.target, recipe.notes),
    ):
        if wrong := [v for v in values if v not in known]:
            raise Refused(f"linear.{key} is {wrong[0]!r}: give one of {', '.join(known)}")


def check_without(parts: Sequence[str]) -> None:
    known = (*NETWORK_PARTS, *MATERIAL_PARTS)
    for part in parts:
        if part not in known:
            raise Refused(f"without: there is no part {part!r}; parts are {', '.join(known)}")


def check_output(output: Path) -> None:
    """The model directory must be new, empty or a model that is to be replaced."""
    if output.exists() and not output.is_dir():
        raise Refused(f"output: {output} is a file; name a folder")
    if output.is_dir() and any(output.iterdir()) and not (output / "model.json").is_file():
        raise Refused(f"output: {output} holds files and no model; name another folder")
    above = next(p for p in (output, *output.parents) if p.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise Refused(f"output: {above} is no folder that can be written to")


def _feeds(s: Source, part: str) -> bool:
    return s.part == part or (part == "dev" and (s.dev > 0 or s.split is not None))


def _check_source(where: str, s: Source) -> None:
    if not re.fullmatch(r"notes\.[\w-]+", where):
        raise Refused(f"{where}: call the notes by letters, digits, _ and -")
    if s.part not in PARTS:
        raise Refused(f"{where}.part is {s.part!r}: give one of {', '.join(PARTS)}")
    if not 0 <= s.dev < 1:
        raise Refused(f"{where}.dev is {s.dev:g}: give a share from 0 to below 1")
    if s.dev > 0 and (s.split is not None or s.part != "train"):
        raise Refused(f"{where}.dev: a share is held back of a train source without a split")
    if not s.path.exists():
        raise Refused(f"{where}.path: there is nothing at {s.path}")
    if s.split is not None:
        read_split(where, s.split)
    if s.per_epoch < 0 or (s.per_epoch > 0 and s.part != "train"):
        raise Refused(f"{where}.per_epoch: a number of notes, at least 0, of a train source")


def read_split(where: str, path: Path) -> dict[str, set[str]]:
    """Reads a split, {"dev": [patients], ...}, with each patient in one part at most."""
    try:
        lists: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise Refused(f"{where}.split: {path}: {e.strerror}") from None
    except ValueError:
        raise Refused(f"{where}.split: {path} is no JSON") from None
    if not isinstance(lists, dict) or not all(
        k in PARTS and isinstance(v, list) and all(isinstance(p, str) for p in v)
        for k, v in lists.items()
    ):
        raise Refused(f'{where}.split: {path} is not of the form {{"dev": [patients], ...}}')
    parts = {k: set(v) for k, v in lists.items()}
    if sum(map(len, parts.values())) != len(set().union(*parts.values())):
        raise Refused(f"{where}.split: {path} names a patient in two parts")
    return parts


def check_parts(parts: dict[str, list[Note]], mixed: Sequence[Note] = (), dev: bool = True) -> None:
    """Refuses empty parts, repeated ids, and patients that stand in two parts. mixed are training
    notes that are not in every epoch; dev is as in check_recipe."""
    for part in ("train", "dev") if dev or parts["dev"] else ("train",):
        if not parts[part]:
            raise Refused(f"no notes in the part {part}")
        if not any(n.spans for n in parts[part]):
            raise Refused(f"the notes of the part {part} have no annotation: nothing can be learnt")
    people = {p: {n.person for n in parts[p]} for p in ("train", "dev", "test")}
    people["train"] |= {n.person for n in mixed}
    for a, b in (("train", "dev"), ("train", "test"), ("dev", "test")):
        if both := len(people[a] & people[b]):
            raise Refused(
                f"{both} patients (or notes without a patient) are in both {a} and {b}: scores on "
                "patients that were trained on tell nothing; split by patient"
            )
    ids = [n.id for part in people for n in parts[part]] + [n.id for n in mixed]
    if twice := len(ids) - len(set(ids)):
        raise Refused(f"{twice} notes have the id of another note; ids must differ")
