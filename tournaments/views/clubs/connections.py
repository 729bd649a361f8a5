"""How calendars, feed readers and programs reach a club: addresses, keys, webhooks."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.accounts.current_player import player_id, player_of
from games.accounts.site_urls import address_of
from games.play.errors import BadInput, NotFound
from games.play.sentences import say_sentence
from tournaments.flow.clubs import api_keys, membership, webhooks
from tournaments.flow.permissions import require_role
from tournaments.flow.steps import webhook_events
from tournaments.models import Club, Delivery, Role, Webhook
from tournaments.views.lookups import disable_caching, find_club, read_int
from tournaments.words.webhook_answers import say_answer
from tournaments.work import tasks

SHOWN = 30
"""The latest webhook deliveries on the page."""


def show(request: HttpRequest, slug: str) -> HttpResponse:
    """Feed addresses, API keys and webhooks. Organisers manage keys, owners webhooks.

    POST field `action`: renew-feeds, make-key, withdraw-key, add-hook, remove-hook, renew-secret, send-again,
    choose-events, test-hook, turn-on-hook.
    """
    club, _role = find_club(request, slug)
    role = require_role(club, player_id(request), Role.MEMBER)
    made = ""
    if request.method == "POST":
        try:
            made = _run_action(request, club)
            if not made:
                return redirect("tournaments:connections", club.slug)
        except (BadInput, NotFound) as error:
            notes.error(request, say_sentence(error))
            return redirect("tournaments:connections", club.slug)
    context = _list_feeds(request, club) | {
        "club": club,
        "made": made,
        "is_organiser": role in (Role.ORGANISER, Role.OWNER),
        "is_owner": role == Role.OWNER,
        "keys": api_keys.list_all(club),
        "hooks": [_describe_hook(hook) for hook in Webhook.objects.filter(club=club).order_by("pk")],
        "deliveries": _list_deliveries(club) if role == Role.OWNER else [],
    }
    return disable_caching(render(request, "clubs/connections.html", context))


EVENTS = {
    "entrant.entered": gettext_lazy("Somebody is signed up"),
    "entrant.checked-in": gettext_lazy("Somebody is checked in"),
    "round.drawn": gettext_lazy("A round is drawn"),
    "round.released": gettext_lazy("A round is released"),
    "result.in": gettext_lazy("A result counts"),
    "result.disputed": gettext_lazy("A result is disputed"),
    "round.completed": gettext_lazy("A round is complete"),
    "table.ready": gettext_lazy("An online table is ready"),
    "game.over": gettext_lazy("A game is over"),
    "evening.begun": gettext_lazy("An evening begins"),
    "evening.ended": gettext_lazy("An evening is over"),
    "tournament.finished": gettext_lazy("A tournament is finished"),
    "season.changed": gettext_lazy("A season changes"),
}
"""Event of a webhook → what it tells, for the form."""


def _describe_hook(hook: Webhook) -> dict[str, object]:
    """A webhook with its events, and since when it is turned off."""
    off_at = hook.turned_off_at
    chosen = hook.events.split() if hook.events else webhook_events.STANDARD
    return {
        "pk": hook.pk,
        "url": hook.url,
        "secret": hook.secret,
        "events": [(event, label, event in chosen) for event, label in EVENTS.items()],
        "off_at": None if off_at is None else _to_datetime(off_at),
    }


def _list_deliveries(club: Club) -> list[dict[str, object]]:
    """The latest deliveries. answer: in words. next: when it is tried again, or None."""
    rows = Delivery.objects.filter(webhook__club=club).select_related("webhook").order_by("-pk")[:SHOWN]
    return [
        {
            "delivery": delivery,
            "at": _to_datetime(delivery.at),
            "answer": say_answer(delivery.answer),
            "next": _to_datetime(delivery.due_at) if delivery.due_at is not None else None,
        }
        for delivery in rows
    ]


def _to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, tz=UTC)


def _run_action(request: HttpRequest, club: Club) -> str:
    """Run the action. Returns a new key, which is shown once, else an empty string. Raises BadInput, NotFound."""
    player, action = player_of(request), request.POST.get("action", "")
    if action == "make-key":
        return api_keys.make(club, player, request.POST.get("name", ""))
    if action == "withdraw-key":
        api_keys.withdraw(club, player, read_int(request.POST.get("key")))
    elif action == "add-hook":
        webhooks.add(club, player, request.POST.get("url", "").strip())
    elif action == "remove-hook":
        webhooks.remove(club, player, read_int(request.POST.get("hook")))
    elif action == "renew-secret":
        webhooks.renew_secret(club, player, read_int(request.POST.get("hook")), now=time.time())
        notes.info(
            request, _("Enter the new secret in your program. For one day, messages are also signed with the old one.")
        )
    elif action == "choose-events":
        hook = read_int(request.POST.get("hook"))
        webhooks.choose_events(club, player, hook, request.POST.getlist("event"))
        notes.success(request, _("The events have been saved."))
    elif action == "test-hook":
        hook = read_int(request.POST.get("hook"))
        tasks.enqueue_webhook(webhooks.send_test(club, player, hook, now=time.time()))
        notes.success(request, _("The test message is being sent. See the recent deliveries."))
    elif action == "turn-on-hook":
        hook = read_int(request.POST.get("hook"))
        tasks.enqueue_webhook(webhooks.turn_on(club, player, hook, now=time.time()))
        notes.success(request, _("The webhook is on again."))
    elif action == "send-again":
        _send_again(request, club)
    elif action == "renew-feeds":
        membership.renew_feeds(club, player)
        notes.info(request, _("The links are new. The old ones no longer show what members see."))
    else:
        raise BadInput("This action does not exist. Reload the page and try again.")
    return ""


def _send_again(request: HttpRequest, club: Club) -> None:
    number = read_int(request.POST.get("delivery"))
    tasks.enqueue_webhook(webhooks.send_again(club, player_of(request), number, now=time.time()))


def _list_feeds(request: HttpRequest, club: Club) -> dict[str, str]:
    key = f"?key={club.feed_token}"
    return {
        "calendar": address_of(request, "tournaments:calendar", club.slug) + key,
        "news": address_of(request, "tournaments:news", club.slug) + key,
        "openapi": address_of(request, "api:openapi-json"),
    }
