"""A table moves between screens and the room, in the draft and after the release, until something happened there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tests.cast import NOW, browser, come_to_table, finish
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, decide_all, draw, enter, release
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import sign_up
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Pod, Round, Step, Tournament


def evening(owner: models.Player) -> tuple[Tournament, list[models.Player]]:
    """A round for four people with phones."""
    tournament = begin(owner, (), venue="mixed", most=4, rounds_planned=2)
    return tournament, enter(tournament, *NAMES[:4])


def pod_of(tournament: Tournament) -> Pod:
    return Pod.objects.get(round__tournament=tournament)


def move(owner: models.Player, tournament: Tournament, *, online: bool) -> Pod:
    drafts.move_pod(tournament, owner, pod_of(tournament).pk, online=online, now=NOW)
    return pod_of(tournament)


def test_in_the_draft(ana: models.Player) -> None:
    tournament, _ = evening(ana)
    draw(ana, tournament, 1)
    assert pod_of(tournament).is_online
    for _ in range(2):
        assert not move(ana, tournament, online=False).is_online
    assert Step.objects.filter(tournament=tournament, kind="to-table").count() == 1
    assert (release(ana, tournament, 1).status, pod_of(tournament).table_id) == ("released", None)


def test_after_the_release_its_table_is_closed_and_opened_again(ana: models.Player) -> None:
    tournament, _ = evening(ana)
    release(ana, tournament, 1)
    first = pod_of(tournament).table_id or ""
    assert (move(ana, tournament, online=False).table_id, store.reload(first).status) == (None, OVER)
    second = move(ana, tournament, online=True).table_id or ""
    assert (second != first, store.reload(second).status) == (True, WAITING)
    undo(ana, tournament)
    assert (pod_of(tournament).is_online, pod_of(tournament).table_id) == (False, None)
    assert store.reload(second).status == OVER
    undo(ana, tournament)
    third = pod_of(tournament).table_id or ""
    assert (pod_of(tournament).is_online, store.reload(third).status) == (True, WAITING)


def test_a_game_that_has_begun_stays_where_it_is(ana: models.Player) -> None:
    tournament, people = evening(ana)
    release(ana, tournament, 1)
    table_id = pod_of(tournament).table_id or ""
    for player in people:
        table = come_to_table(table_id, player.pk, now=NOW)
    assert table.status == PLAYING
    with pytest.raises(Stale, match=r"The game at table \d has begun"):
        move(ana, tournament, online=False)
    finish(table)
    with pytest.raises(Stale, match=r"The game at table \d has begun"):
        move(ana, tournament, online=False)
    assert pod_of(tournament).is_online


def test_a_result_or_the_round_s_end_settles_it(ana: models.Player) -> None:
    tournament, people = evening(ana)
    release(ana, tournament, 1)
    pod = move(ana, tournament, online=False)
    results.enter(tournament, people[0], pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    with pytest.raises(Stale, match="already has a result"):
        move(ana, tournament, online=True)
    decide_all(ana, tournament, 1)
    with pytest.raises(Stale, match="already has a result"):
        undo(ana, tournament, "to-table")


def test_who_may_and_who_can(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:1], venue="mixed", most=4)
    enter(tournament, *NAMES[1:4])
    release(ana, tournament, 1)
    with pytest.raises(NotAllowed):
        move(ben, tournament, online=True)
    with pytest.raises(BadInput, match="Cannot play online: Ada"):
        move(ana, tournament, online=True)


def test_the_console_offers_it_while_it_can_be_done(ana: models.Player) -> None:
    tournament, people = evening(ana)
    draw(ana, tournament, 1)
    client, console = browser(ana), reverse("tournaments:console", args=[tournament.pk])
    assert "Play at a real table" in client.get(console).content.decode()
    release(ana, tournament, 1)
    assert "Play at a real table" in client.get(console).content.decode()
    form = {"action": "move", "pod": pod_of(tournament).pk, "on": "0"}
    page = client.post(reverse("tournaments:do", args=[tournament.pk]), form, follow=True).content.decode()
    assert ("Play online" in page, "Play at a real table" in page) == (True, False)
    move(ana, tournament, online=True)
    for player in people:
        come_to_table(pod_of(tournament).table_id or "", player.pk, now=NOW)
    page = client.get(console).content.decode()
    assert ("Play online" in page, "Play at a real table" in page) == (False, False)


@pytest.mark.parametrize("venue", ["online", "mixed"])
def test_tables_on_screens_go_into_the_room_where_no_bot_sits(ana: models.Player, venue: str) -> None:
    tournament = begin(ana, (), venue=venue, least=4, most=4, rounds_planned=1)
    enter(tournament, *NAMES[:7])
    sign_up.add_bot(tournament, ana, name="Bruno", level="steady", now=NOW)
    release(ana, tournament, 1)
    page = read_page(browser(ana).get(reverse("tournaments:console", args=[tournament.pk])))
    offered = [pod for pod in Pod.objects.all() if f'Play at a real table<span class="v">{pod.number}' in page]
    assert [pod.seats.exclude(entrant__bot="").exists() for pod in offered] == [False]
    drafts.move_pod(tournament, ana, offered[0].pk, online=False, now=NOW)
    page = read_page(browser(ana).get(reverse("tournaments:console", args=[tournament.pk])))
    assert f'Play online<span class="v">{offered[0].number}' in page


def test_who_waits_at_a_table_that_is_paused_hears_of_it(ana: models.Player) -> None:
    tournament, people = evening(ana)
    release(ana, tournament, 1)
    table_id = pod_of(tournament).table_id or ""
    client, url = browser(people[0]), reverse("table", args=[table_id])
    lifecycle.pause(tournament, ana, 1, now=NOW + 1)
    page = client.get(url).content.decode()
    assert "The game begins after the pause, as soon as everybody is here." in page
    for player in people:
        come_to_table(table_id, player.pk, now=NOW + 2)
    sweeper.sweep(now=NOW + 3)
    assert "Everybody is here. The game begins after the pause." in client.get(url).content.decode()
    lifecycle.resume(tournament, ana, 1, now=NOW + 60)
    assert store.reload(table_id).status == PLAYING


def test_a_table_that_was_opened_in_a_pause_waits_for_its_end(ana: models.Player) -> None:
    tournament, _people = evening(ana)
    release(ana, tournament, 1)
    table_id = pod_of(tournament).table_id or ""
    for is_paused in (True, False):
        Round.objects.filter(tournament=tournament).update(paused_at=NOW + 1 if is_paused else None)
        sweeper.sweep(now=NOW + 2)
        assert (store.reload(table_id).runtime.paused_at is not None) == is_paused


def test_who_waits_at_a_table_that_is_closed_hears_of_it(ana: models.Player) -> None:
    tournament, people = evening(ana)
    release(ana, tournament, 1)
    table_id = pod_of(tournament).table_id
    client, url = browser(people[0]), reverse("table", args=[table_id])
    assert "The game begins as soon as everybody is here." in client.get(url).content.decode()
    move(ana, tournament, online=False)
    page = client.get(url).content.decode()
    assert "This table was closed before its game began." in page
    assert ("not here yet" in page, "Please wait for the game to start." in page) == (False, False)
    assert f'href="{reverse("tournaments:tournament", args=[tournament.pk])}"' in page
    assert client.get(reverse("view_json", args=[table_id])).json()["status"] == OVER
