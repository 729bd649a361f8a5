"""What the flow tells the rest of the house, after the change is durable.

step_taken(tournament_id: str, kind: str, webhooks: list[int]): every step of a tournament or a season, also one that is
taken back; those webhooks for which something was written down with it.
"""

from __future__ import annotations

from django.dispatch import Signal

step_taken = Signal()
