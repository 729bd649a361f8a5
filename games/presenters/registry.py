"""The one list of games that have a screen."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from games.presenters.contract import GamePresenter
from games.rules import registry

_MODULES: Final = {
    "karriere-poker": "games.catalogue.climbing.presenter.board",
    "animal-poker": "games.catalogue.climbing.presenter.board",
    "animals-on-board": "games.catalogue.animals_on_board.presenter.board",
    "fancy-animals": "games.catalogue.fancy_animals.presenter.board",
    "super-zwierzaki": "games.catalogue.super_zwierzaki.presenter.board",
}


def slugs() -> tuple[str, ...]:
    """The games that have a screen, in the registry's order; an engine alone serves records only."""
    return tuple(slug for slug in registry.slugs() if slug in _MODULES)


def find_screen(game: str) -> GamePresenter:
    """The presenter of this game. Raises KeyError for an unknown slug."""
    return cast(GamePresenter, import_module(_MODULES[game]))
