"""Clubs: the list, one club's page, its members and invitations."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages as notes
from django.db.models import Count, OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts import rate_limits
from games.accounts.current_player import player_id, player_of
from games.accounts.devices import give_cookie, require_device
from games.accounts.guests import require_player
from games.accounts.site_urls import address_of
from games.play.errors import BadInput, NotAllowed, NotFound, Refusal, TooFast
from games.play.moves.form_keys import make_once
from games.play.seats import player_names
from games.play.sentences import say_sentence
from games.presenters.names import isolate
from games.views.forms import sent_key
from games.views.resets import show_made
from tournaments.flow.clubs import club_changes, club_picture, club_reports, invitations, membership, moderation
from tournaments.flow.people import reset_links
from tournaments.flow.permissions import is_at_least, require_role, role_of
from tournaments.flow.profiles import finding
from tournaments.models import Club, Colour, Membership, Role
from tournaments.views.clubs import club_home, programme
from tournaments.views.clubs.club_talk import describe_talk
from tournaments.views.forms.club_form import ClubForm
from tournaments.views.fragments import render_fragment
from tournaments.views.lookups import (
    disable_caching,
    find_club,
    is_organiser,
    read_int,
    read_search,
    render_qr,
    run_action,
)
from tournaments.views.profiles.leaderboards import PEOPLE_URL
from tournaments.views.standings.cached_rows import render_csrf_field
from tournaments.words.terms import ROLES

SHOWN = 100
SHOWN_MEMBERS = 500
SHOWN_OF_MANY = 200
"""Members shown of a club that has more than `SHOWN_MEMBERS`."""


@require_safe
def list_clubs(request: HttpRequest) -> HttpResponse:
    """The reader's clubs, and other public ones; of those the ones that match `?q=`."""
    wanted = read_search(request)
    mine = Club.objects.filter(memberships__player_id=player_id(request) or 0)
    members = Membership.objects.filter(club=OuterRef("pk")).order_by().values("club").annotate(count=Count("pk"))
    counted = Club.objects.annotate(members=Subquery(members.values("count"))).order_by("name")
    others = counted.filter(is_public=True).exclude(pk__in=mine)
    found = finding.choose_by_name(others, wanted, most=SHOWN) if wanted else list(others[: SHOWN + 1])
    context = {
        "mine": counted.filter(pk__in=mine),
        "others": found[:SHOWN],
        "wanted": wanted,
        "is_paged": bool(wanted) or len(found) > SHOWN,
    }
    return render(request, "clubs/list.html", context)


def found(request: HttpRequest) -> HttpResponse:
    """The form for a new club. POST founds it."""
    form = ClubForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            slug = _found_club(request, form)
        except BadInput as error:
            form.add_error("name", say_sentence(error))
        else:
            return redirect("tournaments:club", slug)
    return render(request, "clubs/form.html", {"form": form}, status=422 if form.errors else 200)


def _found_club(request: HttpRequest, form: ClubForm) -> str:
    player, data = require_player(request), form.cleaned_data

    def make() -> str:
        if not rate_limits.allow_table(player.pk):
            raise TooFast("That was too fast. Wait a moment and try again.")
        return membership.found_club(
            player,
            name=data["name"],
            about=data["about"],
            is_public=data["is_public"],
            meeting_place=data["place"],
            colour=Colour(data["colour"]),
        ).slug

    return make_once(player.pk, sent_key(request), make, now=time.time())


@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a club: the next night, tournaments, evenings, members, and for organisers the invitations.

    If htmx asks for one of `PARTS` by its element id, only that part.
    """
    club, role = find_club(request, slug)
    context: dict[str, Any] = {"club": club, "role": role, "is_organiser": is_organiser(role)}
    if (wanted := request.headers.get("HX-Target", "")) in PARTS:
        return disable_caching(render(request, f"clubs/{wanted}.html", context | PARTS[wanted](request, club, role)))
    for part in PARTS.values():
        context |= part(request, club, role)
    context |= {
        "my_role": ROLES[role] if role else "",
        "is_owner": role == Role.OWNER,
        "report_count": club_reports.count_open(club, player_id(request) or 0) if is_organiser(role) else 0,
        "days": invitations.DAYS,
        "usual_days": invitations.USUAL_DAYS,
        "roles": list(ROLES.items()),
        "picture": club_picture.find_key(club),
        **describe_talk(club, role),
    }
    return disable_caching(render(request, "clubs/club.html", context))


def _describe_home(request: HttpRequest, club: Club, role: Role | None) -> dict[str, Any]:
    return club_home.describe_home(request, club, role)


def _describe_programme(request: HttpRequest, club: Club, role: Role | None) -> dict[str, Any]:
    return programme.describe_programme(club, role)


def _describe_members(request: HttpRequest, club: Club, role: Role | None) -> dict[str, Any]:
    wanted = read_search(request)
    members = _find_members(club, wanted) if wanted else _list_members(club)
    count = Membership.objects.filter(club=club).count()
    return {
        "members": _render_members(request, club, role, members, is_whole=not wanted and len(members) == count),
        "shown_count": len(members),
        "member_count": count,
        "wanted": wanted,
        "query": f"?{urlencode({'q': wanted})}" if wanted else "",
    }


def _describe_invitations(request: HttpRequest, club: Club, role: Role | None) -> dict[str, Any]:
    return {"invitations": _list_invitations(request, club) if is_organiser(role) else []}


PARTS: dict[str, Callable[[HttpRequest, Club, Role | None], dict[str, Any]]] = {
    "home": _describe_home,
    "programme": _describe_programme,
    "people": _describe_members,
    "invited": _describe_invitations,
}
"""Functions for the context of parts of the page that are refreshed alone, by element id, which is the template's
name."""


def _render_members(
    request: HttpRequest, club: Club, role: Role | None, members: Sequence[Membership], *, is_whole: bool
) -> str:
    me = player_id(request)
    can_change = {choice.value: role == Role.OWNER or (is_organiser(role) and choice == Role.MEMBER) for choice in Role}
    rows = [
        {
            "id": member.pk,
            "player_id": member.player_id,
            "name": member.shown_name,
            "has_account": member.player.user_id is not None,
            "avatar": member.player.avatar,
            "is_listed": member.player.is_listed,
            "role": member.role,
            "is_me": member.player_id == me,
            "can_change": member.player_id == me or can_change[member.role],
            "can_reset": member.player_id != me
            and member.player.user_id is not None
            and can_change[member.role]
            and member.role != Role.OWNER,
            "can_hand_over": member.player_id != me
            and member.player.user_id is None
            and not member.player.is_bot
            and can_change[member.role],
        }
        for member in members
    ]
    change = reverse("tournaments:club", args=[club.slug]) + "members/"
    csrf = render_csrf_field(request) if any(row["can_change"] for row in rows) else ""
    return render_fragment(
        "members",
        rows=rows,
        is_owner=role == Role.OWNER,
        roles=ROLES,
        home=PEOPLE_URL,
        change=change,
        device_link=reverse("tournaments:new_device_link", args=[club.slug]),
        csrf=csrf,
        is_whole=is_whole,
        file="members.jinja",
    )


def _list_members(club: Club) -> list[Membership]:
    """Owners and organisers first. Of a very large club, then the members who joined first."""
    rows = Membership.objects.filter(club=club).select_related("player")
    if not rows.values("pk")[SHOWN_MEMBERS : SHOWN_MEMBERS + 1].exists():
        return list(rows.order_by("-role", "player__name"))
    leading = list(rows.filter(role__in=[Role.ORGANISER, Role.OWNER]).order_by("-role", "player__name")[:SHOWN_OF_MANY])
    return leading + list(rows.filter(role=Role.MEMBER).order_by("pk")[: SHOWN_OF_MANY - len(leading)])


def _find_members(club: Club, wanted: str) -> list[Membership]:
    """Members whose names have words that begin like the searched ones."""
    ids = player_names.search_ids(wanted, most=SHOWN, among=Q(player__memberships__club=club))
    return list(Membership.objects.filter(club=club, player__in=ids).select_related("player").order_by("player__name"))


def _list_invitations(request: HttpRequest, club: Club) -> list[dict[str, object]]:
    shown = []
    for invitation in invitations.list_open(club):
        url = address_of(request, "tournaments:invitation", invitation.token)
        shown.append({"invitation": invitation, "url": url, "qr": render_qr(url), "role": ROLES[invitation.role]})
    return shown


def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """The form that changes a club's name, description and settings."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.OWNER)
    initial = {name: getattr(club, name) for name in ("name", "about", "place", "colour", "is_public", "can_talk")}
    form = ClubForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            place = form.cleaned_data.pop("place")
            club_changes.edit_club(club, player_of(request), now=time.time(), meeting_place=place, **form.cleaned_data)
        except BadInput as error:
            form.add_error("name", say_sentence(error))
        else:
            notes.success(request, _("The club settings have been saved."))
            return redirect("tournaments:club", club.slug)
    context = {"form": form, "club": club, "picture": club_picture.find_key(club)}
    return render(request, "clubs/form.html", context, status=422 if form.errors else 200)


@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an invitation link."""
    club, _role = find_club(request, slug)
    player = player_of(request)
    role, days, uses = _read_role(request), _read_limit(request, "days"), _read_limit(request, "uses")

    def make() -> str:
        return make_once(
            player_id(request),
            sent_key(request),
            lambda: invitations.invite(club, player, role=role, days=days, uses=uses).token,
            now=time.time(),
        )

    return run_action(request, make, back=_build_club_url(club, "invitations"))


def _read_limit(request: HttpRequest, name: str) -> int | None:
    """A number from a form; an empty field means no limit. Raises BadInput."""
    text = request.POST.get(name, "").strip()
    return read_int(text) if text else None


@require_POST
def withdraw(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Withdraw an invitation link."""
    club, _role = find_club(request, slug)
    back = _build_club_url(club, "invitations")
    return run_action(request, lambda: invitations.withdraw(club, player_of(request), token), back=back)


@require_POST
def change_member(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    """Change a member's role, or remove them from the club (`role` empty)."""
    club, _role = find_club(request, slug)
    if request.POST.get("role"):
        role = _read_role(request)
        act = lambda: club_changes.change_role(club, player_of(request), member_id, role, now=time.time())  # noqa: E731
    else:
        act = lambda: _take_out(request, club, member_id)  # noqa: E731
    is_me = Membership.objects.filter(club=club, pk=member_id, player=player_id(request)).exists()
    left = is_me and not club.is_public and not request.POST.get("role")
    return run_action(request, act, back=reverse("tournaments:clubs") if left else _build_club_url(club, "members"))


def _take_out(request: HttpRequest, club: Club, member_id: int) -> None:
    """Leave the club, or take somebody else out of it, which the log of the club says."""
    member = Membership.objects.filter(club=club, pk=member_id).select_related("player").first()
    if member is not None and member.player_id != player_id(request):
        moderation.remove(club, player_of(request), member.player_id, is_kept_out=False, now=time.time())
        sentence = _("%(name)s was removed from the club. You can undo this in the log under Moderation.")
        notes.success(request, sentence % {"name": isolate(member.shown_name)})
    else:
        membership.leave(club, player_of(request), member_id)


@require_POST
def make_reset_link(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    """Make a link with which a member sets a new password. It is shown once."""
    club, role = find_club(request, slug)
    try:
        user, token = reset_links.make_for_member(club, player_of(request), member_id, now=time.time())
    except (NotAllowed, NotFound) as refusal:
        if not is_organiser(role):
            raise
        notes.error(request, say_sentence(refusal))
        return redirect(_build_club_url(club, "members"))
    return show_made(request, token, user, template="clubs/reset_link.html", club=club)


def accept(request: HttpRequest, token: str) -> HttpResponse:
    """The page of an invitation. POST accepts it."""
    invitation = invitations.find(token, player_id(request))
    if request.method == "POST":
        try:
            player = require_player(request, name=request.POST.get("name", ""))
            membership.accept(token, player, device=require_device(request))
        except Refusal as refusal:
            notes.error(request, say_sentence(refusal))
            if role_of(invitation.club, player_id(request)) is None:
                return redirect("tournaments:invitation", token)
        return give_cookie(request, redirect("tournaments:club", invitation.club.slug))
    mine = role_of(invitation.club, player_id(request))
    is_new = not is_at_least(mine, Role(invitation.role))
    context = {"invitation": invitation, "role": ROLES[invitation.role], "is_new": is_new}
    return render(request, "clubs/invitation.html", context)


def _read_role(request: HttpRequest) -> Role:
    role = request.POST.get("role", "")
    if role not in Role.values:
        raise BadInput("Choose a role.")
    return Role(role)


def _build_club_url(club: Club, part: str) -> str:
    return reverse("tournaments:club", args=[club.slug]) + f"#{part}"
