"""One server for one data folder: without Redis a second would not hear of the first one's moves."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def is_alone(folder: Path) -> bool:
    """Whether no other process holds this folder; from now on this one does, to its end, however that comes.

    A folder that cannot be held (there is none, or its file system knows no locks) is nobody's.
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
