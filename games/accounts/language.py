"""The reader's language: a cookie that pages and sockets read, and the profile that brings it to other browsers."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.i18n import set_language

from games.accounts.current_player import player_of
from games.models import Player


def remember_language(response: HttpResponse, code: str) -> None:
    """Speak this language from the next page on, if we know it."""
    if code in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def choose_language(request: HttpRequest) -> HttpResponse:
    """Set the language of this browser, and keep it in the profile."""
    answer: HttpResponse = set_language(request)
    player = player_of(request)
    code = request.POST.get("language", "")
    if player is not None and code in dict(settings.LANGUAGES):
        Player.objects.filter(pk=player.pk).update(language=code)
    return answer
