"""Whether this process is shutting down: it then reports itself as not ready, and proxies send nobody here."""

from __future__ import annotations

is_draining = False


def begin_draining() -> None:
    """Report this process as not ready from now on."""
    global is_draining
    is_draining = True
