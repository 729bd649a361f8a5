"""The reader's own profile: name, animal, privacy, account, and deletion."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from allauth.account.decorators import reauthentication_required
from django.contrib import messages as notes
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.accounts.current_player import player_of
from games.accounts.guests import require_player
from games.accounts.session import GUEST
from games.accounts.sign_in import signed_in_devices
from games.accounts.sign_in.signed_in_devices import ShownHandOver
from games.models import Player, User
from games.play import signals
from games.play.errors import NotAllowed
from games.play.seats import player_changes
from games.views.forms import MeForm
from games.views.resets import describe_all


def show_me(request: HttpRequest) -> HttpResponse:
    """The reader's name, animal and privacy; a stranger who enters a name becomes a guest."""
    player = player_of(request)
    going = _find_way(request)
    initial = {"name": player.name, "avatar": player.avatar, "is_listed": player.is_listed} if player else None
    form = MeForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        me = require_player(request)
        Player.objects.filter(pk=me.pk).update(**form.cleaned_data)
        signals.person_changed.send_robust(sender=Player, player_id=me.pk)
        notes.success(request, _("Saved. New tables will show the change."))
        return redirect(going or "me")
    status = 422 if form.errors else 200
    resets = describe_all(request.user) if isinstance(request.user, User) else []
    context = {"form": form, "next": going, "guest": _find_left_guest(request), "resets": resets}
    context["hand_overs"] = _list_hand_overs(request, player) if player else []
    return render(request, "me/name.html", context, status=status)


def _find_way(request: HttpRequest) -> str:
    """The path to redirect to after the form; empty unless it is one of this site."""
    going = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    is_ours = url_has_allowed_host_and_scheme(going, allowed_hosts=hosts, require_https=request.is_secure())
    return going if is_ours else ""


def _find_left_guest(request: HttpRequest) -> Player | None:
    """The guest of this browser before it signed in to an account with a player of its own."""
    guest_id = request.session.get(GUEST)
    return Player.objects.filter(pk=guest_id, user=None, left_at=None).first() if isinstance(guest_id, int) else None


def _list_hand_overs(request: HttpRequest, player: Player) -> list[tuple[datetime, ShownHandOver]]:
    """The devices that organisers have signed in as this person, each with the time."""
    hand_overs = signed_in_devices.list_hand_overs(player, request.session.session_key, now=time.time())
    return [(datetime.fromtimestamp(hand_over.at, UTC), hand_over) for hand_over in hand_overs]


@require_POST
def take_over_guest(request: HttpRequest) -> HttpResponse:
    """Transfer the games of this browser's former guest to the reader's account. Raises NotAllowed."""
    player = player_of(request)
    guest = _find_left_guest(request)
    if player is None or guest is None or player.user_id is None:
        raise NotAllowed("This browser has no guest games to add to your account. Sign in first.")
    count = player_changes.merge_guest(guest.pk, player.pk, now=time.time())
    del request.session[GUEST]
    games = ngettext(
        "%(count)d game was added to your account.", "%(count)d games were added to your account.", count
    ) % {"count": count}
    notes.success(
        request,
        games if count else _("What you did here as %(name)s now belongs to your account.") % {"name": guest.name},
    )
    return redirect("me")


def delete_me(request: HttpRequest) -> HttpResponse:
    """Confirm, and then delete the reader's name everywhere. Raises NotAllowed for a stranger."""
    player = player_of(request)
    if player is None:
        raise NotAllowed("This site stores nothing about you, so there is nothing to delete.")
    return _delete_account(request) if player.user_id is not None else _delete(request, player)


@reauthentication_required  # type: ignore[untyped-decorator]
def _delete_account(request: HttpRequest) -> HttpResponse:
    return _delete(request, require_player(request))


def _delete(request: HttpRequest, player: Player) -> HttpResponse:
    if request.method != "POST":
        return render(request, "me/delete.html")
    player_changes.delete_player(player.pk, now=time.time())
    logout(request)
    notes.success(
        request, _("Your name has been deleted from this site. Games you played with others remain, without your name.")
    )
    return redirect("lobby")
