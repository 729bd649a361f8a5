"""The reader's own ark: ten brackets, and its score if the game ended now."""

from __future__ import annotations

from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.animals_on_board.presenter.words import count_crates, name_tile, name_tiles
from games.catalogue.animals_on_board.rules.scoring import BRACKETS
from games.catalogue.animals_on_board.rules.view import AnimalsOnBoardView, ArkScore
from games.presenters.render import cache_by_language, macro
from games.presenters.screen import Screen
from games.rules.base import View

FILE = "animals_on_board.jinja"


def render_ark(view: AnimalsOnBoardView) -> str:
    """The ark of the seat whose view this is."""
    load = view["load"]
    if load is None:
        return '<section id="ark" hidden></section>'
    herds = tuple(tuple(herd) for herd in load["herds"])
    return _render_ark_cached(
        tuple(load["singles"]), herds, tuple(load["pairs"]), tuple(load["surplus"]), load["crates"]
    )


@cache_by_language
def _render_ark_cached(
    singles: tuple[str, ...],
    herds: tuple[tuple[str, ...], ...],
    pairs: tuple[str, ...],
    surplus: tuple[str, ...],
    crates: int,
) -> str:
    load = ArkScore(
        singles=list(singles),
        herds=[list(herd) for herd in herds],
        pairs=list(pairs),
        surplus=list(surplus),
        crates=crates,
        species=0,
        points=0,
        score=0,
    )
    sailing = [*[("herd", tile) for herd in herds for tile in herd], *[("single", tile) for tile in singles]]
    staying = [("pair", tile) for tile in pairs] + [("surplus", tile) for tile in surplus]
    places = [*sailing, *staying]
    tiles = [describe_tile(kind, tile) for kind, tile in places]
    parts = list_score_parts(load)
    total = sum(points for _words, points in parts)
    return macro(FILE, "ark")(
        tiles=tiles[:BRACKETS],
        extra=tiles[BRACKETS:],
        free=max(0, BRACKETS - len(tiles)),
        total=total,
        words=ngettext("point if the game ended now", "points if the game ended now", total),
        parts=[words for words, _points in parts],
        notes=[sentence for sentence in (_say_pairs(pairs), _say_surplus(surplus)) if sentence],
    )


def describe_tile(kind: str, tile: str) -> dict[str, str]:
    """A tile as the fragments want it. kind: "herd", "single", "pair" or "surplus"."""
    species, _dash, number = tile.partition("-")
    return {"word": tile, "species": species, "face": number, "kind": kind, "name": name_tile(tile)}


def list_score_parts(load: ArkScore) -> list[tuple[str, int]]:
    """The parts of the score: a text and points each."""
    singles = sum(int(tile.rpartition("-")[2]) for tile in load["singles"])
    herds = 5 * sum(map(len, load["herds"]))
    return [
        (_("single animals %(points)s") % {"points": singles}, singles),
        (_("herds %(points)s") % {"points": herds}, herds),
        (_("crates %(points)s") % {"points": load["crates"]}, load["crates"]),
    ]


def _say_pairs(pairs: tuple[str, ...]) -> str:
    if not pairs:
        return ""
    return _("Pairs go back: %(tiles)s.") % {"tiles": name_tiles(pairs)}


def _say_surplus(surplus: tuple[str, ...]) -> str:
    if not surplus:
        return ""
    return _("The ark has room for only ten. These go back: %(tiles)s.") % {"tiles": name_tiles(surplus)}


def say_crates(count: int) -> str:
    """The line of the crates at the end."""
    return _("%(crates)s left over") % {"crates": count_crates(count)}


def open_hand(screen: Screen, view: View, seat: int) -> str:
    """An ark shown to everybody after the end: herds, single animals, then returned tiles.

    While first tiles are chosen: the three that were drawn.
    """
    shown = cast(AnimalsOnBoardView, view)
    load = shown["load"]
    if shown["drawn"] or load is None:
        tiles = [("single", tile) for tile in shown["drawn"] or ()]
    else:
        tiles = [("herd", tile) for herd in load["herds"] for tile in herd]
        tiles += [("single", tile) for tile in load["singles"]]
        tiles += [("pair", tile) for tile in (*load["pairs"], *load["surplus"])]
    words = name_tiles([tile for _kind, tile in tiles]) or "–"
    return macro(FILE, "open_ark")([describe_tile(kind, tile) for kind, tile in tiles], words)
