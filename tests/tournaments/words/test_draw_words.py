"""Each message of the draw, a reason or an error, has a translated text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from django.utils import translation

from tournaments import draw as draw_package
from tournaments.draw import Conflict, Entrant, Problem, solve
from tournaments.draw.problem import reasons
from tournaments.draw.problem.solution import NOBODY_MET
from tournaments.flow.drawing import recent_opponents
from tournaments.flow.people.name_replacement import NameReplacement
from tournaments.words.draw_words import CONFLICTS, REASONS, REMARKS
from tournaments.words.terms import say_reasons, say_trouble

LANGUAGES = ("de", "pl")
FOLDER = Path(draw_package.__file__).parent
ERRORS = frozenset({"Conflict", "BadProblem"})
READS_FILES = "_decode"
"""The function that reads files for the command; its errors never reach a page."""


def list_raised() -> Iterator[str]:
    """Templates of all errors in the sources of the draw."""
    for path in sorted(FOLDER.rglob("*.py")):
        tree = ast.parse(path.read_text())
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and function.name != READS_FILES:
                yield from _list_templates(tree, function)


def _list_templates(tree: ast.Module, function: ast.FunctionDef) -> Iterator[str]:
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ERRORS:
            template = call.args[0]
            yield from [_read(template)] if isinstance(template, ast.Constant) else _find(tree, function, template)


def _find(tree: ast.Module, function: ast.FunctionDef, template: ast.expr) -> Iterator[str]:
    """The values of a name: assigned in the function, or passed by its callers in the module."""
    assert isinstance(template, ast.Name)
    values = [given.value for given in ast.walk(function) if isinstance(given, ast.Assign) and _names(given, template)]
    place = [argument.arg for argument in function.args.args].index(template.id) if not values else 0
    calls = [call for call in ast.walk(tree) if isinstance(call, ast.Call)]
    here = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == function.name]
    yield from map(_read, values or [call.args[place] for call in here])


def _names(given: ast.Assign, template: ast.Name) -> bool:
    return any(isinstance(target, ast.Name) and target.id == template.id for target in given.targets)


def _read(template: ast.expr) -> str:
    assert isinstance(template, ast.Constant)
    return str(template.value)


RULES = {"%(names)s are locked together", "%(first)s and %(second)s may not meet"}
"""Templates that are used only inside another sentence."""


def test_every_conflict_has_its_words() -> None:
    assert {*list_raised()} | RULES == CONFLICTS.keys()


def test_every_reason_has_its_words() -> None:
    assert {*reasons.TEMPLATES, recent_opponents.NO_RECENT_MEETING, recent_opponents.RECENT_MEETING} <= REASONS.keys()


def test_what_an_organiser_looks_at_first_are_repeats_groups_sizes_and_changes_by_hand() -> None:
    usual = {reasons.SAME_SCORE, reasons.CLOSE_SCORES, NOBODY_MET, reasons.LOCKED}
    found = {template for template in reasons.TEMPLATES if not any(key in template for key in REMARKS)}
    assert found == usual
    assert all(any(key in template for template in REASONS) for key in REMARKS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_are_translated(language: str) -> None:
    templates = [*CONFLICTS.values(), *REASONS.values(), *REMARKS.values()]
    with translation.override("en"):
        english = list(map(str, templates))
    with translation.override(language):
        assert [text for text, before in zip(map(str, templates), english, strict=True) if text == before] == []


AGAIN = "%(one)s and %(other)s meet again (before: %(times)d)"
PAIR = {"one": "Ana", "other": "Ben", "times": 1}
SAID = {
    "en": [
        "Ana and Ben meet again (earlier meetings: 1). No draw without this would be better overall.",
        "Ana and Ben meet again (earlier meetings: 1). No better draw was found.",
        "Ana and Ben meet again (earlier meetings: 1), because the organiser keeps them together.",
        "Ana and Ben meet again (earlier meetings: 1).",
        "A table of 5, because the organiser keeps this many people together.",
    ],
    "de": [
        (
            "Ana und Ben treffen sich wieder (bisherige Begegnungen: 1). Keine Auslosung, die das vermeidet, "
            "wäre insgesamt besser."
        ),
        "Ana und Ben treffen sich wieder (bisherige Begegnungen: 1). Eine bessere Auslosung wurde nicht gefunden.",
        "Ana und Ben treffen sich wieder (bisherige Begegnungen: 1), weil die Turnierleitung sie zusammensetzt.",
        "Ana und Ben treffen sich wieder (bisherige Begegnungen: 1).",
        "Ein Tisch mit 5, weil die Turnierleitung so viele Leute zusammensetzt.",
    ],
    "pl": [
        (
            "Ana i Ben spotykają się znowu (wcześniejsze spotkania: 1). Żadne losowanie, które tego unika, "
            "nie byłoby lepsze jako całość."
        ),
        "Ana i Ben spotykają się znowu (wcześniejsze spotkania: 1). Nie znaleziono lepszego losowania.",
        "Ana i Ben spotykają się znowu (wcześniejsze spotkania: 1), bo organizatorzy sadzają te osoby razem.",
        "Ana i Ben spotykają się znowu (wcześniejsze spotkania: 1).",
        "Stół na 5, bo tyle osób organizatorzy sadzają razem.",
    ],
}


@pytest.mark.parametrize("language", SAID)
def test_what_is_not_proven_is_not_said_to_be(language: str) -> None:
    """Nor of rounds that were drawn before anybody noted whether it was."""
    ends = (": any draw without that costs at least as much elsewhere", ": no better draw was found",
            ": they are locked together", "")  # fmt: skip
    actual = [[AGAIN + end, PAIR] for end in ends]
    with translation.override(language):
        assert say_reasons([*actual, [reasons.ODD_LOCK, {"size": 5, "wanted": 4}]]) == SAID[language]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "No draw can follow all of these rules: kept together: a, b; kept together: c, d; kept together: e, f.",
        ),
        (
            "de",
            (
                "Keine Auslosung kann alle diese Regeln einhalten: sollen zusammensitzen: a, b; "
                "sollen zusammensitzen: c, d; sollen zusammensitzen: e, f."
            ),
        ),
        (
            "pl",
            (
                "Żadne losowanie nie spełni wszystkich tych zasad naraz: mają siedzieć razem: a, b; mają "
                "siedzieć razem: c, d; mają siedzieć razem: e, f."
            ),
        ),
    ],
)
def test_rules_that_leave_no_draw_are_named(language: str, sentence: str) -> None:
    entrants = tuple(Entrant(one) for one in "abcdef")
    with pytest.raises(Conflict) as caught:
        solve(Problem(entrants, 3, 3, 3, locked=(("a", "b"), ("c", "d"), ("e", "f"))))
    text = "these rules leave no draw: a, b are locked together; c, d are locked together; e, f are locked together"
    assert str(caught.value) == text
    kept = msgspec.json.encode([caught.value.template, caught.value.values]).decode()
    with translation.override(language):
        assert say_trouble(kept) == sentence
        forgotten = NameReplacement(frozenset({"d"}), "somebody").in_json(kept, is_named=True)
        assert say_trouble(forgotten) == sentence.replace("c, d", "c, somebody")
