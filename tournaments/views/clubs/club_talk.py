"""A club's talk: reading, sending, reporting and clearing remarks."""

from __future__ import annotations

import time

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts.current_player import player_of
from games.accounts.devices import give_cookie, require_device
from games.accounts.guests import require_player
from games.live import talk_messages
from games.presenters.names import PHRASES
from games.views.json_responses import JsonAnswer
from games.views.talk import acknowledge, check_remark_rate
from tournaments.flow.clubs import club_talk, moderation
from tournaments.models import Club, Role
from tournaments.views.lookups import disable_caching, find_club, is_organiser


def describe_talk(club: Club, role: Role | None) -> dict[str, object]:
    """Template context of the talk panel; empty for readers who are not members."""
    if role is None:
        return {}
    version = club_talk.version_of(club)  # read first, so that the page is never older than its version
    return {
        "talk": {
            "url": reverse("tournaments:club_talk", args=[club.slug]),
            "heard": talk_messages.write(club_talk.read_talk(club)),
            "phrases": list(PHRASES.items()),
            "is_free": club.can_talk,
            "is_closed": club.is_chat_closed and not is_organiser(role),
            "can_clear": is_organiser(role),
            "version": version,
            "socket": f"/ws/clubs/{club.slug}/",
        }
    }


@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """The remarks as JSON."""
    return disable_caching(
        JsonAnswer(msgspec.to_builtins(talk_messages.write(club_talk.read_talk(_require_talk(request, slug)))))
    )


@require_safe
def show_version(request: HttpRequest, slug: str) -> HttpResponse:
    """The version of the talk, for browsers without a WebSocket."""
    return disable_caching(JsonAnswer({"version": club_talk.version_of(_require_talk(request, slug))}))


@require_POST
def say(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a remark: `phrase` (a slug of the list) or `words`."""
    club = _require_talk(request, slug)
    speaker = require_player(request)
    check_remark_rate(speaker)
    phrase, words = request.POST.get("phrase", ""), request.POST.get("words", "")
    club_talk.say(club, speaker, phrase=phrase, words=words, device=require_device(request), now=time.time())
    return give_cookie(request, acknowledge(request, _build_talk_url(club)))


@require_POST
def report(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Report a remark to the organisers."""
    club = _require_talk(request, slug)
    club_talk.report(club, number, require_player(request), now=time.time())
    return acknowledge(request, _build_talk_url(club), _("Reported. The organisers of the club will look at it."))


@require_POST
def clear(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide all remarks so far, or (`undo`) show them again."""
    club = _require_talk(request, slug)
    if request.POST.get("undo"):
        moderation.undo_clearing(club, player_of(request), now=time.time())
        return acknowledge(request, _build_talk_url(club), _("The messages are shown again."))
    club_talk.clear(club, player_of(request), now=time.time())
    return acknowledge(request, _build_talk_url(club), _("The chat has been cleared."))


def _require_talk(request: HttpRequest, slug: str) -> Club:
    """The club, if the reader may use its talk. Raises NotFound, NotAllowed."""
    club, _role = find_club(request, slug)
    club_talk.require_talk(club, player_of(request))
    return club


def _build_talk_url(club: Club) -> str:
    return reverse("tournaments:club", args=[club.slug]) + "#talk"
