"""The page of notification settings, devices for push messages, and unsubscribing from emails."""

from __future__ import annotations

import re
import secrets
import time
from typing import Any

import msgspec
from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts import mail, time_zones
from games.accounts.current_player import player_of
from games.accounts.site_urls import address_of
from games.models import NoticeWishes, Player, PushDevice
from games.notifications import devices, emails, wishes
from games.notifications.kinds import KINDS, Channel, Kind, list_choosable
from games.notifications.wishes import Wishes
from games.operation import signing_keys
from games.play.errors import BadInput, NotAllowed
from games.views.json_responses import JsonAnswer

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Hosts that browsers trust without HTTPS (Secure Contexts, 3.1)."""
_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


def _require_player(request: HttpRequest) -> Player:
    player = player_of(request)
    if player is None:
        raise NotAllowed("Choose a name first. Then this browser can get notifications.")
    return player


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_notifications(request: HttpRequest) -> HttpResponse:
    """The settings: this device, what to hear of by which channel, quiet hours, the calendar. Raises NotAllowed."""
    player = _require_player(request)
    if request.method == "POST":
        wishes.save(player.pk, _read_form(request, player))
        notes.success(request, _("Saved."))
        return redirect("notifications")
    settings = wishes.read(player.pk)
    is_secure = request.is_secure() or request.get_host().rpartition(":")[0] in LOCAL_HOSTS
    context = {
        "is_secure": is_secure,
        "key": signing_keys.read_keys().public if is_secure else "",
        "devices": PushDevice.objects.filter(player=player).order_by("-made_at"),
        "rows": [_describe(kind, settings) for kind in list_choosable(player.pk)],
        "mail_state": _find_mail_state(player),
        "quiet": [f"{minute // 60:02}:{minute % 60:02}" for minute in settings.quiet or ()],
        "zones": _list_zones(request, settings),
        "zone": settings.zone or _find_zone(request),
        "feed_url": _find_feed(request, player),
    }
    return render(request, "me/notifications.html", context)


def _find_feed(request: HttpRequest, player: Player) -> str:
    """The address of this person's calendar; empty if they have none."""
    token = NoticeWishes.objects.filter(player=player).values_list("feed_token", flat=True).first()
    return address_of(request, "tournaments:my_calendar", token) if token else ""


def _describe(kind: Kind, settings: Wishes) -> dict[str, Any]:
    channels = [{"name": f"{kind}:{channel}", "is_on": settings.wants(kind, channel)} for channel in Channel]
    return {"kind": kind, "label": KINDS[kind].label, "channels": channels}


def _find_mail_state(player: Player) -> str:
    """Whether e-mail reaches this person: "on", or what is missing."""
    if not mail.are_sent():
        return "site"
    if player.user_id is None:
        return "account"
    return "on" if wishes.find_addresses([player.pk]) else "address"


def _find_zone(request: HttpRequest) -> str:
    zone = time_zones.find_zone(request.COOKIES.get(time_zones.COOKIE))
    return zone.key if zone else timezone.get_default_timezone_name()


def _list_zones(request: HttpRequest, settings: Wishes) -> list[str]:
    return sorted({_find_zone(request), timezone.get_default_timezone_name(), settings.zone} - {""})


def _read_form(request: HttpRequest, player: Player) -> Wishes:
    """What was chosen. Kinds that are not on this person's page stay as they are. Raises BadInput."""
    settings = wishes.read(player.pk)
    has_mail = _find_mail_state(player) == "on"
    chosen = dict(settings.chosen)
    for kind in list_choosable(player.pk):
        on = {channel for channel in Channel if f"{kind}:{channel}" in request.POST}
        if not has_mail and settings.wants(kind, Channel.MAIL):  # its box could not be ticked
            on.add(Channel.MAIL)
        chosen[kind] = frozenset(on)
    given = [request.POST.get(name, "").strip() for name in ("quiet_from", "quiet_until")]
    if not any(given):
        return Wishes(chosen, None, settings.zone)
    start, end = (_read_clock(text) for text in given)
    return Wishes(chosen, (start, end), request.POST.get("zone", ""))


def _read_clock(text: str) -> int:
    """Minutes since midnight. Raises BadInput."""
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise BadInput("Quiet hours need two times, like 22:00 and 08:00.")
    return 60 * int(found[1]) + int(found[2])


@require_POST
def add_device(request: HttpRequest) -> HttpResponse:
    """This browser gets push messages from now on. The body is its subscription. Raises NotAllowed, BadInput."""
    player = _require_player(request)
    if request.session.session_key is None:
        raise NotAllowed("Choose a name first. Then this browser can get notifications.")
    device = devices.add(
        player,
        devices.read_subscription(request.body),
        session_key=request.session.session_key,
        agent=request.headers.get("User-Agent", ""),
        language=translation.get_language() or "en",
        now=time.time(),
    )
    request.session[devices.SESSION_MARK] = device.pk
    return JsonAnswer({"device": device.pk})


class Endpoint(msgspec.Struct):
    """Which subscription a browser has ended."""

    endpoint: str


_DECODER = msgspec.json.Decoder(Endpoint)


@require_POST
def remove_device(request: HttpRequest) -> HttpResponse:
    """No push messages to a device any more: by its number from the list, or by its endpoint from a script.

    Raises NotAllowed, NotFound, BadInput.
    """
    player = _require_player(request)
    if request.content_type == "application/json":
        try:
            given = _DECODER.decode(request.body)
        except msgspec.MsgspecError as error:
            raise BadInput("Your browser sent no valid subscription. Reload the page and try again.") from error
        devices.remove_endpoint(player, given.endpoint)
        return JsonAnswer({})
    number = request.POST.get("device", "")
    if not re.fullmatch(r"[0-9]{1,18}", number):
        raise BadInput("Choose a device from the list.")
    devices.remove(player, int(number))
    notes.success(request, _("This device gets no more notifications."))
    return redirect("notifications")


@require_POST
def renew_calendar(request: HttpRequest) -> HttpResponse:
    """A new secret address for my calendar; the old one shows nothing any more. Raises NotAllowed."""
    player = _require_player(request)
    NoticeWishes.objects.update_or_create(player=player, defaults={"feed_token": secrets.token_hex(16)})
    notes.success(request, _("Your calendar has a new address. Programs with the old one no longer see anything."))
    return redirect("notifications")


@csrf_exempt  # a mail program sends it, without a page of ours; the token says what may be stopped
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """No more e-mails of a kind: at once for a POST (RFC 8058), after a press for people. Raises NotFound."""
    player_id, kind = emails.read_token(token)
    is_done = request.method == "POST"
    if is_done:
        wishes.stop_mail(player_id, None if request.POST.get("all") else kind)
    return render(request, "me/unsubscribe.html", {"label": KINDS[kind].label, "is_done": is_done})
