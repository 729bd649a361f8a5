"""Sitting down, getting up, the bell, the rematch."""

from __future__ import annotations

from typing import Any

import pytest

from games import models
from games.accounts.animal_pictures import AVATARS
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tests.cast import NOW, as_other_process, finish, move_until, open_table, start_table, version_of


def test_the_first_free_chair_is_taken(ana: models.Player, ben: models.Player) -> None:
    table = sitting.sit(open_table(ana).id, ben, now=NOW)
    assert table.seat_of(ben.pk) == 1


def test_a_chair_can_be_chosen(ana: models.Player, ben: models.Player) -> None:
    assert sitting.sit(open_table(ana).id, ben, chair=3, now=NOW).seat_of(ben.pk) == 3


def test_sitting_twice_is_sitting_once(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana, ben)
    assert sitting.sit(table.id, ben, now=NOW).seat_of(ben.pk) == 1
    assert sitting.sit(table.id, ben, chair=3, now=NOW).seat_of(ben.pk) == 1
    assert version_of(table.id) == table.version


def test_a_taken_chair_and_a_chair_that_is_not_there(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana)
    with pytest.raises(Stale, match="Somebody was faster"):
        sitting.sit(table.id, ben, chair=0, now=NOW)
    for chair in (4, -1, 99):
        with pytest.raises(BadInput, match="has no seat"):
            sitting.sit(table.id, ben, chair=chair, now=NOW)


def test_a_full_table_and_a_started_game(ana: models.Player, ben: models.Player) -> None:
    with pytest.raises(Stale, match="All seats"):
        sitting.sit(open_table(ana, bots=3).id, ben, now=NOW)
    with pytest.raises(Stale, match="has already started"):
        sitting.sit(start_table(ana).id, ben, now=NOW)


def test_getting_up_before_the_start_frees_the_chair(ana: models.Player, ben: models.Player) -> None:
    other, table = open_table(ana, ben), sitting.leave(open_table(ana, ben).id, ben.pk, now=NOW)
    assert table.free_chairs() == [1, 2, 3]
    assert store.reload(other.id).seat_of(ben.pk) == 1
    assert not models.Seat.objects.filter(table_id=table.id, player=ben).exists()


def test_what_this_process_remembers_is_no_reason_to_leave_somebody_where_they_are(
    ana: models.Player, ben: models.Player
) -> None:
    table = open_table(ana)
    as_other_process(lambda: sitting.sit(table.id, ben, now=NOW))
    sitting.leave(table.id, ben.pk, now=NOW)
    assert store.reload(table.id).seat_of(ben.pk) is None
    sitting.sit(table.id, ben, now=NOW)
    as_other_process(lambda: sitting.leave(table.id, ben.pk, now=NOW))
    sitting.sit(table.id, ben, now=NOW)
    assert store.reload(table.id).seat_of(ben.pk) == 1


def test_the_hosts_role_goes_to_the_next(ana: models.Player, ben: models.Player) -> None:
    table = sitting.leave(open_table(ana, ben).id, ana.pk, now=NOW)
    assert (table.status, table.host_id) == (WAITING, ben.pk)


def test_with_nobody_left_the_table_closes(ana: models.Player) -> None:
    table = sitting.leave(open_table(ana, bots=2).id, ana.pk, now=NOW)
    assert (table.status, table.outcome, table.wake_at) == (OVER, None, None)


def test_who_has_no_seat_leaves_nothing(ana: models.Player, eva: models.Player) -> None:
    table = open_table(ana)
    assert sitting.leave(table.id, eva.pk, now=NOW) == table
    assert sitting.leave(table.id, None, now=NOW) == table


def test_a_bot_stands_in_for_who_leaves_a_running_game(ana: models.Player, ben: models.Player) -> None:
    table = sitting.leave(start_table(ana, ben).id, ben.pk, now=NOW)
    assert (table.seat_of(ben.pk), table.runtime.stand_ins, table.bot_level(1)) == (1, frozenset({1}), "steady")


def test_a_host_who_leaves_a_running_game_hands_the_bell_on(ana: models.Player, ben: models.Player) -> None:
    table = sitting.leave(start_table(ana, ben).id, ana.pk, now=NOW)
    assert table.host_id == ben.pk
    assert sitting.leave(table.id, ben.pk, now=NOW).host_id == ben.pk


def test_the_host_rings_the_bell_once(ana: models.Player) -> None:
    table = start_table(ana, options={"minutes": 20})
    rung = sitting.ring_bell(table.id, ana.pk, now=NOW)
    assert [line.kind for line in rung.log] == ["dealt", "bell"]
    with pytest.raises(Stale, match="has already rung"):
        sitting.ring_bell(table.id, ana.pk, now=NOW)
    assert version_of(table.id) == table.version + 1


def test_after_the_bell_the_running_deal_is_the_last(ana: models.Player) -> None:
    table = sitting.ring_bell(start_table(ana, options={"minutes": 20}).id, ana.pk, now=NOW)
    over = move_until(table, lambda current: current.status == OVER)
    assert [line.kind for line in over.log].count("game_over") == 1
    assert not any(clock.event["clock"] == "time-up" for clock in table.runtime.clocks)


def test_nobody_else_rings_the_bell(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, options={"minutes": 20})
    for other in (ben.pk, None):
        with pytest.raises(NotAllowed, match="Only the host"):
            sitting.ring_bell(table.id, other, now=NOW)
    with pytest.raises(Stale, match="No game"):
        sitting.ring_bell(open_table(ana).id, ana.pk, now=NOW)


def test_the_first_who_asks_opens_the_rematch_and_the_others_sit_down(ana: models.Player, ben: models.Player) -> None:
    overrides: dict[str, Any] = {"options": {"deals": 1}, "turn_seconds": 30, "is_public": False, "is_rated": False}
    over = finish(start_table(ana, ben, bots=1, bot_level="steady", **overrides))
    first = sitting.play_again(over.id, ben, avatars=AVATARS, now=NOW)
    second = sitting.play_again(over.id, ana, avatars=AVATARS, now=NOW)
    assert first.id == second.id == store.reload(over.id).rematch_id
    assert (second.status, second.options, second.turn_seconds) == (WAITING, {"deals": 1}, 30)
    assert (second.is_public, second.is_rated) == (False, False)
    assert [place.player_id for place in second.places] == [ben.pk, ana.pk, None, None]
    assert [place.bot for place in second.places[2:]] == ["random", "steady"]
    assert second.secret != over.secret


def test_only_who_played_asks_for_a_rematch_and_only_after_the_end(ana: models.Player, eva: models.Player) -> None:
    table = start_table(ana, options={"deals": 1})
    with pytest.raises(Stale, match="not over yet"):
        sitting.play_again(table.id, ana, avatars=AVATARS, now=NOW)
    finish(table)
    with pytest.raises(NotAllowed, match="Only people who played"):
        sitting.play_again(table.id, eva, avatars=AVATARS, now=NOW)
    assert models.Table.objects.count() == 1


def test_a_table_that_was_closed_has_no_rematch(ana: models.Player) -> None:
    table = open_table(ana)
    sitting.leave(table.id, ana.pk, now=NOW)
    with pytest.raises(NotAllowed):
        sitting.play_again(table.id, ana, avatars=AVATARS, now=NOW)


def test_signs_of_life_change_nothing_for_who_is_there(ana: models.Player, eva: models.Player) -> None:
    table = start_table(ana)
    assert table.status == PLAYING
    for player in (ana.pk, eva.pk, None):
        assert sitting.return_to_table(table.id, player, now=NOW) == table
    assert version_of(table.id) == table.version
