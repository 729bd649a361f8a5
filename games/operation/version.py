"""The version of the running program: the project's number, and the commit if it runs from a checkout."""

from __future__ import annotations

import re
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_COMMIT = re.compile(r"[0-9a-f]{40}")
DIGITS = 10
"""Digits of a commit that are shown."""


@cache
def find_version() -> str:
    """The version when this process first asked, for example `0.1.0+6985f6091a`."""
    commit = read_commit(ROOT)
    return _read_number() + (f"+{commit[:DIGITS]}" if commit else "")


def _read_number() -> str:
    try:
        return metadata.version("menagerie")
    except metadata.PackageNotFoundError:
        return "0"


def read_commit(folder: Path) -> str:
    """The commit that is checked out in this folder; empty if it is no checkout.

    Read from git's files: git itself refuses folders of other users, and a container has no git.
    """
    try:
        place = _find_git_folder(folder)
        head = (place / "HEAD").read_text().strip()
        found = _look_up(place, head.removeprefix("ref: ")) if head.startswith("ref: ") else head
    except OSError:
        return ""
    return found if _COMMIT.fullmatch(found) else ""


def _find_git_folder(folder: Path) -> Path:
    """Raises OSError. In a linked worktree `.git` is a file that names the folder."""
    git = folder / ".git"
    return folder / git.read_text().strip().removeprefix("gitdir: ") if git.is_file() else git


def _look_up(place: Path, ref: str) -> str:
    """The commit that a ref names. Raises OSError."""
    common = place / "commondir"
    shared = place / common.read_text().strip() if common.is_file() else place
    if (shared / ref).is_file():
        return (shared / ref).read_text().strip()
    for line in (shared / "packed-refs").read_text().splitlines():
        commit, _, name = line.partition(" ")
        if name == ref:
            return commit
    return ""
