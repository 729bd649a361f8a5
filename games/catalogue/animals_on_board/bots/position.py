"""A position that a bot plays on from: mutable, quick, and with one guess at what is hidden."""

from __future__ import annotations

import random
from typing import NamedTuple

from games.catalogue.animals_on_board.bots.ark_value import value_pair
from games.catalogue.animals_on_board.bots.completing import list_hidden_tiles
from games.catalogue.animals_on_board.rules.state import MAX_CRATES
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, KINDS
from games.rules.base import Move, View


class PlannedMove(NamedTuple):
    """A move: the place of a group in the list, and the tiles that leave it; all of them: it is taken. −1: forfeit."""

    at: int
    off: tuple[str, ...] = ()


FORFEIT = PlannedMove(-1)


class BotPosition:
    """A position within a round. Seats as in the game; groups in the view's order, new ones at the end."""

    __slots__ = ("arks", "crates", "face_down", "groups", "in_round", "is_over", "pair_value", "turn")

    def __init__(
        self,
        groups: list[tuple[str, ...]],
        crates: list[int],
        arks: list[tuple[str, ...]],
        in_round: list[int],
        turn: int,
        face_down: str,
        pair_value: float,
    ) -> None:
        self.groups = groups
        self.crates = crates
        self.arks = arks
        self.in_round = in_round
        """Who is still in, in turn, the next to act first."""
        self.turn = turn
        self.face_down = face_down
        self.pair_value = pair_value
        self.is_over = False

    def copy(self) -> BotPosition:
        """The same position, to play on from."""
        return BotPosition(
            list(self.groups), list(self.crates), list(self.arks), list(self.in_round), self.turn, self.face_down,
            self.pair_value,
        )  # fmt: skip

    def play(self, move: PlannedMove) -> None:
        """Make a legal move."""
        seat, is_last = self.turn, len(self.in_round) == 1
        self.in_round.append(self.in_round.pop(0))
        if move.at >= 0:
            tiles = self.groups[move.at]
            if move.off == tiles:
                del self.groups[move.at]
                self.in_round.pop()
                self.crates[seat] -= len(tiles)
                self.arks[seat] += tuple([self.face_down if tile == FACE_DOWN else tile for tile in tiles])
            else:
                self.groups[move.at] = tuple([tile for tile in tiles if tile not in move.off])
                self.groups.append(move.off)
                self.crates[seat] += -1 if self.crates[seat] == MAX_CRATES else 1
        if is_last or not self.in_round:
            self.is_over = True
        else:
            self.turn = self.in_round[0]


def read_position(view: View, rng: random.Random) -> BotPosition:
    """The position of this view, with the other arks and the tile that lies face down as they may be."""
    seat = view["seat"]
    groups = [tuple(heap["tiles"]) for heap in view["groups"]]
    hidden = list_hidden_tiles(view)
    rng.shuffle(hidden)
    arks = []
    for other, count in enumerate(view["tile_counts"]):
        if other == seat:
            arks.append(tuple(view["ark"]))
        else:
            arks.append(tuple(hidden[:count]))
            del hidden[:count]
    turn = view["to_act"][0]
    seats = view["seats"]
    in_round = sorted(view["in_round"], key=lambda other: (other - turn) % seats)
    face_down = hidden[0] if hidden else next(iter(KINDS))
    return BotPosition(groups, list(view["crates"]), arks, in_round, turn, face_down, value_pair(view["tile_counts"]))


def write_move(move: PlannedMove, view: View) -> Move:
    """The plan as a move."""
    if move.at < 0:
        return {"forfeit": True}
    heap = view["groups"][move.at]
    if len(move.off) == len(heap["tiles"]):
        return {"take": heap["number"]}
    return {"split": heap["number"], "off": list(move.off)}
