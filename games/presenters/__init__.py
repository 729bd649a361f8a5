"""What renders a table: the waiting room, the game's own presenter, the end. Their contract is in contract.py."""

from __future__ import annotations

from typing import cast

from games.presenters import end_screen, waiting_room
from games.presenters.contract import BoardPage, EndNote, GamePresenter, Presenter
from games.presenters.registry import find_presenter
from games.presenters.screen import Screen

__all__ = ["BoardPage", "EndNote", "GamePresenter", "Presenter", "choose_presenter", "find_presenter"]


def choose_presenter(screen: Screen) -> Presenter:
    """What renders this table now."""
    if screen.status == "waiting" or screen.is_closed:
        return cast(Presenter, waiting_room)
    if screen.status == "over":
        return cast(Presenter, end_screen)
    return find_presenter(screen.game)
