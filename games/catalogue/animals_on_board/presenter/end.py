"""The departure of the arks: each with its scoring, line by line."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.animals_on_board.presenter.ark import describe_tile, say_crates
from games.catalogue.animals_on_board.presenter.words import name_tiles
from games.catalogue.animals_on_board.rules.scoring import HERD_POINTS
from games.catalogue.animals_on_board.rules.view import AnimalsOnBoardView, ArkScore
from games.presenters.contract import EndNote
from games.presenters.names import name_animal
from games.presenters.render import macro
from games.presenters.screen import Screen
from games.presenters.tie_breaks import list_tied_behind
from games.rules.base import View

FILE = "animals_on_board.jinja"


def notes(screen: Screen, view: View) -> list[EndNote]:
    """The number of species on each ark, and whether that broke a tie."""
    shown = cast(AnimalsOnBoardView, view)
    return [EndNote(_say_species(shown, seat), "sailing") for seat in range(len(shown["loads"] or []))]


def _say_species(view: AnimalsOnBoardView, seat: int) -> str:
    species = [load["species"] for load in view["loads"] or []]
    behind = list_tied_behind(view["places"] or [], view["scores"] or [], seat)
    if not behind:
        return _count_species(species[seat])
    return _("tie broken by species on board: %(mine)s against %(theirs)s") % {
        "mine": species[seat],
        "theirs": max(species[other] for other in behind),
    }


def _count_species(count: int) -> str:
    return ngettext("%(count)d species on board", "%(count)d species on board", count) % {"count": count}


def story(screen: Screen, view: View) -> str:
    """One ark a player, the last place first."""
    shown = cast(AnimalsOnBoardView, view)
    places, loads = shown["places"] or [], shown["loads"] or []
    ships = [
        {
            "name": chair.name,
            "avatar": chair.avatar,
            "tiles": _list_tiles(loads[chair.index]),
            "lines": _explain(loads[chair.index]),
            "score": loads[chair.index]["score"],
            "place": places[chair.index],
        }
        for chair in sorted(screen.chairs, key=lambda chair: -places[chair.index])
    ]
    return macro(FILE, "story")(_("Departure of the arks"), ships, _("Points"))


def _list_tiles(load: ArkScore) -> list[dict[str, str]]:
    herds = [describe_tile("herd", tile) for herd in load["herds"] for tile in herd]
    return [*herds, *(describe_tile("single", tile) for tile in load["singles"])]


def _explain(load: ArkScore) -> list[dict[str, Any]]:
    """The scoring in the order of the rules: words, tiles and points; points None where something is returned."""
    lines: list[dict[str, Any]] = []
    if load["pairs"]:
        words = _("Pairs stay on land: %(tiles)s") % {"tiles": name_tiles(load["pairs"])}
        lines.append({"words": words, "points": None})
    if load["surplus"]:
        words = _("More than ten tiles, so these stay on land: %(tiles)s") % {"tiles": name_tiles(load["surplus"])}
        lines.append({"words": words, "points": None})
    lines += [
        {
            "words": _("Herd of %(count)s (%(animal)s): %(count)s × 5")
            % {"count": len(herd), "animal": name_animal(herd[0].partition("-")[0])},
            "points": HERD_POINTS * len(herd),
        }
        for herd in load["herds"]
    ]
    lines += [
        {"words": _("Single animal: %(tiles)s") % {"tiles": name_tiles([tile])}, "points": int(tile.rpartition("-")[2])}
        for tile in load["singles"]
    ]
    if load["crates"]:
        lines.append({"words": say_crates(load["crates"]), "points": load["crates"]})
    return lines
