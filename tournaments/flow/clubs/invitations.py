"""Invitation links of clubs: created, found, used, withdrawn."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound
from tournaments.flow.permissions import is_at_least, require_organiser, role_of
from tournaments.flow.tokens import make_token
from tournaments.models import Club, Invitation, Removal, Role

MAX_INVITATIONS = 50
"""Open links of one club. Set by hand."""
MAX_USES = 10_000
"""People who can join by one link. Set by hand."""
DAYS: Final = (1, 7, 30)
"""Days for which an invitation can be valid; None: until it is withdrawn."""
USUAL_DAYS: Final = 7


def invite(
    club: Club, player: Player | None, *, role: Role = Role.MEMBER, uses: int | None = None, days: int | None = None
) -> Invitation:
    """Create a link by which so many people can join within so many days.

    Only an owner invites organisers and owners. Raises NotAllowed, BadInput.
    """
    mine = require_organiser(club, player)
    if not may_invite(mine, role):
        raise NotAllowed("Only an owner of this club can do this.")
    if uses is not None and not 1 <= uses <= MAX_USES:
        raise BadInput("Choose 1 to 10,000 people for an invitation, or any number.")
    if days is not None and days not in DAYS:
        raise BadInput("Choose how long the link is valid.")
    if list_open(club).count() >= MAX_INVITATIONS:
        raise BadInput("This club has too many open invitations. Withdraw one that is no longer needed.")
    ends = None if days is None else timezone.now() + timedelta(days=days)
    return Invitation.objects.create(
        club=club, token=make_token(), role=role, made_by=player, uses_left=uses, expires_at=ends
    )


def may_invite(mine: Role, role: Role) -> bool:
    """Whether somebody in the first role may invite people to the second."""
    return mine == Role.OWNER or (role == Role.MEMBER and is_at_least(mine, Role.ORGANISER))


def list_open(club: Club) -> QuerySet[Invitation]:
    """The valid links, the newest first."""
    return _list_valid().filter(club=club).exclude(uses_left=0).select_related("made_by").order_by("-pk")


def _list_valid() -> QuerySet[Invitation]:
    return Invitation.objects.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), withdrawn=False)


def find(token: str, player_id: int | None = None) -> Invitation:
    """An invitation that is valid, or that this person has used. Raises NotFound."""
    found = Invitation.objects.select_related("club", "made_by").filter(token=token, withdrawn=False).first()
    if found is None:
        raise _invalid_invitation()
    if is_at_least(role_of(found.club, player_id), Role(found.role)):
        return found
    if found.uses_left == 0 or (found.expires_at is not None and found.expires_at <= timezone.now()):
        raise _invalid_invitation()
    return found


def _invalid_invitation() -> NotFound:
    return NotFound("This invitation is no longer valid, or the link is incomplete. Ask for a new link.")


def use(invitation: Invitation, player_id: int, *, device: str = "") -> None:
    """Make a person a member by this link. Raises NotFound, NotAllowed."""
    if is_kept_out(invitation.club_id, player_id, device):
        raise NotAllowed("The organisers of this club keep you out. Only they can let you in again.")
    if Removal.objects.filter(club=invitation.club_id, player=player_id, at__gte=invitation.created_at).exists():
        raise NotAllowed("You were removed from this club. Ask one of its organisers for a new link.")
    fresh = _list_valid().filter(pk=invitation.pk).exclude(uses_left=0)
    if not fresh.update(uses_left=F("uses_left") - 1, came_in=F("came_in") + 1):
        raise _invalid_invitation()


def is_kept_out(club_id: int, player_id: int, device: str) -> bool:
    """Whether this person, or their device, is banned from the club."""
    out = Removal.objects.filter(club=club_id, is_kept_out=True)
    return out.filter(Q(player=player_id) | (Q(device=device) & ~Q(device=""))).exists()


def withdraw(club: Club, player: Player | None, token: str) -> None:
    """Withdraw a link. Raises NotAllowed."""
    require_organiser(club, player)
    Invitation.objects.filter(club=club, token=token).update(withdrawn=True)


def withdraw_beyond(club_id: int, player_id: int, role: Role | None) -> None:
    """Withdraw a person's links that their present role could not create."""
    theirs = Invitation.objects.filter(club=club_id, made_by=player_id, withdrawn=False)
    kept = [candidate for candidate in Role if role is not None and may_invite(role, candidate)]
    theirs.exclude(role__in=kept).update(withdrawn=True)


def bar_from_club(club: Club, player_id: int) -> None:
    """Stop a removed person from joining again by an older link."""
    Removal.objects.update_or_create(club=club, player_id=player_id, defaults={"at": timezone.now()})
