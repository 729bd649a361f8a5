"""Loaded before the settings are: tests have a data folder of their own, and no delays."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile

MEMORY = "/dev/shm"  # noqa: S108 - pytest and tempfile make folders there that are the user's alone
ROOM = 4 << 30
"""Bytes that must be free in memory: four workers with databases, servers and browsers used at most 644 MB."""


def _use_memory() -> None:
    """Put what tests write in memory, where there is room, unless TMPDIR says where: nothing waits for a disk then.

    365 tests of tournaments and accounts took 128 to 134 s on a disk that others used, and 75 to 82 s in memory.
    """
    try:
        has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    except OSError:
        return
    if has_room:
        os.environ.setdefault("TMPDIR", MEMORY)
        tempfile.tempdir = None


_use_memory()
folder = tempfile.mkdtemp(prefix="menagerie-test-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)

os.environ["DATA_DIR"] = folder
os.environ["BOT_DELAY"] = "0"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
# Hundreds of processes load the same sources: they are compiled once.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
for name in ("DATABASE_URL", "REDIS_URL", "SITE_URL", "SECRET_KEY", "DEBUG"):
    os.environ.pop(name, None)
# What loads and collects makes a million objects that stay: nobody looks through them for garbage meanwhile.
gc.disable()
