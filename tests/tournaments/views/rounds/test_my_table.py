"""What players read about themselves is true: while they sit out, before check-in, and in their language."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser, come_to_table, person
from tests.tournaments.cast import NAMES, begin, decide_all, draw, enter, plan, play_round, release, standing
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Entrant, Pod, Tournament
from tournaments.views.lookups import find_page_version

AGAIN = "You play again from the next round."
SOON = "Your table appears here when the next round is released."
BACK = "You will get a table again once you say you are back."
HERE = "Check in first. Only people who have checked in get a table."
GONE = "You will not get another table. Your results stay."


def read(tournament: Tournament, player: Player, language: str = "en") -> str:
    headers = {"Accept-Language": language}
    page = browser(player).get(reverse("tournaments:tournament", args=[tournament.pk]), headers=headers)
    found = re.search(r'<section class="[^"]*my-table.*?</section>', page.content.decode(), re.DOTALL)
    assert found is not None
    return found[0]


def overview(tournament: Tournament, player: Player) -> str:
    one = Tournament.objects.get(pk=tournament.pk)
    return browser(player).get(reverse("tournaments:tournament", args=[one.pk])).content.decode()


def console(tournament: Tournament, player: Player) -> str:
    return browser(player).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()


@pytest.mark.parametrize(
    ("status", "is_away", "between", "during"),
    [
        ("present", False, SOON, AGAIN),
        ("present", True, BACK, BACK),
        ("entered", False, HERE, HERE),
        ("withdrawn", False, GONE, GONE),
    ],
)
def test_who_does_not_play_reads_when_they_do(
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


LATER = "From the next round, you sit out until you say you are back."


@pytest.mark.parametrize("is_bye", [False, True], ids=["at-a-table", "bye"])
@pytest.mark.parametrize(
    ("status", "is_away", "expected"),
    [("present", False, []), ("present", True, [LATER]), ("withdrawn", False, [GONE])],
)
def test_who_stops_during_a_round_reads_that_they_play_no_further(
    ana: Player, is_bye: bool, status: str, is_away: bool, expected: list[str]
) -> None:
    tournament = begin(ana, NAMES[:9], least=4, most=4, venue="real", rounds_planned=3)
    release(ana, tournament, 1)
    entrant = Entrant.objects.filter(tournament=tournament, rests__isnull=not is_bye).first()
    assert entrant is not None
    player = person("Quentin")
    Entrant.objects.filter(pk=entrant.pk).update(player=player, status=status, is_away=is_away)
    page = read(tournament, player)
    assert ("you have a bye" if is_bye else "you play at table") in page
    assert [sentence for sentence in (LATER, GONE) if sentence in page] == expected


def test_nobody_is_promised_a_round_that_does_not_come(ana: Player) -> None:
    tournament = begin(ana, NAMES[:7], most=4, venue="real", rounds_planned=1)
    late, player = person("Rosa"), person("Quentin")
    entrant = Entrant.objects.create(
        tournament=tournament, number=8, name="Quentin", player=player, status="present", claim_token="q"
    )
    release(ana, tournament, 1)
    assert "Sit out the next round" not in overview(tournament, player)
    assert "Sign-up is closed." in overview(tournament, late)
    Entrant.objects.filter(pk=entrant.pk).update(status="entered")
    assert "Check in" not in overview(tournament, player)
    Entrant.objects.filter(pk=entrant.pk).update(status="present")
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    text = read(tournament, player)
    assert ("All rounds have been played." in text, SOON in text) == (True, False)
    assert 'value="withdraw"' not in overview(tournament, player)


def test_who_is_out_of_a_knockout_reads_so(ana: Player) -> None:
    tournament = begin(ana, NAMES[:8], format="knockout", most=4, venue="real", advance=2)
    late, player = person("Rosa"), person("Quentin")
    assert 'value="enter"' in overview(tournament, late)
    play_round(ana, tournament, 1)
    last = Entrant.objects.get(seats__pod__number=1, seats__index=3)
    sign_up.claim(tournament, last.claim_token, player, now=NOW)
    tournament.refresh_from_db()
    text = read(tournament, player)
    assert ("You are out of the knockout" in text, GONE in text) == (True, True)
    release(ana, tournament, 2)
    tournament.refresh_from_db()
    assert GONE in read(tournament, player)
    assert ('value="enter"' in overview(tournament, late), 'id="walk-in"' in console(tournament, ana)) == (False, False)


def test_a_bye_of_a_knockout_takes_on(ana: Player) -> None:
    """It counts no points there, and goes to the best seeds, not round the room."""
    tournament = begin(ana, [], format="knockout", venue="online", least=4, most=4)
    people = enter(tournament, *NAMES[:9])
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    [resting] = [one for one in people if tournament.entrants.get(player=one).rests.exists()]
    page = read(tournament, resting)
    assert ("You advance to the next round without playing this one." in page, "second bye" in page) == (True, False)


@pytest.mark.parametrize("form", ["swiss", "arena"])
def test_an_empty_list_says_why_it_is_empty(ana: Player, form: str) -> None:
    overrides: dict[str, Any] = {"format": form, "round_minutes": 30}
    assert "Sign-up is not open yet." in overview(plan(ana, **overrides), ana)
    tournament = begin(ana, NAMES[:1], **overrides)
    attendance.withdraw(tournament, ana, [tournament.entrants.get().pk], now=NOW)
    assert "Everybody has withdrawn." in overview(tournament, ana)
    empty = begin(ana, [], **overrides)
    assert "Nobody has signed up yet. Be the first." in overview(empty, ana)
    phases.call_off(empty, ana, now=NOW)
    assert "<p>Nobody has signed up.</p>" in overview(empty, ana)


def test_points_are_written_in_the_readers_own_way(ana: Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    release(ana, tournament, 2)
    url = reverse("tournaments:pairings", args=[tournament.pk])
    text = [browser(ana).get(url, headers={"Accept-Language": code}).content.decode() for code in ("en", "de", "pl")]
    assert [("0.67" in page, "0,67" in page) for page in text] == [(True, False), (False, True), (False, True)]


def test_points_stand_beside_a_name_only_while_they_say_something(ana: Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    url = reverse("tournaments:pairings", args=[tournament.pk])

    def is_told(number: int) -> bool:
        return "Points before this round" in browser(ana).get(f"{url}?round={number}").content.decode()

    release(ana, tournament, 1)
    first = is_told(1)
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    assert (first, is_told(1), is_told(2)) == (False, False, True)


def test_everybody_reads_where_they_stand(ana: Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    last = Entrant.objects.get(tournament=tournament, name=standing(tournament)[-1][0])
    last.player = person("Quentin")
    last.save()
    url = reverse("tournaments:tournament", args=[tournament.pk])
    shown = [browser(who).get(url).context["top"] for who in (last.player, person("Rosa"))]
    assert [len(top) for top in shown] == [6, 5]
    assert (shown[0][-1]["entrant"].name, shown[0][-1]["is_me"]) == (last.name, True)


def test_who_is_played_by_a_bot_reads_it_until_they_come(ana: Player) -> None:
    tournament = begin(ana, (), venue="online", most=4)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    sentence, table_id = "A bot plays for you until you come to your table.", Pod.objects.get().table_id or ""
    assert sentence not in read(tournament, players[0])
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    assert sentence in read(tournament, players[0])
    before = find_page_version(Tournament.objects.get(pk=tournament.pk))
    come_to_table(table_id, players[0].pk, now=NOW)
    assert sentence not in read(tournament, players[0])
    assert find_page_version(Tournament.objects.get(pk=tournament.pk)) != before, "their open page is not told"


def test_who_has_entered_a_result_is_not_asked_to_confirm_it(ana: Player) -> None:
    tournament = begin(ana, NAMES[:2], venue="real", most=4)
    players = enter(tournament, *NAMES[2:4])
    release(ana, tournament, 1)
    results.enter(tournament, players[0], Pod.objects.get().pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    mine, other = (read(tournament, player) for player in players)
    assert (("Somebody else at your table still has to confirm it.") in mine, "Confirm the result" in mine) == (
        True,
        False,
    )
    assert (("Somebody else at your table still has to confirm it.") in other, "Confirm the result" in other) == (
        False,
        True,
    )


def test_who_is_away_reads_whether_a_knockout_still_has_a_table_for_them(ana: Player) -> None:
    """Eliminated players must not be promised a table for their return."""
    tournament = begin(
        ana, [], format="knockout", game="super-zwierzaki", options={}, least=3, most=4, advance=2, venue="real"
    )
    enter(tournament, *NAMES[:16])
    tournament.entrants.update(status="present", is_away=False)
    play_round(ana, tournament, 1)
    order = [name for name, _, _ in standing(tournament)]
    first, last = (tournament.entrants.get(name=name) for name in (order[0], order[-1]))
    attendance.set_away(tournament, ana, [first.pk, last.pk], away=True, now=NOW)
    assert first.player is not None
    assert last.player is not None

    def look(one: Player) -> tuple[bool, bool, bool]:
        fresh = Tournament.objects.get(pk=tournament.pk)
        return BACK in read(fresh, one), GONE in read(fresh, one), 'value="back"' in overview(fresh, one)

    assert (look(first.player), look(last.player)) == ((True, False, True), (False, True, False))
    assert "If you sit out a knockout round, you are out of the knockout." in overview(tournament, first.player)
    draw(ana, tournament, 2)
    assert look(first.player) == (True, False, True)
    lifecycle.release(tournament, ana, 2, now=NOW)
    assert (look(first.player), look(last.player)) == ((False, True, False), (False, True, False))


def test_nobody_is_asked_into_a_cut_that_is_full_or_back_into_a_knockout_that_they_are_out_of(ana: Player) -> None:
    """Otherwise they would enter, and be out at once."""
    tournament = begin(
        ana, [], format="swiss-cut", rounds_planned=1, cut_to=8, advance=2, least=4, most=4, venue="real"
    )
    late = person("Rosa")
    enter(tournament, *NAMES[:12])
    tournament.entrants.update(status="present")
    first = Entrant.objects.get(tournament=tournament, name="Ada").player
    assert first is not None
    assert 'value="enter"' in overview(tournament, late)
    assert "you are out of the knockout" not in overview(tournament, first)
    release(ana, tournament, 1)
    assert 'value="enter"' not in overview(tournament, late)
    assert "you are out of the knockout" in overview(tournament, first)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    order = [tournament.entrants.get(name=name) for name, _, _ in standing(tournament)]
    best, worst = order[0], order[-1]
    assert best.player is not None
    assert worst.player is not None
    attendance.withdraw(tournament, ana, [best.pk, worst.pk], now=NOW)
    asked = ['value="enter"' in overview(tournament, one) for one in (late, best.player, worst.player)]
    assert asked == [False, True, False]
    attendance.withdraw(tournament, ana, [one.pk for one in order[1:4]], now=NOW)
    assert ['value="enter"' in overview(tournament, one) for one in (late, worst.player)] == [True, True]
    release(ana, tournament, 2)
    assert 'value="enter"' not in overview(tournament, best.player)
