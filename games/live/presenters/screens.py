"""The one list of games that have a screen."""

from __future__ import annotations

from typing import cast

from games.live.presenters import climbing, fancy, quay, zoo
from games.live.presenters.contract import GamePresenter
from games.rules import registry

_BY_GAME: dict[str, GamePresenter] = {
    "karriere-poker": cast(GamePresenter, climbing),
    "animal-poker": cast(GamePresenter, climbing),
    "animals-on-board": cast(GamePresenter, quay),
    "fancy-animals": cast(GamePresenter, fancy),
    "super-zwierzaki": cast(GamePresenter, zoo),
}


def slugs() -> tuple[str, ...]:
    """The games that have a screen, in the registry's order; an engine alone serves records only."""
    return tuple(slug for slug in registry.slugs() if slug in _BY_GAME)


def find_screen(game: str) -> GamePresenter:
    """Who draws this game."""
    return _BY_GAME[game]
