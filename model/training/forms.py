"""How a token's form is written in the tables of a model."""

from __future__ import annotations

# Special lines of vocabulary.txt: the unknown form, and the two Newline forms,
# which cannot stand in a file of lines as they are.
UNKNOWN, LINE, PARAGRAPH = "<unk>", "<nl>", "<nl2>"
SPECIAL = {"\n": LINE, "\n\n": PARAGRAPH}


def lower(form: str) -> str:
    """Lower-cases as Go's strings.ToLower: each code point to one code point."""
    return "".join(c.lower()[0] for c in form)


def key(form: str) -> str:
    """Returns the vocabulary line that a form is looked up by."""
    return SPECIAL.get(form) or lower(form)
