"""No test without a check: each asserts, or raises, or calls something among the tests that does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Sources:
    """The tests as they are written. methods: what is found by its name alone, methods and fixtures of classes: name →
    the modules and functions."""

    modules: dict[str, Module] = field(default_factory=dict)
    methods: dict[str, list[tuple[str, Function]]] = field(default_factory=dict)


def read_sources() -> Sources:
    """Every module of the tests, by name."""
    sources = Sources()
    for path in TESTS.rglob("*.py"):
        name = ".".join(("tests", *path.relative_to(TESTS).with_suffix("").parts))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = {node.name: node for node in tree.body if isinstance(node, Function)}
        imported: dict[str, tuple[str, str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                imported |= {alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names}
            elif isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, Function):
                        sources.methods.setdefault(inner.name, []).append((name, inner))
        names = {used: source for used, source in imported.items() if source[0].startswith("tests")}
        sources.modules[name] = Module(functions, names, frozenset(imported.keys() - names.keys()))
    return sources


def list_called(sources: Sources, module: str, function: Function) -> Iterator[tuple[str, Function]]:
    """What a function calls among the tests: each with the module in which it stands."""
    modules, here = sources.modules, sources.modules[module]
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            if node.id in here.functions:
                yield module, here.functions[node.id]
            elif node.id in here.names:
                source, name = here.names[node.id]
                if source in modules and name in modules[source].functions:
                    yield source, modules[source].functions[name]
        elif isinstance(node, ast.Attribute):
            used = node.value.id if isinstance(node.value, ast.Name) else ""
            owner = here.names.get(used)
            if owner and (found := modules.get(".".join(owner))) and node.attr in found.functions:
                yield ".".join(owner), found.functions[node.attr]
            elif owner is None and used not in here.foreign:
                yield from sources.methods.get(node.attr, ())


def checks(sources: Sources, module: str, function: Function, seen: frozenset[int] = frozenset()) -> bool:
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
    called = list_called(sources, module, function)
    return any(checks(sources, where, one, seen | {id(function)}) for where, one in called)


def test_every_test_checks_something() -> None:
    sources = read_sources()  # here, and not as the module is loaded: every worker loads it
    silent = [
        f"{module}::{name}"
        for module, read in sorted(sources.modules.items())
        for name, function in read.functions.items()
        if name.startswith("test_") and not checks(sources, module, function)
    ]
    assert silent == []
