"""A full disk for one site: a small file system of its own where that may be mounted, else a limit on its files."""

from __future__ import annotations

import errno
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

MEGABYTES = 64
"""Size of the small file system."""
_PIECE = b"\0" * 4096


class Disk(NamedTuple):
    """Where the club keeps its data. kind: "mounted" is a file system of this size, which is really full;
    "limited": no file of the server may grow, which SQLite cannot tell from a full disk."""

    folder: Path
    kind: Literal["mounted", "limited"]

    @contextmanager
    def full(self, pid: int) -> Iterator[None]:
        """While this lasts not a byte more fits. pid: the server."""
        if self.kind == "mounted":
            with _fill_up(self.folder / "stuffing"):
                yield
        else:
            _soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
            try:
                yield
            finally:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextmanager
def _fill_up(file: Path) -> Iterator[None]:
    try:
        with file.open("wb", buffering=0) as out:
            while True:
                out.write(_PIECE)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
    try:
        yield
    finally:
        file.unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """This folder as a small disk. Mounting is for root, and not everywhere; a limit is for everybody."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "menagerie", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        yield Disk(folder, "limited")
        return
    try:
        yield Disk(folder, "mounted")
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)
