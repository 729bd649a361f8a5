"""Standard output that is closed, full or no longer read: exit status 1 and at most a sentence, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import OutputWrapper


@contextmanager
def writing(output: OutputWrapper) -> Iterator[None]:
    """Around all that a command does. Exits where `output` cannot be written; who stops reading is told nothing.

    Whoever reads or writes anything else inside has to say himself what cannot be read or written.
    """
    if sys.stdout is None:  # closed by whoever started the command
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
