"""What a player reads of himself is true: also while he sits out, before he is there, in his language."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.models import Player
from tests.cast import browser, person
from tests.tournaments.cast import NAMES, begin, draw, play_round, release, standing
from tournaments.models import Entrant, Tournament

AGAIN = "You are in again from the next round on."
SOON = "As soon as the next round is released your table stands here."
BACK = "You get a table again as soon as you say that you are back."
HERE = "Say that you are here: only who is here gets a table."
GONE = "You get no table any more. What you have played stays."


def read(tournament: Tournament, player: Player, language: str = "en") -> str:
    headers = {"Accept-Language": language}
    page = browser(player).get(reverse("tournaments:tournament", args=[tournament.pk]), headers=headers)
    found = re.search(r'<section class="[^"]*my-table.*?</section>', page.content.decode(), re.DOTALL)
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    ("status", "is_away", "between", "during"),
    [
        ("present", False, SOON, AGAIN),
        ("present", True, BACK, BACK),
        ("entered", False, HERE, HERE),
        ("withdrawn", False, GONE, GONE),
    ],
)
def test_who_does_not_play_reads_when_he_does(
    ana: Player, status: str, is_away: bool, between: str, during: str
) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    player = person("Quentin")
    Entrant.objects.create(
        tournament=tournament, number=9, name="Quentin", player=player, status=status, is_away=is_away, claim_token="q"
    )
    one = Tournament.objects.get(pk=tournament.pk)
    assert between in read(one, player)
    Entrant.objects.filter(number=9).update(is_away=True)
    release(ana, tournament, 2)
    Entrant.objects.filter(number=9).update(is_away=is_away)
    assert during in read(one, player)


def test_points_are_written_in_the_readers_own_way(ana: Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    release(ana, tournament, 2)
    url = reverse("tournaments:pairings", args=[tournament.pk])
    told = [browser(ana).get(url, headers={"Accept-Language": code}).content.decode() for code in ("en", "de", "pl")]
    assert [("0.67" in page, "0,67" in page) for page in told] == [(True, False), (False, True), (False, True)]


def test_points_stand_beside_a_name_only_while_they_say_something(ana: Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    url = reverse("tournaments:pairings", args=[tournament.pk])

    def is_told(number: int) -> bool:
        return "points before this round" in browser(ana).get(f"{url}?round={number}").content.decode()

    release(ana, tournament, 1)
    first = is_told(1)
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    assert (first, is_told(1), is_told(2)) == (False, False, True)


def test_everybody_reads_where_he_stands(ana: Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    last = Entrant.objects.get(tournament=tournament, name=standing(tournament)[-1][0])
    last.player = person("Quentin")
    last.save()
    url = reverse("tournaments:tournament", args=[tournament.pk])
    shown = [browser(who).get(url).context["top"] for who in (last.player, person("Rosa"))]
    assert [len(top) for top in shown] == [6, 5]
    assert (shown[0][-1]["entrant"].name, shown[0][-1]["is_me"]) == (last.name, True)
