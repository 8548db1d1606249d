"""What an encoder of word pieces reads of a window, as the job makes it (model/bilstmcrf/pieces.go)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .failure import Refused
from .forms import cut
from .windows import Window

TABLE = "pieces.txt"
MOST = 8  # pieces of a form; the rest of a longer one is left out
LONG = 96  # bytes; of a longer form its first and last characters are read
# What stands before a piece: nothing, blanks, or no piece of the text; or it is inside of a form, or
# of none.
GLUED, BLANK, BEGIN, INSIDE = range(4)
BITS = 6  # of case (a class and one, 0 for none) and what stands before, in a piece's number


def number(piece: int, case: int, before: int) -> int:
    return piece << BITS | case << 2 | before


@dataclass
class Pieces:
    """WordPiece (Devlin et al. 2019), form by form."""

    known: Sequence[str]
    places: int  # of the encoder: the most pieces of a window
    remembered: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
        except ImportError:
            raise Refused("tokenizers is needed: pip install -r requirements-encoder.txt") from None
        index = {piece: i for i, piece in enumerate(self.known)}
        self.tokenizer: Any = Tokenizer(models.WordPiece(index, unk_token="[UNK]"))
        self.tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        self.tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        names = ("[CLS]", "[SEP]", "[UNK]", "[MASK]")
        if lacks := [n for n in names if n not in index]:
            raise Refused(f"encoder.folder: its tokenizer is not BERT's, as it has no {lacks[0]}")
        self.first, self.last, self.unknown, self.mask = (index[n] for n in names)

    def form(self, form: str) -> list[int]:
        """A form's pieces. Line ends, which WordPiece takes for blanks, are the unknown piece."""
        ids = self.remembered.get(form)
        if ids is None:
            seen = cut(form) if len(form.encode(errors="surrogatepass")) > LONG else form
            ids = self.tokenizer.encode(seen, add_special_tokens=False).ids[:MOST] or [self.unknown]
            self.remembered[form] = ids
        return ids

    def count(self, forms: Sequence[str]) -> int:
        """How many pieces a window has, with the two around it."""
        return 2 + sum(len(self.form(f)) for f in forms)

    def sequence(self, w: Window) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
        """A window's pieces, as numbers, and of each token the places of its first and its last
        one. If the encoder has not so many places, each form is read by its first piece alone."""
        most = 1 if self.count(w.forms) > self.places else MOST
        out, places = [number(self.first, 0, INSIDE)], []
        for k, form in enumerate(w.forms):
            before = BEGIN if k == 0 else BLANK if w.space[k] else GLUED
            at = len(out)
            for piece in self.form(form)[:most]:
                out.append(number(piece, w.classes[k] + 1, before))
                before = INSIDE
            places.append((at, len(out) - 1))
        return np.array([*out, number(self.last, 0, INSIDE)]), places
