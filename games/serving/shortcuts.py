"""Where this process goes past Daphne and Django's ASGI handler for speed, by one setting: `SERVER_SHORTCUTS`.

A shortcut stands on the inside of libraries, so it is taken only with versions it was tried with (`KNOWN`). With any
other the server does without, which is slower and otherwise the same, and says so when it starts.
"""

from __future__ import annotations

import logging
from importlib.metadata import version
from typing import Final

from django.conf import settings

logger = logging.getLogger(__name__)

FRAMES: Final = "FRAMES"
"""Frames of sockets past ASGI, Daphne and Autobahn (`wire`)."""
PAGES: Final = "PAGES"
"""A whole page by one thread (`request_threads`)."""
KNOWN: Final = {
    FRAMES: {"daphne": "4.2", "autobahn": "26.10", "twisted": "26.10"},
    PAGES: {"django": "5.2"},
}
"""By shortcut: the releases it was tried with."""


def is_taken(shortcut: str) -> bool:
    """Whether this process takes it."""
    return settings.SERVER_SHORTCUTS in ("ALL", shortcut) and not find_unknown(shortcut)


def find_unknown(shortcut: str) -> list[str]:
    """The libraries that are installed in another release than the known one, each with its version."""
    installed = {name: version(name) for name in KNOWN[shortcut]}
    return [
        f"{name} {found}"
        for name, found in installed.items()
        if ".".join(found.split(".")[:2]) != KNOWN[shortcut][name]
    ]


def tell_unknown() -> None:
    """Say in the log which shortcuts are wanted and not taken, and why."""
    for shortcut in KNOWN:
        unknown = find_unknown(shortcut)
        if settings.SERVER_SHORTCUTS in ("ALL", shortcut) and unknown:
            logger.warning(
                "The server was not tried with %s: it works without the shortcut for %s, and more slowly.",
                ", ".join(unknown),
                shortcut.lower(),
            )
