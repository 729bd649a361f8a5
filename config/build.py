"""Whether the built static files are those of the present sources."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path


def is_fresh(manifest: Path, sources: Iterable[Path]) -> bool:
    """Whether the build is complete: every file of these folders is in it, and none was changed after it.

    With an older build a page would ask for files that are not there, or show yesterday's.
    """
    try:
        built = manifest.stat().st_mtime
        known = json.loads(manifest.read_bytes())["paths"]
    except (OSError, ValueError, KeyError):
        return False
    return all(
        str(file.relative_to(folder)) in known and file.stat().st_mtime <= built
        for folder in sources
        for file in folder.rglob("*")
        if file.is_file()
    )
