"""What the command line does with a recipe."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import ablate as ablation
from .card import describe_model, load_profile, write_card
from .context import Contexts
from .context import read as read_contexts
from .corpus import Corpus, read
from .curve import write_curve
from .disclosure import disclosure, whose
from .distill import Teachers
from .export import export
from .failure import Refused
from .folds import out_of_fold
from .level import level
from .material import Material
from .model import Held, Model
from .notes import Note, spread, write_jsonl
from .pretrained import Pretrained
from .pretrained import read as read_vectors
from .recipe import Recipe, Settings
from .runtime import Directory
from .scheme import labels_for
from .score import Scorer, Scores
from .seeds import best_of
from .smaller import smaller
from .speed import compare
from .train import Feed, train
from .warm import blend, inherited, read_model
from .windows import WINDOW_TOKENS, Window, tokenize
from .work import make_private

RECALL_BIASES = ("0", "0.25", "0.5", "0.75", "1")  # of the card's table, nats
Log = Callable[[str], None]


@dataclass
class Bench:
    """What the commands share: a recipe, its work folder, a device and a log."""

    recipe: Recipe
    work: Path
    device: str
    log: Log

    def corpus(self) -> Corpus:
        return read(self.recipe.notes, self.work, self.recipe.training.seed, self.log)

    def windows(
        self, notes: Sequence[Note], cut: str, most: int = WINDOW_TOKENS, least: int = 0
    ) -> list[Window]:
        windows, summary = tokenize(notes, most, cut, least)
        self.log(summary)
        return windows

    def held(
        self, part: str, notes: Sequence[Note], most: int = WINDOW_TOKENS, least: int = 0
    ) -> Held:
        """Notes to score by, cut as the job cuts for a model of such windows."""
        windows = self.windows(notes, "content", most, least)
        return Held(notes, windows, Scorer(notes, self.work / f"scores-{part}"))

    def vectors(self) -> Pretrained | None:
        file = self.recipe.vectors.file
        return read_vectors(file, self.recipe.network.token) if file is not None else None

    def settings(self, start: Model | None) -> Settings:
        """The recipe's, but for a network that is there already."""
        settings = self.recipe.settings()
        if start is not None:
            return replace(settings, network=start.settings.network)
        if (contexts := self.contexts()) is not None:
            return replace(settings, network=replace(settings.network, context=contexts.width))
        return settings

    def contexts(self) -> Contexts | None:
        """The language models that the recipe names."""
        return read_contexts(self.recipe.context) if self.recipe.context is not None else None

    def feed(self, material: Material, start: Model | None = None) -> Feed:
        """What training on a material sees."""
        cut = self.recipe.training.windows
        written = self.windows(material.corpus.train, cut)
        t, again = self.recipe.teacher, _again(self.recipe)

        def make_up(k: int) -> list[Window]:
            return tokenize(material.made(k % again), cut=cut)[0]

        made = make_up if material.makes() else None
        contexts = self.contexts()
        key = _key(self.recipe, material.corpus, start, contexts)
        if start is not None:
            labels = known_labels(start, material)
            feed = Feed(written, labels, made, key=key, start=start)
            return self._taught(feed, material) if t.models else feed
        pretrained = self.vectors()
        may_hold = disclosure(
            material.corpus.train,
            written,
            tokenize(material.public_words())[0],
            pretrained.words if pretrained is not None else (),
            self.recipe.vocabulary.min_patients,
        )
        return Feed(
            written,
            labels_for(material.types()),
            made,
            self.windows(material.text, cut) if material.text else (),
            may_hold,
            pretrained,
            key,
            contexts=contexts,
        )

    def _taught(self, feed: Feed, material: Material) -> Feed:
        """A feed with the recipe's teachers."""
        t = self.recipe.teacher
        cache = t.cache if t.cache is not None else self.work / "teacher"
        teachers = Teachers(t.models, feed.labels, cache, self.log)
        cut = self.recipe.training.windows
        text = self.windows(material.text, cut) if t.text and material.text else ()
        untaught = material.corpus.untaught
        return replace(feed, teachers=teachers, weight=t.weight, text=text, untaught=untaught)

    def start(self, corpus: Corpus) -> Model | None:
        """The network that training goes on from: the recipe's; where there are teachers, a part
        of that or of the first of them."""
        first = self.recipe.start
        if not self.recipe.teacher.models:
            return read_model(first) if first is not None else None

        def seen() -> Counter[str]:
            written = self.windows(corpus.train, self.recipe.training.windows)
            return Counter(form for w in written for form in w.forms)

        model = read_model(first or self.recipe.teacher.models[0])
        return smaller(model, self.recipe.network, seen)

    def train(self, feed: Feed, dev: Held | None, resume: bool) -> Model:
        def one(settings: Settings) -> Model:
            path = self.work / f"seed-{settings.training.seed}.pt"
            return train(feed, dev, settings, self.log, self.device, path, resume)

        best = best_of(self.settings(feed.start), one, self.log)
        if feed.start is not None:
            blend(best.network, feed.start.network, self.recipe.training.blend)
        return best


def _again(recipe: Recipe) -> int:
    """The epochs after which made-up notes come again."""
    t = recipe.teacher
    return t.rounds if t.models and t.rounds else recipe.training.epochs


def known_labels(start: Model, material: Material) -> list[str]:
    """The labels of the first model, which must have all types of the notes."""
    known = {label[2:] for label in start.labels}
    if new := sorted(material.types() - known):
        raise Refused(
            f"the notes have types that the first model does not: {', '.join(new)}; map them with "
            "palimpsest convert --mapping, or leave them out"
        )
    return start.labels


def _key(recipe: Recipe, corpus: Corpus, start: Model | None, contexts: Contexts | None) -> str:
    """Names what a checkpoint belongs to: the keys that decide its weights, and the notes."""
    decide = ("made", "vocabulary", "vectors", "network", "training", "without")
    d = [repr(getattr(recipe, name)) for name in decide]
    if recipe.teacher.models:
        d += [repr(replace(recipe.teacher, cache=None)), repr(sorted(corpus.untaught))]
    d += [repr(n) for part in (corpus.train, corpus.dev, corpus.text) for n in part]
    if start is not None:
        d.append(repr(start.report["description"]["files"]))
    d += [repr(corpus.drawn), *(repr(n) for n in corpus.public)]
    if contexts is not None:
        d.append(repr(contexts.description["files"]))
    return hashlib.sha256("\n".join(d).encode(errors="surrogatepass")).hexdigest()


def make(bench: Bench, resume: bool) -> None:
    """Trains a model, writes its directory, and prints its scores through ONNX Runtime."""
    recipe, corpus = bench.recipe, bench.corpus()
    profile = load_profile(recipe.profile)
    start = bench.start(corpus)
    teachers = [_name(folder) for folder in recipe.teacher.models]
    if start is not None:
        profile = inherited(profile, start, teachers)
        described = start.report["description"]
        recipe = replace(recipe, language=described["language"], licence=described["licence"])
    material = Material(corpus, recipe.made, recipe.training.seed, recipe.without)
    held = held_of(bench, corpus)
    feed = bench.feed(material, start)
    model = bench.train(feed, held["dev"], resume)
    if recipe.teacher.match_recall and feed.teachers is not None:
        model.report["recall_bias"] = level(model, feed.teachers.models, held["dev"])
    again = _again(recipe)
    model.report["material"] = material.describe((model.report["epochs"] - 1) % again)
    model.report["whose"] = whose(corpus.train, recipe.vocabulary.min_patients)
    if recipe.vectors.file is not None:
        model.report["vectors_file"] = recipe.vectors.file.name
    if teachers:
        model.report["teachers"] = teachers
    write_curve(bench.work / "curve", model.report["history"])
    write_model(recipe, profile, model, held)
    bench.log(f"wrote {recipe.output}")
    print(json.dumps(_scores(recipe.output, held, model), indent=2))


def write_model(
    recipe: Recipe, profile: dict[str, Any], model: Model, held: Mapping[str, Held]
) -> dict[str, Scores]:
    """Scores a model, writes its directory with its card, and returns the scores of each part."""
    scores = {part: h.score(model) for part, h in held.items()}
    biased = {b: held["dev"].score(model, float(b)).brief() for b in RECALL_BIASES}
    described = describe_model(recipe, profile, model, scores, biased)
    export(model, recipe.output, described, write_card(recipe, described, profile, model))
    return scores


def score(bench: Bench) -> None:
    """Scores the exported directory, through ONNX Runtime, on dev and test."""
    if not (bench.recipe.output / "model.json").is_file():
        raise Refused(f"output: there is no model in {bench.recipe.output}")
    print(json.dumps(_scores(bench.recipe.output, held_of(bench, bench.corpus())), indent=2))


def teachers(bench: Bench) -> None:
    """Scores what each of the recipe's teachers thinks on dev, and what all do together."""
    dev = bench.held("dev", bench.corpus().dev)
    models = bench.recipe.teacher.models
    several = [[m] for m in models] + ([list(models)] if len(models) > 1 else [])
    labels = Directory(models[0]).labels
    out = {}
    for folders in several:
        asked = Teachers(folders, labels, bench.work / "teacher", bench.log)
        out[" + ".join(map(_name, folders))] = {
            b: dev.of_labels(asked.labels_of(dev.windows, float(b))).brief() for b in RECALL_BIASES
        }
    print(json.dumps(out, indent=2))


def _name(folder: Path) -> str:
    described = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    return f"{described['name']} {described['version']}"


def held_of(
    bench: Bench, corpus: Corpus, most: int = WINDOW_TOKENS, least: int = 0
) -> dict[str, Held]:
    parts = {"dev": corpus.dev, "test": corpus.test}
    return {part: bench.held(part, notes, most, least) for part, notes in parts.items() if notes}


def _scores(folder: Path, held: Mapping[str, Held], model: Model | None = None) -> dict[str, Any]:
    """Scores of a model directory, with the number of tokens that PyTorch labels otherwise."""
    directory = Directory(folder)
    out: dict[str, Any] = {}
    for part, h in held.items():
        predicted = directory.predict(h.windows)
        out[part] = h.of_labels(predicted).json()
        if model is not None:
            pairs = list(zip(predicted, model.predict(h.windows), strict=True))
            other = sum(x != y for a, b in pairs for x, y in zip(a, b, strict=True))
            out[part]["labels"] = {
                "tokens": sum(len(a) for a, _ in pairs),
                "other_by_pytorch": other,
            }
    return out


def folds(bench: Bench, count: int, folder: Path) -> None:
    """Writes, as JSON lines, what networks trained without them find in the training notes."""
    material = Material(bench.corpus(), replace(bench.recipe.made, variants=0), 0, ("carriers",))
    # These networks are not kept, and what they may hold would depend on held-out labels.
    feed = replace(bench.feed(material), disclosure=None)
    notes = material.corpus.train
    found = out_of_fold(notes, feed, count, bench.settings(None), bench.log, bench.device)
    make_private(folder)
    write_jsonl(folder / "notes.jsonl", found)
    scorer = Scorer(notes, bench.work / "scores-folds")
    bench.log(json.dumps(scorer.score({n.id: n.spans for n in found}).brief()))


def ablate(bench: Bench, parts: Sequence[str], sizes: Sequence[int], folder: Path | None) -> None:
    """Trains with each part left out, and on fewer notes, and prints a table."""
    corpus = bench.corpus()
    dev = bench.held("dev", corpus.dev)

    def run(without: str, size: int) -> Model:
        left_out = (*bench.recipe.without, *filter(None, [without]))
        recipe = replace(bench.recipe, without=left_out)
        of_run = replace(bench, recipe=recipe)
        some = replace(corpus, train=spread(corpus.train, size))
        material = Material(some, recipe.made, recipe.training.seed, recipe.without)
        most = min(sizes[0], len(corpus.train)) if sizes else len(corpus.train)
        times = ablation.more_epochs(most, size)
        training = replace(recipe.training, epochs=round(recipe.training.epochs * times))
        settings = replace(of_run.settings(None), training=training)
        return train(of_run.feed(material), None, settings, bench.log, bench.device)

    rows = ablation.ablate(run, dev, len(corpus.train), parts, sizes, folder, bench.log)
    print(ablation.table(rows))


def speed(folder: Path) -> None:
    """Compares the exported token graph's speed with that of random weights."""
    trained, random = compare(folder)
    print(
        f"{trained:.0f} tokens/s; random weights of the same size {random:.0f}; "
        f"{trained / random:.3f} of it"
    )
