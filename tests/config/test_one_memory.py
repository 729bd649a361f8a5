"""What a process remembers of rows is in `games.memo` alone: no module keeps a cache of its own beside it.

Found in the syntax trees of all modules: state that functions change, and functions under `functools` that reach rows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("config", "games", "tournaments")
CHANGING = frozenset(
    (
        "add", "append", "appendleft", "clear", "discard", "extend", "insert", "move_to_end", "pop", "popitem",
        "popleft", "put", "remove", "setdefault", "update",
    )
)  # fmt: skip
"""Methods by which a container changes."""
CONTAINERS = frozenset(
    (
        "dict",
        "list",
        "set",
        "Counter",
        "OrderedDict",
        "WeakKeyDictionary",
        "WeakValueDictionary",
        "defaultdict",
        "deque",
    )
)
CACHING = frozenset(("cache", "lru_cache", "cached", "cache_by_language"))
"""Decorators, and what wraps a function, that keep its answers."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
READING = ("django.db.connection.cursor", "django.db.transaction.")
MODELS = ("models.Model", "AbstractUser")
NO_MEMORY_OF_ROWS = {
    "config.sqlite.base._locks": "locks of database files",
    "games.accounts.rate_limits._seconds": "counters",
    "games.accounts.rate_limits.sockets": "counters",
    "games.live.database_threads._pools": "threads",
    "games.live.database_threads._waiting": "calls that wait for a thread",
    "games.live.publish._own_loop": "an event loop",
    "games.memo._memos": "the list of memos",
    "games.operation.health.shutdown_state.is_draining": "whether this process is about to end",
    "games.operation.spans._tracer": "what makes spans",
    "games.work.bot_thinking._decisions": "what bots are thinking about",
    "games.work.bot_thinking._processes": "the processes in which they do",
    "games.work.tasks._last_sweep": "a pace",
    "tournaments.work.tasks._last_swept": "a pace",
    "tournaments.work.tasks._last_under_way": "a pace",
}
"""State of modules that functions change, and what it is."""


@dataclass
class Module:
    """One module as it is written."""

    name: str
    tree: ast.Module
    functions: dict[str, ast.AST] = field(default_factory=dict)
    """Functions and classes at its top level, by name."""
    imported: dict[str, str] = field(default_factory=dict)
    """Name here → where it is from, in full: "games.models", "games.play.storage.store.fetch"."""

    def __post_init__(self) -> None:
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.functions[node.name] = node
        for one in ast.walk(self.tree):
            if isinstance(one, ast.ImportFrom):
                self.imported |= {alias.asname or alias.name: f"{one.module}.{alias.name}" for alias in one.names}
            elif isinstance(one, ast.Import):
                self.imported |= {alias.asname or alias.name.partition(".")[0]: alias.name for alias in one.names}

    @cached_property
    def state(self) -> dict[str, ast.expr | None]:
        """Names that are assigned at the top level, or in a class there, with what."""
        found: dict[str, ast.expr | None] = {}
        for node in self.tree.body:
            found |= _assigned(node)
            if isinstance(node, ast.ClassDef):
                inner = [pair for one in node.body for pair in _assigned(one).items()]
                found |= {f"{node.name}.{name}": value for name, value in inner}
        return found


def _assigned(node: ast.stmt) -> dict[str, ast.expr | None]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    return {target.id: value for target in targets if isinstance(target, ast.Name)}


def read(source: str, name: str) -> Module:
    """A module from its text."""
    return Module(name, ast.parse(source))


def list_modules() -> dict[str, Module]:
    """All modules but migrations, by name."""
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py") if "migrations" not in file.parts]
    found = {}
    for file in files:
        parts = file.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = read(file.read_text(), name)
    return found


def find_changed(module: Module) -> Iterator[str]:
    """Names of a module's state that its functions change: set anew (`global`), or a container that is changed."""
    for function in ast.walk(module.tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                yield from node.names
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                yield from _name_state(module, node.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                yield from _name_state(module, node.func.value)


def _name_state(module: Module, node: ast.expr) -> Iterator[str]:
    """The container at module or class level that is meant here, if it is one."""
    name = ast.unparse(node)
    owned = {name, *(one for one in module.state if one.partition(".")[2] and name == f"self.{one.partition('.')[2]}")}
    yield from (one for one in owned if _is_container(module.state.get(one)))


def _is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).partition("[")[0].rpartition(".")[2] in CONTAINERS
    return isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)


def find_cached(module: Module) -> Iterator[ast.AST]:
    """Functions whose answers are kept, by decorator or by being wrapped."""
    for node in ast.walk(module.tree):
        if isinstance(node, FUNCTIONS):
            if any(_is_caching(one) for one in node.decorator_list):
                yield node
        elif isinstance(node, ast.Call) and _is_caching(node.func):
            yield from node.args


def _is_caching(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(called).rpartition(".")[2] in CACHING


def find_rows(modules: dict[str, Module], module: Module, node: ast.AST, seen: set[str]) -> str:
    """By which way this code reaches rows of the database, through functions that it names; empty if it does not.

    seen: functions that are not looked through again.
    """
    for inner in ast.walk(node):
        if isinstance(inner, ast.arg) and inner.annotation is not None and _is_row(modules, module, inner.annotation):
            return f"{module.name}: {ast.unparse(inner)}"
        if not isinstance(inner, ast.Name | ast.Attribute):
            continue
        if isinstance(inner, ast.Attribute) and inner.attr == "objects":
            return f"{module.name}: {ast.unparse(inner)}"
        full = resolve(modules, module, ast.unparse(inner))
        if full.startswith(READING):
            return f"{module.name}: {full}"
        owner, _, name = full.rpartition(".")
        if full not in seen and owner in modules and isinstance(modules[owner].functions.get(name), FUNCTIONS):
            seen.add(full)
            if way := find_rows(modules, modules[owner], modules[owner].functions[name], seen):
                return f"{full} → {way}"
    return ""


def _is_row(modules: dict[str, Module], module: Module, annotation: ast.expr) -> bool:
    """Whether something of this type is a row: a model, alone or among others."""
    for node in ast.walk(annotation):
        owner, _, name = resolve(modules, module, ast.unparse(node)).rpartition(".")
        found = modules[owner].functions.get(name) if owner in modules else None
        if isinstance(found, ast.ClassDef) and any(ast.unparse(base) in MODELS for base in found.bases):
            return True
    return False


def resolve(modules: dict[str, Module], module: Module, name: str) -> str:
    """A dotted name in full, through modules that only hand it on."""
    head, _, rest = name.partition(".")
    if not rest and head in module.functions:
        return f"{module.name}.{head}"
    full = ".".join(filter(None, (module.imported.get(head, ""), rest)))
    owner, _, last = full.rpartition(".")
    if head in module.imported and owner in modules and last in modules[owner].imported and owner != module.name:
        return resolve(modules, modules[owner], last)
    return full if head in module.imported else ""


@pytest.fixture(scope="module")
def modules() -> dict[str, Module]:
    """All of ours."""
    return list_modules()


@pytest.mark.slow
def test_no_module_has_a_memory_of_its_own(modules: dict[str, Module]) -> None:
    found = {f"{one.name}.{name}" for one in modules.values() for name in find_changed(one)}
    assert found == NO_MEMORY_OF_ROWS.keys()


def test_only_one_module_bounds_what_is_remembered(modules: dict[str, Module]) -> None:
    tools = ("cachetools", "collections.OrderedDict", "weakref")
    using = {name for name, one in modules.items() if any(path.startswith(tools) for path in one.imported.values())}
    assert using == {"games.memo"}
    assert [name for name, one in modules.items() if "forget_all" in one.functions] == ["games.memo"]


@pytest.mark.slow
def test_only_pure_functions_are_under_functools(modules: dict[str, Module]) -> None:
    reached = [find_rows(modules, one, node, set()) for one in modules.values() for node in find_cached(one)]
    assert len(reached) > 60
    assert [way for way in reached if way] == []


def test_a_test_forgets_once_before_it_begins() -> None:
    tree = ast.parse((ROOT / "tests" / "conftest.py").read_text())
    calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert [call for call in calls if "forget_all" in call] == ["memo.forget_all()"]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("_kept = {}\ndef fetch(key):\n    _kept[key] = 1\n", ["_kept"]),
        ("_kept: dict[str, int] = {}\ndef forget():\n    _kept.clear()\n", ["_kept"]),
        ("_kept = OrderedDict[str, int]()\ndef fetch(key):\n    del _kept[key]\n", ["_kept"]),
        ("_kept = None\ndef fetch():\n    global _kept\n    _kept = 1\n", ["_kept"]),
        ("class Reader:\n    kept = []\n    def fetch(self):\n        self.kept.append(1)\n", ["Reader.kept"]),
        ("WORDS = {'a': 1}\ndef fetch(key):\n    return WORDS[key]\n", []),
        ("def fetch(key):\n    found = {}\n    found[key] = 1\n", []),
    ],
)
def test_a_private_memory_is_found(source: str, found: list[str]) -> None:
    assert sorted(find_changed(read(source, "games.reader"))) == found


FETCH = "def fetch(pk):\n    return Table.objects.get(pk=pk)\n"


@pytest.mark.parametrize(
    ("source", "way"),
    [
        (f"@lru_cache(maxsize=9)\n{FETCH}", "games.reader: Table.objects"),
        (
            f"@functools.cache\ndef find(pk):\n    return fetch(pk)\n{FETCH}",
            "games.reader.fetch → games.reader: Table.objects",
        ),
        (
            "from django.db import connection\n@cache\ndef find():\n    return connection.cursor()\n",
            "games.reader: django.db.connection.cursor",
        ),
        (
            "from games import stored\n_find = lru_cache(lambda pk: stored.fetch(pk))\n",
            "games.stored.fetch → games.stored: Table.objects",
        ),
        (
            "from games.stored import fetch\n_find = lru_cache(maxsize=9)(fetch)\n",
            "games.stored.fetch → games.stored: Table.objects",
        ),
        (
            "from games import stored\n@cache_by_language\ndef say(who: stored.Player | None):\n    return who.name\n",
            "games.reader: who: stored.Player | None",
        ),
        ("@cache\ndef add(a: int, b: int):\n    return a + b\n", ""),
    ],
)
def test_a_cached_function_that_reaches_rows_is_found(source: str, way: str) -> None:
    stored = read(f"{FETCH}class Player(models.Model):\n    pass\n", "games.stored")
    reader = read(source, "games.reader")
    both = {one.name: one for one in (stored, reader, read("", "games"))}
    assert {find_rows(both, reader, node, set()) for node in find_cached(reader)} == {way}
