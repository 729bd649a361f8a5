"""Who lets two turns in a row run out gets a stand-in, and has the chair back at the first sign of life."""

from __future__ import annotations

import pytest

from games import models
from games.play.clocks import timers
from games.play.moves import submission
from games.play.seats import arranged_tables, sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import NOW, as_other_process, legal, move_seat, start_table, to_move, wait_for


def miss_turn(table: LoadedTable, player: models.Player) -> LoadedTable:
    """The table after this person's next turn ran out."""
    table = wait_for(table, player)
    return timers.run_clock(table.id, now=table.runtime.clocks[0].due + 1)


@pytest.fixture
def table(ana: models.Player, ben: models.Player) -> LoadedTable:
    """A game with two people. The second one will be away."""
    return start_table(ana, ben, turn_seconds=30, options={"deals": 50})


def test_one_turn_that_ran_out_is_forgiven(table: LoadedTable, ben: models.Player) -> None:
    table = miss_turn(table, ben)
    assert (table.runtime.timeouts, table.runtime.stand_ins) == ((0, 1, 0, 0), frozenset())


def test_two_in_a_row_seat_a_bot(table: LoadedTable, ben: models.Player) -> None:
    table = miss_turn(miss_turn(table, ben), ben)
    assert (table.runtime.timeouts, table.runtime.stand_ins, table.bot_level(1)) == (
        (0, 2, 0, 0),
        frozenset({1}),
        "steady",
    )


def test_a_move_between_begins_the_count_anew(table: LoadedTable, ben: models.Player) -> None:
    table = wait_for(miss_turn(table, ben), ben)
    table = miss_turn(move_seat(table), ben)
    assert (table.runtime.timeouts, table.runtime.stand_ins) == ((0, 1, 0, 0), frozenset())


def test_a_bots_chair_is_never_absent(ana: models.Player) -> None:
    table = start_table(ana, turn_seconds=30)
    for _ in range(6):
        table = timers.run_clock(table.id, now=table.runtime.clocks[0].due + 1)
    assert table.runtime.stand_ins <= {0}
    assert table.runtime.timeouts[1:] == (0, 0, 0)


def test_who_takes_the_chair_over_has_missed_nothing_yet(
    table: LoadedTable, ben: models.Player, eva: models.Player
) -> None:
    miss_turn(miss_turn(table, ben), ben)
    table = arranged_tables.replace_player(
        table.id, 1, arranged_tables.SeatAssignment(eva.name, eva.avatar, eva.pk), now=NOW
    )
    table = miss_turn(table, eva)
    assert (table.runtime.timeouts, table.runtime.stand_ins) == ((0, 1, 0, 0), frozenset())


def test_the_stand_in_plays(table: LoadedTable, ben: models.Player) -> None:
    table = miss_turn(miss_turn(table, ben), ben)
    while to_move(table) != 1:
        table = move_seat(table)
    assert table.runtime.bot_due is not None
    played = submission.play_bot(table.id, ply=table.ply, now=NOW)
    assert played is not None
    assert played.ply >= table.ply + 1


def test_a_sign_of_life_gives_the_chair_back_at_once(table: LoadedTable, ben: models.Player) -> None:
    table = miss_turn(miss_turn(table, ben), ben)
    while to_move(table) != 1:
        table = move_seat(table)
    back = sitting.return_to_table(table.id, ben.pk, now=NOW)
    assert (back.runtime.stand_ins, back.runtime.timeouts, back.runtime.bot_due) == (frozenset(), (0, 0, 0, 0), None)
    assert submission.play_bot(table.id, ply=table.ply, now=NOW) is None


def test_a_move_gives_the_chair_back_at_once(table: LoadedTable, ben: models.Player) -> None:
    table = miss_turn(miss_turn(table, ben), ben)
    while to_move(table) != 1:
        table = move_seat(table)
    made = submission.submit_move(table.id, ben.pk, legal(table, 1)[0], ply=table.ply, key="back", now=NOW)
    assert made.table.runtime.stand_ins == frozenset()


def test_a_standing_pass_gives_the_chair_back(table: LoadedTable, ben: models.Player) -> None:
    table = miss_turn(miss_turn(table, ben), ben)
    sitting.order_pass(table.id, ben.pk, on=False, now=NOW)
    assert store.reload(table.id).runtime.stand_ins == frozenset()


def test_who_got_up_is_back_at_once_too(table: LoadedTable, ben: models.Player) -> None:
    sitting.leave(table.id, ben.pk, now=NOW)
    assert sitting.return_to_table(table.id, ben.pk, now=NOW).runtime.stand_ins == frozenset()


def test_a_stand_in_of_another_process_gets_up_too(table: LoadedTable, ben: models.Player) -> None:
    as_other_process(lambda: sitting.leave(table.id, ben.pk, now=NOW))
    assert store.fetch(table.id).runtime.stand_ins == frozenset()  # old news
    assert sitting.return_to_table(table.id, ben.pk, now=NOW).version == table.version + 2
    assert store.reload(table.id).runtime.stand_ins == frozenset()


def test_others_cannot_call_them_back(
    table: LoadedTable, ana: models.Player, ben: models.Player, eva: models.Player
) -> None:
    sitting.leave(table.id, ben.pk, now=NOW)
    for other in (ana.pk, eva.pk, None):
        assert sitting.return_to_table(table.id, other, now=NOW).runtime.stand_ins == {1}
