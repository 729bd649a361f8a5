"""Builds the view of each seat, and the expectations of records. A view is constructed, never cut from the state."""

from __future__ import annotations

from typing import Any

from games.catalogue.animals_on_board.rules.flow import find_outcome
from games.catalogue.animals_on_board.rules.scoring import appraise
from games.catalogue.animals_on_board.rules.state import CHOOSING, OVER, State, list_choosers, list_drawn_tiles
from games.catalogue.animals_on_board.rules.view import AnimalsOnBoardView, ArkScore, GroupView
from games.rules.base import Seat


def build_view(state: State, seat: Seat | None, *, game: str) -> AnimalsOnBoardView:
    """The view of a seat, or of a spectator."""
    is_over = state.turn == OVER
    outcome = find_outcome(state) if is_over else None
    is_choosing_now = state.is_choosing and seat is not None and not state.arks[seat]
    return AnimalsOnBoardView(
        game=game,
        seat=seat,
        seats=state.table.seats,
        species=list(state.table.species),
        round=state.round.number,
        to_act=list(list_seats_to_act(state)),
        flag=state.flag,
        groups=[GroupView(number=number, tiles=list(tiles)) for number, tiles in state.groups.items()],
        crates=list(state.crates),
        tile_counts=[len(ark) for ark in state.arks],
        in_round=[other for other, is_in in enumerate(state.in_round) if is_in],
        dropped=list(state.dropped),
        stack_size=state.stack_size,
        drawn=list(list_drawn_tiles(state, seat)) if is_choosing_now and seat is not None else None,
        ark=None if seat is None else sorted(state.arks[seat]),
        load=None if seat is None else score_ark(state, seat),
        last_round=state.bell,
        over=is_over,
        places=None if outcome is None else list(outcome.places),
        scores=None if outcome is None else list(outcome.scores or ()),
        loads=[score_ark(state, other) for other in range(state.table.seats)] if is_over else None,
    )


def score_ark(state: State, seat: Seat) -> ArkScore:
    """The score of this seat's ark now."""
    worth, crates = appraise(state.arks[seat]), state.crates[seat]
    return ArkScore(
        pairs=list(worth.pairs),
        surplus=list(worth.surplus),
        singles=list(worth.singles),
        herds=[list(herd) for herd in worth.herds],
        species=worth.species,
        points=worth.points,
        crates=crates,
        score=worth.points + crates,
    )


def dump_expected(state: State) -> dict[str, Any]:
    """The full state under the document's keys."""
    found = {
        "round": state.round.number,
        "to_act": list(list_seats_to_act(state)),
        "groups": {str(number): list(tiles) for number, tiles in state.groups.items()},
        "crates": list(state.crates),
        "tile_counts": [len(ark) for ark in state.arks],
        "arks": {str(seat): sorted(ark) for seat, ark in enumerate(state.arks)},
        "flag": state.flag,
        "dropped": list(state.dropped),
        "face_down": state.face_down,
        "stack_size": state.stack_size,
        "over": state.turn == OVER,
    }
    if state.turn != OVER:
        return found
    return found | {
        "scores": list(find_outcome(state).scores or ()),
        "species_counts": [appraise(ark).species for ark in state.arks],
    }


def list_seats_to_act(state: State) -> tuple[Seat, ...]:
    """The seats that have not chosen yet; later the seat on turn; none after the end."""
    if state.turn == CHOOSING:
        return list_choosers(state)
    return () if state.turn == OVER else (state.turn,)
