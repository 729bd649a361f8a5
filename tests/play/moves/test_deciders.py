"""Who decided at a table's seats is written down with each move, and told from the stored plies for old games."""

from __future__ import annotations

import pytest
from django.db.models import F, Value
from django.db.models.functions import Replace

from games import memo, models
from games.play.clocks import timers
from games.play.moves import deciders
from games.play.records import game_record
from games.play.seats import arranged_tables, sitting
from games.play.storage import codec, store
from games.play.storage.table import LoadedTable
from games.records.stand_ins import DecisionLog, StandIn, build_decision_log, find_deciders, read_deciders
from tests.cast import NOW, as_other_process, finish, finish_alone, move_seat, person, start_table, to_move


@pytest.fixture
def table(ana: models.Player, ben: models.Player) -> LoadedTable:
    """A game of two people and two bots, of several deals."""
    return start_table(ana, ben, options={"deals": 4})


def stored_by(table: LoadedTable) -> dict[int, StandIn]:
    """What stand-ins played, from the stored plies alone."""
    return build_decision_log(
        deciders.read_decided_moves([table.id]).get(table.id, ()), table.seat_count
    ).list_stand_ins()


def make_old(table: LoadedTable) -> None:
    """The table as it was stored before who decided was written down."""
    for by in ("stand-in", "order"):
        plies = models.Ply.objects.filter(table=table.id)
        plies.update(event=Replace(F("event"), Value(f',"by":"{by}"'), Value("")))
    row = models.Table.objects.get(pk=table.id)
    desk = codec.read_runtime(row.desk)
    row.desk = codec.write_runtime(desk._replace(decisions=DecisionLog()))
    models.Table.objects.filter(pk=table.id).update(desk=row.desk, version=F("version") + 1)
    memo.forget_all()


def test_a_game_that_everybody_plays_has_no_stand_in(table: LoadedTable) -> None:
    over = finish(table)
    assert (over.list_stand_ins(), stored_by(over)) == ({}, {})
    assert find_deciders(deciders.read_decided_moves([over.id])[over.id]) == {0, 1}
    assert not any("by" in event for event in game_record.export(over)["events"])


def test_who_leaves_at_once_has_a_stand_in_all_of_it(table: LoadedTable, ben: models.Player) -> None:
    sitting.leave(table.id, ben.pk, now=NOW)
    over = finish_alone(store.refresh(table.id))
    assert [(seat, one.is_all) for seat, one in over.list_stand_ins().items()] == [(1, True)]
    assert stored_by(over) == over.list_stand_ins()
    assert find_deciders(deciders.read_decided_moves([over.id])[over.id]) == {0}
    marks = [event["seat"] for event in game_record.export(over)["events"] if event.get("by") == "stand-in"]
    assert marks
    assert set(marks) == {1}


def test_opening_the_page_is_no_decision_and_a_move_is(table: LoadedTable, ben: models.Player) -> None:
    sitting.leave(table.id, ben.pk, now=NOW)
    table = finish_alone(store.refresh(table.id), until=lambda one: to_move(one) == 1)
    table = sitting.return_to_table(table.id, ben.pk, now=NOW)
    sitting.leave(table.id, ben.pk, now=NOW)
    table = finish_alone(store.refresh(table.id), until=lambda one: one.ply > 20 and to_move(one) == 1)
    assert table.list_stand_ins()[1].is_all
    sitting.return_to_table(table.id, ben.pk, now=NOW)
    table = move_seat(store.refresh(table.id))
    last = table.list_stand_ins()[1].moves[-1]
    assert (table.list_stand_ins()[1].is_all, last[1] is not None, stored_by(table)) == (
        False, True, table.list_stand_ins(),
    )  # fmt: skip


def test_what_the_clock_decides_is_nobodys_decision(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, seats_wished=2, game="animals-on-board", turn_seconds=30)
    while 1 not in table.runtime.stand_ins:
        seat = to_move(table)
        table = move_seat(table) if seat == 0 else timers.run_clock(table.id, now=table.runtime.clocks[0].due + 1)
    over = finish_alone(table)
    assert over.list_stand_ins()[1].is_all
    assert find_deciders(deciders.read_decided_moves([over.id])[over.id]) == {0}


def test_an_ordered_pass_is_a_decision(table: LoadedTable, ana: models.Player, ben: models.Player) -> None:
    table = finish_alone(table, until=lambda one: to_move(one) == 0 and one.ply > 4)
    table = sitting.order_pass(table.id, ben.pk, on=True, now=NOW)
    sitting.leave(table.id, ben.pk, now=NOW)
    before = store.refresh(table.id)
    after = finish_alone(before, until=lambda one: one.ply > before.ply + 12)
    events = models.Ply.objects.filter(table=table.id, event__contains='"by":"order"')
    assert set(events.values_list("event", flat=True)) <= {'{"seat":1,"move":{"pass":true},"by":"order"}'}
    assert stored_by(after) == after.list_stand_ins()


def test_who_takes_a_seat_over_answers_for_their_own_moves_alone(table: LoadedTable, eva: models.Player) -> None:
    table = finish_alone(table, until=lambda one: one.ply > 8)
    table = arranged_tables.replace_player(
        table.id, 1, arranged_tables.SeatAssignment(eva.name, eva.avatar, eva.pk), now=NOW
    )
    sitting.leave(table.id, eva.pk, now=NOW)
    over = finish_alone(store.refresh(table.id))
    assert over.list_stand_ins()[1].is_all
    assert stored_by(over) == over.list_stand_ins()
    assert find_deciders(deciders.read_decided_moves([over.id])[over.id]) == {0}


@pytest.mark.parametrize("game", ["karriere-poker", "fancy-animals", "super-zwierzaki"])
def test_a_record_says_which_moves_a_stand_in_made(game: str, ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, person("Dora"), game=game)
    table = finish_alone(table, until=lambda one: one.ply > 6)
    sitting.leave(table.id, ben.pk, now=NOW)
    over = finish_alone(store.refresh(table.id))
    events = game_record.export(over)["events"]
    assert (
        build_decision_log(read_deciders(events, {0, 1, 2}), over.seat_count).list_stand_ins() == over.list_stand_ins()
    )


def test_an_old_game_is_told_from_its_keys_and_written_down_once(table: LoadedTable, ben: models.Player) -> None:
    table = finish_alone(table, until=lambda one: one.ply > 8)
    sitting.leave(table.id, ben.pk, now=NOW)
    over = finish_alone(store.refresh(table.id))
    stand_ins = over.list_stand_ins()
    make_old(over)
    old = store.refresh(over.id)
    assert old.list_stand_ins() == {}
    rows = list(models.Table.objects.all())
    assert list(deciders.list_without_decisions(rows)) == [over.id]
    as_other_process(lambda: deciders.rebuild_decisions(over.id))
    now = store.refresh(over.id)
    assert now.list_stand_ins() == stand_ins
    assert deciders.rebuild_decisions(over.id).version == now.version
    assert list(deciders.list_without_decisions(list(models.Table.objects.all()))) == []


def test_an_old_game_without_a_stand_in_is_left_alone(table: LoadedTable) -> None:
    make_old(finish(table))
    assert list(deciders.list_without_decisions(list(models.Table.objects.all()))) == []


def test_an_old_game_under_way_goes_on_with_what_was_played_before(table: LoadedTable, ben: models.Player) -> None:
    table = finish_alone(table, until=lambda one: one.ply > 8)
    make_old(table)
    assert list(deciders.list_without_decisions(list(models.Table.objects.all()))) == [table.id]
    deciders.rebuild_decisions(table.id)
    sitting.leave(table.id, ben.pk, now=NOW)
    over = finish_alone(store.refresh(table.id))
    assert [one.is_all for one in over.list_stand_ins().values()] == [False]
    assert stored_by(over) == over.list_stand_ins()
