"""How templates are laid out: short lines, one control structure a line, and macros called with named arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.presenters.render import macro
from games.rules import registry

ROOT = Path(settings.BASE_DIR)
MAX_COLUMNS = 120
HELD = (
    ROOT / "templates",
    *(folder for folder in registry.list_folders("templates")),
)
"""Folders whose templates are held to it."""
MAX_POSITIONAL = 3
"""Arguments that Python may pass to a macro without their names."""
OPENING = re.compile(r"\{%[-+]?\s*(?:if|for|with|block|filter|macro|call|ifchanged|autoescape|spaceless)\b")


def list_held() -> Iterator[Path]:
    for folder in HELD:
        yield from sorted(folder.rglob("*.*"))


@pytest.mark.parametrize("template", list(list_held()), ids=lambda file: file.name)
def test_lines_are_short_and_have_one_control_structure(template: Path) -> None:
    lines = list(enumerate(template.read_text(encoding="utf-8").split("\n"), 1))
    assert [number for number, line in lines if len(line) > MAX_COLUMNS] == []
    assert [number for number, line in lines if len(OPENING.findall(line)) > 1] == []


def test_all_templates_are_held_to_it() -> None:
    names = {file.suffix for file in list_held()}
    assert names == {".html", ".jinja"}
    assert len(list(list_held())) > 150


def is_macro(node: ast.AST) -> bool:
    """Whether this expression is a macro: `macro(file, name)`, or one of a template's module."""
    match node:
        case ast.Call(func=ast.Name(id="macro")) | ast.Attribute(value=ast.Attribute(attr="module")):
            return True
    return False


def list_macro_calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls of macros, at once or by a name that they were assigned to."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs += zip(targets, values, strict=True)
            case ast.Assign(targets=[target], value=value):
                pairs.append((target, value))
    names = {target.id for target, value in pairs if isinstance(target, ast.Name) and is_macro(value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (
            is_macro(node.func) or (isinstance(node.func, ast.Name) and node.func.id in names)
        ):
            yield node


def test_macros_are_called_with_named_arguments() -> None:
    calls = [
        (file, call)
        for package in ("games", "tournaments")
        for file in sorted((ROOT / package).rglob("*.py"))
        for call in list_macro_calls(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert len(calls) > 100
    long = [f"{file.relative_to(ROOT)}:{call.lineno}" for file, call in calls if len(call.args) > MAX_POSITIONAL]
    assert long == []


def test_a_macro_takes_its_arguments_by_name_and_refuses_others() -> None:
    row = macro("entrants.jinja", "tick")
    assert row(1, "in", "Ana", ()) == row(1, marks=(), name="Ana", status="in")
    with pytest.raises(TypeError, match="lacks the argument 'marks'"):
        row(1, name="Ana", status="in", medal="")
    with pytest.raises(TypeError, match="takes no argument medal"):
        row(1, marks=(), name="Ana", status="in", medal="")
