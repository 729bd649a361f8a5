"""Talk of a club: hearing, saying, reporting, clearing."""

from __future__ import annotations

import time

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts.current_player import player_of
from games.accounts.guests import require_player
from games.live import talk_messages
from games.presenters.names import PHRASES
from games.views.json_responses import JsonAnswer
from games.views.talk import acknowledge, require_patience
from tournaments.flow.clubs import club_talk
from tournaments.models import Club, Role
from tournaments.views.lookups import find_club, fresh, is_organiser


def place_of(club: Club, role: Role | None) -> dict[str, object]:
    """What the panel of a club's talk shows; nothing for who is no member."""
    if role is None:
        return {}
    version = club_talk.version_of(club)  # before what is heard: a page may know more than its version says, never less
    return {
        "talk": {
            "url": reverse("tournaments:club_talk", args=[club.slug]),
            "heard": talk_messages.write(club_talk.hear(club)),
            "phrases": list(PHRASES.items()),
            "is_free": club.can_talk,
            "can_clear": is_organiser(role),
            "version": version,
            "socket": f"/ws/clubs/{club.slug}/",
        }
    }


@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """What members hear."""
    return fresh(JsonAnswer(msgspec.to_builtins(talk_messages.write(club_talk.hear(_enter(request, slug))))))


@require_safe
def pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """As the socket says it, for browsers without one."""
    return fresh(JsonAnswer({"version": club_talk.version_of(_enter(request, slug))}))


@require_POST
def say(request: HttpRequest, slug: str) -> HttpResponse:
    """Say `phrase` (a slug of the list) or `words`."""
    club = _enter(request, slug)
    speaker = require_player(request)
    require_patience(speaker)
    phrase, words = request.POST.get("phrase", ""), request.POST.get("words", "")
    club_talk.say(club, speaker, phrase=phrase, words=words, now=time.time())
    return acknowledge(request, _back(club))


@require_POST
def report(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Tell the staff about a remark."""
    club = _enter(request, slug)
    club_talk.report(club, number, require_player(request), now=time.time())
    return acknowledge(request, _back(club), _("Reported. The staff of the club will look at it."))


@require_POST
def clear(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide what was said so far."""
    club = _enter(request, slug)
    club_talk.clear(club, player_of(request), now=time.time())
    return acknowledge(request, _back(club), _("What was said is cleared."))


def _enter(request: HttpRequest, slug: str) -> Club:
    """The club, for who may talk there. Raises NotFound, NotAllowed."""
    club, _role = find_club(request, slug)
    club_talk.require_talk(club, player_of(request))
    return club


def _back(club: Club) -> str:
    return reverse("tournaments:club", args=[club.slug]) + "#talk"
