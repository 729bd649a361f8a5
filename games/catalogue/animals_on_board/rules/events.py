"""The closed list of events of Animals on Board, for the log and for animation.

kind         seat          data
began        None          flag: seat
chose        who           {}; everybody knows that, and nobody what
kept         who           tile; follows "chose", only that seat knows
round        None          round; flag: seat that begins; tiles: in the middle; stack: tiles left
split        who           group, into: old and new number; rest, off: sizes; leave: the tiles that left, as they lie;
                           crates: of the seat now; paid: lost one
took         who           group; count; crates: of that seat now; is_first: it gets the flag
loaded       who           tiles: what they were; follows "took", only that seat knows
forfeited    who           {}
timed_out    who           {}; what the clock does for that seat follows
bell         None          round: the one under way, or the first, which is the last
game_over    None          places, scores, by seat
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from games.catalogue.animals_on_board.rules.state import Group, State
from games.rules.base import Event, Outcome, Seat

Kind: TypeAlias = Literal[
    "began", "chose", "kept", "round", "split", "took", "loaded", "forfeited", "timed_out", "bell", "game_over"
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_Events: TypeAlias = tuple[Event, ...]


def make_began(state: State) -> Event:
    """The tiles are drawn, and somebody has the flag."""
    return Event("began", None, {"flag": state.flag})


def make_chose(seat: Seat, tile: str) -> tuple[Event, ...]:
    """A first tile is on the ark."""
    return Event("chose", seat, {}), Event("kept", seat, {"tile": tile}, (seat,))


def make_round(state: State) -> Event:
    """The tiles are laid out."""
    tiles = sum(map(len, state.groups.values()))
    data = {"round": state.round.number, "flag": state.flag, "tiles": tiles, "stack": state.stack_size}
    return Event("round", None, data)


def make_split(seat: Seat, group: int, into: int, rest: int, off: Group, crates: int, *, is_paid: bool) -> _Events:
    """A group lies in two."""
    data = {
        "group": group,
        "into": into,
        "rest": rest,
        "off": len(off),
        "leave": list(off),
        "crates": crates,
        "paid": is_paid,
    }
    return (Event("split", seat, data),)


def make_took(seat: Seat, group: int, tiles: Group, crates: int, *, is_first: bool) -> tuple[Event, ...]:
    """A group is on an ark; what lay in it is from now on its owner's secret."""
    data = {"group": group, "count": len(tiles), "crates": crates, "is_first": is_first}
    return Event("took", seat, data), Event("loaded", seat, {"tiles": list(tiles)}, (seat,))


@lru_cache
def make_forfeited(seat: Seat) -> tuple[Event, ...]:
    """The event of a turn in which nothing was possible. Shared between games, not to be changed."""
    return (Event("forfeited", seat, {}),)


def make_bell(state: State) -> Event:
    """The agreed time is up; this round is the last."""
    return Event("bell", None, {"round": max(1, state.round.number)})


def make_game_over(outcome: Outcome) -> Event:
    """The arks leave."""
    return Event("game_over", None, {"places": list(outcome.places), "scores": list(outcome.scores or ())})
