"""Checks whether the built static files are up to date, and replaces older ones."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

MANIFEST = "staticfiles.json"


def is_fresh(manifest: Path, sources: Iterable[Path]) -> bool:
    """Whether the build is complete: every file of these folders is in it, and none was changed after it.

    With an older build a page would ask for files that are not there, or show yesterday's.
    """
    try:
        built = manifest.stat().st_mtime
        built_paths = json.loads(manifest.read_bytes())["paths"]
    except (OSError, ValueError, KeyError):
        return False
    return all(
        str(file.relative_to(folder)) in built_paths and file.stat().st_mtime <= built
        for folder in sources
        for file in folder.rglob("*")
        if file.is_file()
    )


KEPT_SECONDS = 30 * 86_400.0
"""How long what was built for an earlier version stays: processes that run, and pages that are open, ask for it."""


def install_files(new: Path, built: Path, *, now: float) -> None:
    """Move the built files from `new` to `built`, their manifest last; outdated files are deleted later."""
    for name in _read_names(built / MANIFEST):
        for file in (built / name, built / f"{name}.gz"):
            if file.exists():
                os.utime(file, (now, now))
    for file in sorted((file for file in new.rglob("*") if file.is_file()), key=lambda file: file.name == MANIFEST):
        place = built / file.relative_to(new)
        place.parent.mkdir(parents=True, exist_ok=True)
        file.replace(place)  # at once: readers get the one or the other, whole
    for file in built.rglob("*"):
        if file.is_file() and file.stat().st_mtime < now - KEPT_SECONDS:
            file.unlink()


def _read_names(manifest: Path) -> list[str]:
    """The names of the files that pages ask for."""
    try:
        return list(json.loads(manifest.read_bytes())["paths"].values())
    except (OSError, ValueError, KeyError, AttributeError):
        return []


if __name__ == "__main__":
    install_files(Path(sys.argv[1]), Path(sys.argv[2]), now=time.time())
