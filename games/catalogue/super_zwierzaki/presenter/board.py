"""The table of Super Zwierzaki, region by region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.super_zwierzaki.presenter import action, end
from games.catalogue.super_zwierzaki.presenter.faces import CLASS_PICTURES, CardFace, describe_kind
from games.catalogue.super_zwierzaki.presenter.log import log_lines
from games.catalogue.super_zwierzaki.presenter.move_words import say_move
from games.catalogue.super_zwierzaki.presenter.names import CLASS_NAMES, COLOUR_NAMES, name_copies, name_kind
from games.catalogue.super_zwierzaki.presenter.words import words
from games.catalogue.super_zwierzaki.rules.view import SuperZwierzakiView
from games.presenters.board_layout import (
    BOARD,
    join_classes,
    order_around,
    render_paused_action,
    render_spectator_regions,
    render_turn,
    say_bot_tag,
)
from games.presenters.contract import BoardPage, EndNote, Legal
from games.presenters.render import DUE_PLACEHOLDER, cache_by_language, fill_due, macro
from games.presenters.screen import Chair, Screen
from games.rules.base import View

__all__ = [
    "SCRIPTS",
    "STYLES",
    "board",
    "layout",
    "log_lines",
    "private_regions",
    "say_move",
    "shared_regions",
    "words",
]

FILE = "super_zwierzaki.jinja"
KIND = "super-zwierzaki"
SCRIPTS = ("js/table/moves.js", "js/super-zwierzaki/choice.js", "js/super-zwierzaki/hand.js")
STYLES = ("css/super-zwierzaki.css",)


def layout(screen: Screen, view: View | None) -> str:
    """Who turns the playing order round seats the players anew."""
    return "playing-" + "".join(str(seat) for seat in _order_seats(view))


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Seats, heap, window, duel, whose turn and what is left, as everybody may see them."""
    shown = cast(SuperZwierzakiView, view)
    regions = {f"seat-{chair.index}": _render_seat(screen, shown, chair) for chair in screen.chairs}
    return regions | {
        "heap": _render_heap(shown),
        "window": _render_window(screen, shown),
        "duel": _render_duel(screen, shown),
        "turn": _render_turn(screen, shown),
        "bar": _render_bar(screen, shown),
    }


def private_regions(screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
    """Hand and what is asked of this seat; for spectators the same regions with nothing in them."""
    shown = cast(SuperZwierzakiView, view)
    if seat is None or shown["mine"] is None:
        return render_spectator_regions()
    return {
        "hand": _render_hand(tuple(shown["mine"]["hand"])),
        "action": render_paused_action(screen.chairs[seat])
        if screen.is_paused
        else action.render_action(screen, shown, seat),
    }


def open_hand(screen: Screen, view: View, seat: int) -> str:
    """What this seat holds, for a replay."""
    mine = cast(SuperZwierzakiView, view)["mine"]
    return macro(FILE, "open_hand")(_list_piles(tuple(mine["hand"] if mine else ())))


def reveal_regions(screen: Screen, view: View, whole: Mapping[str, Any]) -> dict[str, str]:
    """What lies on the table lies open to everybody anyway."""
    return {}


def board(screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
    """The whole board, this seat at the bottom, the others in playing order from there."""
    around = order_around(_order_seats(view), seat)
    return macro(FILE, "board")(
        kind=KIND, screen=screen, seat=seat, layout=layout(screen, view), order=around, page=page
    )


def notes(screen: Screen, view: View) -> list[EndNote]:
    """How many cards each had left."""
    return end.notes(cast(SuperZwierzakiView, view))


def story(screen: Screen, view: View) -> str:
    """The last card."""
    return end.story(cast(SuperZwierzakiView, view))


def _order_seats(view: View | None) -> list[int]:
    """The playing order, from the first chair on: it turns with no turn."""
    order = cast(SuperZwierzakiView, view)["order"]
    start = order.index(min(order))
    return [*order[start:], *order[:start]]


def _render_seat(screen: Screen, view: SuperZwierzakiView, chair: Chair) -> str:
    index = chair.index
    is_asked = index in screen.asked(view["to_act"])
    is_window = view["phase"] in ("reaction", "win")
    marks = join_classes(
        on=is_asked and not is_window,
        asked=is_asked and is_window,
        owes=index in view["must_call"],
        away=view["lost_turns"][index] > 0,
        bot=bool(chair.bot),
    )
    html = _render_seat_cached(
        chair,
        marks,
        is_asked and not is_window and screen.due is not None,
        view["hand_sizes"][index],
        index in view["must_call"],
        view["lost_turns"][index],
    )
    return fill_due(html, screen.due)


@cache_by_language
def _render_seat_cached(chair: Chair, marks: str, has_due: bool, count: int, owes: bool, lost: int) -> str:
    if owes:
        note = _("must say it!")
    elif lost:
        note = ngettext("loses %(count)d turn", "loses %(count)d turns", lost) % {"count": lost}
    else:
        note = ""
    word = ngettext("card", "cards", count)
    return macro(FILE, "seat")(
        index=chair.index,
        chair=chair,
        marks=marks,
        due=DUE_PLACEHOLDER if has_due else None,
        count=count,
        count_word=word,
        note=note,
        tag=say_bot_tag(chair),
    )


def _render_heap(view: SuperZwierzakiView) -> str:
    play = view["play"]
    given = view["given"]
    return _render_heap_cached(
        play["seat"] if play and play["card"] == view["top"] else None,
        view["top"],
        tuple(given["colours"]),
        tuple(given["classes"]),
        tuple(view["counters"].items()),
        view["named"],
    )


@cache_by_language
def _render_heap_cached(
    seat: int | None,
    top: str,
    colours: tuple[str, ...],
    classes: tuple[str, ...],
    counters: tuple[tuple[str, int], ...],
    named: str | None,
) -> str:
    every = ""
    if len(colours) > 1 and len(classes) > 1:
        every = _("Anything fits: every colour, every class")
    label = _("On top of the heap: %(card)s") % {"card": name_kind(top)}
    hues = (
        tuple((colour, COLOUR_NAMES[colour]) for colour in colours)
        if len(colours) == 1
        else (("ALL", COLOUR_NAMES["ALL"]),)
    )
    groups = (
        tuple((CLASS_PICTURES[group], CLASS_NAMES[group]) for group in classes)
        if len(classes) == 1
        else (("paw", CLASS_NAMES["all"]),)
    )
    return macro(FILE, "heap")(
        seat=seat,
        card=describe_kind(top),
        label=label,
        colours=hues,
        classes=groups,
        every=every,
        counters=say_counters(dict(counters), named),
    )


def say_counters(counters: Mapping[str, int], named: str | None) -> str:
    """The counter that stands, and what it means for who is next; at most one does."""
    if points := counters["red"]:
        return _("Red points: %(points)s. Play a Red +2, a Big Five or a Veto, or take that many cards.") % {
            "points": points
        }
    if points := counters["orc"]:
        return _("Orca points: %(points)s. Play an orca or a Veto. If you cannot, draw that many cards.") % {
            "points": points
        }
    if points := counters["stop"]:
        return _("Stop points: %(points)s. Play a Stop or a Veto. If you cannot, you lose that many turns.") % {
            "points": points
        }
    if counters["demand"] and named:
        return _("Demanded: %(card)s. Play it, a Demand or a Veto, or draw a card.") % {"card": name_kind(named)}
    return ""


def _render_window(screen: Screen, view: SuperZwierzakiView) -> str:
    if view["phase"] == "win" and view["winner"] is not None:
        sentence = _("%(name)s has no cards left! Does anyone stop them?") % {
            "name": screen.chairs[view["winner"]].name
        }
        return macro(FILE, "window")(sentence, screen.dues.get("win"), _find_span(screen, view, "win"))
    if view["phase"] == "reaction":
        return macro(FILE, "window")(
            _say_reaction(screen, view), screen.dues.get("reaction"), _find_span(screen, view, "reaction")
        )
    return macro(FILE, "window")("", None, 0)


def _find_span(screen: Screen, view: SuperZwierzakiView, window: str) -> int:
    """How many seconds this window lasts."""
    return screen.turn_seconds if screen.is_over_days else view["seconds"][window]


def _say_reaction(screen: Screen, view: SuperZwierzakiView) -> str:
    if view["chain"]:
        last = view["chain"][-1]
        words = {"name": screen.chairs[last["seat"]].name, "card": name_kind(last["card"])}
        return _("%(name)s reacts with %(card)s. Does anyone reject that?") % words
    play = view["play"]
    if play is None:
        return _("Does anyone reject it?")
    words = {"name": screen.chairs[play["seat"]].name, "cards": name_copies(play["card"], play["count"])}
    if play["nine"]:
        return _("%(name)s plays the nine colours. Does anyone reject it?") % words
    return _("%(name)s plays %(cards)s. Does anyone reject it?") % words


def _render_duel(screen: Screen, view: SuperZwierzakiView) -> str:
    duel = view["duel"]
    if duel is None:
        return macro(FILE, "duel")("", 0, ())
    title = _("Duel: all but the winner draw") if duel["kind"] == "Oth" else _("Duel: the winner may give cards away")
    people = tuple(
        {
            "name": screen.chairs[seat].name,
            "avatar": screen.chairs[seat].avatar,
            "mark": "on" if seat in screen.asked(view["to_act"]) else "" if seat in duel["inside"] else "folded",
            "said": "" if seat in duel["inside"] else _("has folded"),
        }
        for seat in view["order"]
    )
    points = ngettext("%(count)d duel point", "%(count)d duel points", duel["points"]) % {"count": duel["points"]}
    return macro(FILE, "duel")(title, points, people)


def _render_turn(screen: Screen, view: SuperZwierzakiView) -> str:
    if view["phase"] in ("reaction", "win", "over") or not view["to_act"]:
        return macro(BOARD, "turn")("")
    if view["phase"] == "turn":
        words = _("%(name)s to play")
    elif view["phase"] == "duel":
        words = _("%(name)s to answer or fold")
    else:
        words = _("%(name)s is choosing")
    return render_turn(screen, view["to_act"], words % {"name": screen.chairs[view["to_act"][0]].name})


@cache_by_language
def _render_hand(hand: tuple[str, ...]) -> str:
    return macro(FILE, "hand")(_list_piles(hand))


def _list_piles(hand: tuple[str, ...]) -> tuple[tuple[CardFace, int], ...]:
    """Each kind and how many there are of it, by colour."""
    piles = sorted(dict.fromkeys(hand), key=lambda kind: describe_kind(kind).order)
    return tuple((describe_kind(kind), hand.count(kind)) for kind in piles)


def _render_bar(screen: Screen, view: SuperZwierzakiView) -> str:
    return _render_bar_cached(view["draw_size"], screen.bell, view["bell"])


@cache_by_language
def _render_bar_cached(left: int, bell: int | None, is_last: bool) -> str:
    words = ngettext("%(count)d card in the draw pile", "%(count)d cards in the draw pile", left) % {"count": left}
    return macro(FILE, "bar")(words, None if is_last else bell, _("This is the last turn") if is_last else "")
