"""Rules of thumb: take what is worth its crates, else split so that something good lies there for me."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from games.catalogue.animals_on_board.bots.position import FORFEIT, Plan, Quay
from games.catalogue.animals_on_board.bots.worth import worth
from games.catalogue.animals_on_board.rules.state import MOST_CRATES

CRATE: Final = 1.0
"""Points that a crate is worth."""
WELCOME: Final = 5.0
"""Gain for which it is worth dropping out."""
MOST_WIDE: Final = 3
"""Tiles that leave a group when it is split by rule of thumb."""


class Offer(NamedTuple):
    """A group that can be paid for, and what it gains."""

    gain: float
    plan: Plan


def choose_plan(quay: Quay) -> Plan:
    """What a sensible player does without thinking far."""
    seat = quay.turn
    offer = find_offer(quay, seat)
    can_split = any(len(tiles) > 1 for tiles in quay.groups)
    if not can_split:
        return offer.plan if offer else FORFEIT
    if offer and offer.gain >= _least_gain(quay, seat):
        return offer.plan
    return choose_split(quay, seat)


def _least_gain(quay: Quay, seat: int) -> float:
    """What a group must gain to be better than a split."""
    split = -CRATE if quay.crates[seat] == MOST_CRATES else CRATE
    return split if len(quay.in_round) == 1 else WELCOME if split > 0 else 2.0


def find_offer(quay: Quay, seat: int) -> Offer | None:
    """The affordable group that gains most."""
    ark, crates, hope = quay.arks[seat], quay.crates[seat], quay.hope
    now = worth(ark, hope)
    best: Offer | None = None
    for at, tiles in enumerate(quay.groups):
        if len(tiles) <= crates:
            gain = worth(ark + tiles, hope) - now - CRATE * len(tiles)
            if best is None or gain > best.gain:
                best = Offer(gain, Plan(at, tiles))
    return best


def choose_split(quay: Quay, seat: int) -> Plan:
    """Part the largest group into what I would like and could pay for next time, and the rest."""
    at = max(range(len(quay.groups)), key=lambda index: len(quay.groups[index]))
    tiles, ark, hope = quay.groups[at], quay.arks[seat], quay.hope
    most = min(len(tiles) - 1, MOST_WIDE, quay.crates[seat] + 1)
    best = max(
        (off for size in range(1, most + 1) for off in combinations(tiles, size)),
        key=lambda off: worth(ark + off, hope) - CRATE * len(off),
    )
    return Plan(at, best)
