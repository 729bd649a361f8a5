"""The search of people, clubs and tournaments: what it finds, for whom, and with how many queries."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.models import Player
from tests.cast import browser, finish, person, start_table
from tests.html import read_page
from tests.tournaments.cast import found, plan
from tournaments.flow.profiles.finding import find
from tournaments.work import tasks


def names(wanted: str, reader: Player | None = None) -> list[list[str]]:
    """What is found: people, clubs, tournaments."""
    return [[one.name for one in part] for part in find(wanted, reader.pk if reader else None, most=5)]


def test_names_are_found_by_the_beginning_of_any_word(ana: Player) -> None:
    person("Łukasz Berg")
    person("Berta")
    club = found(ana, name="Klub Łódź")
    plan(ana, club, name="Berliner Abend")
    assert names("lukasz") == [["Łukasz Berg"], [], []]
    assert names("ber") == [["Łukasz Berg", "Berta"], [], ["Berliner Abend"]]
    assert names("lodz klub") == [[], ["Klub Łódź"], []]
    assert names("erta") == names("  ") == [[], [], []]


def test_what_is_private_is_found_by_those_who_may_see_it(ana: Player, ben: Player) -> None:
    secret = found(ana, name="Secret Club")
    secret.is_public = False
    secret.save()
    plan(ana, secret, name="Secret Night", is_public=False)
    Player.objects.filter(pk=person("Secretive").pk).update(is_listed=False)
    assert names("secret") == names("secret", ben) == [[], [], []]
    assert names("secret", ana) == [[], ["Secret Club"], ["Secret Night"]]


def test_the_search_page_and_what_is_suggested_while_typing(ana: Player) -> None:
    found(ana, name="Anchor Club")
    client = Client()
    page = read_page(client.get(reverse("tournaments:search"), {"q": "an"}))
    assert [part in page for part in ("People", "Ana", "Anchor Club", 'role="search"')] == [True] * 4
    part = read_page(client.get(reverse("tournaments:search"), {"q": "an"}, HTTP_HX_TARGET="suggestions"))
    assert ["<html" in part, part.count('role="option"')] == [False, 2]
    assert "Nothing found for “zz”" in read_page(client.get(reverse("tournaments:search"), {"q": "zz"}))


def test_a_leaderboard_is_searched_by_name(ana: Player, ben: Player, eva: Player) -> None:
    finish(start_table(ana, ben, options={"deals": 1}))
    tasks.sweep_results()
    url = reverse("tournaments:leaderboards")
    client = browser(eva)
    shown = [read_page(client.get(url, {"q": wanted, "by": "wins"})) for wanted in ("be", "an", "ev")]
    assert [[f"/people/{one.pk}/" in page for one in (ana, ben)] for page in shown] == [
        [False, True], [True, False], [False, False],
    ]  # fmt: skip
    assert "Nobody on this leaderboard" in shown[2]
    club = found(ana)
    shown = [read_page(client.get(url, {"q": wanted, "club": club.slug})) for wanted in ("an", "be")]
    assert [f"/people/{ana.pk}/" in page for page in shown] == [True, False]


@pytest.mark.parametrize("count", [1, 40])
def test_a_search_takes_the_same_queries_however_many_there_are(
    count: int, ana: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = found(ana, name="Zebra Club")
    plan(ana, club, name="Zebra Night")
    Player.objects.bulk_create(Player(name=f"Zebra {number}", avatar="fox") for number in range(count))
    with django_assert_num_queries(6):
        assert len(find("zebra", ana.pk, most=5).people) == min(count, 5)
