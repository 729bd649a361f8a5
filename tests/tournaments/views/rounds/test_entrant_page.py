"""The page of an entrant: each of their rounds, with whom they sat, and what they have reached."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, entrant, play_round, release, table_of
from tournaments.flow.entry import organiser_decisions
from tournaments.models import Entrant, Tournament

TAGS = re.compile(r"\s*<[^>]*>\s*")


def show(tournament: Tournament, name: str, client: Client | None = None) -> str:
    """The text of somebody's page, parts of it between bars."""
    number = entrant(tournament, name).number
    answer = (client or Client()).get(reverse("tournaments:entrant", args=[tournament.pk, number]))
    assert answer.status_code == 200
    main = re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)
    assert main is not None
    return re.sub(r"[\s|]*\|[\s|]*", "|", TAGS.sub("|", main[0]))


def test_every_round_of_a_person_stands_there_with_the_people_at_the_table(ana: Player) -> None:
    one = begin(ana, NAMES[:9], venue="real", wanted=4, least=4, most=4, rounds_planned=3)
    for number in (1, 2):
        play_round(ana, one, number)
    for name in NAMES[:9]:
        page = show(one, name)
        for number in (1, 2):
            at = next((at for at, names in enumerate(table_of(one, number), start=1) if name in names), None)
            if at is None:
                assert f"|Round {number}|Bye|Points:|1|" in page
                continue
            part = page.partition(f"|Round {number}, table {at}|")[2].partition("|Points|")[0]
            assert set(re.findall(r"[A-Z][a-z]{2}", part)) >= set(table_of(one, number)[at - 1])
    standings = Client().get(reverse("tournaments:standings", args=[one.pk])).content.decode()
    assert all(reverse("tournaments:entrant", args=[one.pk, number]) in standings for number in range(1, 10))


def test_points_and_penalties_add_up_there(ana: Player) -> None:
    one = begin(ana, NAMES[:8], venue="real", wanted=4, least=4, most=4, rounds_planned=3)
    play_round(ana, one, 1)
    first = next(
        row for row in Entrant.objects.filter(tournament=one) if "|1.|" + row.name + "|" in show(one, row.name)
    )
    organiser_decisions.penalise(one, ana, first.pk, points=420, reason="late", key="k", now=NOW)
    page = show(one, first.name)
    assert "|Points|0.5|" in page
    assert "|Penalty|-0.5 · late|" in page


@pytest.mark.parametrize("name", ["Ada", "Bea"])
def test_a_draft_is_not_told(ana: Player, name: str) -> None:
    one = begin(ana, NAMES[:8], venue="real", wanted=4, least=4, most=4)
    draw(ana, one, 1)
    assert "No round has been released yet." in show(one, name, browser(ana))
    release(ana, one, 1)
    assert "|Round 1, table " in show(one, name)


def test_a_number_that_nobody_has_is_told(ana: Player) -> None:
    one = begin(ana, NAMES[:8])
    assert Client().get(reverse("tournaments:entrant", args=[one.pk, 99])).status_code == 404
