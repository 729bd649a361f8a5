"""Membership of clubs: found one, join by a link, change roles, leave."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.text import slugify

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.seats.player_names import clean_name
from tournaments.flow.clubs import invitations, member_names
from tournaments.flow.counting import ledger, place_counts
from tournaments.flow.permissions import is_at_least, require_organiser, require_role
from tournaments.flow.tokens import make_token
from tournaments.models import Club, Colour, Membership, Role


def found_club(
    player: Player,
    *,
    name: str,
    about: str = "",
    is_public: bool = True,
    meeting_place: str = "",
    colour: Colour = Colour.FELT,
) -> Club:
    """A new club, owned by this person. Raises BadInput."""
    name = clean_name(name, least=2, most=60)
    slug = slugify(name)[:30] or "club"
    for attempt in (slug, *(f"{slug}-{make_token()[:4]}" for _ in range(5))):
        try:
            with transaction.atomic():
                club = Club.objects.create(
                    slug=attempt, name=name, about=about.strip()[:2000], avatar=player.avatar, is_public=is_public,
                    feed_token=make_token(), place=_clean_place(meeting_place), colour=colour,
                )  # fmt: skip
                Membership.objects.create(club=club, player=player, role=Role.OWNER, alias="")
                ledger.lock()
                place_counts.join(club.pk, player.pk)
                return club
        except IntegrityError:
            continue
    raise BadInput("A club with this name already exists. Choose another name.")


def edit_club(
    club: Club,
    player: Player | None,
    *,
    name: str,
    about: str,
    is_public: bool,
    can_talk: bool,
    meeting_place: str = "",
    colour: str = Colour.FELT,
) -> Club:
    """Change name, description or settings of a club. Raises NotAllowed, BadInput."""
    require_role(club, player.pk if player else None, Role.OWNER)
    name = clean_name(name, least=2, most=60)
    club.name, club.about, club.is_public, club.can_talk = name, about.strip()[:2000], is_public, can_talk
    club.place, club.colour = _clean_place(meeting_place), Colour(colour)
    club.save(update_fields=["name", "about", "is_public", "can_talk", "place", "colour"])
    return club


def _clean_place(place: str) -> str:
    return " ".join(place.split())[:120]


def accept(token: str, player: Player, *, device: str = "") -> Membership:
    """Come in. Idempotent; an invitation to a higher role raises it. Raises NotFound, NotAllowed.

    device: tells the browser in which they do (`games.accounts.devices`).
    """
    invitation = invitations.find(token, player.pk)
    with transaction.atomic():
        membership = next(
            (other for other in _lock_members(invitation.club).values() if other.player_id == player.pk), None
        )
        if membership is not None and is_at_least(Role(membership.role), Role(invitation.role)):
            return membership
        invitations.use(invitation, player.pk, device=device)
        member = take_in(invitation.club_id, player.pk, Role(invitation.role))
        Membership.objects.filter(pk=member.pk).update(invitation=invitation, device=device)
        return member


def renew_feeds(club: Club, player: Player | None) -> None:
    """Give the club's calendar and news feed new addresses; the old ones stop working. Raises NotAllowed."""
    require_organiser(club, player)
    club.feed_token = make_token()
    club.save(update_fields=["feed_token"])


def change_role(club: Club, player: Player | None, member_id: int, role: Role) -> None:
    """Make somebody owner, organiser or member. A club keeps an owner. Raises NotAllowed, NotFound, Stale."""
    require_role(club, player.pk if player else None, Role.OWNER)
    with transaction.atomic():
        member = _lock_members(club).get(member_id)
        if member is None:
            raise NotFound("This person is not in the club any more.")
        _require_owner_left(club, member, role)
        Membership.objects.filter(pk=member.pk).update(role=role)
        invitations.withdraw_beyond(club.pk, member.player_id, role)
        member_names.assign_alias(club.pk, member.player_id)


def leave(club: Club, player: Player | None, member_id: int) -> None:
    """Leave the club, or (organisers) take a member out of it. Raises NotAllowed, Stale."""
    me = player.pk if player else None
    with transaction.atomic():
        member = _lock_members(club).get(member_id)
        if member is None:
            return
        if member.player_id != me:
            mine = require_role(club, me, Role.ORGANISER)
            if not is_at_least(mine, Role.OWNER) and Role(member.role) != Role.MEMBER:
                raise NotAllowed("Only an owner of this club can do this.")
        _require_owner_left(club, member, None)
        take_out(member)
        if member.player_id != me:
            invitations.bar_from_club(club, member.player_id)


def take_in(club_id: int, player_id: int, role: Role) -> Membership:
    """Make a person a member in this role; the club's leaderboards follow."""
    with transaction.atomic():
        ledger.lock()
        member, is_new = Membership.objects.update_or_create(
            club_id=club_id, player_id=player_id, defaults={"role": role}
        )
        if is_new:
            place_counts.join(club_id, player_id)
        member_names.assign_alias(club_id, player_id)
        return member


def take_out(member: Membership) -> None:
    """End a membership; the club's leaderboards follow."""
    with transaction.atomic():
        ledger.lock()
        if Membership.objects.filter(pk=member.pk).delete()[0]:
            place_counts.join(member.club_id, member.player_id, -1)
            invitations.withdraw_beyond(member.club_id, member.player_id, None)


def _lock_members(club: Club) -> dict[int, Membership]:
    Club.objects.filter(pk=club.pk).update(name=F("name"))  # one change of roles at a time
    return {member.pk: member for member in Membership.objects.filter(club=club)}


def _require_owner_left(club: Club, member: Membership, role: Role | None) -> None:
    others = Membership.objects.filter(club=club, role=Role.OWNER).exclude(pk=member.pk)
    if member.role == Role.OWNER and role != Role.OWNER and not others.exists():
        raise Stale("A club needs an owner. Make somebody else an owner first.")
