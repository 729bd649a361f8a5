"""What the use cases tell the rest of the house, after the change is durable.

table_changed(table: Loaded): screens, bots and clocks follow it.
remark_made(table_id: str): something was said at a table, or what was said is cleared.
result_in(table: Loaded, lines: list[Line]): a deal or a game is over; tournaments and careers follow it.
table_voided(table_id: str): its game counts for nobody any more.
person_changed(player_id: int): name, privacy, or that somebody has left; whatever shows people follows it.
person_merging(guest_id: int, player_id: int): a guest is a known person. Answered with the chairs of which others
    decide who of the two sits there, in the order in which they are to get up and sit down. May come twice.
person_merged(guest_id: int, player_id: int): he has the guest's chairs by now. May come twice.
"""

from __future__ import annotations

from typing import TypeAlias

from django.dispatch import Signal

RESULTS = frozenset({"deal_over", "game_over"})
"""Kinds of events that are results."""

Chairs: TypeAlias = dict[str, dict[int, int]]
"""Table → chair → who is to sit there."""

table_changed = Signal()
remark_made = Signal()
result_in = Signal()
table_voided = Signal()
person_changed = Signal()
person_merging = Signal()
person_merged = Signal()
