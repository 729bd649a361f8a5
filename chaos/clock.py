"""The wall clock of a site's processes, which can be set to another time while they run.

A small C library (`clock.c`) is preloaded, so that everything in a process sees the jump at the same moment: Python,
Celery, the database driver. libfaketime does not do: it stops Python's `time.sleep`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")


def can_jump() -> bool:
    """Whether there is a C compiler."""
    return shutil.which("cc") is not None


class Clock:
    """The difference between the processes' clock and this machine's. folder: for the files that they read and load."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "ahead"
        self._library = folder / "clock.so"
        self.ahead = 0
        """Seconds by which it is ahead; less than 0: behind."""
        folder.mkdir(exist_ok=True)
        self._file.write_bytes(bytes(8))

    def settings(self) -> dict[str, str]:
        """The environment of processes that use this clock; empty without a compiler."""
        if not can_jump():
            return {}
        command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(self._library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True, capture_output=True)
        return {"LD_PRELOAD": str(self._library), "CLOCK_AHEAD": str(self._file)}

    def set(self, ahead: int) -> None:
        """Set the clock so many seconds ahead from now on."""
        with self._file.open("r+b") as out:
            out.write(ahead.to_bytes(8, sys.byteorder, signed=True))
        self.ahead = ahead

    def now(self) -> float:
        """The processes' time, in seconds since 1970."""
        return time.time() + self.ahead
