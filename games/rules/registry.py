"""The one list of games."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from games.rules.base import BadSetup, Rules

_PACKAGES = {
    "karriere-poker": "games.catalogue.karriere_poker.rules",
    "animal-poker": "games.catalogue.animal_poker.rules",
    "animals-on-board": "games.catalogue.animals_on_board.rules",
    "fancy-animals": "games.catalogue.fancy_animals.rules",
    "super-zwierzaki": "games.catalogue.super_zwierzaki.rules",
}
"""Slug → module with a `RULES` object. Games are loaded when they are first asked for."""


def slugs() -> tuple[str, ...]:
    """The slugs of all games, in the order in which the lobby shows them."""
    return tuple(_PACKAGES)


def find(slug: object) -> Rules[Any]:
    """The rules of a game. Raises BadSetup for an unknown slug."""
    if not isinstance(slug, str) or slug not in _PACKAGES:
        raise BadSetup(
            "There is no game called “%(slug)s”. Choose one of: %(known)s.", slug=slug, known=", ".join(_PACKAGES)
        )
    rules: Rules[Any] = import_module(_PACKAGES[slug]).RULES
    return rules
