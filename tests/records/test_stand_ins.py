"""Who decided at a seat: from stored moves, stretch by stretch and deal by deal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.play.storage.codec import read_runtime, read_stand_in, write_runtime, write_stand_in
from games.play.storage.table import TableRuntime
from games.records.stand_ins import (
    ORDER,
    STAND_IN,
    DecidedMove,
    StandIn,
    StoredMove,
    attribute_moves,
    build_decision_log,
    find_deciders,
    list_deciders_by_deal,
)

MOVES = st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(1, 3)), max_size=40)


def person_move(ply: int, seat: int = 0) -> StoredMove:
    """A move that the person sent."""
    return StoredMove(ply, seat, "", has_key=True, is_pass=False)


def marked(ply: int, by: str, seat: int = 0, *, is_pass: bool = False) -> StoredMove:
    """A move that says who made it."""
    return StoredMove(ply, seat, by, has_key=False, is_pass=is_pass)


def unattributed_move(ply: int, seat: int = 0, *, is_pass: bool = False) -> StoredMove:
    """A move of a game from before it was written down."""
    return StoredMove(ply, seat, "", has_key=False, is_pass=is_pass)


def find_stand_in(*moves: StoredMove) -> StandIn | None:
    """What a stand-in played for seat 0."""
    return build_decision_log(attribute_moves(moves, {0: 0}), 2).list_stand_ins().get(0)


def test_a_person_who_never_decides_has_a_stand_in_all_of_it() -> None:
    assert find_stand_in(marked(3, STAND_IN), marked(9, STAND_IN)) == StandIn(True, ((3, None),))


def test_a_person_who_leaves_has_one_from_then_on_and_who_comes_back_for_a_stretch() -> None:
    assert find_stand_in(person_move(1), marked(31, STAND_IN), marked(40, STAND_IN)) == StandIn(False, ((31, None),))
    assert find_stand_in(person_move(1), marked(12, STAND_IN), marked(40, STAND_IN), person_move(50)) == StandIn(
        False, ((12, 40),)
    )
    twice = find_stand_in(marked(2, STAND_IN), person_move(5), marked(7, STAND_IN))
    assert twice == StandIn(False, ((2, 2), (7, None)))


def test_a_pass_that_was_ordered_is_a_decision() -> None:
    assert find_stand_in(marked(4, ORDER, is_pass=True)) is None
    assert find_deciders(attribute_moves([marked(4, ORDER, is_pass=True)], {0: 0})) == {0}


def test_in_an_old_game_a_run_of_moves_without_a_sender_is_a_stand_ins_unless_it_can_have_been_ordered() -> None:
    assert find_stand_in(unattributed_move(1), unattributed_move(5)) == StandIn(True, ((1, None),))
    assert (
        find_stand_in(
            person_move(1), unattributed_move(5, is_pass=True), unattributed_move(9, is_pass=True), person_move(12)
        )
        is None
    )
    assert find_stand_in(
        person_move(1), unattributed_move(5, is_pass=True), unattributed_move(9), person_move(12)
    ) == StandIn(False, ((5, 9),))
    assert find_stand_in(unattributed_move(5, is_pass=True), unattributed_move(9, is_pass=True)) == StandIn(
        True, ((5, None),)
    )


def test_bots_and_who_had_the_seat_before_are_nobody() -> None:
    moves = [person_move(1), unattributed_move(2, seat=1), marked(3, STAND_IN), person_move(9)]
    assert attribute_moves(moves, {0: 5}) == [DecidedMove(9, 0, is_stand_in=False)]


def test_a_deal_is_idle_where_a_stand_in_moved_and_the_person_decided_nothing() -> None:
    moves = [
        person_move(2),
        marked(12, STAND_IN),
        marked(15, STAND_IN),
        marked(22, STAND_IN),
        person_move(35),
        marked(44, STAND_IN),
    ]
    played = build_decision_log(attribute_moves(moves, {0: 0}), 1)
    assert [played.find_idle(0, begin, begin + 9) for begin in (1, 11, 21, 31, 41)] == [False, True, True, False, True]


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(MOVES, st.lists(st.integers(1, 60), max_size=6, unique=True))
def test_stretches_and_deals_tell_the_same(moves: list[tuple[int, bool, int]], ends: list[int]) -> None:
    done, ply = [], 0
    for seat, is_stand_in, gap in moves:
        ply += gap
        done.append(DecidedMove(ply, seat, is_stand_in))
    played, ends = build_decision_log(done, 3), sorted(ends)
    deciders = list_deciders_by_deal(done, ends)
    for begin, end, who in zip([0, *ends], ends, deciders, strict=False):
        inside = [one for one in done if begin < one.ply <= end]
        assert who == find_deciders(inside)
        for seat in range(3):
            is_idle = seat not in who and any(one.seat == seat for one in inside)
            assert played.find_idle(seat, begin + 1, end) or not is_idle
            assert seat not in who or not played.find_idle(seat, begin + 1, end)
    stand_ins = played.list_stand_ins()
    assert {seat for seat, one in stand_ins.items() if one.is_all} == {
        one.seat for one in done if one.seat not in find_deciders(done)
    }
    desk = TableRuntime(decisions=played)
    assert read_runtime(write_runtime(desk)) == desk
    assert all(read_stand_in(write_stand_in(one)) == one for one in (None, *stand_ins.values()))
