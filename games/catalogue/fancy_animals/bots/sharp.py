"""The sharp player of Fancy Animals: it takes the whole table apart if that dresses its animal better.

It asks the solver for the best claim that is worth a turn: small pieces only when the end is near, and a spot is not
given away to a piece that does not belong there. The search is bounded by nodes, so that the same position always
gives the same move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.catalogue.fancy_animals.rules.cards import ALL, list_ids
from games.catalogue.fancy_animals.rules.clothing import BY_ID, GRADES, SLOTS
from games.catalogue.fancy_animals.rules.scoring import Worn
from games.catalogue.fancy_animals.rules.solving.best import find_first
from games.catalogue.fancy_animals.rules.solving.problem import Outfit, Problem, Solution, list_outfits
from games.rules.base import Move, View

SEARCH_NODES: Final = 50
"""Nodes of the branch-and-bound search for each claim. Bounds the work of a move, see `benchmarks.solver`."""
_FULL_HAND: Final = 12
"""Cards in hand from which on it lays something rather than draws. Set by hand, one below the hand limit."""
_MIN_EARLY_GAIN: Final = 3
"""Points below which a claim waits while nobody is near the end. Set by hand."""
_SPOT_COST: Final = 0.4
"""Share, of what the best piece would bring on that spot, by which a claim on it counts less. Set by hand."""


def choose_sharply(view: View, problem: Problem) -> Move:
    """The best claim worth a turn; else a card; else whatever can be laid."""
    is_late = _is_late(view)
    ranked = _rank_outfits(problem, is_late=is_late)
    found = find_first(problem, ranked, nodes=SEARCH_NODES)
    if found is None and (not view["can_draw"] or problem.hand.bit_count() >= _FULL_HAND):
        idle = [outfit for outfit in list_outfits(problem) if outfit.claim is None and not outfit.wilds]
        found = find_first(problem, idle, nodes=SEARCH_NODES)
    if found is not None:
        return write_solution(found)
    return {"draw": True} if view["can_draw"] else {"pass": True}


def _is_late(view: View) -> bool:
    """Somebody has one open spot left, the last turns have begun, or there is little left to draw."""
    dressed = max(len(worn) for worn in view["worn"])
    return dressed >= len(SLOTS) - 1 or view["last_turns"] is not None or view["deck_size"] <= len(view["worn"])


def _rank_outfits(problem: Problem, *, is_late: bool) -> Sequence[Outfit]:
    """The claims that are worth a turn, best first."""
    least = 1 if is_late else _MIN_EARLY_GAIN
    worth = [
        (
            outfit.gain - (0 if is_late else _cost_of_spot(outfit, problem.worn)),
            -outfit.wilds.bit_count(),
            number,
            outfit,
        )
        for number, outfit in enumerate(list_outfits(problem))
        if outfit.claim is not None
    ]
    return [outfit for value, _, _, outfit in sorted(worth, reverse=True) if value >= least]


def _cost_of_spot(outfit: Outfit, worn: Worn) -> float:
    """What the spot could have held instead, if it was open."""
    if outfit.claim is None or worn[outfit.spot]:
        return 0.0
    best = GRADES[outfit.spot][-1][0]
    piece = BY_ID[outfit.claim]
    lost = best - piece.points if piece.slot == outfit.spot else best
    return _SPOT_COST * lost


def write_solution(found: Solution) -> Move:
    """The solver's solution as a move."""
    move: dict[str, object] = {
        "play": [ALL[card].word for card in list_ids(found.cards)],
        "table": [list(words) for words in found.table],
    }
    if found.wilds:
        move["wilds"] = [BY_ID[piece].word for piece in list_ids(found.wilds)]
    if found.claim is not None:
        move |= {"claim": BY_ID[found.claim].word, "spot": SLOTS[found.spot]}
    return move
