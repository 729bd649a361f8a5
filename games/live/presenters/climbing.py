"""The table of the two climbing games, region by region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.live.presenters import climbing_exchange, climbing_history
from games.live.presenters.card_words import name_play
from games.live.presenters.climbing_log import log_lines
from games.live.presenters.climbing_words import words
from games.live.render import macro
from games.live.screen import Chair, Screen
from games.names import GAMES, chair_of, name_rank
from games.rules.base import Move, View
from games.rules.climbing.view import ClimbingView

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
        "turn": macro(FILE, "turn")(_say_turn(screen, shown)),
        "bar": _bar(screen, shown),
        "exchange": climbing_exchange.draw_for_all(screen, shown),
        "history": climbing_history.draw(screen, shown),
    }


def private_regions(
    screen: Screen, view: View | None, seat: int | None, legal: Sequence[Move] | None
) -> dict[str, str]:
    """Hand, button and envelopes of this seat; for spectators the same regions with nothing in them."""
    shown = cast(ClimbingView, view)
    if seat is None:
        action = macro(FILE, "watching")(_("You are watching."))
        return {"hand": '<div id="hand" hidden></div>', "gifts": macro(FILE, "gifts")(()), "action": action}
    return {
        "hand": macro(FILE, "hand")(list(Counter(shown["hand"] or ()).items())),
        "gifts": climbing_exchange.draw_for_one(screen, shown, seat),
        "action": _action(screen, shown, seat, legal),
    }


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
    marks = {"on": is_on, "out": is_out, "passed": has_passed, "done": index in view["done"], "bot": bool(chair.bot)}
    rank = view["ranks"][index] if view["ranks"] else None
    slug = view["rank_names"][rank - 1] if rank else None
    count = view["hand_sizes"][index]
    note = ""
    if is_out:
        note = name_rank(screen.game, view["rank_names"][view["out"].index(index)])
    elif has_passed:
        note = _("passed")
    return macro(FILE, "seat")(
        index,
        chair,
        "".join(f" {mark}" for mark, holds in marks.items() if holds),
        screen.due if is_on else None,
        name_rank(screen.game, slug) if slug else "",
        f"j{chair_of(screen.game, slug)}{climbing_history.way_of(view, index)}" if slug else "",
        count,
        ngettext("card", "cards", count),
        view["scores"][index] if view["scores"] else None,
        note,
        _("stand-in") if chair.stand_in else _("bot") if chair.bot else "",
    )


def _middle(screen: Screen, view: ClimbingView) -> str:
    table, seat, number = view["table"], view["table_seat"], view["table_number"]
    if table and seat is not None:
        words = _("%(name)s: %(cards)s") % {"name": screen.chairs[seat].name, "cards": name_play(table, number)}
    else:
        words = _("A new round. %(name)s leads.") % {"name": screen.chairs[view["leader"]].name}
    return macro(FILE, "middle")(table, number, seat, words)


def _say_turn(screen: Screen, view: ClimbingView) -> str:
    if not view["to_act"]:
        return ""
    name = screen.chairs[view["to_act"][0]].name
    return _("%(name)s to play") % {"name": name} if view["table"] else _("%(name)s to lead") % {"name": name}


def _ask(view: ClimbingView) -> str:
    if not view["table"]:
        return _("Your turn: lead with cards of one number.")
    return _("Your turn: beat %(cards)s, or pass.") % {"cards": name_play(view["table"], view["table_number"])}


def _action(screen: Screen, view: ClimbingView, seat: int, legal: Sequence[Move] | None) -> str:
    mine = seat in view["to_act"]
    can_pass = mine and any("pass" in move for move in legal or ())
    if seat in view["out"]:
        label = _("You are out of cards")
    elif not mine:
        label = _("Not your turn yet")
    else:
        label = _("Pass") if can_pass else _("Choose cards")
    has_auto = screen.game == "karriere-poker" and seat not in view["out"] and seat != view["table_seat"]
    auto = seat in screen.auto_pass if has_auto and view["table"] else None
    due = screen.due if mine else None
    return macro(FILE, "action")(_ask(view) if mine else "", can_pass, due, label, auto, screen.chairs[seat].stand_in)


def _bar(screen: Screen, view: ClimbingView) -> str:
    words = {"deal": GAMES[screen.game].deal_word, "number": view["deal"], "all": view["deals"]}
    deal = (_("%(deal)s %(number)s of %(all)s") if view["deals"] else _("%(deal)s %(number)s")) % words
    last = _("The last one") if view["last_deal"] else ""
    return macro(FILE, "bar")(deal, last, None if view["last_deal"] else screen.bell)
