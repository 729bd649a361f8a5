"""The guests of an evening."""

from __future__ import annotations

from collections.abc import Mapping

from games.models.skeletons import MAX_NUMBERED_NAME, collect_skeletons, list_skeletons, number_name
from tournaments.models import EveningGuest, Membership, TimedSession


def is_guest(evening: TimedSession, player_id: int) -> bool:
    """Whether this person came by the guests' link."""
    return EveningGuest.objects.filter(evening=evening, player=player_id).exists()


def list_guests(evening: TimedSession) -> frozenset[int]:
    """The ids of all guests."""
    return frozenset(EveningGuest.objects.filter(evening=evening).values_list("player", flat=True))


def name_guests(evening: TimedSession) -> Mapping[int, str]:
    """What guests are called in the evening, by player: their name, with a number if it looks like that of a member of
    the club or of an earlier guest. Guests who are members are left out."""
    guests = EveningGuest.objects.filter(evening=evening)
    if evening.club_id is not None:
        guests = guests.exclude(player__in=Membership.objects.filter(club=evening.club_id).values("player"))
    rows = list(guests.order_by("pk").values_list("player", "player__name"))
    if not rows:
        return {}
    members = Membership.objects.filter(club=evening.club_id).select_related("player")
    taken, names = collect_skeletons(membership.shown_name for membership in members), dict[int, str]()
    for player_id, name in rows:
        names[player_id] = number_name(name, taken, most=MAX_NUMBERED_NAME)
        taken |= list_skeletons(names[player_id])
    return names
