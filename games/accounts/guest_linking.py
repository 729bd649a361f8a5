"""Links accounts to players: a guest who signs up stays the same player."""

from __future__ import annotations

import re
import secrets
from typing import Any, Final

from allauth.account.signals import user_signed_up
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import get_language

from games.accounts.animal_pictures import AVATARS
from games.accounts.session import GUEST, PLAYER, player_id_of
from games.models import Player, User
from games.play import signals
from games.play.seats import player_changes
from games.play.seats.player_names import MAX_NAME

TABLE_NAME: Final = "_table_name"
"""Set on a new account by the form: the name that it wants at tables."""
_GIVEN_NAME = re.compile(r".+ [1-9]\d")
"""What `guests` calls people who have not chosen a name."""


@receiver(user_signed_up)
def link_new_account(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    """A new account: the guest of this browser becomes its player and keeps all their games."""
    guest = find_guest(request)
    wanted = getattr(user, TABLE_NAME, "")
    if guest is None:
        name = wanted or user.username[:MAX_NAME]
        player = Player.objects.create(
            user=user, name=name, avatar=secrets.choice(AVATARS), language=get_language() or ""
        )
    else:
        given = user.username[:MAX_NAME] if _GIVEN_NAME.fullmatch(guest.name) else guest.name
        name = wanted or given
        Player.objects.filter(pk=guest.pk, user=None).update(user=user, name=name, language=get_language() or "")
        signals.person_changed.send_robust(sender=Player, player_id=guest.pk)
        player = guest
    request.session[PLAYER] = player.pk


@receiver(user_logged_in)
def link_signed_in_account(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    """The browser plays as the account's person from now on; a staff account may have none yet.

    Another person's account may be signed in to on a shared machine: a guest's games are offered, not taken.
    """
    player_id = Player.objects.filter(user=user).values_list("pk", flat=True).first()
    if player_id is None:
        return
    guest = find_guest(request)
    if guest is not None and player_changes.has_traces(guest.pk):
        request.session[GUEST] = guest.pk
    request.session[PLAYER] = player_id


def find_guest(request: HttpRequest) -> Player | None:
    """The guest of this browser: a player without an account."""
    player_id = player_id_of(request.session)
    return None if player_id is None else Player.objects.filter(pk=player_id, user=None, left_at=None).first()
