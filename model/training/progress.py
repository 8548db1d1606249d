"""The log of a training run: how far it is and how long it still takes."""

from __future__ import annotations

import time
from collections.abc import Callable

EVERY = 60.0  # seconds between lines within an epoch


class Progress:
    """Tells of each epoch, of every minute of a long one, and the time left.

    The time left is that of what was trained since the start of the process, at the same
    speed.
    """

    def __init__(
        self,
        first: int,
        epochs: int,
        log: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.first = first  # epochs that were done before
        self.epochs = epochs
        self.done = first
        self.log = log
        self.clock = clock
        self.started = self.told = self.began = clock()

    def batch_done(self, share: float, tokens: int) -> None:
        """share of the epoch that is done, and its tokens so far."""
        now = self.clock()
        if now - self.told < EVERY or share >= 1:
            return
        self.told = now
        speed = tokens / max(1e-9, now - self.began)
        self.log(
            f"epoch {self.done + 1} of {self.epochs}: {100 * share:.0f} %, {speed:,.0f} tokens/s"
            f"{self._left(self.done + share)}"
        )

    def epoch_done(self, epoch: int, line: str) -> None:
        self.done = epoch
        self.told = self.began = self.clock()
        self.log(f"epoch {epoch} of {self.epochs}: {line}{self._left(epoch)}")

    def _left(self, done: float) -> str:
        if done >= self.epochs or done <= self.first:
            return ""
        spent = self.clock() - self.started
        left = spent * (self.epochs - done) / (done - self.first)
        return f"; about {span(left)} left"


def span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"
