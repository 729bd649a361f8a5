"""The board of Fancy Animals, region by region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.fancy_animals.presenter import end
from games.catalogue.fancy_animals.presenter.faces import (
    describe_animal,
    describe_card,
    describe_clothing,
    describe_piece,
    say_meld,
)
from games.catalogue.fancy_animals.presenter.log import log_lines
from games.catalogue.fancy_animals.presenter.names import RULE_HELP, RULE_NAMES
from games.catalogue.fancy_animals.presenter.words import say_move, words
from games.catalogue.fancy_animals.rules.view import FancyAnimalsView
from games.presenters.board_layout import (
    BOARD,
    join_classes,
    list_seats,
    order_around,
    render_spectator_regions,
    render_turn,
    say_bot_tag,
)
from games.presenters.contract import BoardPage, EndNote, Legal
from games.presenters.names import name_animal
from games.presenters.render import DUE_PLACEHOLDER, cache_by_language, fill_due, macro
from games.presenters.screen import Chair, Screen
from games.records import strict_json
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

FILE = "fancy_animals.jinja"
KIND = "fancy-animals"
SHOWS_HINTS = True
"""True, because its tools have a button for hints, which puts a hint on the table as a draft."""
_MODULES = (
    "melds",
    "draft",
    "draft-move",
    "desk-state",
    "tiles",
    "keyboard-focus",
    "hand-order",
    "reveal",
    "render",
    "zoom",
    "folding",
    "tile-dragging",
    "desk",
    "motion",
)
SCRIPTS = (
    "js/table/moves.js",
    "js/table/dragging.js",
    *(f"js/fancy-animals/{module}.js" for module in _MODULES),
)
STYLES = ("css/fancy-animals.css",)


def layout(screen: Screen, view: View | None) -> str:
    """One layout for the whole game: seats do not change places."""
    return "playing"


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Animals, offer, melds, whose turn and what is left, as everybody may see them."""
    shown = cast(FancyAnimalsView, view)
    regions = {f"seat-{chair.index}": _render_seat(screen, shown, chair) for chair in screen.chairs}
    return regions | {
        "offer": _render_offer(tuple(tuple(words) for words in shown["offer"]), tuple(shown["clothing_sizes"])),
        "melds": _render_melds(tuple(tuple(words) for words in shown["table"])),
        "turn": _render_turn(screen, shown),
        "bar": _render_bar(screen, shown),
    }


def private_regions(screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
    """Hand and what is asked of this seat; for spectators the same regions with nothing in them."""
    shown = cast(FancyAnimalsView, view)
    if seat is None:
        return render_spectator_regions()
    return {"hand": _render_hand(tuple(shown["hand"] or ())), "action": _render_action(screen, shown, seat)}


def open_hand(screen: Screen, view: View, seat: int) -> str:
    """What this seat holds, with nothing to press."""
    return macro(FILE, "open_hand")(tuple(describe_card(word) for word in view["hand"] or ()))


def reveal_regions(screen: Screen, view: View, whole: Mapping[str, Any]) -> dict[str, str]:
    """What lies on the table lies open to everybody anyway."""
    return {}


def board(screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
    """The whole board, the others in playing order, this seat last: at the bottom, where there is room."""
    first, *others = order_around(list_seats(screen), seat)
    around = [first, *others] if seat is None else [*others, first]
    return macro(FILE, "board")(
        kind=KIND, screen=screen, seat=seat, layout=layout(screen, view), order=around, page=page
    )


def notes(screen: Screen, view: View) -> list[EndNote]:
    """What each animal wears."""
    return end.notes(cast(FancyAnimalsView, view))


def story(screen: Screen, view: View) -> str:
    """The animals in their clothes, and what they count."""
    return end.story(screen, cast(FancyAnimalsView, view))


def _render_seat(screen: Screen, view: FancyAnimalsView, chair: Chair) -> str:
    index = chair.index
    is_on = index in screen.asked(view["to_act"])
    last = view["last_turns"]
    is_done = last is not None and index not in last
    html = _render_seat_cached(
        chair,
        join_classes(on=is_on, done=is_done, bot=bool(chair.bot)),
        is_on and screen.due is not None,
        view["animals"][index],
        tuple((spot, tuple(pile)) for spot, pile in view["worn"][index].items()),
        view["scores"][index],
        view["hand_sizes"][index],
        is_done,
    )
    return fill_due(html, screen.due)


@cache_by_language
def _render_seat_cached(
    chair: Chair,
    marks: str,
    has_due: bool,
    animal: str,
    worn: tuple[tuple[str, tuple[str, ...]], ...],
    score: int,
    count: int,
    is_done: bool,
) -> str:
    return macro(FILE, "seat")(
        index=chair.index,
        chair=chair,
        marks=marks,
        due=DUE_PLACEHOLDER if has_due else None,
        dressed=describe_animal(animal, dict(worn)),
        animal=name_animal(animal),
        score=score,
        score_word=ngettext("point", "points", score),
        count=count,
        count_word=ngettext("card", "cards", count),
        tag=say_bot_tag(chair),
        note=_("last turn played") if is_done else "",
    )


@cache_by_language
def _render_offer(offer: tuple[tuple[str, ...], ...], sizes: tuple[int, ...]) -> str:
    left = _("Left in the clothing decks: %(sizes)s") % {"sizes": " · ".join(str(size) for size in sizes)}
    return macro(FILE, "offer")(tuple(describe_clothing(word) for words in offer for word in words), left)


@cache_by_language
def _render_melds(table: tuple[tuple[str, ...], ...]) -> str:
    melds = tuple((say_meld(words), tuple(describe_piece(word) for word in words)) for words in table)
    return macro(FILE, "melds")(melds)


def _render_turn(screen: Screen, view: FancyAnimalsView) -> str:
    if not view["to_act"]:
        return macro(BOARD, "turn")("")
    return render_turn(screen, view["to_act"], _("%(name)s to play") % {"name": screen.chairs[view["to_act"][0]].name})


@cache_by_language
def _render_hand(hand: tuple[str, ...]) -> str:
    return macro(FILE, "hand")(tuple(describe_card(word) for word in hand))


def _render_bar(screen: Screen, view: FancyAnimalsView) -> str:
    last = view["last_turns"]
    return _render_bar_cached(
        view["deck_size"], tuple(view["active"]), last is not None, screen.bell if last is None else None
    )


@cache_by_language
def _render_bar_cached(deck: int, active: tuple[str, ...], is_last: bool, bell: int | None) -> str:
    left = ngettext("%(count)d card in the deck", "%(count)d cards in the deck", deck) % {"count": deck}
    rules = tuple((RULE_NAMES[rule], RULE_HELP[rule]) for rule in active)
    return macro(FILE, "bar")(left=left, rules=rules, last=_("Last turns") if is_last else "", bell=bell)


def _render_action(screen: Screen, view: FancyAnimalsView, seat: int) -> str:
    chair = screen.chairs[seat]
    if chair.stand_in:
        return macro(BOARD, "away")()
    data: dict[str, Any] = {
        "top": view["top"],
        "active": view["active"],
        "draw": view["can_draw"],
        "worn": view["worn"][seat],
        "hints": screen.has_hints,
    }
    may_draft, is_mine = seat in view["to_act"], seat in screen.asked(view["to_act"])
    label = _("Paused") if screen.is_paused else _("Not your turn yet")
    ask = _say_prompt(view) if is_mine else ""
    give_up = _("Pass") if may_draft and not view["can_draw"] else _("Draw a card")
    return macro(FILE, "action")(
        ask=ask,
        data=strict_json.write(data),
        due=screen.due if is_mine else None,
        label=label,
        may_draft=may_draft,
        give_up=give_up,
    )


def _say_prompt(view: FancyAnimalsView) -> str:
    if view["last_turns"] is not None:
        if view["can_draw"]:
            return _("Your last turn: play cards and take clothing, or draw.")
        return _("Your last turn: play cards and take clothing, or pass.")
    if view["can_draw"]:
        return _("Your turn: play cards and rebuild the table, or draw.")
    return _("Your turn: play cards and rebuild the table, or pass.")
