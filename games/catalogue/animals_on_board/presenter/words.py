"""Animals on Board in words: tiles, crates, and what the table's script says by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.animals_on_board.rules.state import MAX_CRATES
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, SPECIES
from games.presenters.names import name_animal
from games.presenters.render import cache_by_language
from games.presenters.screen import Screen
from games.presenters.table_texts import table_words
from games.rules.base import Move, View


@cache_by_language
def name_tile(tile: str) -> str:
    """A tile in words: "tiger 3", "a tile face down"."""
    if tile == FACE_DOWN:
        return _("a face-down tile")
    species, _dash, number = tile.partition("-")
    return _("%(animal)s %(number)s") % {"animal": name_animal(species), "number": number}


def name_tiles(tiles: Sequence[str]) -> str:
    """Several tiles in words."""
    return _(", ").join(name_tile(tile) for tile in tiles)


def describe_tile(tile: str, face_down: str | None = None) -> dict[str, str]:
    """A tile for its picture; the one that lies face down by its back, or by its face if that is known."""
    if tile == "?" and face_down is None:
        return {"word": "?", "species": "down", "face": "?"}
    species, _dash, number = (face_down if tile == "?" and face_down else tile).partition("-")
    return {"word": tile, "species": f"{species} turned" if tile == "?" else species, "face": number}


def count_crates(count: int) -> str:
    """ "3 crates"."""
    return ngettext("%(count)d crate", "%(count)d crates", count) % {"count": count}


def count_tiles(count: int) -> str:
    """ "3 tiles"."""
    return ngettext("%(count)d tile", "%(count)d tiles", count) % {"count": count}


def words(screen: Screen) -> dict[str, Any]:
    """Sentences with named places; `take` by the number of tiles from 1."""
    return table_words() | {
        "game": screen.game,
        "animals": {species: name_animal(species) for species in SPECIES},
        "tile": _("%(animal)s %(number)s"),
        "face_down": _("a face-down tile"),
        "keep": _("Keep %(tile)s"),
        "choose_keep": _("Choose a tile to keep"),
        "choose": _("Choose tiles to split off, or a whole group"),
        "choose_split": _("Choose tiles to split off"),
        "choose_take": _("Choose a group to take"),
        "split": _("Split %(rest)s | %(off)s, +1 crate"),
        "split_full": _("Split %(rest)s | %(off)s, −1 crate"),
        "take": [_("Take %(tiles)s, −%(count)s") % _say_take(count) for count in range(1, MAX_CRATES + 1)],
        "price": _("Whole group %(group)s: %(price)s"),
        "prices": [count_crates(count) for count in range(1, 61)],
        "dear": _("A group costs one crate per tile. Price: %(count)s. You have: %(crates)s."),
        "single": _("A single tile cannot be split, and taking it costs one crate."),
        "own_group": _("Tiles can leave a group, but not join another."),
        "wait": _("Not your turn yet"),
        "ready": _("Ready: %(plan)s"),
        "forfeit": _("Skip this turn: no move possible"),
        "ring": _("Ring the bell: this is the last round"),
        "bell_now": _("The bell has rung: this is the last round"),
    }


def _say_take(count: int) -> dict[str, str]:
    return {"tiles": count_tiles(count), "count": count_crates(count)}


def say_move(view: View, move: Move) -> str:
    """A move in words: "Take tiger 3, otter 1"."""
    if "keep" in move:
        return _("Keep %(tile)s") % {"tile": name_tile(move["keep"])}
    if "split" in move:
        return _("Split off %(tiles)s") % {"tiles": name_tiles(move["off"])}
    if "take" in move:
        tiles = next(heap["tiles"] for heap in view["groups"] if heap["number"] == move["take"])
        return _("Take %(tiles)s") % {"tiles": name_tiles(tiles)}
    return _("Skip this turn: no move possible")
