"""A tournament that does not take place: said everywhere, its list kept, and taken back when it does after all."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from games import models
from games.play.errors import NotAllowed, Stale
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, check_in, draw, entrant, found, plan, plan_season, play_round
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.flow.undo import season_undo, step_undo
from tournaments.models import Phase, Season, Step, Tournament

SOON = datetime.fromtimestamp(NOW + 3600, tz=UTC)


def phase_of(one: Tournament | Season) -> str:
    one.refresh_from_db()
    return one.phase


def undo(ana: models.Player, one: Tournament | Season) -> None:
    number = one.steps.latest("number").number
    if isinstance(one, Season):
        season_undo.revert(one, ana, number, now=NOW)
    else:
        step_undo.revert(one, ana, number, now=NOW)


def test_it_is_called_off_once_and_taken_back_with_its_list(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:6])
    for _ in range(2):
        phases.call_off(tournament, ana, now=NOW)
    assert phase_of(tournament) == "called-off"
    assert [one.kind for one in Step.objects.filter(tournament=tournament, kind="call-off")] == ["call-off"]
    undo(ana, tournament)
    assert phase_of(tournament) == "check-in"
    assert tuple(tournament.entrants.order_by("number").values_list("name", flat=True)) == NAMES[:6]
    undo(ana, tournament)
    assert phase_of(tournament) == "called-off"


def test_nothing_goes_on_in_it(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:6])
    phases.call_off(tournament, ana, now=NOW)
    one = entrant(tournament, NAMES[0]).pk
    with pytest.raises(Stale, match="This tournament was cancelled"):
        sign_up.enter(tournament, ben, now=NOW)
    with pytest.raises(Stale, match="This tournament was cancelled"):
        sign_up.add_walk_in(tournament, ana, name="Late", now=NOW)
    with pytest.raises(Stale, match="This tournament was cancelled"):
        attendance.withdraw(tournament, ana, [one], now=NOW)
    with pytest.raises(Stale):
        draw_requests.request_draw(tournament, ana, 1, again=False, now=NOW)
    with pytest.raises(Stale):
        phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    imported = Step.objects.filter(tournament=tournament).exclude(kind="call-off").latest("number")
    with pytest.raises(Stale, match="This tournament was cancelled"):
        step_undo.revert(tournament, ana, imported.number, now=NOW)


def test_what_has_begun_is_finished_instead(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:8])
    with pytest.raises(NotAllowed):
        phases.call_off(tournament, ben, now=NOW)
    draw(ana, tournament, 1)
    with pytest.raises(Stale, match="Undo its draw first"):
        phases.call_off(tournament, ana, now=NOW)
    undo(ana, tournament)
    phases.call_off(tournament, ana, now=NOW)
    undo(ana, tournament)
    play_round(ana, tournament, 1)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    with pytest.raises(Stale, match="begun"):
        phases.call_off(tournament, ana, now=NOW)


def test_a_season_does_not_wait_for_it(ana: models.Player) -> None:
    club = found(ana)
    season = plan_season(ana, club, name="Autumn")
    season_phases.open_season(season, ana, now=NOW)
    played = begin(ana, NAMES[:8], club=club)
    stormy = plan(ana, club, name="Stormy night")
    for one in (played, stormy):
        season_changes.count_tournament(season, ana, one.pk, counts=True, now=NOW)
    play_round(ana, played, 1)
    phases.move_on(played, ana, Phase.FINISHED, now=NOW)
    with pytest.raises(Stale, match="Stormy night"):
        season_phases.finish(season, ana, now=NOW)
    phases.call_off(stormy, ana, now=NOW)
    with pytest.raises(Stale, match="has been played"):
        season_phases.call_off(season, ana, now=NOW)
    season_phases.finish(season, ana, now=NOW)
    assert phase_of(season) == "finished"


@pytest.mark.parametrize("is_open", [True, False])
def test_a_season_of_which_nothing_was_played_is_called_off(ana: models.Player, *, is_open: bool) -> None:
    season = plan_season(ana, name="Autumn")
    stormy = plan(ana, season.club, name="Stormy night")
    season_changes.count_tournament(season, ana, stormy.pk, counts=True, now=NOW)
    if is_open:
        season_phases.open_season(season, ana, now=NOW)
    client, console = browser(ana), reverse("tournaments:console", args=[season.pk])
    assert "Cancel the season" in client.get(console).content.decode()
    for _ in range(2):
        client.post(reverse("tournaments:do", args=[season.pk]), {"action": "call-off"})
    shown = client.get(console).content.decode()
    assert ("This season was cancelled." in shown, "Cancel the season" in shown) == (True, False)
    page = client.get(reverse("tournaments:chronicle", args=[season.pk])).content.decode()
    assert ("cancelled the season" in page, season_phases.open_seasons(season.club).exists()) == (True, False)
    stormy.refresh_from_db()
    with pytest.raises(Stale, match="This season was cancelled"):
        season_changes.count_tournament(season, ana, stormy.pk, counts=True, now=NOW)
    assert stormy.season_id is None
    undo(ana, season)
    stormy.refresh_from_db()
    assert phase_of(season) == ("running" if is_open else "planned")
    assert stormy.season_id == season.pk


def test_lists_calendars_and_its_pages_say_so(ana: models.Player, ben: models.Player) -> None:
    tournament = plan(ana, name="Stormy night", starts_at=SOON)
    check_in(ana, tournament, NAMES[:4])
    console = reverse("tournaments:console", args=[tournament.pk])
    assert "Cancel the tournament" in browser(ana).get(console).content.decode()
    browser(ana).post(reverse("tournaments:do", args=[tournament.pk]), {"action": "call-off"})
    page = browser(ben).get(reverse("tournaments:tournament", args=[tournament.pk])).content.decode()
    assert "This tournament was cancelled." in page
    assert "Start time" not in page  # it will not
    for address in (
        reverse("tournaments:tournaments"),
        reverse("lobby"),
        reverse("tournaments:club", args=[tournament.club.slug]),
    ):
        assert ">Cancelled<" in browser(ben).get(address).content.decode()
    calendar = browser(ben).get(reverse("tournaments:calendar", args=[tournament.club.slug])).content.decode()
    assert calendar.count("STATUS:CANCELLED") == 1
    news = browser(ben).get(reverse("tournaments:news", args=[tournament.club.slug])).content.decode()
    assert "Stormy night: cancelled the tournament" in news
    chronicle = browser(ben).get(reverse("tournaments:chronicle", args=[tournament.pk])).content.decode()
    assert "cancelled the tournament" in chronicle
    shown = browser(ana).get(console).content.decode()
    assert "This tournament is cancelled." in shown
    assert "Cancel the tournament" not in shown
    assert "Start the check-in" not in shown


def test_it_stands_in_lists_until_its_day_has_gone(ana: models.Player) -> None:
    tournament = plan(ana, starts_at=SOON)
    phases.call_off(tournament, ana, now=NOW)
    listed = [Tournament.objects.filter(phases.is_coming(NOW + hours * 3600)).count() for hours in (0, 12, 14)]
    assert listed == [1, 1, 0]
