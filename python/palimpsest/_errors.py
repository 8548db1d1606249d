"""Exit statuses of the program as exceptions."""

from __future__ import annotations


class Error(Exception):
    """The program ended with an exit status other than 0.

    ``status`` is that status; the message is what the program said last, which
    holds no text of notes.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message or f"palimpsest ended with status {status} and said nothing")
        self.status = status


class Failed(Error):
    """1: it failed, and may be tried again."""


class SettingsError(Error):
    """64: settings are wrong; trying again does not help."""


class DataRefused(Error):
    """65: the data cannot be used as it is; trying again does not help."""


class Defect(Error):
    """70: a defect of the program; please report it."""


class Locked(Error):
    """75: another job is at work on the same output."""


class Stopped(Error):
    """130, 143, or the end by another signal: somebody stopped it."""


_BY_STATUS: dict[int, type[Error]] = {64: SettingsError, 65: DataRefused, 70: Defect, 75: Locked, 130: Stopped, 143: Stopped}


def error(status: int, said: str) -> Error:
    """Returns the exception for an exit status; a negative one is a signal's number."""
    kind = Stopped if status < 0 else _BY_STATUS.get(status, Failed)
    return kind(status, said)
