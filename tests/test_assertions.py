"""No test without a check: each asserts, or raises, or calls something among the tests that does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parent
CHECKS = frozenset({"raises", "fail", "django_assert_num_queries", "django_assert_max_num_queries"})
"""Names of pytest that check."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """functions: at its top, by name; names: what it has of other test modules, by the name that it uses here: a
    module and what is imported from it; foreign: names imported from elsewhere."""

    functions: dict[str, Function]
    names: dict[str, tuple[str, str]]
    foreign: frozenset[str]


def read_modules() -> dict[str, Module]:
    """Every module of the tests, by name."""
    found = {}
    for path in TESTS.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = ".".join(("tests", *path.relative_to(TESTS).with_suffix("").parts))
        functions = {node.name: node for node in tree.body if isinstance(node, Function)}
        imported = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        names = {used: source for used, source in imported.items() if source[0].startswith("tests")}
        found[name] = Module(functions, names, frozenset(imported.keys() - names.keys()))
    return found


MODULES = read_modules()
METHODS: dict[str, list[tuple[str, Function]]] = {}
"""Methods and fixtures, which are found by their name alone: name → the modules and functions."""
for _name, _module in MODULES.items():
    _tree = ast.parse((TESTS.parent / (_name.replace(".", "/") + ".py")).read_text(encoding="utf-8"))
    for _node in ast.walk(_tree):
        if isinstance(_node, ast.ClassDef):
            for _inner in _node.body:
                if isinstance(_inner, Function):
                    METHODS.setdefault(_inner.name, []).append((_name, _inner))


def list_called(module: str, function: Function) -> Iterator[tuple[str, Function]]:
    """What a function calls among the tests: each with the module in which it stands."""
    here = MODULES[module]
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            if node.id in here.functions:
                yield module, here.functions[node.id]
            elif node.id in here.names:
                source, name = here.names[node.id]
                if source in MODULES and name in MODULES[source].functions:
                    yield source, MODULES[source].functions[name]
        elif isinstance(node, ast.Attribute):
            used = node.value.id if isinstance(node.value, ast.Name) else ""
            owner = here.names.get(used)
            if owner and (found := MODULES.get(".".join(owner))) and node.attr in found.functions:
                yield ".".join(owner), found.functions[node.attr]
            elif owner is None and used not in here.foreign:
                yield from METHODS.get(node.attr, ())


def checks(module: str, function: Function, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a function can fail by something that a test says."""
    if id(function) in seen:
        return False
    for node in ast.walk(function):
        if isinstance(node, ast.Assert | ast.Raise):
            return True
        if (
            isinstance(node, ast.Name | ast.Attribute)
            and (node.id if isinstance(node, ast.Name) else node.attr) in CHECKS
        ):
            return True
    return any(checks(where, called, seen | {id(function)}) for where, called in list_called(module, function))


def test_every_test_checks_something() -> None:
    silent = [
        f"{module}::{name}"
        for module, read in sorted(MODULES.items())
        for name, function in read.functions.items()
        if name.startswith("test_") and not checks(module, function)
    ]
    assert silent == []
