"""msgspec works a type out at its first use, and crashes the process where two threads do so at the same moment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from games.rules.engine import Engine

ROOT = Path(__file__).parents[2]
PREPARED = {
    ("games/rules/engine.py", "from_json"): "the type of the states, worked out when the class of the rules was made",
    ("tournaments/flow/archive/zip_import.py", "decode"): "the type of a decoder",
    ("tournaments/flow/archive/tournament_document.py", "read_reasons"): "a part of the archive, which has a decoder",
}
"""Where a value is converted to a type that was worked out while modules were loaded, by file and function."""


def list_typed_reads(path: Path) -> Iterator[str]:
    """The functions of a module that read JSON into a type which they name themselves."""
    tree = ast.parse(path.read_text())
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for call in ast.walk(function):
                if isinstance(call, ast.Call):
                    name = ast.unparse(call.func)
                    is_typed = name == "msgspec.json.decode" and any(word.arg == "type" for word in call.keywords)
                    if is_typed or name in ("msgspec.convert", "msgspec.json.Decoder"):
                        yield function.name


@pytest.mark.slow
def test_types_are_worked_out_while_modules_are_loaded() -> None:
    found = {
        (str(path.relative_to(ROOT)), name)
        for app in ("config", "games", "tournaments")
        for path in sorted((ROOT / app).rglob("*.py"))
        for name in list_typed_reads(path)
    } - {("games/rules/engine.py", "__init_subclass__")}
    assert found == set(PREPARED)


def test_the_states_of_a_game_are_worked_out_with_its_rules() -> None:
    class State(NamedTuple):
        ply: int

    class Rules(Engine[State]):
        state_type = State

    assert hasattr(State, "__msgspec_cache__")  # msgspec's own mark of a type that it has worked out
