"""Messages and progress on the error output."""

from __future__ import annotations

import sys
import time

#: Seconds between two lines of progress if the error output is not a terminal.
INTERVAL = 60


class Progress:
    """The error output of the driver. On a terminal its last line is the progress."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self.shown = ""
        self.next_line = time.monotonic() + INTERVAL

    def report(self, message: str) -> None:
        """Writes a message on a line."""
        clear = "\r\x1b[K" if self.is_terminal else ""
        print(f"{clear}pentarch.cluster: {message}", file=sys.stderr)
        print(self.shown if self.is_terminal else "", end="", file=sys.stderr, flush=True)

    def show(self, summary: str, details: str) -> None:
        """Shows the progress. A terminal has only the newest summary. Other outputs get a line a minute with details.
        """
        if self.is_terminal and summary != self.shown:
            print(f"\r\x1b[K{summary}", end="", file=sys.stderr, flush=True)
            self.shown = summary
        elif not self.is_terminal and time.monotonic() >= self.next_line:
            self.next_line = time.monotonic() + INTERVAL
            self.report("; ".join(part for part in (summary, details) if part))

    def end(self) -> None:
        """Ends the line of the progress."""
        if self.shown:
            print(file=sys.stderr)
            self.shown = ""
