"""Out-of-fold labels: what the network finds in training notes that it did not see.

Rules that work beside the network, and how the two are merged, are chosen on
these, so that dev keeps its word on the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .failure import Refused
from .notes import Note
from .recipe import Settings
from .train import Feed, train
from .windows import Window


def out_of_fold(
    notes: Sequence[Note],
    feed: Feed,
    folds: int,
    settings: Settings,
    log: Callable[[str], None],
    device: str = "cpu",
) -> list[Note]:
    """Returns the notes with the spans found by a network trained on the other folds.

    Fold k holds the notes of every patient whose place among the patients is k modulo folds;
    feed.written are the notes' windows. The text of what is held out, without its labels, is
    read for the token vectors. The last epoch is taken, as no part is left to choose one by.
    """
    found: dict[str, Note] = {}
    people = {p: i for i, p in enumerate(dict.fromkeys(n.person for n in notes))}
    if len(people) < folds:
        raise Refused(
            f"--folds {folds}: the notes to train on are of {len(people)} patients; give at most so "
            "many, and at least 2"
        )
    fold_of = {n.id: people[n.person] % folds for n in notes}
    for k in range(folds):
        seen = [w for w in feed.written if fold_of[w.id] != k]
        held = [w for w in feed.written if fold_of[w.id] == k]
        blank = [Window(w.id, w.forms, w.classes, w.space, w.start, w.end, []) for w in held]
        log(f"fold {k + 1} of {folds}")
        of_fold = replace(feed, written=seen, text=[*feed.text, *blank])
        model = train(of_fold, None, settings, log, device)
        spans = model.find(held)
        for n in notes:
            if fold_of[n.id] == k:
                inside = sorted(spans.get(n.id, ()), key=lambda s: s.start)
                found[n.id] = replace(n, spans=inside)
    return [found[n.id] for n in notes]
