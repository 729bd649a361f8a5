"""The log of the two climbing games: one sentence an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.climbing.presenter.card_words import name_play
from games.catalogue.climbing.rules.view import ClimbingView
from games.presenters.log import name_seat, render_log
from games.presenters.names import GAMES, name_rank
from games.presenters.render import cache_by_language, macro
from games.presenters.screen import LogLine, Screen
from games.rules.base import View

HEADS = ("dealt", "deal_over", "bell", "game_over")
SOUNDS = {"played": "play", "passed": "pass", "round_won": "win", "bell": "bell"}


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """The lines after this ply that this seat may know, as list items."""
    shown = cast(ClimbingView, view)

    def say(line: LogLine) -> str:
        return _SAY[line.kind](screen, shown, line, seat) if line.kind in _SAY else ""

    return render_log(screen, seat, since_ply, say, heads=HEADS, sounds=SOUNDS, render_cards=_render_cards)


def _render_cards(line: LogLine) -> str:
    return macro("climbing.jinja", "log_cards")(tuple(line.data["cards"])) if line.kind in ("played", "gift") else ""


def _played(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    name = "" if line.seat == seat else name_seat(screen, line.seat, seat)
    return _say_played(name, tuple(line.data["cards"]), line.data.get("number"))


@cache_by_language
def _say_played(name: str, cards: tuple[str, ...], number: int | None) -> str:
    """name: empty for the reader."""
    sentence = _("%(name)s plays %(cards)s.") if name else _("You play %(cards)s.")
    return sentence % {"name": name, "cards": name_play(cards, number)}


def _passed(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    return _say_passed("" if line.seat == seat else name_seat(screen, line.seat, seat))


@cache_by_language
def _say_passed(name: str) -> str:
    """name: empty for the reader."""
    return _("%(name)s passes.") % {"name": name} if name else _("You pass.")


def _timed_out(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    if line.seat == seat:
        return _("You ran out of time.")
    return _("%(name)s ran out of time.") % {"name": name_seat(screen, line.seat, seat)}


def _out(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    rank = name_rank(screen.game, view["rank_names"][line.data["rank"] - 1])
    if line.seat == seat:
        return _("You are out of cards. Your new job: %(rank)s.") % {"rank": rank}
    return _("%(name)s is out of cards. New job: %(rank)s.") % {
        "name": name_seat(screen, line.seat, seat),
        "rank": rank,
    }


def _round_won(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    names = {"name": name_seat(screen, line.seat, seat), "leader": name_seat(screen, line.data["leader"], seat)}
    if line.data["leader"] == line.seat:
        yours = line.seat == seat
        return (
            _("You win the round and lead the next one.")
            if yours
            else _("%(name)s wins the round and leads the next one.")
        ) % names
    if line.seat == seat:
        return _("You win the round. %(leader)s leads the next one.") % names
    if line.data["leader"] == seat:
        return _("%(name)s wins the round. You lead the next one.") % names
    return _("%(name)s wins the round. %(leader)s leads the next one.") % names


def _deal_over(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    ranks: Mapping[int, int] = dict(enumerate(line.data["ranks"]))
    ladder = [
        _("%(rank)s %(name)s")
        % {"rank": name_rank(screen.game, view["rank_names"][rank - 1]), "name": name_seat(screen, who, seat)}
        for who, rank in sorted(ranks.items(), key=lambda pair: pair[1])
    ]
    deal = {"deal": GAMES[screen.game].deal_word, "number": line.data["deal"], "ladder": _(", ").join(ladder)}
    return _("%(deal)s %(number)s is over: %(ladder)s.") % deal


def _dealt(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    words = {
        "deal": GAMES[screen.game].deal_word,
        "number": line.data["deal"],
        "leader": name_seat(screen, line.data["leader"], seat),
    }
    if line.data["leader"] == seat:
        return _("%(deal)s %(number)s: you lead.") % words
    return _("%(deal)s %(number)s: %(leader)s leads.") % words


def _exchanged(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    if seat in (line.seat, line.data["taker"]):
        return ""  # they read the next line, with the cards
    count = line.data["count"]
    words = ngettext("%(giver)s gives %(taker)s %(count)d card.", "%(giver)s gives %(taker)s %(count)d cards.", count)
    return words % {
        "giver": name_seat(screen, line.seat, seat),
        "taker": name_seat(screen, line.data["taker"], seat),
        "count": count,
    }


def _gift(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    words = {
        "giver": name_seat(screen, line.seat, seat),
        "taker": name_seat(screen, line.data["taker"], seat),
        "cards": name_play(line.data["cards"]),
    }
    if seat == line.seat:
        return _("You give %(taker)s: %(cards)s.") % words
    return _("%(giver)s gives you: %(cards)s.") % words


def _bell(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    return _("The bell! This deal is played to its end and is the last.")


def _game_over(screen: Screen, view: ClimbingView, line: LogLine, seat: int | None) -> str:
    winner = line.data["places"].index(1)
    if winner == seat:
        return _("The game is over. You have won.")
    return _("The game is over. %(name)s has won.") % {"name": name_seat(screen, winner, seat)}


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
