"""Finds modules that cannot be imported alone: `python -m tests.importing FOLDER PACKAGE…` prints what fails as JSON.

Django is set up once, without what our apps and the admin import when they are ready: that would load half of the
modules in one order, which hides circles. The libraries that the site uses are loaded once, too.

Then one process imports all modules and notes which module imports which while it is loaded. Without a circle the order
of imports does not matter, so a module that can be imported after others can be imported alone. Modules with
which a circle can begin are imported alone, each in a process of its own, forked from the one with the libraries; so is
what failed.
"""

from __future__ import annotations

import builtins
import gc
import importlib
import importlib.machinery
import json
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import django
from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig

import tests.environment  # noqa: F401  a data folder of its own, before the settings are read
from games.apps import GamesConfig
from tournaments.apps import TournamentsConfig

OURS = ("config", "games", "tournaments")


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
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _child, status = os.waitpid(child, 0)
    return text or (f"exit status {status}" if status else "")


Edges = set[tuple[str, str]]
"""Pairs of module names: one, and another that is imported while it is loaded."""


def note_imports(edges: Edges) -> None:
    """From now on, note what is imported while a module is loaded: by statements, by name, and packages around it."""
    loading = [""]
    load, import_name, import_module = (
        importlib.machinery.SourceFileLoader.exec_module, builtins.__import__, importlib.import_module,
    )  # fmt: skip

    def note(name: str) -> None:
        parts = name.split(".")
        edges.update((loading[-1], ".".join(parts[:count])) for count in range(1, len(parts) + 1))

    def load_and_note(self: importlib.machinery.SourceFileLoader, module: ModuleType) -> None:
        loading.append(module.__name__)
        note(module.__name__)
        try:
            load(self, module)
        finally:
            loading.pop()

    def import_and_note(
        name: str, variables: Any = None, local: Any = None, parts: Any = (), level: int = 0
    ) -> ModuleType:
        found = import_name(name, variables, local, parts, level)
        whole = importlib.util.resolve_name("." * level + name, (variables or {}).get("__package__"))
        for part in ["", *(parts or ())]:
            if (asked := f"{whole}.{part}".rstrip(".")) in sys.modules:
                note(asked)
        return found

    def import_module_and_note(name: str, package: str | None = None) -> ModuleType:
        note(importlib.util.resolve_name(name, package))
        return import_module(name, package)

    importlib.machinery.SourceFileLoader.exec_module = load_and_note  # type: ignore[method-assign, assignment]
    builtins.__import__ = import_and_note  # type: ignore[assignment]
    importlib.import_module = import_module_and_note


def find_ways_into_circles(edges: Edges) -> set[str]:
    """The modules with which loading a circle can begin.

    A package is loaded before its modules: in a circle with its own modules, loading always begins with the package.
    """
    imported: dict[str, set[str]] = {}
    for one, other in edges:
        imported.setdefault(one, set()).add(other)
    reached = {name: _follow(imported, name) for name in imported}
    ways = set()
    for name in imported:
        if name in reached[name]:
            packages = (name.rsplit(".", count)[0] for count in range(name.count("."), -1, -1))
            ways.add(next(one for one in packages if one in reached[name] and name in reached.get(one, ())))
    return ways


def _follow(imported: dict[str, set[str]], name: str) -> set[str]:
    """What is loaded with a module; the module itself only if something of it imports it again."""
    reached: set[str] = set()
    ahead = [name]
    while ahead:
        for other in imported.get(ahead.pop(), ()):
            if other not in reached:
                reached.add(other)
                ahead.append(other)
    return reached


def import_together(names: Iterable[str]) -> set[str]:
    """Import all in one fork of this process; returns what to import alone: what fails, and ways into circles."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        edges: Edges = set()
        note_imports(edges)
        doubtful = set()
        for name in names:
            try:
                importlib.import_module(name)
            except BaseException:  # noqa: BLE001  it is imported again, alone
                doubtful.add(name)
        doubtful |= find_ways_into_circles({(one, other) for one, other in edges if one != other})
        with os.fdopen(writing, "w") as out:
            json.dump(sorted(doubtful.intersection(names)), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        found = set(json.load(answer))
    os.waitpid(child, 0)
    return found


if __name__ == "__main__":
    folder, packages = Path(sys.argv[1]), sys.argv[2:]
    sys.path.insert(0, str(folder))
    set_up()
    load_libraries()
    found = list(list_modules(folder, packages))
    alone = import_together(found)
    failed = {name: error for name in sorted(alone) if (error := import_alone(name))}
    json.dump({"modules": found, "alone": sorted(alone), "failed": failed}, sys.stdout)
