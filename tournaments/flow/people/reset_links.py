"""Password reset links that organisers create for members."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from games.accounts.sign_in import reset_links
from games.accounts.sign_in.reset_links import LinkMaker
from games.models import Player, ResetLink, User
from games.play.errors import NotAllowed, NotFound
from tournaments.flow.permissions import RANK, require_organiser
from tournaments.models import Club, Membership, Role

MEMBER_SECONDS: Final = 7 * 86_400.0
"""How long somebody must have been a member: nobody is asked into a club in order to get at their account."""


def make_for_member(club: Club, actor: Player | None, member_id: int, *, now: float) -> tuple[User, str]:
    """The member's account, and the token of a link that sets its password. Raises NotAllowed, NotFound."""
    role = require_organiser(club, actor)
    member = Membership.objects.select_related("player__user").filter(club=club, pk=member_id).first()
    if member is None:
        raise NotFound("This person is not a member of the club any more.")
    user = member.player.user
    if user is None:
        raise NotAllowed("This person plays without an account, so there is no password to reset.")
    maker = actor.user if actor is not None else None
    if maker is None:
        raise NotAllowed("You need an account of your own to create a reset link.")
    _require_below(member, user, role, now=now)
    return user, reset_links.make(user, LinkMaker(ResetLink.Kind.ORGANISER, maker, club.name), now=now)


def _require_below(member: Membership, user: User, role: Role, *, now: float) -> None:
    """Raises NotAllowed for people who may do as much as this role, here or elsewhere, and for new members."""
    leads_elsewhere = Membership.objects.filter(player=member.player, role__in=[Role.ORGANISER, Role.OWNER])
    if user.is_staff or user.is_superuser or leads_elsewhere.exclude(club=member.club_id).exists():
        raise NotAllowed(
            "Only the administrator of this site can create reset links for administrators and organisers."
        )
    if RANK[Role(member.role)] >= RANK[role]:
        raise NotAllowed("You can create reset links only for members with a lower role than yours.")
    if member.since > datetime.fromtimestamp(now - MEMBER_SECONDS, UTC):
        raise NotAllowed("This person has been a member for less than a week. Ask the administrator for a reset link.")
