"""Hints at a table: the region with the button, and moves and reasons in the reader's words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.bots.hints import Reason
from games.play.sentences import say_sentence
from games.presenters.registry import find_presenter
from games.presenters.render import cache_by_language, macro
from games.presenters.screen import Screen
from games.records import strict_json
from games.rules.base import Move, View

FILE = "hints.jinja"


def render_hints(screen: Screen, seat: int | None) -> str:
    """The region `hints`: hidden unless this reader can ask for a hint here, and the game has no such button itself."""
    if not screen.has_hints or screen.status != "playing" or seat is None:
        return macro(FILE, "no_hints")()
    if getattr(find_presenter(screen.game), "SHOWS_HINTS", False):
        return macro(FILE, "no_hints")()
    return _render(screen.table_id)


@cache_by_language
def _render(table_id: str) -> str:
    return macro(FILE, "hints")(table_id)


def say_hint(game: str, view: View, move: Move | None, reason: Reason) -> str:
    """A hint as one or two sentences: the move, and why."""
    why = say_sentence(reason)
    if move is None:
        return why
    return _("%(move)s. %(reason)s") % {"move": name_move(game, view, move), "reason": why}


def name_move(game: str, view: View, move: Move) -> str:
    """A move as its game calls it; where the game's presenter has no `say_move(view, move)`, as in records."""
    presenter = find_presenter(game)
    if hasattr(presenter, "say_move"):
        return str(presenter.say_move(view, move))
    if hasattr(presenter, "name_move"):
        return str(presenter.name_move(move))
    return strict_json.write(move)
