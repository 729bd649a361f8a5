"""The pages of an arena say what is true: who waits for what, who plays where, how it stands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import memo, models
from tests.cast import NOW, browser
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, decide_all, enter
from tournaments.flow.entry import attendance
from tournaments.flow.rounds import arena, lifecycle, sweeper
from tournaments.models import Entrant, Pod, Round, Tournament
from tournaments.scoring.arena import BREAK_SECONDS

FOURS: dict[str, Any] = {"format": "arena", "least": 4, "most": 4, "round_minutes": 60}


def open_doors(owner: models.Player, tournament: Tournament) -> Client:
    """The console's button, pressed now; the cast lives in a time of its own. Returns the organiser's browser."""
    Entrant.objects.update(ready_at=None)
    memo.forget_all()  # no step has done that
    client = browser(owner)
    client.post(reverse("tournaments:do", args=[tournament.pk]), {"action": "open-arena"})
    return client


def page(client: Client, tournament: Tournament, name: str = "tournament", **query: str) -> str:
    return read_page(client.get(reverse(f"tournaments:{name}", args=[tournament.pk]), query))


def test_an_arena_through_its_pages(ana: models.Player) -> None:
    tournament = begin(ana, (), venue="online", **FOURS)
    players = enter(tournament, *NAMES[:4])
    console, me = browser(ana), browser(players[0])
    assert "Players are seated when the arena opens." in page(me, tournament)
    assert 'value="open-arena"' in page(console, tournament, "console")
    open_doors(ana, tournament)
    now = timezone.now().timestamp()
    waiting = page(me, tournament)
    assert "You are waiting for a table" in waiting
    assert "Next seating:" in waiting
    assert 'data-waits="Your table is ready"' in waiting
    assert "0 people are playing. 4 people are waiting." in page(console, tournament, "console")
    sweeper.sweep(now=now + BREAK_SECONDS + 1)
    pod = Pod.objects.get()
    assert f'href="/tables/{pod.table_id}/" data-summon' in page(me, tournament)
    assert "Tables in play" in page(Client(), tournament, "pairings")
    attendance.set_away(tournament, players[1], [tournament.entrants.get(player=players[1]).pk], away=True, now=now)
    decide_all(ana, tournament, 1)
    after = page(me, tournament)
    assert "Waiting for 1 more person." in after
    assert "Just finished" in after
    assert "You will not be seated until you say you are back." in page(browser(players[1]), tournament)
    assert page(Client(), tournament, "standings").count("<tr data-number=") == 4
    for sheet in ("pairings", "names", "cards", "standings", "certificates"):
        assert Client().get(reverse("tournaments:print", args=[tournament.pk, sheet])).status_code == 200
    memo.forget_all()
    Round.objects.update(ends_at=now)
    sweeper.sweep(now=now + 60)
    assert "The arena is over. All results are in." in page(console, tournament, "console")
    assert "Join now" not in page(Client(), tournament)


def test_who_has_been_seated_is_not_offered_to_be_taken_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:3], venue="real", **FOURS)
    console = open_doors(ana, tournament)
    console.post(reverse("tournaments:do", args=[tournament.pk]), {"action": "walk-in", "name": "Zoe"})
    assert "Undo: Ana added Zoe" in page(console, tournament, "console")
    sweeper.sweep(now=timezone.now().timestamp() + BREAK_SECONDS + 1)
    assert Pod.objects.count() == 1
    assert "Undo: Ana added Zoe" not in page(console, tournament, "console")


@pytest.mark.parametrize(
    ("query", "lines"),
    [({"after": "1"}, 4), ({"after": "999"}, 8), ({"after": "x"}, 8), ({"page": "7"}, 8), ({"page": "-1"}, 8)],
)
def test_any_result_and_any_page_can_be_asked_for(ana: models.Player, query: dict[str, str], lines: int) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", **FOURS)
    open_doors(ana, tournament)
    sweeper.sweep(now=timezone.now().timestamp() + BREAK_SECONDS)
    decide_all(ana, tournament, 1)
    assert Pod.objects.count() == 2
    shown = page(Client(), tournament, "standings", **query)
    assert shown.count("<tr data-number=") == lines  # after one result those stand there who have played
    assert page(Client(), tournament, "pairings", **query).count(">Game ") == 2


def test_the_hall_shows_who_plays_and_who_waits(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:6], venue="real", **FOURS)
    open_doors(ana, tournament)
    sweeper.sweep(now=timezone.now().timestamp() + BREAK_SECONDS)
    hall = page(Client(), tournament, "hall")
    assert "Waiting for a table" in hall
    assert "Waiting for 2 more people." in hall
    assert hall.count('<b class="number">') == 1
    version = Client().get(reverse("tournaments:pulse", args=[tournament.pk])).json()["version"]
    assert f'data-version="{version}"' in hall


def test_in_the_hall_only_tables_have_numbers_and_a_closed_arena_is_no_round(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[4:8], venue="mixed", **FOURS)
    enter(tournament, *NAMES[:4])
    walk_ins = Entrant.objects.filter(tournament=tournament, name__in=NAMES[4:8])
    walk_ins.update(status="entered")
    tournament.entrants.filter(name__in=NAMES[:4]).update(status="present")
    arena.open_arena(tournament, ana, now=NOW)
    for at in (60, 120):  # first those with a screen, then the others
        assert arena.seat_free(tournament.rounds.get(), now=NOW + at) == 1
        walk_ins.update(status="present")
        memo.forget_all()
    hall = page(Client(), tournament, "hall")
    numbers = re.findall(r'<b class="number[ a-z]*">(.*?)</b>', hall, re.DOTALL)
    assert [re.sub(r"<span class=.v.>.*?</span>|<.*?>", "", number, flags=re.DOTALL) for number in numbers] == [
        "1", "online"
    ]  # fmt: skip
    names = hall.partition('class="hall-names"')[2]
    assert (names.count("<b>1</b>"), names.count("<small>online</small>")) == (4, 4)
    sheets = [Client().get(reverse("tournaments:print", args=[tournament.pk, name])) for name in ("pairings", "names")]
    papers = [read_page(sheet) for sheet in sheets]
    assert [paper.count('class="number"') for paper in papers] == [1, 0]
    assert [paper.count("online") for paper in papers] == [1, 4]
    lifecycle.ring(tournament, ana, 1, now=NOW + 130)
    assert ">Arena<" in (closed := page(Client(), tournament, "hall"))
    assert "Round 1" not in closed
    reader = Client()
    reader.get(reverse("tournaments:entry_link", args=[tournament.entry_token]))  # as the card on the table does
    assert "Already on the list?" in page(reader, tournament)
    mine = tournament.entrants.get(name=NAMES[4])
    reader.post(reverse("tournaments:act", args=[tournament.pk]), {"action": "claim", "entrant": mine.pk})
    assert "Enter the result" in page(reader, tournament)
    decide_all(ana, tournament, 1)
    other = Client()
    other.get(reverse("tournaments:entry_link", args=[tournament.entry_token]))
    assert "Already on the list?" not in page(other, tournament)


def test_no_paper_and_no_log_speaks_of_rounds(ana: models.Player) -> None:
    """An arena is one long round inside; people know games, and times."""
    tournament = begin(ana, NAMES[:8], venue="real", **FOURS)
    for sheet in ("standings", "certificates"):
        html = read_page(browser(ana).get(reverse("tournaments:print", args=[tournament.pk, sheet])))
        assert ("after the first result" in html, "round" in html) == (True, False), sheet
    arena.open_arena(tournament, ana, now=NOW)
    played = Round.objects.select_related("tournament__club").get(tournament=tournament)
    assert arena.seat_free(played, now=NOW + 60) == 2
    lifecycle.pause(tournament, ana, 1, now=NOW + 70)
    lifecycle.resume(tournament, ana, 1, now=NOW + 80)
    decide_all(ana, tournament, 1)
    assert arena.seat_free(played, now=NOW + 200) == 2
    lifecycle.extend(tournament, ana, 1, 5, key="k", now=NOW + 90)
    for sheet in ("pairings", "names", "cards"):
        html = read_page(browser(ana).get(reverse("tournaments:print", args=[tournament.pk, sheet])))
        assert "Round" not in html, sheet
    cards = read_page(browser().get(reverse("tournaments:print", args=[tournament.pk, "cards"])))
    assert re.findall(r"Game (\d+), <time datetime=\"([\d:T+-]+)\"", cards) == [
        ("3", "2055-01-15T08:03:20+00:00"), ("4", "2055-01-15T08:03:20+00:00"),
    ]  # fmt: skip
    text = read_page(browser(ana).get(reverse("tournaments:chronicle", args=[tournament.pk])))
    log = read_page(browser(ana).get(reverse("tournaments:log", args=[tournament.pk])))
    for html in (text, log):
        assert "round 1" not in html
        for words in (
            "paused the arena",
            "resumed the arena",
            "seated people for game 3, 4",
            "made the arena 5 minutes longer",
        ):
            assert words in html, words
