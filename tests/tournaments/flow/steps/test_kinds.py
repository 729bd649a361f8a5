"""Every kind of step is declared once, and each declaration is complete."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

from games import models
from games.play.storage import store
from tests.cast import NOW, finish
from tests.tournaments.cast import begin, enter, release
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.steps.kinds import EVENING_KINDS, KINDS, Kind
from tournaments.flow.steps.step_kind import Actor, Need
from tournaments.flow.undo.consequences import CHECKS
from tournaments.models import Format, Pod, Step
from tournaments.words.step_words import EVENING_STEPS, SEASON_STEPS, STEPS, STEPS_BY_FORMAT

PACKAGE = Path(settings.BASE_DIR) / "tournaments"
WORDS = frozenset(Kind.values) - {"open", "back", "end", "table", "close", "begin", "bell", "left", "draw", "result"}
"""Kinds that are no other words of the flow as well."""


def test_each_kind_is_declared_and_each_declaration_is_a_kind() -> None:
    assert {*KINDS} | {*EVENING_KINDS} == {*Kind}
    assert {one.kind for one in KINDS.values()} == {*KINDS}


def test_each_need_has_a_check() -> None:
    assert {*CHECKS} == {*Need}
    named = {need for one in KINDS.values() for need in (*one.needs, *one.undo_needs, *one.leaves, *one.redo_leaves)}
    assert named == {*Need}


def test_a_step_that_cannot_be_taken_back_needs_nothing_for_it() -> None:
    final = [one for one in (*KINDS.values(), *EVENING_KINDS.values()) if one.is_final]
    assert len(final) > 10
    assert [one.kind for one in final if one.needs or one.undo_needs or one.leaves or one.redo_leaves] == []


@pytest.mark.parametrize("kind", [*KINDS], ids=str)
def test_each_kind_is_said(kind: str) -> None:
    if kind == Kind.UNDO:  # it says what it is about
        return
    declared = KINDS[Kind(kind)]
    variants = (
        [kind] if declared.label else [f"{kind}-{one}" for one in declared.variants]
    )  # a fate says which one it is
    assert variants != []
    for texts in (STEPS, STEPS_BY_FORMAT[Format.ARENA], STEPS_BY_FORMAT[SEASON_STEPS]):
        assert [one for one in variants if one not in texts] == []


def test_each_kind_of_an_evening_is_said() -> None:
    assert {*EVENING_STEPS} == {*EVENING_KINDS} - {Kind.UNDO} | {"extend-shorten", "end-call-off"}


@pytest.mark.slow
def test_no_module_compares_kinds_with_their_words() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if "migrations" in path.parts or path.name in ("steps.py", "kinds.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                constants = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
                if constants & WORDS and any(getattr(one, "attr", "") == "kind" for one in ast.walk(node)):
                    found.append(f"{path.name}:{node.lineno}")
            if isinstance(node, ast.keyword) and node.arg == "kind" and isinstance(node.value, ast.Constant):
                found += [f"{path.name}:{node.value.lineno}"] if node.value.value in WORDS else []
    assert found == []


def test_only_declared_kinds_are_taken_by_the_site_itself(ana: models.Player) -> None:
    """Of a round whose games are played out by bots, and completed."""
    tournament = begin(ana, (), venue="online", least=4, most=4, options={"deals": 1})
    enter(tournament, "Ada", "Bea", "Cem", "Dan")
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    results.record_table(finish(store.refresh(pod.table_id or "")), now=NOW)
    taken = {(step.kind, bool(step.actor_name)) for step in Step.objects.filter(tournament=tournament)}
    assert (Kind.TABLE_RESULT, False) in taken
    assert {kind for kind, has_actor in taken if not has_actor and Actor.SITE not in KINDS[kind].by} == set()
    assert {kind for kind, has_actor in taken if has_actor and KINDS[kind].by == {Actor.SITE}} == set()
