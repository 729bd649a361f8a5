"""Imports every module of some packages alone: `python -m tests.importing FOLDER PACKAGE…` prints what fails as JSON.

Django is set up once, without what our apps and the admin import when they are ready: that would load half of the
modules in one order, which hides circles. The libraries that the site uses are loaded once, too. Each module is then
imported in a process of its own, forked from there.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import django
from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig

import tests.environment  # noqa: F401  a data folder of its own, before the settings are read
from games.apps import GamesConfig
from tournaments.apps import TournamentsConfig

OURS = ("config", "games", "tournaments")
AT_ONCE = 2
"""Processes side by side."""


def list_modules(folder: Path, packages: Iterable[str]) -> Iterator[str]:
    """Every module that can be imported, by name: neither migrations nor what runs when it is imported."""
    for package in packages:
        for path in sorted((folder / package).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if "migrations" not in parts and parts[-1] != "__main__":
                yield ".".join(parts).removesuffix(".__init__")


def set_up() -> None:
    """Django with its models and nothing else of ours: what the settings had to load is forgotten again."""
    for config in (AdminConfig, GamesConfig, TournamentsConfig):
        config.ready = AppConfig.ready  # type: ignore[method-assign]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    assert settings.configured
    ours = [name for name in sys.modules if name.split(".")[0] in OURS]
    for name in ours:
        if name.count(".") and ".models" not in name and not name.endswith(".apps"):
            del sys.modules[name]


def load_libraries() -> None:
    """Load the libraries that the whole site loads. A fork finds out which they are: nothing of ours is loaded here."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            for name in ("config.asgi", "config.urls"):
                importlib.import_module(name)
        finally:
            with os.fdopen(writing, "w") as out:
                json.dump([name for name in sys.modules if name.split(".")[0] not in OURS], out)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        names = json.load(answer)
    os.waitpid(child, 0)
    for name in names:
        with suppress(Exception):  # a name that cannot be imported by itself
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # forks share what is loaded


def import_alone(name: str) -> str:
    """What importing this module in a fork of this process raises: the end of the traceback; "" if nothing does."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            importlib.import_module(name)
        except BaseException:  # noqa: BLE001  whatever it is, the parent shall read it
            os.write(writing, traceback.format_exc(limit=-3)[-4000:].encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        text = said.read()
    _child, status = os.waitpid(child, 0)
    return text or (f"exit status {status}" if status else "")


def import_all(names: list[str]) -> dict[str, str]:
    """What fails, by name. Several workers take every n-th module each."""
    workers = []
    for start in range(AT_ONCE):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            failed = {name: said for name in names[start::AT_ONCE] if (said := import_alone(name))}
            with os.fdopen(writing, "w") as out:
                json.dump(failed, out)
            os._exit(0)
        os.close(writing)
        workers.append((child, reading))
    failed = {}
    for child, reading in workers:
        with os.fdopen(reading) as answer:
            failed |= json.load(answer)
        os.waitpid(child, 0)
    return failed


if __name__ == "__main__":
    folder, packages = Path(sys.argv[1]), sys.argv[2:]
    sys.path.insert(0, str(folder))
    set_up()
    load_libraries()
    found = list(list_modules(folder, packages))
    json.dump({"modules": found, "failed": import_all(found)}, sys.stdout)
