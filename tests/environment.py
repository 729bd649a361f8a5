"""Loaded before the settings are: tests have a data folder of their own, and no delays."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile

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
