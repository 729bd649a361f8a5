"""Switches for the parts that bypass Daphne and Django's ASGI handler for speed: the setting `SERVER_SHORTCUTS`.

A shortcut depends on internals of libraries, so it is used only with tested versions (`KNOWN_VERSIONS`). With any other
the server works without it, only more slowly, and logs a warning when it starts.
"""

from __future__ import annotations

import logging
from importlib.metadata import version
from typing import Final

from django.conf import settings

logger = logging.getLogger(__name__)

FRAMES: Final = "FRAMES"
"""Frames of sockets bypass ASGI, Daphne and Autobahn (`wire`)."""
PAGES: Final = "PAGES"
"""One thread runs a whole page (`request_threads`)."""
KNOWN_VERSIONS: Final = {
    FRAMES: {"daphne": "4.2", "autobahn": "26.10", "twisted": "26.10"},
    PAGES: {"django": "5.2"},
}
"""Shortcut → library → tested release (major.minor)."""


def is_used(shortcut: str) -> bool:
    """Whether this process uses it."""
    return settings.SERVER_SHORTCUTS in ("ALL", shortcut) and not find_untested(shortcut)


def find_untested(shortcut: str) -> list[str]:
    """The installed libraries in untested releases, each with its version."""
    installed = {name: version(name) for name in KNOWN_VERSIONS[shortcut]}
    return [
        f"{name} {found}"
        for name, found in installed.items()
        if ".".join(found.split(".")[:2]) != KNOWN_VERSIONS[shortcut][name]
    ]


def warn_of_untested() -> None:
    """Log which requested shortcuts are not used, and why."""
    for shortcut in KNOWN_VERSIONS:
        unknown = find_untested(shortcut)
        if settings.SERVER_SHORTCUTS in ("ALL", shortcut) and unknown:
            logger.warning(
                "The server was not tried with %s: it works without the shortcut for %s, and more slowly.",
                ", ".join(unknown),
                shortcut.lower(),
            )
