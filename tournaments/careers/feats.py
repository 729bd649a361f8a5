"""Records of the games without ranks: the highest ark, the fanciest animal, the longest duel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from games.rules import registry

DUEL_EVENTS: Final = frozenset({"duel_begun", "dueled", "duel_over"})
"""Kinds of events that `measure_duels` needs."""


def find_source(game: str) -> str | None:
    """What the game's records are about: "score" or "duel"; None for a game without feats, or not installed."""
    info = registry.infos().get(game)
    return info.feat.source if info is not None and info.feat is not None else None


def find_feats(
    game: str, seats: int, scores: Sequence[int] | None, duels: Iterable[tuple[str, int | None]]
) -> tuple[int | None, ...]:
    """The feat of every seat, None where there is none.

    scores: of the game, by seat; duels: (kind, seat) of the game's events whose kinds are `DUEL_EVENTS`, in order.
    """
    source = find_source(game)
    if source == "score" and scores is not None:
        return tuple(scores)
    if source == "duel":
        longest = measure_duels(duels)
        return tuple(longest.get(seat) for seat in range(seats))
    return (None,) * seats


def measure_duels(events: Iterable[tuple[str, int | None]]) -> dict[int, int]:
    """The longest duel, in cards, of every seat that played a card in one; the play that began it counts."""
    longest: dict[int, int] = {}
    length, inside = 0, set[int]()
    for kind, seat in events:
        if kind == "duel_over":
            longest |= {other: max(length, longest.get(other, 0)) for other in inside}
            length, inside = 0, set()
        elif seat is not None:
            length, inside = length + 1, inside | {seat}
    return longest
