"""The table of the two climbing games, region by region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.climbing.presenter import exchange, history
from games.catalogue.climbing.presenter.card_words import name_play, say_move
from games.catalogue.climbing.presenter.end import notes, story
from games.catalogue.climbing.presenter.log import log_lines
from games.catalogue.climbing.presenter.words import words
from games.catalogue.climbing.rules.rules import find_climbing
from games.catalogue.climbing.rules.view import ClimbingView
from games.presenters.board_layout import (
    BOARD,
    join_classes,
    order_around,
    render_interlude_action,
    render_paused_action,
    render_spectator_regions,
    render_turn,
    say_bot_tag,
)
from games.presenters.contract import BoardPage, Legal
from games.presenters.names import GAMES, chair_of, isolate, name_rank
from games.presenters.render import DUE_PLACEHOLDER, PART_PLACEHOLDER, cache_by_language, fill_due, fill_part, macro
from games.presenters.screen import Chair, Screen
from games.rules.base import Move, View

__all__ = [
    "SCRIPTS",
    "STYLES",
    "board",
    "find_private_basis",
    "layout",
    "log_lines",
    "notes",
    "private_regions",
    "reveal_regions",
    "say_move",
    "shared_regions",
    "story",
    "words",
]

FILE = "climbing.jinja"
KIND = "climbing"
SCRIPTS = ("js/table/moves.js", "js/climbing/hand.js", "js/climbing/interlude.js", "js/climbing/card-motion.js")
STYLES = ("css/climbing-cards.css", "css/climbing.css")


def layout(screen: Screen, view: View | None) -> str:
    """A new deal seats the players anew."""
    shown = cast(ClimbingView, view)
    return f"playing-{shown['deal']}-" + "".join(str(seat) for seat in shown["order"])


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Seats, middle, whose turn, exchange and history, as everybody may see them."""
    shown = cast(ClimbingView, view)
    regions = {f"seat-{chair.index}": _render_seat(screen, shown, chair) for chair in screen.chairs}
    return regions | {
        "middle": _render_middle(screen, shown),
        "turn": _render_turn(screen, shown),
        "bar": _render_bar(screen, shown),
        "exchange": exchange.render_exchange(screen, shown),
        "history": history.render_history(screen, shown),
        "ceremony": history.render_ceremony(screen, shown),
    }


def private_regions(screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
    """Hand, button and envelopes of this seat; for spectators the same regions with nothing in them."""
    shown = cast(ClimbingView, view)
    if seat is None:
        return render_spectator_regions() | {"gifts": exchange.render_gifts(()), "envelopes": exchange.NO_ENVELOPES}
    hand, gifts = tuple(shown["hand"] or ()), exchange.list_gifts(screen, shown, seat)
    if screen.interlude is not None:
        action = render_interlude_action(screen, seat)
        return {"hand": _render_hand(hand), "action": action} | exchange.render_open_envelopes(gifts)
    if screen.is_paused:
        still = render_paused_action(screen.chairs[seat])
        return {"hand": _render_hand(hand), "action": still} | exchange.render_closed_envelopes(gifts)
    now = _read_action(screen, shown, seat, legal)
    regions = _render_private(hand, gifts, now)
    return regions | {"action": fill_due(regions["action"], screen.due)} if now.has_due else regions


def find_private_basis(screen: Screen, view: View | None, seat: int) -> Hashable | None:
    """What decides the private regions of a seat that is not asked; None for the others, and in a pause.

    Within a deal a seat's hand changes only by its own plays, so the number of its cards stands for it.
    """
    shown = cast(ClimbingView, view)
    if seat in shown["to_act"] or screen.is_paused or screen.interlude is not None:
        return None
    return (
        shown["deal"],
        shown["hand_sizes"][seat],
        seat in shown["out"],
        bool(shown["table"]),
        shown["table_seat"] == seat,
        seat in screen.auto_pass,
        screen.chairs[seat],
    )


@cache_by_language
def _render_private(
    hand: tuple[str, ...], gifts: tuple[exchange.ShownGift, ...], action: ActionStatus
) -> dict[str, str]:
    shown = {"hand": _render_hand(hand), "action": _render_action(action)}
    return shown | exchange.render_closed_envelopes(gifts)


def open_hand(screen: Screen, view: View, seat: int) -> str:
    """What this seat holds, for a replay."""
    return macro(FILE, "open_hand")(tuple(cast(ClimbingView, view)["hand"] or ()))


def reveal_regions(screen: Screen, view: View, whole: Mapping[str, Any]) -> dict[str, str]:
    """What lies on the table lies open to everybody anyway."""
    return {}


def board(screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
    """The whole board, this seat at the bottom, the others clockwise from there."""
    shown = cast(ClimbingView, view)
    around = order_around(shown["order"], seat)
    names = shown["can_name_jokers"] and seat is not None
    return macro(FILE, "board")(
        kind=KIND, screen=screen, seat=seat, layout=layout(screen, view), order=around, page=page, names=names
    )


class SeatStatus(NamedTuple):
    """What changes at a seat in the course of a game. rank, won: slugs of the rank it holds and of the one it has just
    won, "" without.

    way: as `describe_rank_change` says it; cards: how many it holds; score: None in a game without scores.
    """

    rank: str
    way: str
    cards: int
    score: int | None
    won: str
    has_passed: bool
    tag: str


def _render_seat(screen: Screen, view: ClimbingView, chair: Chair) -> str:
    index = chair.index
    is_on, is_out = index in screen.asked(view["to_act"]), index in view["out"]
    has_passed = index in view["passed"] and not is_out
    status = SeatStatus(
        rank=view["rank_names"][view["ranks"][index] - 1] if view["ranks"] else "",
        way=history.describe_rank_change(view, index),
        cards=view["hand_sizes"][index],
        score=view["scores"][index] if view["scores"] else None,
        won=view["rank_names"][view["out"].index(index)] if is_out else "",
        has_passed=has_passed,
        tag=say_bot_tag(chair),
    )
    marks = join_classes(on=is_on, out=is_out, passed=has_passed, done=index in view["done"], bot=bool(chair.bot))
    due = f' data-due="{screen.due}"' if is_on and screen.due is not None else ""
    start, between, inside, end = _render_seat_frame(chair)
    return f"{start}{marks}{between}{due}{inside}{_render_status(screen.game, status)}{end}"


@cache_by_language
def _render_seat_frame(chair: Chair) -> tuple[str, str, str, str]:
    """What stays at a seat, in four parts: up to its marks, to its time, to its status, and the rest.

    With what changes in one piece, a hundred tables would need more of them than are kept.
    """
    start, between, rest = macro(FILE, "seat")(chair, PART_PLACEHOLDER).split(PART_PLACEHOLDER, 2)
    inside, _placeholder, end = rest.rpartition(
        PART_PLACEHOLDER
    )  # the name in it may be of an uploaded record, with any character
    return start, between, inside, end


@cache_by_language
def _render_status(game: str, status: SeatStatus) -> str:
    return macro(FILE, "seat_status")(
        job=name_rank(game, status.rank) if status.rank else "",
        job_marks=f"j{chair_of(game, status.rank)}{status.way}" if status.rank else "",
        count=status.cards,
        count_word=ngettext("card", "cards", status.cards),
        score=status.score,
        note=name_rank(game, status.won) if status.won else _("passed") if status.has_passed else "",
        tag=status.tag,
    )


def _render_middle(screen: Screen, view: ClimbingView) -> str:
    table, seat, number = view["table"], view["table_seat"], view["table_number"]
    who = seat if table and seat is not None else view["leader"]
    return _render_middle_cached(tuple(table), number, seat, screen.chairs[who].name)


@cache_by_language
def _render_middle_cached(table: tuple[str, ...], number: int | None, seat: int | None, who: str) -> str:
    if table and seat is not None:
        words = _("%(name)s: %(cards)s") % {"name": isolate(who), "cards": name_play(table, number)}
    else:
        words = _("A new round. %(name)s leads.") % {"name": who}
    return macro(FILE, "middle")(table=table, number=number, seat=seat, words=words)


def _render_turn(screen: Screen, view: ClimbingView) -> str:
    if not view["to_act"]:
        return macro(BOARD, "turn")("")
    words = _say_turn(screen.chairs[view["to_act"][0]].name, bool(view["table"]), screen.interlude is not None)
    return render_turn(screen, view["to_act"], words)


@cache_by_language
def _say_turn(name: str, has_table: bool, is_interlude: bool) -> str:
    if is_interlude:
        return _("%(name)s leads") % {"name": name}
    return (_("%(name)s to play") if has_table else _("%(name)s to lead")) % {"name": name}


class ActionStatus(NamedTuple):
    """What a seat may do now. to_beat and number: only if it is its turn; auto: its standing pass, None without one."""

    is_mine: bool
    to_beat: tuple[str, ...]
    number: int | None
    can_pass: bool
    is_out: bool
    has_due: bool
    auto: bool | None
    is_away: bool


def _read_action(screen: Screen, view: ClimbingView, seat: int, legal: Sequence[Move] | None) -> ActionStatus:
    mine = seat in view["to_act"]
    is_out = seat in view["out"]
    has_auto = not find_climbing(screen.game).is_one_turn_each and not is_out and seat != view["table_seat"]
    return ActionStatus(
        mine,
        tuple(view["table"]) if mine else (),
        view["table_number"] if mine else None,
        mine and bool(view["table"]) and bool(legal),
        is_out,
        mine and screen.due is not None,
        seat in screen.auto_pass if has_auto and view["table"] else None,
        screen.chairs[seat].stand_in,
    )


@cache_by_language
def _render_action(action: ActionStatus) -> str:
    if action.is_out:
        label = _("You are out of cards")
    elif not action.is_mine:
        label = _("Not your turn yet")
    else:
        label = _("Pass") if action.can_pass else _("Choose cards")
    due = DUE_PLACEHOLDER if action.has_due else None
    return macro(FILE, "action")(
        ask=_say_prompt(action),
        can_pass=action.can_pass,
        due=due,
        label=label,
        auto=action.auto,
        is_away=action.is_away,
    )


def _say_prompt(action: ActionStatus) -> str:
    if not action.is_mine:
        return ""
    if not action.to_beat:
        return _("Your turn: lead one or more cards of the same number.")
    return _("Your turn: beat %(cards)s, or pass.") % {"cards": name_play(action.to_beat, action.number)}


@cache_by_language
def _render_hand(hand: tuple[str, ...]) -> str:
    stacks = "".join([macro(FILE, "stack")(card, count) for card, count in Counter(hand).items()])
    return fill_part(macro(FILE, "hand")(PART_PLACEHOLDER), stacks) if stacks else macro(FILE, "hand")("")


def _render_bar(screen: Screen, view: ClimbingView) -> str:
    bell = None if view["last_deal"] else screen.bell
    return _render_bar_cached(screen.game, view["deal"], view["deals"], view["last_deal"], bell)


@cache_by_language
def _render_bar_cached(game: str, number: int, deals: int | None, is_last: bool, bell: int | None) -> str:
    words = {"deal": GAMES[game].deal_word, "number": number, "all": deals}
    deal = (_("%(deal)s %(number)s of %(all)s") if deals else _("%(deal)s %(number)s")) % words
    return macro(FILE, "bar")(deal, _("The last one") if is_last else "", bell)
