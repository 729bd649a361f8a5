"""The same deals at every table are published once nobody plays them any more, and are not played after that."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games import models
from games.models import SharedDeal
from games.play import permissions
from games.play.errors import NotAllowed, Stale
from games.play.records import voiding
from games.play.storage import store
from games.play.storage.table import PLAYING
from tests.cast import NOW, as_other_process, finish
from tests.tournaments.cast import NAMES, begin, decide_all, enter, play_online, release
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.archive import tournament_document, zip_export
from tournaments.flow.drawing import drafts
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.tables import deal_publishing
from tournaments.models import Pod, Round, Tournament

DAY = 24 * 3600.0


def played_half(owner: models.Player) -> tuple[Tournament, Pod, Pod]:
    """A round that is complete: at its first table the game is over, at the second one it goes on."""
    tournament = begin(owner, [], venue="online", most=4, duplicate=True)
    enter(tournament, *NAMES[:8])
    release(owner, tournament, 1)
    lifecycle.begin_now(tournament, owner, 1, now=NOW)
    first, second = Pod.objects.filter(round__tournament=tournament).order_by("number")
    finish(store.refresh(first.table_id or ""))
    sweeper.sweep(now=NOW)
    lifecycle.complete(tournament, owner, 1, missing="void", now=NOW)
    return tournament, first, second


def mixed(owner: models.Player) -> tuple[Tournament, Pod, Pod]:
    """A complete round: the first table was played on screens, the second one, of people who have one, in the room."""
    tournament = begin(owner, [], venue="mixed", most=4, duplicate=True)
    enter(tournament, *NAMES[:8])
    release(owner, tournament, 1)
    first, second = Pod.objects.filter(round__tournament=tournament).order_by("number")
    drafts.move_pod(tournament, owner, second.pk, online=False, now=NOW)
    play_online(tournament, 1)
    sweeper.sweep(now=NOW)
    decide_all(owner, tournament, 1)
    lifecycle.complete(tournament, owner, 1, now=NOW)
    return tournament, first, second


def records_in(tournament: Tournament) -> list[str]:
    """The records that go out with the archive of a tournament."""
    with zipfile.ZipFile(io.BytesIO(zip_export.write_zip(open_book(tournament)))) as file:
        names = sorted(name for name in file.namelist() if name.startswith("records/"))
    assert len(names) == tournament_document.count_recorded([tournament.pk])
    return names


def secrets_told(tournament: Tournament) -> tuple[str, bool]:
    """What an archive tells of the first round, and whether the page of the tournament does."""
    [described] = tournament_document.describe(open_book(tournament)).rounds
    secret = SharedDeal.objects.get(tournament=tournament.pk, round=1).secret
    page = Client().get(reverse("tournaments:tournament", args=[tournament.pk])).content.decode()
    assert "<p>Duplicate deals: all online tables" in page
    return described.deals[0].secret, secret in page


@pytest.mark.parametrize("ago", [0.0, 3 * DAY])
def test_deals_are_kept_back_while_a_game_of_them_goes_on(ana: models.Player, ago: float) -> None:
    tournament, first, second = played_half(ana)
    Round.objects.filter(tournament=tournament).update(completed_at=NOW - ago)
    sweeper.sweep(now=NOW)
    assert store.reload(second.table_id or "").status == PLAYING
    with pytest.raises(NotAllowed, match="same deals"):
        permissions.require_finished(store.reload(first.table_id or ""))
    assert secrets_told(tournament) == ("", False)
    finish(store.refresh(second.table_id or ""))
    sweeper.sweep(now=NOW + 1)
    for pod in (first, second):
        permissions.require_finished(store.reload(pod.table_id or ""))
    assert secrets_told(tournament) == (SharedDeal.objects.get(round=1).secret, True)


def test_an_archive_is_written_without_the_deals_that_others_still_play(ana: models.Player) -> None:
    tournament, _, second = played_half(ana)
    assert records_in(tournament) == []
    finish(store.refresh(second.table_id or ""))
    sweeper.sweep(now=NOW + 1)
    assert records_in(tournament) == ["records/r1-t1.json", "records/r1-t2.json"]
    undo(ana, tournament, "complete")
    assert records_in(tournament) == []


def test_an_archive_is_written_without_games_that_never_ended(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:8])
    release(ana, tournament, 1)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    first, second = Pod.objects.filter(round__tournament=tournament).order_by("number")
    voiding.void(first.table_id or "", reason="The wrong game.", now=NOW)
    finish(store.refresh(second.table_id or ""))
    sweeper.sweep(now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    assert records_in(tournament) == ["records/r1-t2.json"]


def test_an_archive_has_the_game_that_another_process_has_just_seen_end(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    table = store.refresh(Pod.objects.get(round__tournament=tournament).table_id or "")
    as_other_process(lambda: finish(store.refresh(table.id)))
    assert records_in(tournament) == ["records/r1-t1.json"]


def test_who_has_read_the_tournament_is_told_when_its_deals_are_published(ana: models.Player) -> None:
    tournament, _, second = played_half(ana)
    finish(store.refresh(second.table_id or ""))
    before = Tournament.objects.get(pk=tournament.pk).version
    for _ in range(2):
        deal_publishing.publish_due(now=NOW + 1)
    assert Tournament.objects.get(pk=tournament.pk).version == before + 1


def test_rounds_of_today_are_not_asked_one_by_one_every_second(
    ana: models.Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _, _, second = played_half(ana)
    finish(store.refresh(second.table_id or ""))
    deal_publishing.publish_due(now=NOW + 1)
    with django_assert_num_queries(3):
        deal_publishing.publish_due(now=NOW + 2)


def test_a_round_is_opened_again_while_its_deals_are_kept_back(ana: models.Player) -> None:
    tournament, _, second = played_half(ana)
    undo(ana, tournament)
    finish(store.refresh(second.table_id or ""))
    sweeper.sweep(now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    assert secrets_told(tournament)[1]


def test_published_deals_are_not_begun(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4, duplicate=True)
    enter(tournament, *NAMES[:8])
    release(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    with pytest.raises(Stale, match="The deals of table 1 have been published"):
        undo(ana, tournament)


def test_published_deals_are_not_moved_to_screens(ana: models.Player) -> None:
    tournament, _, second = mixed(ana)
    undo(ana, tournament, "complete")
    for step in ("decide", "to-table"):
        if step == "to-table":
            with pytest.raises(Stale, match="The deals of table 2 have been published"):
                drafts.move_pod(tournament, ana, second.pk, online=True, now=NOW)
            with pytest.raises(Stale, match="The deals of table 2 have been published"):
                undo(ana, tournament, step)
        else:
            undo(ana, tournament, step)
    sweeper.sweep(now=NOW)
    second.refresh_from_db()
    assert (second.is_online, second.table_id) == (False, None)
