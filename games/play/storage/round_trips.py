"""How long a player's answers are on their way here: half of the measured round trip, in seconds.

The server measures it itself, on the player's socket, and takes the shortest of the last few. Whoever
answers a measurement late on purpose gains what he pretends and no more, and at most `MOST_FORGIVEN`.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.cache import cache

from games.rules.base import Seat

MOST_FORGIVEN = 0.5
KEPT_SECONDS = 120
"""How long a measurement counts; the browser's heartbeat renews it."""


def note(table_id: str, seat: Seat, half: float) -> None:
    """Remember for every process how far away this seat's player is. half: seconds one way."""
    cache.set(_name(table_id, seat), min(max(half, 0.0), MOST_FORGIVEN), timeout=KEPT_SECONDS)


def measured(table_id: str, seats: Sequence[Seat]) -> float:
    """The longest way of these seats' players, 0 for those who were never measured."""
    found = cache.get_many([_name(table_id, seat) for seat in seats])
    return max(found.values(), default=0.0)


def _name(table_id: str, seat: Seat) -> str:
    return f"trip:{table_id}:{seat}"
