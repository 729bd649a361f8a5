"""The guests of an evening."""

from __future__ import annotations

from tournaments.models import EveningGuest, TimedSession


def is_guest(evening: TimedSession, player_id: int) -> bool:
    """Whether this person came by the guests' link."""
    return EveningGuest.objects.filter(evening=evening, player=player_id).exists()


def list_guests(evening: TimedSession) -> frozenset[int]:
    """The ids of all guests."""
    return frozenset(EveningGuest.objects.filter(evening=evening).values_list("player", flat=True))
