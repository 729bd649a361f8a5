"""Django signals the flow sends after its transaction has been committed.

step_taken(tournament_id: str, kind: str, webhooks: list[int]): sent for every step of a tournament or a season, undos
included. tournament_id: of the tournament or the season; webhooks: ids of those with a new delivery.
messages_stored(webhooks: list[int]): sent when messages of something else than a step were stored for these webhooks.
"""

from __future__ import annotations

from django.dispatch import Signal

step_taken = Signal()
messages_stored = Signal()
