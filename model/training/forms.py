"""How a token's form is written in the tables of a model."""

from __future__ import annotations

# Special lines of vocabulary.txt: the unknown form, and the two Newline forms,
# which cannot stand in a file of lines as they are.
UNKNOWN, LINE, PARAGRAPH = "<unk>", "<nl>", "<nl2>"
SPECIAL = {"\n": LINE, "\n\n": PARAGRAPH}

MAX_CHARS = (16, 8)  # first and last characters that encoders see of a long form


def lower(form: str) -> str:
    """Lower-cases as Go's strings.ToLower: each code point to one code point."""
    return "".join(c.lower()[0] for c in form)


def cut(form: str) -> str:
    """Returns the characters that encoders see."""
    first, last = MAX_CHARS
    return form if len(form) <= first + last else form[:first] + form[-last:]


def key(form: str) -> str:
    """Returns the vocabulary line that a form is looked up by."""
    return SPECIAL.get(form) or lower(form)
