"""Advice for a player, in games that count for nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import bots
from games.accounts import rate_limits
from games.accounts.current_player import player_id
from games.play.errors import Illegal, NotAllowed, Stale, TooFast
from games.play.storage import codec
from games.play.storage.table import PLAYING
from games.views.json_responses import JsonAnswer
from games.views.tables import find_table

KEPT_HINTS = 256


@require_POST
def ask_hint(request: HttpRequest, table_id: str) -> HttpResponse:
    """One of the best moves for the seat of this person, from what that seat sees: `move`, null if nothing helps.

    403 no seat here, or a rated game; 409 not this person's turn; 422 a game without hints; 429 too fast.
    """
    table = find_table(request, table_id)
    seat = table.seat_of(player_id(request))
    if seat is None:
        raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
    if not table.allows_hints:
        raise NotAllowed("There are no hints in rated games.")
    if not rate_limits.allow_move(table_id, player_id(request)):
        raise TooFast("That was too fast. Wait a moment and try again.")
    if table.status != PLAYING or table.is_suspended or seat not in table.rules.to_act(table.state):
        raise Stale("It is not your turn.")
    try:
        move = _find(table.rules.slug, codec.write(table.rules.view(table.state, seat)))
    except KeyError:
        raise Illegal("There are no hints in this game.") from None
    sentence = "" if move else _("No play found: none of your cards can be played.")
    return JsonAnswer({"status": 200, "ply": table.ply, "move": move, "sentence": sentence})


@lru_cache(maxsize=KEPT_HINTS)
def _find(game: str, view: str) -> dict[str, Any] | None:
    """The advice for a view, as JSON text: asked twice, it is looked for once."""
    move = bots.find_hint(game, codec.read(view))
    return None if move is None else dict(move)
