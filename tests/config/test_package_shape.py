"""The shape of the packages: small folders, and no circle among imports, those for types and inside functions too."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("config", "games", "tournaments")
MAX_MODULES = 20
"""Modules in a folder, its `__init__` not counted."""


@cache
def list_modules() -> Mapping[str, Path]:
    """All modules but migrations by their full names."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "migrations" not in parts:
                found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def list_imports(path: Path) -> Iterator[str]:
    """The full names that a module imports anywhere: at its top, for types only, in functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def find_module(name: str, modules: Set[str]) -> str | None:
    """The module that an imported name is, or is in; None for a library."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def test_no_module_imports_itself_by_way_of_others() -> None:
    modules = list_modules()
    graph: dict[str, set[str]] = defaultdict(set)
    for name, path in modules.items():
        found = {find_module(imported, modules.keys()) for imported in list_imports(path)}
        graph[name] = {one for one in found if one is not None and one != name}
    assert sum(map(len, graph.values())) > 2000
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" → ".join(reversed(error.args[1]))) from None


def test_no_folder_has_more_modules_than_a_reader_can_survey() -> None:
    counts = Counter(path.parent for path in list_modules().values() if path.name != "__init__.py")
    assert [(str(folder), count) for folder, count in counts.items() if count > MAX_MODULES] == []
