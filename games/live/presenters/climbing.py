"""The table of the two climbing games, region by region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.live.presenters.card_words import name_play
from games.live.presenters.climbing_log import log_lines
from games.live.presenters.climbing_words import words
from games.live.render import macro
from games.live.screen import Chair, Screen
from games.names import GAMES, chair_of, name_rank
from games.rules.base import Move, View
from games.rules.climbing.view import ClimbingView, Exchange

__all__ = ["board", "layout", "log_lines", "private_regions", "shared_regions", "words"]

FILE = "climbing.jinja"


def layout(screen: Screen, view: View | None) -> str:
    """A new deal seats the players anew."""
    assert view is not None
    return f"playing-{view['deal']}-" + "".join(str(seat) for seat in view["order"])


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Seats, middle, whose turn, exchange and history, as everybody may see them."""
    shown = cast(ClimbingView, view)
    regions = {f"seat-{chair.index}": _seat(screen, shown, chair) for chair in screen.chairs}
    return regions | {
        "middle": _middle(screen, shown),
        "turn": macro(FILE, "turn")(_say_turn(screen, shown), False, shown["to_act"]),
        "bar": _bar(screen, shown),
        "exchange": _exchange(screen, shown, None),
        "history": _history(screen, shown),
        "hand": '<div id="hand" hidden></div>',
        "action": macro(FILE, "watching")(_("You are watching.")),
    }


def private_regions(
    screen: Screen, view: View | None, seat: int | None, legal: Sequence[Move] | None
) -> dict[str, str]:
    """Hand, button, and the sentence and envelopes where they concern this seat."""
    if seat is None:
        return {}
    shown = cast(ClimbingView, view)
    regions = {"hand": _hand(shown), "action": _action(screen, shown, seat, legal)}
    if seat in shown["to_act"]:
        regions["turn"] = macro(FILE, "turn")(_say_my_turn(shown), True, shown["to_act"])
    if shown["exchanged_now"] and any(seat in (gift["giver"], gift["taker"]) for gift in shown["exchanges"]):
        regions["exchange"] = _exchange(screen, shown, seat)
    return regions


def board(
    screen: Screen,
    view: View | None,
    seat: int | None,
    regions: Mapping[str, str],
    log: Sequence[str],
    *,
    now: int,
    fair: Mapping[str, str] | None = None,
) -> str:
    """The whole board, this seat at the bottom, the others clockwise from there."""
    shown = cast(ClimbingView, view)
    order = shown["order"]
    start = order.index(seat) if seat in order else 0
    around = [*order[start:], *order[:start]]
    return macro(FILE, "board")(
        screen, seat, layout(screen, view), around, regions, log, now, shown["can_name_jokers"] and seat is not None
    )


def _seat(screen: Screen, view: ClimbingView, chair: Chair) -> str:
    index = chair.index
    is_on = index in view["to_act"]
    is_out = index in view["out"]
    has_passed = index in view["passed"] and not is_out
    marks = "".join(f" {mark}" for mark, holds in (("on", is_on), ("out", is_out), ("passed", has_passed)) if holds)
    rank = view["ranks"][index] if view["ranks"] else None
    slug = view["rank_names"][rank - 1] if rank else None
    count = view["hand_sizes"][index]
    note = ""
    if is_out:
        note = name_rank(screen.game, view["rank_names"][view["out"].index(index)])
    elif has_passed:
        note = _("passed")
    tag = _("stand-in") if chair.stand_in else _("bot") if chair.bot else ""
    return macro(FILE, "seat")(
        index,
        chair,
        marks,
        screen.due if is_on else None,
        name_rank(screen.game, slug) if slug else "",
        chair_of(screen.game, slug) if slug else 0,
        count,
        ngettext("card", "cards", count),
        view["scores"][index] if view["scores"] else None,
        note,
        tag,
    )


def _middle(screen: Screen, view: ClimbingView) -> str:
    table, seat = view["table"], view["table_seat"]
    if table and seat is not None:
        words = _("%(name)s: %(cards)s") % {
            "name": screen.chairs[seat].name,
            "cards": name_play(table, view["table_number"]),
        }
    else:
        words = _("A new round. %(name)s leads.") % {"name": screen.chairs[view["leader"]].name}
    return macro(FILE, "middle")(table, None, view["table_number"], seat, words)


def _say_turn(screen: Screen, view: ClimbingView) -> str:
    if not view["to_act"]:
        return ""
    name = screen.chairs[view["to_act"][0]].name
    if not view["table"]:
        return _("%(name)s leads.") % {"name": name}
    return _("%(name)s to play.") % {"name": name}


def _say_my_turn(view: ClimbingView) -> str:
    if not view["table"]:
        return _("Your turn: lead with cards of one number.")
    return _("Your turn: beat %(cards)s, or pass.") % {"cards": name_play(view["table"], view["table_number"])}


def _hand(view: ClimbingView) -> str:
    return macro(FILE, "hand")(list(Counter(view["hand"] or ()).items()))


def _action(screen: Screen, view: ClimbingView, seat: int, legal: Sequence[Move] | None) -> str:
    mine = seat in view["to_act"]
    can_pass = mine and any("pass" in move for move in legal or ())
    if seat in view["out"]:
        label = _("You are out of cards")
    elif not mine:
        label = _("Not your turn yet")
    else:
        label = _("Pass") if can_pass else _("Choose cards")
    has_auto = screen.game == "karriere-poker" and seat not in view["out"] and bool(view["table"])
    auto = seat in screen.auto_pass if has_auto else None
    return macro(FILE, "action")(mine, can_pass, screen.due if mine else None, label, auto, screen.chairs[seat].stand_in)


def _bar(screen: Screen, view: ClimbingView) -> str:
    word = str(GAMES[screen.game].deal_word)
    if view["deals"]:
        deal = _("%(deal)s %(number)d of %(all)d") % {"deal": word, "number": view["deal"], "all": view["deals"]}
    else:
        deal = _("%(deal)s %(number)d") % {"deal": word, "number": view["deal"]}
    last = _("The last one") if view["last_deal"] else ""
    return macro(FILE, "bar")(deal, last, None if view["last_deal"] else screen.bell)


def _exchange(screen: Screen, view: ClimbingView, seat: int | None) -> str:
    gifts = [_gift(screen, gift, seat) for gift in view["exchanges"]] if view["exchanged_now"] else []
    return macro(FILE, "exchange")(gifts)


def _gift(screen: Screen, gift: Exchange, seat: int | None) -> dict[str, Any]:
    count = gift["count"]
    names = {"giver": screen.chairs[gift["giver"]].name, "taker": screen.chairs[gift["taker"]].name, "count": count}
    if seat is not None and seat == gift["giver"]:
        words = ngettext("You give %(taker)s %(count)d card", "You give %(taker)s %(count)d cards", count)
    elif seat is not None and seat == gift["taker"]:
        words = ngettext("%(giver)s gives you %(count)d card", "%(giver)s gives you %(count)d cards", count)
    else:
        words = ngettext("%(giver)s gives %(taker)s %(count)d card", "%(giver)s gives %(taker)s %(count)d cards", count)
    mine = seat is not None and seat in (gift["giver"], gift["taker"])
    return {
        "giver": gift["giver"],
        "taker": gift["taker"],
        "count": count,
        "cards": gift["cards"],
        "mine": mine,
        "words": words % names,
    }


def _history(screen: Screen, view: ClimbingView) -> str:
    rows = [
        {"name": chair.name, "cells": [_cell(screen, view, gone["ranks"][chair.index]) for gone in view["past"]]}
        for chair in screen.chairs
    ]
    return macro(FILE, "history")(rows, [gone["deal"] for gone in view["past"]], _("Chairs won, deal by deal"))


def _cell(screen: Screen, view: ClimbingView, rank: int) -> dict[str, Any]:
    slug = view["rank_names"][rank - 1]
    return {"rank": rank, "name": name_rank(screen.game, slug), "chair": chair_of(screen.game, slug)}
