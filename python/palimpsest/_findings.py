"""What a job found, as Arrow tables. They need pyarrow: palimpsest-deid[arrow]."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow


def findings(private: str | os.PathLike[str]) -> pyarrow.Table:
    """Returns what was found where, without its text, from a job's private part.

    Columns: document_id, text_column, element, start, end, output_start,
    output_end, type, source, score; offsets count code points, ends are
    exclusive. Whoever has the table knows which words of a release are
    surrogates: keep it inside.
    """
    return _read(private, "findings")


def quarantine(private: str | os.PathLike[str]) -> pyarrow.Table:
    """Returns the rows that could not be processed, unchanged, each with a reason.

    A job without such rows has an empty table without columns.
    """
    import pyarrow

    if not any((Path(private) / "quarantine").glob("*.parquet")):
        return pyarrow.table({})
    return _read(private, "quarantine")


def _read(private: str | os.PathLike[str], folder: str) -> pyarrow.Table:
    import pyarrow
    import pyarrow.parquet

    files = sorted((Path(private) / folder).glob("*.parquet"))
    if not files:
        raise FileNotFoundError(f"there is no Parquet in {Path(private) / folder}: is this the private part of a job that has ended?")
    return pyarrow.concat_tables([pyarrow.parquet.read_table(f) for f in files])
