"""Sentences about what a stand-in played, the same on every page, printout and export."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from games.models.texts import join_with_and
from games.records.stand_ins import StandIn


def say_stand_in(name: str, stand_in: StandIn | None) -> str:
    """ "bot for Fay, all of it", "bot for Fay, from move 31"; empty without one. name: of the person."""
    return (
        "" if stand_in is None else _("bot for %(name)s, %(what)s") % {"name": name, "what": say_moves_played(stand_in)}
    )


def say_moves_played(stand_in: StandIn) -> str:
    """ "all of it", "from move 31", "moves 12–40 and from move 55"."""
    if stand_in.is_all:
        return _("all of it")
    return join_with_and([_say_moves(first, last) for first, last in stand_in.moves])


def _say_moves(first: int, last: int | None) -> str:
    if last is None:
        return _("from move %(first)s") % {"first": first}
    if first == last:
        return _("move %(first)s") % {"first": first}
    return _("moves %(first)s–%(last)s") % {"first": first, "last": last}


def say_rounds(name: str, rounds: Sequence[tuple[int, StandIn]], *, total: int) -> str:
    """What stand-ins played for somebody in the rounds of a tournament: "bot for Fay, round 1: all of it; …"; empty
    without one.

    rounds: those in which one did; total: how many the person had a seat in.
    """
    if not rounds:
        return ""
    if len(rounds) == total and all(one.is_all for _number, one in rounds):
        return _("bot for %(name)s, %(what)s") % {"name": name, "what": _("all of it")}
    texts = [
        _("round %(number)s: %(what)s") % {"number": number, "what": say_moves_played(one)} for number, one in rounds
    ]
    return _("bot for %(name)s, %(what)s") % {"name": name, "what": "; ".join(texts)}


def say_games(name: str, games: int) -> str:
    """The number of an arena's games in which stand-ins played for somebody; empty without one."""
    if not games:
        return ""
    sentence = ngettext("bot for %(name)s in %(games)s game", "bot for %(name)s in %(games)s games", games)
    return sentence % {"name": name, "games": games}


def write_what(stand_in: StandIn | None) -> str:
    """The same for files, whose language does not change: "all of it", "from move 31"; empty without one."""
    with override("en"):
        return "" if stand_in is None else say_moves_played(stand_in)


def write_rounds(rounds: Sequence[tuple[int, StandIn]]) -> str:
    """Several rounds or games as text: "1: all of it; 3: from move 31"."""
    return "; ".join(f"{number}: {write_what(one)}" for number, one in rounds)
