"""The log of Animals on Board: one sentence an event.

A split names the tiles that leave, which lie open on the quay. Only the player who took tiles reads which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.catalogue.animals_on_board.presenter.words import (
    count_crates,
    count_tiles,
    describe_tile,
    name_tile,
    name_tiles,
)
from games.models.texts import join_with_and
from games.presenters.log import name_seat, render_log
from games.presenters.render import macro
from games.presenters.screen import LogLine, Screen
from games.rules.base import View

FILE = "animals_on_board.jinja"
_PICTURED = {"loaded": "tiles", "split": "leave"}
HEADS = ("round", "bell", "game_over")
SOUNDS = {"chose": "play", "split": "play", "took": "win", "forfeited": "pass", "bell": "bell"}


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """The lines after this ply that this seat may know, as list items."""

    def say(line: LogLine) -> str:
        return str(_SAY[line.kind](screen, line, seat))

    return render_log(screen, seat, since_ply, say, heads=HEADS, sounds=SOUNDS, render_cards=_render_tiles)


def _render_tiles(line: LogLine) -> str:
    tiles = [line.data["tile"]] if line.kind == "kept" else line.data.get(_PICTURED.get(line.kind, ""), ())
    return macro(FILE, "log_tiles")([describe_tile(tile) for tile in tiles]) if tiles else ""


def _began(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (
        _("Everybody draws three tiles and keeps one. You have the starting flag and begin.")
        if line.data["flag"] == reader
        else _("Everybody draws three tiles and keeps one. %(name)s has the starting flag and begins.")
    ) % {"name": name_seat(screen, line.data["flag"], reader)}


def _chose(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (_("You have chosen.") if line.seat == reader else _("%(name)s has chosen.")) % {
        "name": name_seat(screen, line.seat, reader)
    }


def _kept(screen: Screen, line: LogLine, reader: int | None) -> str:
    return _("You keep %(tile)s.") % {"tile": name_tile(line.data["tile"])}


def _round(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (
        _("Round %(round)s: %(tiles)s in one group. You begin.")
        if line.data["flag"] == reader
        else _("Round %(round)s: %(tiles)s in one group. %(name)s begins.")
    ) % {
        "round": line.data["round"],
        "tiles": count_tiles(line.data["tiles"]),
        "name": name_seat(screen, line.data["flag"], reader),
    }


def _split(screen: Screen, line: LogLine, reader: int | None) -> str:
    values = {
        "name": name_seat(screen, line.seat, reader),
        "rest": line.data["rest"],
        "off": name_tiles(line.data["leave"]) if "leave" in line.data else line.data["off"],  # not in older games
        "crates": count_crates(line.data["crates"]),
    }
    if line.data["paid"]:
        return (
            _("You split a group (%(rest)s | %(off)s) and lose a crate, leaving %(crates)s.")
            if line.seat == reader
            else _("%(name)s splits a group (%(rest)s | %(off)s) and loses a crate, leaving %(crates)s.")
        ) % values
    return (
        _("You split a group (%(rest)s | %(off)s) and now have %(crates)s.")
        if line.seat == reader
        else _("%(name)s splits a group (%(rest)s | %(off)s) and now has %(crates)s.")
    ) % values


def _took(screen: Screen, line: LogLine, reader: int | None) -> str:
    values = {"name": name_seat(screen, line.seat, reader), "tiles": count_tiles(line.data["count"])}
    if line.data["is_first"]:
        return (
            _("You take a group of %(tiles)s. You are first out of the round and get the flag.")
            if line.seat == reader
            else _("%(name)s takes a group of %(tiles)s, is first out of the round and gets the flag.")
        ) % values
    return (
        _("You take a group of %(tiles)s.") if line.seat == reader else _("%(name)s takes a group of %(tiles)s.")
    ) % values


def _loaded(screen: Screen, line: LogLine, reader: int | None) -> str:
    return _("On your ark: %(tiles)s.") % {"tiles": name_tiles(line.data["tiles"])}


def _forfeited(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (
        _("You can neither split nor take.") if line.seat == reader else _("%(name)s can neither split nor take.")
    ) % {"name": name_seat(screen, line.seat, reader)}


def _timed_out(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (_("You ran out of time.") if line.seat == reader else _("%(name)s ran out of time.")) % {
        "name": name_seat(screen, line.seat, reader)
    }


def _bell(screen: Screen, line: LogLine, reader: int | None) -> str:
    return _("The bell! Round %(round)s is the last one.") % {"round": line.data["round"]}


def _game_over(screen: Screen, line: LogLine, reader: int | None) -> str:
    winners = [seat for seat, place in enumerate(line.data["places"]) if place == 1]
    names = join_with_and([name_seat(screen, seat, reader) for seat in winners])
    if len(winners) > 1:
        return _("The arks leave. %(names)s share the victory.") % {"names": names}
    return (_("The arks leave. You have won.") if winners == [reader] else _("The arks leave. %(name)s has won.")) % {
        "name": names
    }


_SAY: Mapping[str, Callable[[Screen, LogLine, int | None], Any]] = {
    "began": _began,
    "chose": _chose,
    "kept": _kept,
    "round": _round,
    "split": _split,
    "took": _took,
    "loaded": _loaded,
    "forfeited": _forfeited,
    "timed_out": _timed_out,
    "bell": _bell,
    "game_over": _game_over,
}
