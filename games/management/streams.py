"""What commands read and write: whatever is wrong with it ends in a sentence, never in a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import OutputWrapper


def read_input(name: str, *, most: int) -> bytes:
    """A file, or standard input (`-`): so many bytes, and one more if there are more.

    Raises OSError, and ValueError for a name that cannot be one.
    """
    if name == "-":
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        return sys.stdin.buffer.read(most + 1)
    with Path(name).open("rb") as file:
        return file.read(most + 1)


@contextmanager
def writing(output: OutputWrapper) -> Iterator[None]:
    """Around all that a command does. Exits with status 1 where `output` cannot be written, and says why if it can.

    Code inside that reads or writes anything else has to report its own errors.
    """
    if sys.stdout is None:  # closed by the process that started the command
        sys.exit("The output cannot be written: standard output is closed.")
    try:
        yield
        output.flush()
    except BrokenPipeError:
        _discard_output()
        sys.exit(1)
    except OSError as error:
        _discard_output()
        sys.exit(f"The output cannot be written: {error.strerror}.")


def _discard_output() -> None:
    """What is still buffered goes nowhere, so that no second error is shown at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
