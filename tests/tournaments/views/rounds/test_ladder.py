"""The ladder's own page: who sits where, who holds which job, who came and who goes."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from games import models
from games.play.storage import store
from tests.cast import NOW, browser, come_to_table, move_until
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, decide_all, enter, play_round, release
from tests.tournaments.flow.test_formats import LADDER, seats_of
from tests.tournaments.views.rounds.test_tournament_pages import count_queries
from tournaments.flow.planning import phases
from tournaments.flow.rounds import results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Phase, Pod, PodSeat, Tournament


def page(tournament: Tournament, client: Client | None = None, **query: str) -> str:
    url = reverse("tournaments:ladder", args=[tournament.pk])
    return read_page((client or Client()).get(url, query))


def rows_of(html: str) -> list[tuple[str, str]]:
    """Each player on the page with the words for where they came from and go to."""
    found = []
    for row in re.findall(r"<li(?: class=\"me\")?>\s*(?:<b class=\"place\">.*?)?(.*?)</li>", html, re.S):
        name = re.search(r'<b class="name">(.*?)(?: <small|</b>)', row)
        if name:
            words = re.sub(r"<[^>]*>", " ", row.split('<b class="name">', 1)[1].split("</b>", 1)[1])
            found.append((name[1], " ".join(words.split())))
    return found


def test_who_came_and_who_goes(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **LADDER, venue="real", rounds_planned=3)
    assert "appear here when round 1 is released" in page(tournament)
    release(ana, tournament, 1)
    top, bottom = seats_of(tournament, 1)
    assert {words for _, words in rows_of(page(tournament))} == {""}
    one = Pod.objects.get(round__tournament=tournament, number=1)
    results.decide(tournament, ana, one.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    text = dict(rows_of(page(tournament)))
    assert [text[name] for name in top] == ["stays", "stays", "stays", ""]  # the last one waits for the other table
    decide_all(ana, tournament, 1)
    text = dict(rows_of(page(tournament)))
    assert [text[name] for name in top] == ["stays", "stays", "stays", "moves down to table 2"]
    assert [text[name] for name in bottom] == ["moves up to table 1", "stays", "stays", "stays"]


def test_who_did_not_play_and_what_does_not_count_is_said(ana: models.Player) -> None:
    """No-shows and void tables are marked here as in the pairings."""
    tournament = begin(ana, NAMES[:8], **LADDER, venue="real", rounds_planned=3)
    release(ana, tournament, 1)
    top, bottom = Pod.objects.filter(round__tournament=tournament).order_by("number")
    last = top.seats.get(index=3)
    results.set_fate(tournament, ana, last.pk, PodSeat.Fate.NO_SHOW, now=NOW)
    results.decide(tournament, ana, top.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    results.decide(tournament, ana, bottom.pk, ReportedResult((1, 2, 3, 4)), is_void=True, now=NOW)
    text = " ".join(re.sub(r"<[^>]*>", " ", page(tournament)).split())
    assert f"{last.entrant.name} did not play stays" in text
    assert ("Table 1 the top Result entered" in text, "Table 2 does not count" in text) == (True, True)
    assert text.count("did not play") == 1


def test_at_one_table_nobody_moves(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:5], **LADDER | {"most": 5}, venue="real", rounds_planned=2)
    play_round(ana, tournament, 1)
    html = page(tournament)
    assert ("only one table, nobody moves" in html, "moves up one table" in html) == (True, False)
    assert {words for _, words in rows_of(html)} == {"stays"}


def test_on_a_ladder_that_was_ended_early_nobody_goes_anywhere(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **LADDER, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    assert "moves up" in page(tournament)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    html = page(tournament)
    assert ("This is the last round." in html, "moves up" in html) == (True, False)
    shown = Client().get(reverse("tournaments:tournament", args=[tournament.pk])).content.decode()
    assert ("Ladder, 1 round<" in shown, "3 rounds" in shown) == (True, False)


def test_a_later_stretch_says_who_came_up(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **LADDER, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    top, bottom = seats_of(tournament, 1)
    release(ana, tournament, 2)
    text = dict(rows_of(page(tournament)))
    assert (text[bottom[0]], text[top[3]], text[top[0]]) == ("moved up", "moved down", "")
    assert dict(rows_of(page(tournament, round="1")))[bottom[0]] == "moves up to table 1"


def test_jobs_are_live_and_the_chronicle_is_whole(ana: models.Player) -> None:
    tournament = begin(ana, [], **LADDER | {"options": {}}, venue="online", rounds_planned=1)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    table_id = str(Pod.objects.get(round__tournament=tournament).table_id)
    assert "Waiting for everybody" in page(tournament)
    for player in players:
        table = come_to_table(table_id, player.pk, now=NOW)
    first = page(tournament, browser(players[0]))
    assert first.count('class="job"') == 4
    assert first.count('<th scope="col">by lot</th>') == 1
    assert "your table" in first
    move_until(store.fetch(table_id), lambda one: one.rules.view(one.state, None)["deal"] == 3)
    later = page(tournament)
    assert later.count('<span class="v">Deal </span>') == 2
    drawn = table.rules.view(table.state, None)["ranks"]
    jobs = re.findall(r"<tr(?: class=\"me\")?><th scope=\"row\">.*?</th><td.*?<span>(.*?)</span>", later)
    names = ["CEO", "Trainee"]
    assert [job in names for job in jobs] == [rank in (1, 4) for rank in drawn]


def test_queries_do_not_grow_with_the_tables(ana: models.Player) -> None:
    counts = []
    for people in (8, 16):
        plan_fields: dict[str, Any] = LADDER | {"name": f"Ladder of {people}"}
        tournament = begin(ana, [], **plan_fields, venue="online", rounds_planned=1)
        enter(tournament, *NAMES[:people])
        release(ana, tournament, 1)
        counts.append(count_queries(browser(ana), reverse("tournaments:ladder", args=[tournament.pk])))
    assert counts[0] == counts[1] <= 14


def test_no_other_format_has_it(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    assert Client().get(reverse("tournaments:ladder", args=[tournament.pk])).status_code == 404
