"""Signals that the use cases send after a change is durable.

table_changed(table: LoadedTable): receivers update screens, bots and clocks.
challenge_made(player_id: int): somebody has challenged this player.
remark_made(table_id: str): something was said at a table, or what was said is cleared.
result_in(table: Loaded, lines: list[LogLine]): a deal or a game is over; receivers update tournaments and careers.
table_voided(table_id: str): its game no longer counts.
person_changed(player_id: int): their name or privacy changed, or they left.
person_merging(guest_id: int, player_id: int): a guest turned out to be a known person. A receiver that decides which
    of the two sits where returns `SeatChanges`, in the order in which to make them. May be sent twice.
person_merged(guest_id: int, player_id: int): the person now has the guest's seats. May be sent twice.
"""

from __future__ import annotations

from typing import TypeAlias

from django.dispatch import Signal

RESULT_KINDS = frozenset({"deal_over", "game_over"})
"""Kinds of events that are results."""

SeatChanges: TypeAlias = dict[str, dict[int, int]]
"""Table id → seat → id of the player who is to sit there."""

table_changed = Signal(use_caching=True)
"""Sent with every move: without a cache its receivers are looked for each time."""
challenge_made = Signal()
remark_made = Signal()
result_in = Signal()
table_voided = Signal()
person_changed = Signal()
person_merging = Signal()
person_merged = Signal()
