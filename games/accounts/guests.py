"""Guests: people who play without an account. They get a name and an animal, and keep both."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext

from games.accounts import guest_creation, rate_limits
from games.accounts.animal_pictures import AVATARS
from games.accounts.current_player import player_of
from games.accounts.middleware import find_newcomer
from games.models import Player, spelling
from games.play.errors import Busy, TooFast
from games.play.seats import player_names, reserved_names
from games.play.seats.player_names import MAX_NAME
from games.presenters.names import ANIMALS


def require_player(request: HttpRequest, *, name: str = "") -> Player:
    """The person of this request; a stranger becomes a guest, an account without a person gets one.

    name: the name they entered, if they are new here; empty: they get one.
    Raises TooFast, Busy, BadInput (the name is the site's own).
    """
    player = player_of(request)
    if player is not None:
        return player
    reserved_names.require_free(_shorten_name(name))
    if not rate_limits.allow_guest(request.META.get("REMOTE_ADDR", "")):
        raise TooFast("Too many guests at once from your network. Wait a minute and try again.")
    avatar = secrets.choice(AVATARS)
    user = request.user if request.user.is_authenticated else None
    try:
        with transaction.atomic():
            player = Player.objects.create(
                user=user,
                name=_shorten_name(name) or _guest_name(avatar),
                avatar=avatar,
                language=request.LANGUAGE_CODE,
            )
            guest_creation.begin_session(request, player.pk)
    except guest_creation.CreateError as error:  # two requests at the same moment, and the other was faster
        player = find_newcomer(request)
        if player is None:  # and that one has gone for good since
            raise Busy("Your guest name was deleted at the same moment. Nothing was changed. Try again.") from error
    request.player = player  # type: ignore[attr-defined]
    return player


def _shorten_name(name: str) -> str:
    short = spelling.collapse_spaces(spelling.clean_foreign_name(name))[:MAX_NAME].rstrip()
    return "" if player_names.is_marked(short) else short


def _guest_name(avatar: str) -> str:
    animal = str(ANIMALS[avatar])
    name = gettext("%(animal)s %(number)s") % {
        "animal": animal[:1].upper() + animal[1:],
        "number": secrets.randbelow(90) + 10,
    }
    return name[:MAX_NAME]
