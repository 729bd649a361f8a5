"""Points of a pod, from places. All points are whole numbers: 840ths of a round won."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tournaments.scoring.results import NO_SHOW, PLAYS, PodResult

WHOLE = 840
"""A round won. Divisible by every number up to 8, so no share of a pod of up to 8 is rounded."""
MAX_SEATS = 8
"""Seats in a pod that can be counted without rounding."""

BEATEN, TABLE, SCORE = "beaten", "table", "score"
"""Ways to count: share of the others beaten, points by place from a table, the game's own score."""

TIE_BREAKS = ("opponents", "wins", "head-to-head", "best", "ratio", "lot")
WITHOUT_SCORES = tuple(name for name in TIE_BREAKS if name != "ratio")
"""Tie-breaks for a tournament played both online and in the room, in which only some tables have scores."""

SHARES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14)
"""Into how many parts the points of a table can be divided: by places, and by halves for ties."""
DISPLAY_TOLERANCE = 0.005 + 1e-9
"""Points are shown with two decimals: the largest rounding error of a number as shown."""


def read_points(number: float) -> int:
    """Points in 840ths from a number as it is shown: 0.33 is a third. ValueError for NaN, OverflowError for ∞."""
    for share in SHARES:
        if abs(round(number * share) / share - number) <= DISPLAY_TOLERANCE:
            return round(number * share) * WHOLE // share
    return round(number * WHOLE)


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a tournament counts. bye, absent, no_show, forfeit: points for each, in 840ths."""

    points: str = BEATEN
    table: tuple[int, ...] = (5, 3, 2, 1)
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    bye: int = WHOLE
    absent: int = 0
    no_show: int = 0
    forfeit: int = 0
    lot_seed: str = ""


def count_pod(pod: PodResult, scheme: Scheme) -> tuple[int, ...]:
    """Points by seat, in 840ths. Where scores count, a result without them gives none. ValueError for more than 8
    seats.
    """
    if pod.is_void:
        return (0,) * len(pod.entrants)
    if len(pod.entrants) > MAX_SEATS:
        raise ValueError(f"a pod of {len(pod.entrants)} cannot be counted in whole 840ths")
    ranks = pod.ranks()
    return tuple(_count_seat(pod, ranks, seat, scheme) for seat in range(len(ranks)))


def _count_seat(pod: PodResult, ranks: tuple[int, ...], seat: int, scheme: Scheme) -> int:
    fate = pod.fate(seat)
    if fate != PLAYS:
        return scheme.no_show if fate == NO_SHOW else scheme.forfeit
    if scheme.points == SCORE:
        return WHOLE * pod.scores[seat] if pod.scores else 0
    return share_beaten(ranks, seat) if scheme.points == BEATEN else _share_table(ranks, seat, scheme.table)


@lru_cache(maxsize=1 << 12)
def share_beaten(ranks: tuple[int, ...], seat: int) -> int:
    """The share of the others behind this seat, ties counting half, in 840ths; alone at a table is a round won."""
    others = len(ranks) - 1
    if others == 0:
        return WHOLE
    behind = sum(rank > ranks[seat] for rank in ranks)
    equal = sum(rank == ranks[seat] for rank in ranks) - 1
    return WHOLE * (2 * behind + equal) // (2 * others)


def _share_table(ranks: tuple[int, ...], seat: int, table: tuple[int, ...]) -> int:
    """The points of the place; tied players share the points of their places."""
    ahead = sum(rank < ranks[seat] for rank in ranks)
    equal = sum(rank == ranks[seat] for rank in ranks)
    worth = sum(table[place] for place in range(ahead, ahead + equal) if place < len(table))
    return WHOLE * worth // equal
