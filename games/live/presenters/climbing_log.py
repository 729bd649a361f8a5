"""The log of the two climbing games: one sentence an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.live.presenters.card_words import name_play
from games.live.presenters.log import write_log
from games.live.render import remember
from games.live.screen import LogLine, Screen
from games.names import GAMES, name_rank
from games.rules.base import View
from games.rules.climbing.view import ClimbingView

HEADS = ("dealt", "deal_over", "bell", "game_over")


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """The lines after this ply that this seat may know, as list items."""
    shown = cast(ClimbingView, view)

    def say(line: LogLine) -> str:
        return _SAY[line.kind](screen, shown, line, seat) if line.kind in _SAY else ""

    return write_log(screen, seat, since_ply, say, heads=HEADS)


def _name(screen: Screen, seat: int | None) -> str:
    return screen.chairs[seat].name if seat is not None else ""


def _played(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    return _say_played(_name(screen, line.seat), tuple(line.data["cards"]), line.data.get("number"))


@remember
def _say_played(name: str, cards: tuple[str, ...], number: int | None) -> str:
    return _("%(name)s plays %(cards)s.") % {"name": name, "cards": name_play(cards, number)}


def _passed(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    return _say_passed(_name(screen, line.seat))


@remember
def _say_passed(name: str) -> str:
    return _("%(name)s passes.") % {"name": name}


def _timed_out(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    return _("%(name)s ran out of time.") % {"name": _name(screen, line.seat)}


def _out(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    rank = name_rank(screen.game, view["rank_names"][line.data["rank"] - 1])
    return _("%(name)s is out of cards and takes the chair: %(rank)s.") % {
        "name": _name(screen, line.seat),
        "rank": rank,
    }


def _round_won(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    names = {"name": _name(screen, line.seat), "leader": _name(screen, line.data["leader"])}
    if line.data["leader"] == line.seat:
        return _("%(name)s wins the round and leads the next.") % names
    return _("%(name)s wins the round; %(leader)s leads the next.") % names


def _deal_over(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    ranks: Mapping[int, int] = dict(enumerate(line.data["ranks"]))
    ladder = [
        _("%(rank)s %(name)s")
        % {"rank": name_rank(screen.game, view["rank_names"][rank - 1]), "name": _name(screen, who)}
        for who, rank in sorted(ranks.items(), key=lambda pair: pair[1])
    ]
    deal = {"deal": GAMES[screen.game].deal_word, "number": line.data["deal"], "ladder": _(", ").join(ladder)}
    return _("%(deal)s %(number)s is over: %(ladder)s.") % deal


def _dealt(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    words = {
        "deal": GAMES[screen.game].deal_word,
        "number": line.data["deal"],
        "leader": _name(screen, line.data["leader"]),
    }
    return _("%(deal)s %(number)s: %(leader)s leads.") % words


def _exchanged(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    if seat in (line.seat, line.data["taker"]):
        return ""  # they read the next line, with the cards
    count = line.data["count"]
    words = ngettext("%(giver)s gives %(taker)s %(count)d card.", "%(giver)s gives %(taker)s %(count)d cards.", count)
    return words % {"giver": _name(screen, line.seat), "taker": _name(screen, line.data["taker"]), "count": count}


def _gift(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    words = {
        "giver": _name(screen, line.seat),
        "taker": _name(screen, line.data["taker"]),
        "cards": name_play(line.data["cards"]),
    }
    if seat == line.seat:
        return _("You give %(taker)s: %(cards)s.") % words
    return _("%(giver)s gives you: %(cards)s.") % words


def _bell(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    return _("The bell! What is under way is played to its end and is the last.")


def _game_over(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    return _("The game is over. %(name)s has won.") % {"name": _name(screen, line.data["places"].index(1))}


_SAY: Mapping[str, Callable[[Screen, ClimbingView, LogLine, int | None], Any]] = {
    "played": _played,
    "passed": _passed,
    "timed_out": _timed_out,
    "out": _out,
    "round_won": _round_won,
    "deal_over": _deal_over,
    "dealt": _dealt,
    "exchanged": _exchanged,
    "gift": _gift,
    "bell": _bell,
    "game_over": _game_over,
}
