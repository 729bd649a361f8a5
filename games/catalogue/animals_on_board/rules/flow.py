"""The course of a game: choosing, turns, rounds, the end. Source: animals-on-board.md."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.catalogue.animals_on_board.rules import events, scoring
from games.catalogue.animals_on_board.rules.scoring import BRACKETS
from games.catalogue.animals_on_board.rules.state import (
    CHOOSING,
    MAX_CRATES,
    OVER,
    TILES_DRAWN,
    Group,
    Round,
    State,
    list_choosers,
    list_drawn_tiles,
)
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, SPECIES_IN_PLAY
from games.rules.base import Event, Outcome, Seat

Transition = tuple[State, tuple[Event, ...]]

_new: Final = tuple.__new__  # takes half the time of State(…), for what runs at nearly every move


def keep(state: State, seat: Seat, tile: str) -> Transition:
    """A first tile goes on the ark; with the last choice the first round begins."""
    arks = (*state.arks[:seat], (tile,), *state.arks[seat + 1 :])
    after = state._replace(arks=arks)
    emitted = events.make_chose(seat, tile)
    if list_choosers(after):
        return after, emitted
    laid = [
        drawn_tile
        for other in range(after.table.seats)
        for drawn_tile in list_drawn_tiles(after, other)
        if drawn_tile not in arks[other]
    ]
    return begin_round(after, 1, tuple(laid), emitted)


def split(state: State, number: int, rest: Group, off: Group) -> Transition:
    """A group in two: a crate more, or one less for a seat with five."""
    table, round_, seat, groups, last, crates, arks, in_round, dropped, flag, face_down, drawn, _, bell, serial = state
    owned = crates[seat]
    is_paid = owned == MAX_CRATES
    owned += -1 if is_paid else 1
    last += 1
    groups = groups.copy()
    groups[number], groups[last] = rest, off
    crates = (*crates[:seat], owned, *crates[seat + 1 :])
    emitted = events.make_split(seat, number, last, len(rest), off, owned, is_paid=is_paid)
    following = find_next_seat(in_round, seat)
    fields = (
        table,
        round_,
        following,
        groups,
        last,
        crates,
        arks,
        in_round,
        dropped,
        flag,
        face_down,
        drawn,
        0,
        bell,
        serial + 1,
    )
    after: State = _new(State, fields)
    if following == seat:  # the last seat in the round, and this was its one more turn
        return end_round(after, emitted)
    return after, emitted


def take(state: State, number: int) -> Transition:
    """A whole group onto the ark, a crate for each tile; out of the round."""
    table, round_, seat, groups, last, crates, arks, in_round, dropped, flag, face_down, drawn, _, bell, serial = state
    lying = groups[number]
    tiles = lying
    if face_down is not None and FACE_DOWN in lying:
        tiles = tuple([face_down if tile == FACE_DOWN else tile for tile in lying])
        face_down = None
    groups = groups.copy()
    del groups[number]
    owned = crates[seat] - len(tiles)
    is_first = not dropped
    in_round = (*in_round[:seat], False, *in_round[seat + 1 :])
    fields = (
        table,
        round_,
        find_next_seat(in_round, seat),
        groups,
        last,
        (*crates[:seat], owned, *crates[seat + 1 :]),
        (*arks[:seat], arks[seat] + tiles, *arks[seat + 1 :]),
        in_round,
        (*dropped, seat),
        seat if is_first else flag,
        face_down,
        drawn,
        0,
        bell,
        serial + 1,
    )
    after: State = _new(State, fields)
    emitted = events.make_took(seat, number, tiles, owned, is_first=is_first)
    return (after, emitted) if any(in_round) else end_round(after, emitted)


def forfeit(state: State) -> Transition:
    """Skip a turn without a legal move. If nobody can act, the round ends; if no tile can come, the game ends."""
    seat = state.turn
    forfeits = state.forfeits + 1
    after = state._replace(turn=find_next_seat(state.in_round, seat), forfeits=forfeits, serial=state.serial + 1)
    emitted = events.make_forfeited(seat)
    if forfeits < sum(state.in_round):
        return after, emitted
    if not after.stack_size and not after.round.is_laid:
        return end_game(after, emitted)
    return end_round(after, emitted)


@lru_cache
def find_next_seat(in_round: tuple[bool, ...], seat: Seat) -> Seat:
    """The next seat clockwise that is in the round: this one if it is alone; the next one if nobody is."""
    seats = len(in_round)
    for step in range(1, seats):
        following = (seat + step) % seats
        if in_round[following]:
            return following
    return seat


def end_round(state: State, emitted: tuple[Event, ...]) -> Transition:
    """The next round, or the end of the game."""
    if state.bell or max(map(len, state.arks)) >= BRACKETS:
        return end_game(state, emitted)
    middle = tuple([tile for number in sorted(state.groups) for tile in state.groups[number]])
    return begin_round(state, state.round.number + 1, middle, emitted)


def begin_round(state: State, number: int, middle: Group, emitted: tuple[Event, ...]) -> Transition:
    """Everything is pushed together and filled up from the stack, face-up tiles first. Nothing there: the game ends."""
    stack, drawn = state.table.stack, state.drawn
    lies_down = FACE_DOWN in middle
    wanted = SPECIES_IN_PLAY[state.table.seats] - len(middle) + lies_down
    fresh = stack[drawn : drawn + max(0, wanted)]
    drawn += len(fresh)
    middle += fresh
    face_down = state.face_down
    is_laid = bool(fresh)
    if not lies_down and drawn < len(stack):
        face_down, middle, drawn, is_laid = stack[drawn], (*middle, FACE_DOWN), drawn + 1, True
    if not middle:
        return end_game(state, emitted)
    after = state._replace(
        round=Round(number, is_laid),
        turn=state.flag,
        groups={1: middle},
        last_number=1,
        in_round=(True,) * state.table.seats,
        dropped=(),
        face_down=face_down,
        drawn=drawn,
        forfeits=0,
        serial=state.serial + 1,
    )
    return after, (*emitted, events.make_round(after))


def end_game(state: State, emitted: tuple[Event, ...]) -> Transition:
    """The arks leave."""
    after = state._replace(turn=OVER)
    return after, (*emitted, events.make_game_over(find_outcome(after)))


def find_outcome(state: State) -> Outcome:
    """Places and scores of the arks as they are."""
    loads = [scoring.appraise(ark) for ark in state.arks]
    scores = [load.points + crates for load, crates in zip(loads, state.crates, strict=True)]
    return Outcome(scoring.rank_scores(scores, [load.species for load in loads]), tuple(scores))


def begin_game(state: State) -> State:
    """The first position of a whole game: everybody has drawn three tiles and one crate."""
    return state._replace(turn=CHOOSING, drawn=TILES_DRAWN * state.table.seats)
