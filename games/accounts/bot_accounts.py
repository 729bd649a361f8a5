"""Bot accounts: players without a sign-in whose programs play by the API. Each has an owner and a limit of games.

Their name ends with `player_names.BOT_MARK`, which no person's may: so they are marked wherever a name is shown, on
printed sheets, in records and in results as well.
"""

from __future__ import annotations

import secrets
from typing import Final

from django.db.models import QuerySet

from games.accounts.animal_pictures import AVATARS
from games.models import AccessToken, Player
from games.play.errors import BadInput, NotAllowed
from games.play.seats import player_changes, player_names, reserved_names

MAX_BOTS: Final = 5
"""Bot accounts of one account."""
GAMES_AT_ONCE: Final = range(1, 51)
"""Limits of games at once that a bot account may have."""


def create(owner: Player | None, *, name: str, games_at_once: int) -> Player:
    """A new bot account. Raises NotAllowed, BadInput."""
    if owner is None or owner.user_id is None:
        raise NotAllowed("Only people with an account can have tokens and bots. Create an account first.")
    marked = player_names.mark_bot(name)
    reserved_names.require_free(marked.removesuffix(player_names.BOT_MARK), is_bot=True)
    if games_at_once not in GAMES_AT_ONCE:
        raise BadInput(
            "Choose a limit of %(least)s to %(most)s games at once.", least=GAMES_AT_ONCE[0], most=GAMES_AT_ONCE[-1]
        )
    if list_all(owner).count() >= MAX_BOTS:
        raise BadInput("An account has at most %(most)s bot accounts. Delete one that is not used.", most=MAX_BOTS)
    return Player.objects.create(
        name=marked, avatar=secrets.choice(AVATARS), is_listed=False, owner=owner, games_at_once=games_at_once
    )


def list_all(owner: Player) -> QuerySet[Player]:
    """The bot accounts of this account, oldest first."""
    return Player.objects.filter(owner=owner, left_at=None, games_at_once__gt=0).order_by("pk")


def delete(owner: Player | None, bot_id: int, *, now: float) -> None:
    """Delete a bot account with its tokens; its games stay, as an anonymous player's. Raises NotAllowed, Busy."""
    bot = None if owner is None else list_all(owner).filter(pk=bot_id).first()
    if bot is None:
        raise NotAllowed("This bot account belongs to somebody else.")
    AccessToken.objects.filter(player=bot).delete()
    player_changes.delete_player(bot.pk, now=now)
