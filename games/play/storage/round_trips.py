"""Network delay of players: half of the measured round trip, in seconds.

The server measures it on the player's socket and takes the shortest of the last few measurements. Players who
delay their answers to a measurement gain only that delay, and at most `MAX_COMPENSATED`.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.cache import cache

from games.rules.base import Seat

MAX_COMPENSATED = 0.5
"""Seconds. Covers slow mobile networks; more would let a player who cheats here think noticeably longer."""
KEPT_SECONDS = 120
"""Seconds for which a measurement counts; the browser's heartbeat renews it."""


def record_delay(table_id: str, seat: Seat, half: float) -> None:
    """Store, for all processes, the delay of this seat's player. half: seconds one way."""
    cache.set(_name_key(table_id, seat), min(max(half, 0.0), MAX_COMPENSATED), timeout=KEPT_SECONDS)


def find_longest_delay(table_id: str, seats: Sequence[Seat]) -> float:
    """The longest delay in seconds among these seats' players; 0 for players who were never measured."""
    found = cache.get_many([_name_key(table_id, seat) for seat in seats])
    return max(found.values(), default=0.0)


def _name_key(table_id: str, seat: Seat) -> str:
    return f"trip:{table_id}:{seat}"
