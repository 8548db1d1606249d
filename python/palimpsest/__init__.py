"""De-identifies tables of clinical notes: Parquet in, Parquet out.

    import palimpsest

    done = palimpsest.run(input="notes/*.parquet", output="release/jan", private="held/jan",
                          key="file:/etc/palimpsest/key", date_columns=["note_date"])
    print(done.report["rows_out"], "notes released")
    found = palimpsest.findings(done.private)   # a pyarrow.Table

The work is done by the program that this package carries; ``palimpsest`` on the
command line is the same one. Settings have the names that ``palimpsest run
--help all`` lists.
"""

from ._errors import (
    DataRefused,
    Defect,
    Error,
    Failed,
    Locked,
    SettingsError,
    Stopped,
)
from ._findings import findings, quarantine
from ._program import program
from ._run import Done, Setting, run
from ._version import Library, Model, Versions, version

__all__ = [
    "DataRefused",
    "Defect",
    "Done",
    "Error",
    "Failed",
    "Library",
    "Locked",
    "Model",
    "Setting",
    "SettingsError",
    "Stopped",
    "Versions",
    "findings",
    "program",
    "quarantine",
    "run",
    "version",
]
