""" "Pass for the rest of this round": until the lead changes, and it can be taken back."""

from __future__ import annotations

import pytest

from games import memo, models
from games.play.clocks import timers
from games.play.errors import Illegal, NotAllowed, Stale
from games.play.seats import arranged_tables, sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.rules import registry
from tests.cast import NOW, finish, legal, move_seat, move_until, person, start_table, to_move, version_of


@pytest.fixture
def game_of_four(ana: models.Player, ben: models.Player, eva: models.Player) -> LoadedTable:
    """A game of four people, at its first lead."""
    return start_table(ana, ben, eva, person("Dora"), options={"deals": 3})


def player_at(table: LoadedTable, seat: int) -> int:
    """The id of who sits there."""
    place = table.place(seat)
    assert place is not None
    assert place.player_id is not None
    return place.player_id


def lead_low(table: LoadedTable) -> LoadedTable:
    """The table after a lead of one low card, which nobody need beat."""
    move = next(move for move in legal(table, to_move(table)) if len(move["play"]) == 1)
    return move_seat(table, move)


def test_an_order_on_ones_turn_passes_at_once(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    seat = to_move(table)
    after = sitting.order_pass(table.id, player_at(table, seat), on=True, now=NOW)
    assert (after.ply, after.version) == (table.ply + 1, table.version + 1)
    assert (after.log[-1].kind, after.log[-1].seat) == ("passed", seat)
    assert to_move(after) != seat


def test_an_order_beforehand_passes_when_the_turn_comes_with_the_same_ply_writing(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    first = to_move(table)
    order = table.rules.view(table.state, None)["order"]
    second = order[(order.index(first) + 1) % 4]
    table = sitting.order_pass(table.id, player_at(table, second), on=True, now=NOW)
    assert to_move(table) == first
    after = move_seat(table, {"pass": True})
    assert [(line.kind, line.seat) for line in after.log[-2:]] == [("passed", first), ("passed", second)]
    assert (after.ply, after.version) == (table.ply + 2, table.version + 1)


def test_the_order_ends_with_the_round(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    leader = table.rules.view(table.state, None)["table_seat"]
    others = [seat for seat in range(4) if seat != leader]
    for seat in others:
        table = sitting.order_pass(table.id, player_at(table, seat), on=True, now=NOW)
    assert table.log[-1].kind == "round_won"
    assert (table.runtime.standing_passes, to_move(table)) == (frozenset(), leader)


def test_who_gets_the_chair_has_ordered_nothing(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    seat = next(seat for seat in range(4) if seat not in table.rules.to_act(table.state))
    sitting.order_pass(table.id, player_at(table, seat), on=True, now=NOW)
    after = arranged_tables.replace_player(
        table.id, seat, arranged_tables.SeatAssignment("Flo", "owl", person("Flo").pk), now=NOW
    )
    assert after.runtime.standing_passes == frozenset()


def test_the_order_lasts_when_somebody_plays_higher(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    order = table.rules.view(table.state, None)["order"]
    last = order[(order.index(to_move(table)) + 2) % 4]
    table = sitting.order_pass(table.id, player_at(table, last), on=True, now=NOW)
    higher = [move for move in legal(table, to_move(table)) if "play" in move]
    table = move_seat(table, higher[0] if higher else {"pass": True})
    assert table.runtime.standing_passes == {last}


def test_it_can_be_taken_back(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    order = table.rules.view(table.state, None)["order"]
    first = to_move(table)
    second = order[(order.index(first) + 1) % 4]
    sitting.order_pass(table.id, player_at(table, second), on=True, now=NOW)
    table = sitting.order_pass(table.id, player_at(table, second), on=False, now=NOW)
    assert table.runtime.standing_passes == frozenset()
    assert to_move(move_seat(table, {"pass": True})) == second


def test_ordering_twice_is_ordering_once(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    order = table.rules.view(table.state, None)["order"]
    second = order[(order.index(to_move(table)) + 1) % 4]
    once = sitting.order_pass(table.id, player_at(table, second), on=True, now=NOW)
    twice = sitting.order_pass(table.id, player_at(table, second), on=True, now=NOW)
    assert (once.version, twice.version) == (table.version + 1, table.version + 1)


def test_the_leader_must_play(game_of_four: LoadedTable) -> None:
    with pytest.raises(Illegal, match="you must play"):
        sitting.order_pass(game_of_four.id, player_at(game_of_four, to_move(game_of_four)), on=True, now=NOW)
    assert version_of(game_of_four.id) == game_of_four.version


def test_a_standing_pass_never_stops_a_game(ana: models.Player) -> None:
    """A player who orders at every opportunity leads when the lead comes to them, and the game ends."""
    table = start_table(ana, options={"deals": 1})
    for _ in range(2000):
        if table.outcome is not None:
            break
        if to_move(table) != 0:
            table = sitting.order_pass(table.id, ana.pk, on=True, now=NOW)
        table = move_seat(table)
    assert table.outcome is not None


def test_who_may_not_order(game_of_four: LoadedTable, ana: models.Player) -> None:
    stranger = person("Zoe")
    for nobody in (None, stranger.pk):
        with pytest.raises(NotAllowed, match="no seat"):
            sitting.order_pass(game_of_four.id, nobody, on=True, now=NOW)
    over = finish(start_table(ana, options={"deals": 1}))
    with pytest.raises(Stale, match="No game"):
        sitting.order_pass(over.id, ana.pk, on=True, now=NOW)


def test_an_order_after_the_deadline_comes_too_late_for_this_turn(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    seat = to_move(table)
    after = sitting.order_pass(table.id, player_at(table, seat), on=True, now=table.runtime.clocks[0].due + 1)
    kinds = [line.kind for line in after.log if line.ply == table.ply + 1]
    assert kinds[0] == "timed_out"
    assert after.runtime.timeouts[seat] == 0  # the order itself is a sign of life


@pytest.mark.parametrize("game", [slug for slug in registry.slugs() if registry.find(slug).standing_pass_ends])
def test_every_round_that_ends_ends_the_orders(ana: models.Player, game: str) -> None:
    """The events that `standing_pass_ends` names come with every new lead."""
    rules = registry.find(game)
    table = start_table(ana, game=game, options={"minutes": 1})
    leads = 0
    for _ in range(120):
        after = move_seat(table)
        if after.ply == table.ply + 1 and not after.rules.view(after.state, None)["table"]:
            kinds = {line.kind for line in after.log if line.ply == after.ply}
            assert kinds & rules.standing_pass_ends, kinds
            leads += 1
        table = after
    assert leads > 5


def test_orders_survive_a_restart(game_of_four: LoadedTable) -> None:
    table = lead_low(game_of_four)
    order = table.rules.view(table.state, None)["order"]
    second = order[(order.index(to_move(table)) + 1) % 4]
    sitting.order_pass(table.id, player_at(table, second), on=True, now=NOW)
    memo.forget_all()
    assert store.fetch(table.id).runtime.standing_passes == {second}
    assert timers.run_clock(table.id, now=NOW).runtime.standing_passes == {second}


def test_who_has_no_turn_left_may_order_in_vain(ana: models.Player) -> None:
    table = start_table(ana, options={"deals": 1})
    table = move_until(
        table, lambda now_at: 0 in now_at.rules.view(now_at.state, None)["out"] or now_at.outcome is not None
    )
    if table.outcome is None:
        table = sitting.order_pass(table.id, ana.pk, on=True, now=NOW)
        assert finish(table).outcome is not None
