"""The modules that a page's scripts import. Named in the page, they load with the scripts and not one after another."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders

_IMPORT: Final = re.compile(r'\b(?:from|import)\s+"(\.{1,2}/[^"]+)"')


@cache
def list_imports(scripts: tuple[str, ...]) -> tuple[str, ...]:
    """Static files that these modules import, directly or through others; those of `scripts` not among them."""
    found: dict[str, None] = {}
    waiting = list(scripts)
    for script in waiting:
        for name in _IMPORT.findall(_read(script)):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(script), name))
            if path not in found and path not in scripts:
                found[path] = None
                waiting.append(path)
    return tuple(found)


def _read(script: str) -> str:
    place = finders.find(script)
    return Path(place).read_text() if isinstance(place, str) else ""
