"""The feature CRF and the token SVM: sums of weights of features.

What a feature is, Go alone knows (model/features): palimpsest tokenize --features writes their
names, python-crfsuite or scikit-learn weighs them, and palimpsest weights writes the table
that the job reads. A model that is given away must hold nobody's name, so features that tell a
word are left out before training where a model may not hold the word (Features).
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .disclosure import Disclosure
from .failure import Refused
from .forms import LINE, PARAGRAPH
from .notes import Note
from .progress import span
from .recipe import Linear
from .tools import call, lines
from .windows import WINDOW_TOKENS, Window
from .work import make_private

FEATURES_VERSION = 1  # of model/features
JOINER, INNER = "\x1f", "\x1e"
SPECIAL = frozenset((LINE, PARAGRAPH, "<s>", "</s>", "<c>", ""))
SPELLED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe"}
    | {"ı": "i", "ħ": "h"}
)
Sentence = tuple[list[list[str]], list[str]]  # features of each token, and labels


def fold(word: str) -> str:
    """As names.Fold in Go: small letters without marks."""
    plain = unicodedata.normalize("NFKD", word.lower())
    return "".join(c for c in plain if unicodedata.category(c) != "Mn").translate(SPELLED)


# The classes of features, those of Tafvizi and Pacula 2010 (section 4) as far as they are
# here: which templates (model/features) are of each.
CLASSES = {
    "the word": r"@w\+0|%s\+0",
    "parts of the word": r"~[pq]\d",
    "shape": r"sh\+0|c\+0|long|len|ch|chs\+0|sp\+0",
    "words beside": r"@w[+-][12]|@@w\[.*|%s[+-]1|~x.*",
    "shapes beside": r"sh[+-][12]|sh\[.*|c[+-]1|chs[+-]1|sp\+1",
    "words farther off": r"@left|@right",
    "headings and labels": r"@sec|@abv|@labs?",
    "lists": r"l[+-].*|l\[.*|lc|@w-1l",
    "place": r"ln|le|no",
    "elsewhere in the note": r"ti|lo",
    "": r"bias",  # always there
}


@cache
def class_of(template: str) -> str:
    """The class of a template; there is none without."""
    return next(c for c, of in CLASSES.items() if re.fullmatch(of, template))


class Features:
    """Which features a model may have: of those that tell a word, such as the disclosure
    lets it hold; of parts of words, such as are no word that it may not hold."""

    def __init__(self, may_hold: Disclosure, windows: Iterable[Window]) -> None:
        self.held = {fold(w) for w in may_hold.public | may_hold.common}
        written = {fold(f) for w in windows for f in w.forms}
        self.withheld = {w for w in written if not self.word(w)}
        self.known: dict[str, bool] = {}

    def word(self, word: str) -> bool:
        return len(word) == 1 or word in self.held or word in SPECIAL or _number(word)

    def keep(self, names: list[str]) -> list[str]:
        """The features of a token that a model may have."""
        out = []
        words: dict[str, str] = {}
        for name in names:
            if name[0] == "%":  # a stem: of a word that may be held
                words = words or {n[2:4]: n[5:] for n in names if n[:2] == "@w" and n[4] == "="}
                known = self.word(words[name[2:4]]) and name[5:] not in self.withheld
            else:
                before = self.known.get(name)
                known = self._learn(name) if before is None else before
            if known:
                out.append(name)
        return out

    def _learn(self, name: str) -> bool:
        self.known[name] = known = self._keep(name)
        return known

    def _keep(self, name: str) -> bool:
        words = _words(name)
        if name[0] == "~":
            return words[0] not in self.withheld
        return all(map(self.word, words))


def check_table(table: Table | Vectors, withheld: set[str]) -> None:
    """Refuses a table in which any part of any feature is a word that may not be held."""
    for name in table.features():
        if any(word in withheld for word in _words(name)):
            raise Refused("the table would hold a word that only PHI has: this is a defect")


def _words(name: str) -> list[str]:
    """The words, stems or parts of words that a feature tells."""
    if name[0] not in "@~%":
        return []
    parts = name.partition("=")[2].split(JOINER)
    return parts if name.startswith("@@") else parts[0].split(INNER)


def _number(word: str) -> bool:
    """Numbers come as they are only if they say nothing of anybody; see number in Go."""
    return word.isdigit()


def sentences(
    notes: Sequence[Note], language: str, keep: Features, path: Path
) -> Iterator[Sentence]:
    """The windows of some notes, with labels in BIO; path is a file to write meanwhile."""
    with path.open("w", encoding="utf-8") as f:
        for n in notes:
            spans = [{"start": s.start, "end": s.end, "type": s.type} for s in n.spans]
            f.write(json.dumps({"id": n.id, "text": n.text, "spans": spans}) + "\n")
    tokens: list[list[str]] = []
    labels: list[str] = []
    size = f"--window_tokens={WINDOW_TOKENS}"
    for line in lines("tokenize", size, "--features", language, stdin=path):
        if line:
            label, *names = line.split("\t")
            tokens.append(keep.keep(names))
            labels.append(BIO.get(label[0], label[0]) + label[1:])
        else:
            yield tokens, labels
            tokens, labels = [], []


def of_classes(made: Iterable[Sentence], classes: Sequence[str]) -> Iterator[Sentence]:
    """Sentences with features of some classes; of all where none is named."""
    wanted = {*classes, ""}
    for tokens, labels in made:
        if classes:
            tokens = [[x for x in t if class_of(x.partition("=")[0]) in wanted] for t in tokens]
        yield tokens, labels


BIO = {"E": "I", "S": "B"}


def chosen(label: str, types: Sequence[str]) -> str:
    """The label, or O where its type is none of those that are asked for."""
    return label if not types or label[2:] in types else "O"


def adapted(names: list[str], target: bool) -> list[str]:
    """EasyAdapt (Daume 2007, as in Lee et al. 2017): each feature as it is, for all notes,
    and once more for those of its own domain. The target's copies begin with TARGET."""
    return [*names, *((TARGET if target else SOURCE) + n for n in names)]


TARGET, SOURCE = "t\x1d", "s\x1d"


class Table:
    """What was trained: weights by feature and label, and transitions [L + 2, L]."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = list(labels)
        self.weights: dict[tuple[str, str], float] = {}
        n = len(self.labels)
        self.transitions = [[0.0] * n for _ in range(n + 2)]

    def add(self, name: str, label: str, weight: float) -> None:
        """Adds a weight as it counts for the target: its own and the general one together."""
        if name.startswith(SOURCE):
            return
        key = (name.removeprefix(TARGET), label)
        self.weights[key] = self.weights.get(key, 0.0) + weight

    def features(self) -> set[str]:
        return {name for name, _ in self.weights}

    def write(self, folder: Path) -> dict[str, str]:
        """Writes weights.bin and transitions.f32, and returns their digests."""
        index = {x: i for i, x in enumerate(self.labels)}
        rows = (f"{n}\t{index[x]}\t{w:.8g}" for (n, x), w in sorted(self.weights.items()))
        weights, _ = call("weights", stdin="\n".join(rows).encode())
        flat = [x for row in self.transitions for x in row]
        steps = struct.pack(f"<{len(flat)}f", *flat)
        return _written(folder, {"weights.bin": weights, "transitions.f32": steps})


@dataclass
class Vectors:
    """What was trained with a kernel: support vectors by feature."""

    labels: list[str]
    of: list[tuple[str, list[int]]]  # features, and the vectors that have them
    times: list[float]  # what each vector counts
    kernel: dict[str, Any]

    def features(self) -> set[str]:
        return {name for name, _ in self.of}

    def write(self, folder: Path) -> dict[str, str]:
        """Writes vectors.bin, and returns its digest."""
        rows = ["\t".join(f"{t:.8g}" for t in self.times)]
        rows += ["\t".join([n, *map(str, of)]) for n, of in sorted(self.of)]
        file, _ = call("weights", "--vectors", stdin="\n".join(rows).encode())
        return _written(folder, {"vectors.bin": file})


def _written(folder: Path, files: dict[str, bytes]) -> dict[str, str]:
    make_private(folder)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def train_crf(
    parts: Iterable[tuple[bool, Iterable[Sentence]]],
    o: Linear,
    path: Path,
    log: Callable[[str], None],
) -> Table:
    """Trains a linear chain by L-BFGS with an elastic net (OWL-QN). Each part of the
    sentences comes with whether it is of the domain that is adapted to."""
    try:
        import pycrfsuite
    except ImportError:
        raise Refused("python-crfsuite is needed: pip install -r requirements-linear.txt") from None

    class Trainer(pycrfsuite.Trainer):  # type: ignore[misc]
        def on_iteration(self, said: str, info: dict[str, Any]) -> None:
            if info["num"] % 5 == 1:
                n, most = info["num"], o.iterations
                left = (time.monotonic() - started) * (most - n) / n
                log(
                    f"iteration {n} of {most}: loss {info['loss']:.0f}, {info['active_features']} "
                    f"weights; at most {span(left)} left"
                )

    trainer = Trainer(verbose=True)
    trainer.on_start = trainer.on_featgen_progress = trainer.on_featgen_end = _quiet
    trainer.on_prepared = trainer.on_prepare_error = trainer.on_optimization_end = _quiet
    trainer.on_end = _quiet
    trainer.select("lbfgs")
    trainer.set_params(
        {
            "c1": o.c1,
            "c2": o.c2,
            "max_iterations": o.iterations,
            "feature.minfreq": o.min_count,
            "feature.possible_transitions": False,
        }
    )
    for target, part in parts:
        for tokens, labels in part:
            names = [adapted(t, target) for t in tokens] if o.target else tokens
            trainer.append(names, [chosen(x, o.labels) for x in labels])
    started = time.monotonic()
    trainer.train(str(path))
    log(f"L-BFGS: {time.monotonic() - started:.0f} s; {trainer.logparser.last_iteration}")
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    info = tagger.info()
    table = Table(["O", *sorted(x for x in info.labels if x != "O")])
    for (name, label), weight in info.state_features.items():
        table.add(name, label, weight)
    index = {x: i for i, x in enumerate(table.labels)}
    for (a, b), weight in info.transitions.items():
        table.transitions[index[a]][index[b]] = weight
    return table


def _quiet(said: str, *_: object) -> None:
    pass
