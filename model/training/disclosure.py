"""Which words a model may hold: none that only somebody's PHI has.

vocabulary.txt lists forms in clear, and a model directory is staged, shared and
published. So a form gets a vector of its own only if it is public (it stands on a
list that anybody can read) or common: it stands outside of PHI in the notes of several
patients. A form that only PHI has, and a name that annotators overlooked once or twice,
is left to the character encoder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .forms import key
from .notes import Note
from .windows import Window

# Numbers that say nothing of anybody: up to two digits, and years.
NUMBERS = frozenset(
    [*map(str, range(100)), *(f"{n:02}" for n in range(100)), *map(str, range(1900, 2100))]
)


@dataclass(frozen=True)
class Disclosure:
    """The vocabulary lines (see forms.key) that a model may hold."""

    public: frozenset[str]
    common: frozenset[str]
    min_patients: int

    def may_hold(self, line: str) -> bool:
        return len(line) == 1 or line in self.public or line in self.common or line in NUMBERS


def disclosure(
    notes: Sequence[Note],
    windows: Iterable[Window],
    public: Iterable[Window],
    words: Iterable[str],
    min_patients: int,
) -> Disclosure:
    """notes and windows are the training notes as written, public the windows of texts that
    anybody can read, words further public words, in small letters."""
    person = {n.id: n.person for n in notes}
    lists = {key(f) for w in public for f in w.forms}
    lists.update(words)
    return Disclosure(
        frozenset(lists), frozenset(_common(windows, person, min_patients)), min_patients
    )


def whose(notes: Sequence[Note], count: int) -> str:
    """How a card says in whose notes a word stands, where some may name no patient."""
    unit = "patient" if any(n.patient for n in notes) else "note"
    of = f"{count} {unit}{'s' if count > 1 else ''}"
    if unit == "note":
        return f"at least {of} (they name no patient)"
    alone = "" if all(n.patient for n in notes) else " (one that names no patient counts as one)"
    return f"the notes of at least {of}{alone}"


def _common(windows: Iterable[Window], person: Mapping[str, str], min_patients: int) -> set[str]:
    """Returns the lines that stand outside of PHI in the notes of so many patients."""
    people: dict[str, set[str]] = {}
    for w in windows:
        for form, label in zip(w.forms, w.labels, strict=True):
            if label == "O":
                known = people.setdefault(key(form), set())
                if len(known) < min_patients:
                    known.add(person[w.id])
    return {line for line, known in people.items() if len(known) >= min_patients}
