"""Explains why a move of Animals on Board is good, by facts that its seat can check, from its view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.bots.hints import Reason
from games.catalogue.animals_on_board.rules.scoring import appraise
from games.catalogue.animals_on_board.rules.state import MAX_CRATES
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN
from games.rules.base import Move, View

KEEP_HIGHEST: Final = Reason("None of your three tiles has a higher number.")
PAIR: Final = Reason("It makes a pair. A third tile of that animal makes a herd, which is worth 15 points.")
LAST_IN_ROUND: Final = Reason("You are the last one in this round, so nobody else can take it after you.")
TOO_EXPENSIVE: Final = Reason("You cannot pay for a group yet. A split earns a crate.")
FULL: Final = Reason("No group is worth its crates to you now, even though a split costs you one.")
FULL_BUT_SMALLER: Final = Reason("The smaller groups cost less when it is your turn again.")
WAIT: Final = Reason("A split earns a crate, and no group that you can pay for brings more points than it costs.")
SMALLER: Final = Reason("A split earns a crate, and the smaller groups cost less when it is your turn again.")


def explain(view: View, legal: Sequence[Move], move: Move) -> Reason | None:
    """The first fact that applies to this move; None if there is none."""
    if "keep" in move:
        return KEEP_HIGHEST if all(move["keep"][-1] >= tile[-1] for tile in view["drawn"]) else None
    if "take" in move:
        return _explain_take(view, move["take"])
    return _explain_split(view) if "split" in move else None


def _explain_take(view: View, number: int) -> Reason | None:
    tiles = next(heap["tiles"] for heap in view["groups"] if heap["number"] == number)
    before, after = appraise(view["ark"]), appraise([*view["ark"], *_list_known(tiles)])
    points = after.points - before.points
    values = {"points": points, "crates": len(tiles)}
    if sum(map(len, after.herds)) > sum(map(len, before.herds)) and points > len(tiles):
        return Reason("It makes or enlarges a herd. Points: %(points)s more, for crates: %(crates)s.", **values)
    if points > len(tiles):
        return Reason("It is worth more than it costs. Points: %(points)s more, for crates: %(crates)s.", **values)
    if len(after.pairs) > len(before.pairs):
        return PAIR
    return LAST_IN_ROUND if len(view["in_round"]) == 1 else None


def _explain_split(view: View) -> Reason:
    crates = view["crates"][view["seat"]]
    before = appraise(view["ark"]).points
    payable = [heap["tiles"] for heap in view["groups"] if len(heap["tiles"]) <= crates]
    if not payable:
        return TOO_EXPENSIVE
    is_worth = any(appraise([*view["ark"], *_list_known(tiles)]).points - before > len(tiles) for tiles in payable)
    if is_worth:
        return SMALLER if crates < MAX_CRATES else FULL_BUT_SMALLER
    return WAIT if crates < MAX_CRATES else FULL


def _list_known(tiles: Sequence[str]) -> list[str]:
    return [tile for tile in tiles if tile != FACE_DOWN]
