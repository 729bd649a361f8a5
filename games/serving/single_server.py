"""Allows one server per data folder: without Redis a second one would not learn of the first one's moves."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def lock_folder(folder: Path) -> bool:
    """Lock this folder until the process ends; returns False if another process has locked it.

    A folder that cannot be locked (it is missing, or its file system has no locks) counts as free.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return False
    except OSError:
        os.close(handle)
    return True
