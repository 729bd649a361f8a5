"""How calendars, feed readers and programs reach a club: addresses, keys, webhooks."""

from __future__ import annotations

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.addresses import address_of
from games.play.errors import BadInput
from tournaments.flow import keys, webhooks
from tournaments.flow.permissions import require_role
from tournaments.models import ApiKey, Club, Delivery, Role, Webhook
from tournaments.views.finding import find_club, fresh, player_id, player_of, read_int


def show(request: HttpRequest, slug: str) -> HttpResponse:
    """The addresses; organisers make keys, owners webhooks. `action`: make-key, withdraw-key, add-hook, remove-hook."""
    club, _role = find_club(request, slug)
    role = require_role(club, player_id(request), Role.MEMBER)
    made = ""
    if request.method == "POST":
        try:
            made = _act(request, club)
            if not made:
                return redirect("tournaments:connections", club.slug)
        except BadInput as error:
            notes.error(request, _(error.template) % error.values)
            return redirect("tournaments:connections", club.slug)
    context = _feeds(request, club) | {
        "club": club,
        "made": made,
        "is_organiser": role in (Role.ORGANISER, Role.OWNER),
        "is_owner": role == Role.OWNER,
        "keys": ApiKey.objects.filter(club=club).select_related("made_by").order_by("pk"),
        "hooks": Webhook.objects.filter(club=club).order_by("pk"),
        "deliveries": Delivery.objects.filter(webhook__club=club).select_related("webhook").order_by("-pk")[:20],
    }
    return fresh(render(request, "clubs/connections.html", context))


def _act(request: HttpRequest, club: Club) -> str:
    """Returns a key that was made: it is shown now and never again."""
    player, action = player_of(request), request.POST.get("action", "")
    if action == "make-key":
        return keys.make(club, player, request.POST.get("name", ""))
    if action == "withdraw-key":
        keys.withdraw(club, player, read_int(request.POST.get("key")))
    elif action == "add-hook":
        webhooks.add(club, player, request.POST.get("url", "").strip())
    elif action == "remove-hook":
        webhooks.remove(club, player, read_int(request.POST.get("hook")))
    else:
        raise BadInput("There is no such button. Reload the page.")
    return ""


def _feeds(request: HttpRequest, club: Club) -> dict[str, str]:
    key = f"?key={club.feed_token}"
    return {
        "calendar": address_of(request, "tournaments:calendar", club.slug) + key,
        "news": address_of(request, "tournaments:news", club.slug) + key,
        "openapi": address_of(request, "api:openapi-json"),
    }
