"""Wherever a page tells who sits on which chair, a bot is called one."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.tournaments.cast import begin, enter, found, play_round, release
from tournaments.flow.entry import sign_up
from tournaments.models import TimedSession, Tournament

BARE = re.compile(r"\bBruno\b(?!\s*\(?bot\b)")


@pytest.fixture
def tournament(ana: Player) -> Tournament:
    """One complete round, and one that is released; Bruno is a bot, and called like somebody."""
    one = begin(ana, [], venue="online", least=4, most=4, rounds_planned=2)
    enter(one, "Ada", "Bea", "Cem")
    sign_up.add_bot(one, ana, name="Bruno", level="random", now=NOW)
    play_round(ana, one, 1)
    release(ana, one, 2)
    return one


def read_page_text(reader: Player, url: str) -> str:
    """The words of a page's own part, without what only labels a link."""
    page = browser(reader).get(url).content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    text = re.sub(r"<(script|svg|details)\b.*?</\1>", "", main, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


@pytest.mark.parametrize("sheet", ["pairings", "names"])
def test_on_paper(ana: Player, tournament: Tournament, sheet: str) -> None:
    words = read_page_text(ana, reverse("tournaments:print", args=[tournament.pk, sheet]))
    assert (words.count("Bruno"), BARE.findall(words)) == (1, [])


@pytest.mark.parametrize("name", ["pairings", "hall"])
def test_at_the_tables_and_by_name(ana: Player, tournament: Tournament, name: str) -> None:
    words = read_page_text(ana, reverse(f"tournaments:{name}", args=[tournament.pk]))
    assert words.count("Bruno") > 1
    assert BARE.findall(words) == []


def test_on_the_page_of_a_result(ana: Player, tournament: Tournament) -> None:
    words = read_page_text(ana, reverse("tournaments:pod", args=[tournament.pk, 1, 1]))
    assert (words.count("Bruno"), BARE.findall(words)) == (1, [])


def test_at_a_table_of_an_evening_that_waits(ana: Player) -> None:
    club, mine = found(ana), browser(ana)
    form = {"name": "Friday", "game": "animal-poker", "minutes": 30}
    mine.post(reverse("tournaments:new_evening", args=[club.slug]), form)
    evening = TimedSession.objects.get()
    steer = reverse("tournaments:steer_evening", args=[evening.pk])
    mine.post(steer, {"action": "table", "player": [ana.pk], "version": 0})
    words = read_page_text(ana, reverse("tournaments:evening", args=[evening.pk]))
    assert "Ana , Bruno bot , Cleo bot , Dago bot" in words
