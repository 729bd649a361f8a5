"""Measuring inside a fresh installation, by a second process of the same benchmark."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.servers import ROOT, Installation


def run_inside(benchmark: str, *options: object) -> Iterator[Any]:
    """What `python -m benchmarks.NAME --inside` prints with these options, a JSON document a line. SQLite, fresh.

    Raises CalledProcessError if it fails.
    """
    with tempfile.TemporaryDirectory(prefix=f"menagerie-{benchmark}-") as folder:
        club = Installation(Path(folder))
        club.migrate()
        environment = club.environment(DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR")
        command = [sys.executable, "-m", f"benchmarks.{benchmark}", "--inside", *map(str, options)]
        with subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            yield from map(json.loads, running.stdout)
        if running.returncode:
            raise subprocess.CalledProcessError(running.returncode, command)
