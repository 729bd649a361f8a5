"""Checks for which members an organiser may act: those without an account, who cannot help themselves."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from games.models import Player
from games.play.errors import NotAllowed, NotFound
from tournaments.flow.clubs import moderation
from tournaments.flow.permissions import require_organiser
from tournaments.models import Club, Membership, Role

MEMBER_SECONDS: Final = 7 * 86_400.0
"""How long somebody of several clubs must have been a member: nobody is asked into a club to be taken over."""


def require_guest(club: Club, actor: Player | None, member_id: int, *, now: float) -> Membership:
    """The membership of somebody without an account for whom this organiser may act. Raises NotAllowed, NotFound."""
    member = require_member(club, actor, member_id)
    if member.player.user_id is not None:
        raise NotAllowed("This person has an account. They sign in with it on every device.")
    others = Membership.objects.filter(player=member.player).exclude(club=club)
    if others.exclude(role=Role.MEMBER).exists():
        raise NotAllowed("This person runs another club. Only the administrator of this site can help them.")
    if others.exists() and member.since > datetime.fromtimestamp(now - MEMBER_SECONDS, UTC):
        raise NotAllowed("This person is in several clubs and came to this one less than a week ago.")
    return member


def require_member(club: Club, actor: Player | None, member_id: int) -> Membership:
    """The membership of a person on whom this organiser may act. Raises NotAllowed, NotFound."""
    require_organiser(club, actor)
    member = Membership.objects.select_related("player__user").filter(club=club, pk=member_id).first()
    if member is None or member.player.left_at is not None:
        raise NotFound("This person is not a member of the club any more.")
    moderation.require_power(club, actor, member.player_id)
    user = member.player.user
    if member.player.is_bot or (user is not None and (user.is_staff or user.is_superuser)):
        raise NotAllowed("This is not possible for bots and administrators.")
    return member


def name_maker(club: Club, actor: Player | None) -> str:
    """The organiser's name, as the person reads it in the list of their devices."""
    return f"{actor.name if actor is not None else '–'} ({club.name})"
