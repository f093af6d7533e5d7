"""How far a long command is."""

from __future__ import annotations

import time
from typing import TextIO


class Bar:
    """A progress bar on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown = 0.0
        #: when it began, and what had been done already
        self.start, self.before = 0.0, -1

    def __call__(self, done: int, of: int) -> None:
        """Show how far it is."""
        now = time.monotonic()
        if done < of and done and now - self.shown < 0.1:
            return
        self.shown = now
        width = 30
        full = width * done // max(1, of)
        if self.before < 0:
            self.start, self.before = now, done
        made = done - self.before
        left = (now - self.start) / made * (of - done) if made else 0.0
        time_left = f"{left:.0f} s" if left < 100 else f"{left / 60:.0f} min"
        rest = f"  {time_left} left" if made and done < of else ""
        self.stream.write(f"\r\x1b[K[{'█' * full}{'·' * (width - full)}] {done}/{of}{rest}")
        self.stream.flush()

    def clear(self) -> None:
        """Take it away."""
        self.stream.write("\r\x1b[K")
        self.stream.flush()
