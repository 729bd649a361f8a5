"""The chat of a table: write, read, report and clear remarks."""

from __future__ import annotations

import time

import msgspec
from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts import rate_limits
from games.accounts.current_player import player_id, player_of
from games.accounts.guests import require_player
from games.live import talk_messages
from games.models import Player
from games.play import permissions
from games.play.errors import TooFast
from games.play.talk import table_talk
from games.views.json_responses import JsonAnswer
from games.views.tables import find_table


@require_safe
def show(request: HttpRequest, table_id: str) -> HttpResponse:
    """The remarks that the reader may see, as on the socket, for browsers without one."""
    response = JsonAnswer(
        msgspec.to_builtins(talk_messages.read_talk(find_table(request, table_id), player_id(request)))
    )
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def say(request: HttpRequest, table_id: str) -> HttpResponse:
    """Write `phrase` (a slug of the list) or `words`."""
    table = find_table(request, table_id)
    phrase, words = request.POST.get("phrase", ""), request.POST.get("words", "")
    table_talk.check(table, phrase, words)  # before a stranger becomes a guest
    speaker = require_player(request)
    check_remark_rate(speaker)
    table_talk.say(table_id, speaker, phrase=phrase, words=words, now=time.time())
    return acknowledge(request, reverse("table", args=[table_id]))


@require_POST
def report(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """Report a remark to those in charge."""
    table = find_table(request, table_id)
    table_talk.report(table_id, number, require_player(request), now=time.time())
    has_organisers = "organiser" in permissions.list_roles(table).values()
    sentence = (
        _("Reported. The organisers of the club will look at it.")
        if has_organisers
        else _("Reported. The administrator of this site will look at it.")
    )
    return acknowledge(request, reverse("table", args=[table_id]), sentence)


@require_POST
def clear(request: HttpRequest, table_id: str) -> HttpResponse:
    """Hide all remarks so far, or (`undo`) show them again."""
    find_table(request, table_id)
    player = player_of(request)
    if request.POST.get("undo"):
        table_talk.undo_clearing(table_id, player, is_staff=request.user.is_staff, now=time.time())
        return acknowledge(request, reverse("table", args=[table_id]), _("The messages are shown again."))
    table_talk.clear(table_id, player, is_staff=request.user.is_staff, now=time.time())
    return acknowledge(request, reverse("table", args=[table_id]), _("The chat has been cleared."))


def check_remark_rate(speaker: Player) -> None:
    """Raises TooFast for somebody who has said a lot, wherever it was."""
    if not rate_limits.allow_remark(speaker.pk):
        raise TooFast("You are sending messages too fast. Wait a moment.")


def acknowledge(request: HttpRequest, back: str, sentence: str = "") -> HttpResponse:
    """What was asked for is done: a script gets the sentence; a form goes back to the talk, and shows it there."""
    if getattr(request, "htmx", False) or not request.accepts("text/html"):
        return JsonAnswer({"status": 200, "sentence": sentence})
    if sentence:
        notes.success(request, sentence)
    return redirect(back)
