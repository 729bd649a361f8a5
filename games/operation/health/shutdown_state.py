"""Whether this process is about to go; then proxies send nobody here any more."""

from __future__ import annotations

is_draining = False


def begin_draining() -> None:
    """Report this process as not ready from now on."""
    global is_draining
    is_draining = True
