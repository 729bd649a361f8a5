"""Hints for a player, in games that are not rated."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.accounts import rate_limits
from games.accounts.current_player import player_id
from games.play.errors import Illegal, NotAllowed, Stale, TooFast
from games.play.sentences import say_sentence
from games.play.storage.table import PLAYING
from games.presenters.hints import say_hint
from games.rules import registry
from games.views.json_responses import JsonAnswer
from games.views.tables import find_table
from games.work import hint_tasks


@require_POST
def ask_hint(request: HttpRequest, table_id: str) -> HttpResponse:
    """One of the best moves for the seat of this person, from what that seat sees, and why.

    200 with `move`, null if nothing helps, its `reason`, and both as `sentence`; 202 while a bot thinks: ask again in
    a moment. 403 no seat here, or a rated game; 409 not this person's turn; 422 a game without hints; 429 too fast.
    """
    table = find_table(request, table_id)
    seat = table.seat_of(player_id(request))
    if seat is None:
        raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
    if not table.allows_hints:
        raise NotAllowed("There are no hints in rated games.")
    if table.status != PLAYING or table.is_suspended or seat not in table.rules.to_act(table.state):
        raise Stale("It is not your turn.")
    if not registry.infos()[table.rules.slug].has_hints:
        raise Illegal("There are no hints in this game.")
    view = table.rules.view(table.state, seat)
    name = hint_tasks.name_hint(table.rules.slug, view)
    hint = hint_tasks.read(name)
    if hint is None:
        if not rate_limits.allow_move(table_id, player_id(request)):
            raise TooFast("That was too fast. Wait a moment and try again.")
        if cache.add(f"{name}:asked", 1, timeout=hint_tasks.ASK_AGAIN_SECONDS):
            hint_tasks.ask(table_id, seat, table.ply)
        hint = hint_tasks.read(name)
    if hint is None:
        sentence = _("A bot is looking for a good move.")
        return JsonAnswer({"status": 202, "ply": table.ply, "move": None, "sentence": sentence}, status=202)
    return JsonAnswer(
        {
            "status": 200,
            "ply": table.ply,
            "move": hint.move,
            "sentence": say_hint(table.rules.slug, view, hint.move, hint.reason),
            "reason": say_sentence(hint.reason),
        }
    )
