"""The presenter of each game, as its `GameInfo` names it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from games.presenters.contract import GamePresenter
from games.rules import registry


def find_presenter(game: str) -> GamePresenter:
    """The presenter of this game: `PRESENTER` of its module, or else the module itself.

    Raises KeyError for a game that is not installed.
    """
    return _load(registry.infos()[game].presenter)


@cache
def _load(name: str) -> GamePresenter:
    """Asked for several times a move, where importing what is imported takes ten times as long."""
    module = import_module(name)
    return cast(GamePresenter, getattr(module, "PRESENTER", module))
