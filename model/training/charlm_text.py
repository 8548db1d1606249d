"""The text that character language models are trained on.

Language models can remember what they read, so they read no note as its author wrote it,
unless it is published: notes with all PHI redrawn from lists, carriers with made-up PHI, and
published texts. The refiller leaves a word as it is now and then, as in a street's name, or where
it knows no other; such a variant is drawn again (keeps), but of the repository's invented notes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from . import wordlists
from .failure import Refused
from .inject import check, document, load_pieces, variant
from .material import Material
from .notes import Note, Span
from .refill import WORD, Refiller, refillable
from .rng import Rng

# Of how often a source has been used; None where no variant is fit to be read.
Make = Callable[[int], Note | None]
TRIES = 50  # at a variant that keeps no word

NAMES = ("PATIENT", "DOCTOR")
PLAIN = wordlists.GENERIC | wordlists.PARTICLES  # words that tell nothing of anybody
# Those of dates, ages and numbers, too; in a street or a name they may be somebody's.
NUMBERED = frozenset(
    (
        "DATE AGE PHONE FAX EMAIL URL IPADDR ZIP SSN ROOM MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE "
        "VEHICLE DEVICE BIOID IDNUM"
    ).split()
)
LABELS = (
    "account acct bed card cell code com direct dob edu email example ext extension extn fax home "
    "http https id landline lic licence license line member mob mobile mr mrn net nhs no num "
    "number office org pager patient ph phone plate policy ref rm room serial ssn tel telephone "
    "uk vin wd www zip "
    "aged and around between by day days during early eighties end evening from half hundred "
    "infant last late mid middle midnight month months morning new next night nights nineties "
    "noon on past pm since seventies sixties summers teen teenage teens thirties forties fifties "
    "this to today tomorrow tonight twenties until week weekend weekends weeks wkend winters wk "
    "wks year years xmas yesterday yo yr yrs nd rd th"
).split()
NUMBER_WORDS = frozenset(
    w.lower()
    for words in (
        *(LABELS, wordlists.NUMBERS, wordlists.TENS, *wordlists.DATE_WORDS),
        [f"{day}s" for day in wordlists.DAYS],
        [w for h in wordlists.HOLIDAYS for w in WORD.findall(h)],
    )
    for w in words
)


def redrawable(note: Note) -> bool:
    """Whether every span of a note gets another value; those of OTHER stay."""
    return refillable(note) and all(s.type != "OTHER" for s in note.spans)


def keeps(note: Note, drawn: Note) -> bool:
    """Whether a span of a note that was drawn anew has a word of what stood there, beyond those
    that tell nothing of anybody. Single letters are none."""
    return any(
        (_words(note, old) & _words(drawn, new)) - _plain(note, old)
        for old, new in zip(note.spans, drawn.spans, strict=True)
    )


def _plain(note: Note, s: Span) -> frozenset[str]:
    if s.type in NUMBERED:
        return PLAIN | NUMBER_WORDS
    # A name of particles alone, such as Do, stays as it is.
    alone = s.type in NAMES and _words(note, s) <= wordlists.PARTICLES
    return frozenset() if alone else PLAIN


def _words(note: Note, s: Span) -> set[str]:
    return {w.lower() for w in WORD.findall(note.text[s.start : s.end]) if len(w) > 1}


def _as_it_is(note: Note, k: int) -> Note:
    del k
    return note


@dataclass
class Texts:
    """Texts of rounds: each draws from all sources in one random order, gone through again and
    again, with other values each time."""

    material: Material
    characters: int  # of a round

    def __post_init__(self) -> None:
        m = self.material
        corpus = m.corpus
        published = {n.text for n in (*corpus.public, *m.published)}
        train = [*corpus.train, *(n for _, pool in corpus.drawn for n in pool)]
        # A document's lines cannot be compared with what they were: a site's own give none.
        open_ = [n for n in train if n.text in published or n.id in corpus.invented]
        self.pieces = load_pieces(list(filter(redrawable, open_)))
        self.makes: list[Make] = []
        for n in train:
            if n.text in published:
                self.makes.append(partial(_as_it_is, n))
            elif redrawable(n) and "refill" not in m.without:
                self.makes.append(partial(self._variant, n))
        for n in m.carriers:
            self.makes.append(partial(self._filled, n))
        self.makes += [partial(_as_it_is, n) for n in m.text if n.text in published]
        self.starts = [0]  # of each round, in the order

    def round(self, k: int) -> list[Note]:
        """The texts of a round, the same whenever it is asked for."""
        while len(self.starts) <= k:
            self.round(len(self.starts) - 1)
        notes, end = self._from(self.starts[k])
        if len(self.starts) == k + 1:
            self.starts.append(end)
        return notes

    def _from(self, at: int) -> tuple[list[Note], int]:
        """The texts of a round that begins at a place of the order, and where it ends."""
        notes: list[Note] = []
        size = unfit = 0
        while size < self.characters:
            if unfit > 2 * len(self.makes):
                raise Refused("no text to train on: every variant of the notes keeps some PHI")
            times, i = divmod(at, len(self.makes))
            order = Rng(self.material.seed, f"charlm/order/{times}").g.permutation(len(self.makes))
            note = self.makes[int(order[i])](times)
            if note is None:
                unfit += 1
            else:
                check(note)
                notes.append(Note(f"{at}/{note.id}", note.text))
                size += len(note.text)
                unfit = 0
            at += 1
        return notes, at

    def _variant(self, n: Note, k: int) -> Note | None:
        m = self.material
        for again in range(TRIES):
            name = f"charlm/{k}/{n.id}" + (f"/{again}" if again else "")
            # variant draws the same values: it begins with them.
            if n.id in m.corpus.invented or not keeps(
                n, Refiller(m.lexicons, Rng(m.seed, name)).note(n)
            ):
                return variant(n, m.lexicons, Rng(m.seed, name), m.without)
        return None

    def _filled(self, n: Note, k: int) -> Note:
        m = self.material
        r = Rng(m.seed, f"charlm/carrier/{k}/{n.id}")
        return document([n], self.pieces, m.lexicons, r, n.id, m.without)
