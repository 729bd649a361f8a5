"""Who draws a table: the room before the game, the game's own screen, the end. contract.py says what they give."""

from __future__ import annotations

from typing import cast

from games.presenters import end_screen, waiting_room
from games.presenters.contract import GamePresenter, Note, Page, Presenter
from games.presenters.registry import find_screen
from games.presenters.screen import Screen

__all__ = ["GamePresenter", "Note", "Page", "Presenter", "find_screen", "presenter_for"]


def presenter_for(screen: Screen) -> Presenter:
    """Who draws this table now."""
    if screen.status == "waiting" or screen.is_closed:
        return cast(Presenter, waiting_room)
    if screen.status == "over":
        return cast(Presenter, end_screen)
    return find_screen(screen.game)
