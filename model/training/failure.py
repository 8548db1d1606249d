"""Failures that are told in one line, without a traceback."""

from __future__ import annotations


class Refused(Exception):
    """Settings or notes that cannot be. The message says what to do, and never quotes a note."""
