"""model.json's descriptive fields, and the model card."""

from __future__ import annotations

import argparse
from typing import Any

from .train import Model

ATTRIBUTION = [
    {
        "name": "ACI-Bench (visit notes)",
        "licence": "CC BY 4.0",
        "citation": "Yim, Fu, Ben Abacha, Snider, Lin, Yetisgen 2023, Scientific Data 10:586",
        "changes": "made-up identifiers replaced and added; doubtful sentences removed",
    },
    {
        "name": "MTS-Dialog (section texts)",
        "licence": "CC BY 4.0",
        "citation": "Ben Abacha, Yim, Fan, Lin 2023, EACL",
        "changes": "the same; sections put together to notes",
    },
    {
        "name": "PriMock57 (general practice notes)",
        "licence": "CC BY 4.0",
        "citation": "Papadopoulos Korfiatis, Moramarco, Sarac, Savkov 2022, ACL",
        "changes": "the same",
    },
]
LISTS = (
    "Values came from lists written for this project, the US Census 1990 names (public domain), "
    "the CMS hospital list (public domain), and the occupations and cities of dariusk/corpora (CC0)."
)


def describe_model(
    args: argparse.Namespace, model: Model, scores: dict[str, Any], window_tokens: int
) -> dict[str, Any]:
    return {
        "name": args.name,
        "version": args.version,
        "language": args.language,
        "licence": args.licence,
        "attribution": ATTRIBUTION if args.data else [],
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
    lines = [
        "| | dev P | dev R | dev F1 | dev n | test P | test R | test F1 | test n |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]

    def row(name: str, pick: Any) -> str:
        cells = []
        for part in ("dev", "test"):
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


def write_card(d: dict[str, Any], model: Model) -> str:
    m = d["training"]["material"]
    s = d["training"]["settings"]
    dims = s["dimensions"]
    sources = "filled carriers (below)" if d["attribution"] else "no other text"
    lines = [
        f"# {d['name']} {d['version']}",
        "",
        "Finds protected health information in English clinical notes: names, dates, places, "
        "numbers, ages and occupations, by the types of the i2b2 2014 guideline. Made for "
        "Palimpsest; see `model/training` for how to train one on your own notes.",
        "",
        "**Not a promise of safety.** It was trained on fabricated notes and has never seen a real "
        "one. Score it on notes of your own before anything is released, and let the rules and the "
        "patient sweep of the job work beside it.",
        "",
        "## Network",
        f"Dernoncourt et al. 2017: character BiLSTM ({dims['char_hidden']} per direction), token "
        f"embedding ({dims['token']}), letter-case class and spacing, token BiLSTM "
        f"({dims['hidden']} per direction), dense layer ({dims['dense']}), CRF over "
        f"{len(model.labels)} BIOES labels. {len(model.vocabulary.forms)} forms, "
        f"{len(model.vocabulary.characters)} characters. No downloaded weights: token vectors are "
        "skip-gram vectors of the training text.",
        "",
        "## Data",
        f"- {m['train']['notes']} fabricated notes with {m['train']['spans']} marked spans "
        "(train patients of the project's examples, and patients written for training only), as written and in variants with other names, "
        "dates and numbers in the same formats;",
        f"- {sources}; {m['made_per_round']['notes']} made-up notes with "
        f"{m['made_per_round']['spans']} spans per round, {m['rounds']} rounds;",
        f"- {m['unmarked_texts']} conversations of ACI-Bench and MTS-Dialog, unmarked, for the token vectors.",
        "",
        LISTS,
        "",
        "## Protocol",
        f"Split by patient: dev {m['dev']['notes']} notes, test {m['test']['notes']} notes. Dev chose "
        f"the epoch ({d['training']['best_epoch']} of {s['epochs']}) and the recipe. Test was never "
        "trained or tuned on and its errors were not read. Neither part gave text to the token vectors, "
        f"the vocabulary or the variants. Seed {s['seed']}.",
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
        "- All notes, dev and test too, come from one project and few hands: real notes will score "
        "lower. The counts per type are small; a row with n below 50 is a hint, no measurement.",
        "- Types are mixed up about as often as PHI is missed: clinician and patient, hospital and "
        "organisation, the kinds of numbers. Redaction suffers little, surrogates do.",
        "- Weak on lower-case places and names in hurried notes, initials, lone numbers that are an "
        "age, a room or a short id, occupations without a cue, countries and landmarks; fax is "
        "taken for phone, account for other ids.",
        "- Types without 10 examples in train (URL, IP address, SSN, vehicle, department, other) are "
        "learnt from made-up sentences; leave them to the rules.",
        "- English only (US, UK, Irish, Canadian, Australian habits).",
        "",
        "## Licence and attribution",
        f"Weights: {d['licence']}.",
    ]
    for a in d["attribution"]:
        lines.append(f"- {a['name']}: {a['citation']}; {a['licence']}; {a['changes']}.")
    return "\n".join(lines) + "\n"
