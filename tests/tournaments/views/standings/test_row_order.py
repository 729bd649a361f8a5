"""A database may keep its rows in any order: nothing that is shown, sent or drawn depends on it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from django.db import connection
from django.urls import reverse

from games import models
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, entrant, play_round
from tests.tournaments.flow.undo.test_undo import undo
from tests.tournaments.walk.laws import DESK, PAGES, SHEETS
from tournaments.flow.archive import tournament_document
from tournaments.flow.drawing.draw_context import build_problem
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import PairRule, Tournament

APART, TOGETHER = PairRule.Kind.APART, PairRule.Kind.TOGETHER
CHANCE = re.compile(r'(csrfmiddlewaretoken" value|csrf-token" content|"key" value|data-now)="\w+"')


def read(owner: models.Player, one: Tournament) -> Mapping[str, object]:
    """All pages of a tournament, its archive, and what is asked of its next draw."""
    seen: dict[str, object] = {}
    client, book = browser(owner), open_book(one)
    addresses = [reverse(f"tournaments:{name}", args=[one.pk]) for name in (*PAGES, *DESK)]
    addresses += [reverse("tournaments:print", args=[one.pk, sheet]) for sheet in SHEETS]
    for address in addresses:
        seen[address] = CHANCE.sub("", client.get(address).content.decode())
    return seen | {"archive": tournament_document.describe(book), "problem": build_problem(book, 2, seed="1")}


@pytest.fixture
def evening(ana: models.Player) -> Tournament:
    """One with two of everything: byes, absent people, penalties, rules, and a draw that was done again."""
    one = begin(ana, NAMES[:12], venue="real", least=4, most=4, rounds_planned=3)
    attendance.set_away(one, ana, [entrant(one, name).pk for name in ("Ada", "Bea")], away=True, now=NOW)
    for first, second, kind in (("Dan", "Cem", APART), ("Eli", "Fay", APART), ("Gus", "Hal", TOGETHER)):
        organiser_decisions.rule_pair(one, ana, entrant(one, first).pk, entrant(one, second).pk, kind, now=NOW)
    play_round(ana, one, 1)
    for name in ("Jan", "Ida"):
        organiser_decisions.penalise(one, ana, entrant(one, name).pk, points=420, reason="late", key=name, now=NOW)
    draw(ana, one, 2)
    undo(ana, one)
    draw(ana, one, 2)
    draw(ana, one, 2, again=True)
    for name in ("Zoe", "Zed"):
        sign_up.add_walk_in(one, ana, name=name, now=NOW)
    return one


def test_nothing_depends_on_the_order_of_rows(ana: models.Player, evening: Tournament) -> None:
    shown = read(ana, evening)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA reverse_unordered_selects=ON")
        again = read(ana, evening)
        cursor.execute("PRAGMA reverse_unordered_selects=OFF")
    assert [name for name in shown if again[name] != shown[name]] == []
