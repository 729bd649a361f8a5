"""What a game declares of itself is true, and nobody else keeps a list of games by hand."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from games.presenters.names import RANKS
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance

ROOT = Path(__file__).parent.parent.parent
OWN = {slug: slug.replace("-", "_") for slug in registry.slugs()}
"""The name of a game's package."""
EXAMPLES = {
    "games/management/commands/demo.py",  # a club to look at
    "tournaments/api/examples.py",  # examples in the API's description
    "tournaments/api/organising/plan_shapes.py",
    "tournaments/api/organising/programme_shapes.py",
    "tournaments/flow/demo_club.py",
}
"""Modules that may name games."""


@pytest.mark.parametrize("slug", registry.slugs())
def test_a_game_that_ends_by_the_clock_has_a_bell_unless_something_else_is_agreed(slug: str) -> None:
    rules = registry.find(slug)
    state = rules.start(Config(rules.seat_counts[-1]), Chance(bytes(32)))
    waits = [deadline.event["clock"] for deadline in rules.deadlines(state)]
    assert ("time-up" in waits) == rules.ends_by_clock


def test_the_games_with_jobs_are_those_whose_jobs_have_names() -> None:
    assert {slug for slug in registry.slugs() if registry.find(slug).has_jobs} == {*RANKS}


def _names_games(path: Path) -> bool:
    """Whether a module outside a game's own ones has the slug of a game as a string."""
    own = path.relative_to(ROOT).as_posix()
    return any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) and OWN.get(node.value, own) not in own
        for node in ast.walk(ast.parse(path.read_text()))
    )


@pytest.mark.slow
def test_no_other_module_lists_games() -> None:
    modules = [path for app in ("games", "tournaments") for path in (ROOT / app).rglob("*.py")]
    found = {
        path.relative_to(ROOT).as_posix() for path in modules if path.parent.name != "migrations" and _names_games(path)
    }
    assert found == EXAMPLES
