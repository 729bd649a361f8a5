"""The members of a club: their roles, who is removed or kept out, the links by which people join, its log."""

from __future__ import annotations

import time
from typing import Any, Final

from django.http import HttpRequest

from games.accounts.site_urls import address_of
from games.models import Player
from games.play.errors import NotFound
from tournaments.api import clubs
from tournaments.api.organising.acting import ORGANISE, can_organise, do_once, find_actor, make_once_here
from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.programme_shapes import (
    ClubStepOut,
    InvitationIn,
    InvitationOut,
    MemberOut,
    RemovedOut,
    RemoveIn,
    RoleIn,
)
from tournaments.api.readers import CHANGE_REFUSED, PAGE_ROWS, REFUSED, Page, find_club, find_reader
from tournaments.api.routes import Router
from tournaments.flow.clubs import club_changes, invitations, moderation
from tournaments.flow.permissions import is_at_least, require_organiser, role_of
from tournaments.models import Club, Invitation, Membership, Role
from tournaments.words.moderation_words import say_step

router = Router(tags=ORGANISE)
CLUB: Final = "/clubs/{slug}"
MEMBER: Final = "/clubs/{slug}/members/{person}"


@clubs.router.get(f"{CLUB}/members", response={200: list[MemberOut], **REFUSED})
def list_members(request: HttpRequest, slug: str, page: Page = 1) -> Any:
    """The members of a club, owners and organisers first, a hundred a page; after the last page the list is empty."""
    club = find_club(request, slug)
    is_led = is_at_least(role_of(club, find_reader(request, club.pk)), Role.ORGANISER)
    rows = Membership.objects.filter(club=club).select_related("player").order_by("-role", "player__name", "pk")
    return [
        _describe_member(membership, is_led=is_led) for membership in rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
    ]


def _describe_member(one: Membership, *, is_led: bool) -> dict[str, Any]:
    return {
        "person": one.player_id,
        "name": one.shown_name,
        "role": one.role,
        "silenced_until": one.silenced_until if is_led else None,
    }


def _find_led(request: HttpRequest, slug: str) -> tuple[Club, Player]:
    """A club, and the player, who is one of its organisers. Raises NotFound, NotAllowed."""
    club, actor = Club.objects.filter(slug=slug).first(), find_actor(request)
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    require_organiser(club, actor)
    return club, actor


def _find_member(club: Club, person: int) -> Membership:
    """The membership of a person. Raises NotFound."""
    found = Membership.objects.select_related("player").filter(club=club, player=person).first()
    if found is None:
        raise NotFound("This person is not in the club any more.")
    return found


@router.post(f"{MEMBER}/role", auth=can_organise, response={200: MemberOut, **CHANGE_REFUSED})
def change_role(request: HttpRequest, slug: str, person: int, wanted: RoleIn) -> Any:
    """Make a member owner, organiser or member. Owners of the club only; a club keeps an owner."""
    club, actor = _find_led(request, slug)
    pk = _find_member(club, person).pk
    do_once(request, wanted.key, lambda: club_changes.change_role(club, actor, pk, Role(wanted.role), now=time.time()))
    return _describe_member(_find_member(club, person), is_led=True)


@router.post(f"{MEMBER}/remove", auth=can_organise, response={200: list[ClubStepOut], **CHANGE_REFUSED})
def remove_member(request: HttpRequest, slug: str, person: int, wanted: RemoveIn) -> Any:
    """Remove a member from the club, or (`keep_out`) keep them out as well. The answer is the club's log."""
    club, actor = _find_led(request, slug)
    do_once(
        request,
        wanted.key,
        lambda: moderation.remove(club, actor, person, is_kept_out=wanted.keep_out, now=time.time()),
    )
    return _list_steps(club, None)


@router.get(f"{CLUB}/kept-out", auth=can_organise, response={200: list[RemovedOut], **REFUSED})
def list_kept_out(request: HttpRequest, slug: str) -> Any:
    """Who is kept out of the club, the latest first."""
    club, _actor = _find_led(request, slug)
    return _list_kept_out(club)


@router.post(
    f"{CLUB}/kept-out/{{person}}/let-in", auth=can_organise, response={200: list[RemovedOut], **CHANGE_REFUSED}
)
def let_in(request: HttpRequest, slug: str, person: int, wanted: KeyIn) -> Any:
    """Let somebody who was kept out be a member again. The answer is who is still kept out."""
    club, actor = _find_led(request, slug)
    do_once(request, wanted.key, lambda: moderation.let_in(club, actor, person, now=time.time()))
    return _list_kept_out(club)


def _list_kept_out(club: Club) -> list[dict[str, Any]]:
    return [
        {"person": removal.player_id, "name": removal.player.name, "at": removal.at.isoformat()}
        for removal in moderation.list_kept_out(club)
    ]


@router.get(f"{CLUB}/invitations", auth=can_organise, response={200: list[InvitationOut], **REFUSED})
def list_invitations(request: HttpRequest, slug: str) -> Any:
    """The links that can be used, the newest first."""
    club, _actor = _find_led(request, slug)
    return [_describe_invitation(request, invitation) for invitation in invitations.list_open(club)]


@router.post(f"{CLUB}/invitations", auth=can_organise, response={200: InvitationOut, **CHANGE_REFUSED})
def invite_people(request: HttpRequest, slug: str, wanted: InvitationIn) -> Any:
    """Make a link by which people join. Only owners invite organisers and owners. The same `key` twice is one link."""
    club, actor = _find_led(request, slug)

    def make() -> str:
        made = invitations.invite(club, actor, role=Role(wanted.role), uses=wanted.uses, days=wanted.days)
        return str(made.token)

    token = make_once_here(request, wanted.key, make)
    return _describe_invitation(request, Invitation.objects.get(club=club, token=token))


@router.post(
    f"{CLUB}/invitations/{{token}}/withdraw", auth=can_organise, response={200: list[InvitationOut], **CHANGE_REFUSED}
)
def withdraw_invitation(request: HttpRequest, slug: str, token: str, wanted: KeyIn) -> Any:
    """Withdraw a link, so that it no longer works. The answer is the links that are left."""
    club, actor = _find_led(request, slug)
    do_once(request, wanted.key, lambda: invitations.withdraw(club, actor, token))
    return [_describe_invitation(request, invitation) for invitation in invitations.list_open(club)]


def _describe_invitation(request: HttpRequest, one: Invitation) -> dict[str, Any]:
    return {
        "token": one.token,
        "url": address_of(request, "tournaments:invitation", one.token),
        "role": one.role,
        "uses_left": one.uses_left,
        "joined": one.came_in,
        "expires_at": None if one.expires_at is None else one.expires_at.isoformat(),
        "made_by": one.made_by_id,
    }


@router.get(f"{CLUB}/steps", auth=can_organise, response={200: list[ClubStepOut], **REFUSED})
def list_club_steps(request: HttpRequest, slug: str, before: int | None = None) -> Any:
    """The club's log, the newest first, fifty steps at a time."""
    club, _actor = _find_led(request, slug)
    return _list_steps(club, before)


@router.post(f"{CLUB}/steps/{{step}}/undo", auth=can_organise, response={200: list[ClubStepOut], **CHANGE_REFUSED})
def undo_club_step(request: HttpRequest, slug: str, step: int, wanted: KeyIn) -> Any:
    """Undo a step of the club's log: somebody who was removed is a member again. The answer is the log."""
    club, actor = _find_led(request, slug)
    do_once(request, wanted.key, lambda: moderation.undo(club, actor, step, now=time.time()))
    return _list_steps(club, None)


def _list_steps(club: Club, before: int | None) -> list[dict[str, Any]]:
    return [
        {
            "number": step.pk,
            "kind": step.kind,
            "at": step.at,
            "who": step.name_person(step.actor) if step.actor else "",
            "what": say_step(step),
            "person": step.player_id,
            "is_reverted": step.undone_at is not None,
        }
        for step in moderation.list_steps(club, before=before)[: moderation.SHOWN]
    ]
