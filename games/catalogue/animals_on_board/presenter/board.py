"""The board of Animals on Board, region by region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.animals_on_board.presenter.ark import open_hand, render_ark
from games.catalogue.animals_on_board.presenter.end import notes, story
from games.catalogue.animals_on_board.presenter.log import log_lines
from games.catalogue.animals_on_board.presenter.words import (
    count_crates,
    count_tiles,
    describe_tile,
    name_tiles,
    say_move,
    words,
)
from games.catalogue.animals_on_board.rules.state import MAX_CRATES
from games.catalogue.animals_on_board.rules.view import AnimalsOnBoardView
from games.presenters.board_layout import (
    BOARD,
    join_classes,
    list_seats,
    order_around,
    render_paused_action,
    render_turn,
    say_bot_tag,
)
from games.presenters.contract import BoardPage, Legal
from games.presenters.render import DUE_PLACEHOLDER, cache_by_language, fill_due, macro
from games.presenters.screen import Chair, Screen
from games.rules.base import View

__all__ = [
    "SCRIPTS",
    "STYLES",
    "board",
    "layout",
    "log_lines",
    "notes",
    "open_hand",
    "private_regions",
    "reveal_regions",
    "say_move",
    "shared_regions",
    "story",
    "words",
]

FILE = "animals_on_board.jinja"
KIND = "animals-on-board"
SCRIPTS = (
    "js/table/moves.js",
    "js/table/dragging.js",
    "js/animals-on-board/raft.js",
    "js/animals-on-board/islands.js",
    "js/animals-on-board/motion.js",
)
STYLES = ("css/animals-on-board-tiles.css", "css/animals-on-board.css")


def layout(screen: Screen, view: View | None) -> str:
    """One layout for the whole game."""
    return "playing"


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Seats, islands and whose turn it is, as everybody may see them."""
    shown = cast(AnimalsOnBoardView, view)
    regions = {f"seat-{chair.index}": _render_seat(screen, shown, chair) for chair in screen.chairs}
    return regions | {
        "bar": _render_bar(shown["round"], shown["stack_size"], shown["last_round"]),
        "turn": render_turn(screen, shown["to_act"], _say_turn(screen, shown)),
        "islands": _render_islands(screen, shown),
    }


def private_regions(screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
    """First choice, ark and button of this seat; for spectators the same regions with nothing in them."""
    shown = cast(AnimalsOnBoardView, view)
    if seat is None:
        action = macro(BOARD, "watching")()
        return {"choice": macro(FILE, "choice")(()), "ark": '<section id="ark" hidden></section>', "action": action}
    return {
        "choice": macro(FILE, "choice")(tuple(shown["drawn"] or ())),
        "ark": render_ark(shown),
        "action": render_paused_action(screen.chairs[seat])
        if screen.is_paused
        else _render_action(screen, shown, seat),
    }


def reveal_regions(screen: Screen, view: View, whole: Mapping[str, Any]) -> dict[str, str]:
    """The islands with the face of the tile that lies face down."""
    return {"islands": _render_islands(screen, cast(AnimalsOnBoardView, view), whole["face_down"])}


def board(screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
    """The whole board, this seat at the bottom, the others clockwise from there."""
    around = order_around(list_seats(screen), seat)
    return macro(FILE, "board")(
        kind=KIND, screen=screen, seat=seat, layout=layout(screen, view), order=around, page=page
    )


def _render_seat(screen: Screen, view: AnimalsOnBoardView, chair: Chair) -> str:
    index = chair.index
    is_on = index in screen.asked(view["to_act"])
    is_out = index not in view["in_round"]
    has_chosen = view["round"] == 0 and index not in view["to_act"] and not view["over"]
    html = _render_seat_cached(
        chair,
        join_classes(on=is_on, passed=is_out, bot=bool(chair.bot)),
        is_on and screen.due is not None,
        view["crates"][index],
        view["tile_counts"][index],
        view["flag"] == index,
        is_out,
        has_chosen,
    )
    return fill_due(html, screen.due)


@cache_by_language
def _render_seat_cached(
    chair: Chair,
    marks: str,
    has_due: bool,
    crates: int,
    tiles: int,
    has_flag: bool,
    is_out: bool,
    has_chosen: bool,
) -> str:
    return macro(FILE, "seat")(
        index=chair.index,
        chair=chair,
        marks=marks,
        due=DUE_PLACEHOLDER if has_due else None,
        crates=crates,
        missing=MAX_CRATES - crates,
        crate_words=count_crates(crates),
        tiles=tiles,
        tile_words=_("%(tiles)s on the ark") % {"tiles": count_tiles(tiles)},
        flag=_("has the flag") if has_flag else "",
        note=_("out of the round") if is_out else _("has chosen") if has_chosen else "",
        tag=say_bot_tag(chair),
    )


def _render_islands(screen: Screen, view: AnimalsOnBoardView, face_down: str | None = None) -> str:
    """face_down: the tile that lies face down, where everybody may know it."""
    groups = tuple((heap["number"], tuple(heap["tiles"])) for heap in view["groups"])
    took = [line for line in screen.log if line.ply == screen.ply and line.kind == "took"]
    return _render_islands_cached(groups, took[-1].seat if took else None, view["round"], face_down)


@cache_by_language
def _render_islands_cached(
    groups: tuple[tuple[int, tuple[str, ...]], ...], taker: int | None, number: int, face_down: str | None
) -> str:
    rows = [
        {
            "number": group,
            "tiles": [describe_tile(tile, face_down) for tile in tiles],
            "words": _("Group %(group)s, %(crates)s: %(tiles)s")
            % {"group": group, "crates": count_crates(len(tiles)), "tiles": _name_tiles(tiles, face_down)},
        }
        for group, tiles in groups
    ]
    empty = _("The quay is empty until everybody has chosen.") if number == 0 else _("The quay is empty.")
    return macro(FILE, "islands")(rows, taker, empty)


def _name_tiles(tiles: tuple[str, ...], face_down: str | None) -> str:
    """The names of tiles as they lie."""
    if face_down is None or "?" not in tiles:
        return name_tiles(tiles)
    turned = _("%(tile)s, face down") % {"tile": name_tiles([face_down])}
    return _(", ").join([name_tiles([tile]) if tile != "?" else turned for tile in tiles])


def _say_turn(screen: Screen, view: AnimalsOnBoardView) -> str:
    if view["over"]:
        return ""
    names = [screen.chairs[seat].name for seat in view["to_act"]]
    if view["round"] == 0:
        return _("Still choosing their first tile: %(names)s") % {"names": _(", ").join(names)}
    if len(view["in_round"]) == 1:
        return _("%(name)s has one last turn in this round") % {"name": names[0]}
    return _("%(name)s to split or take") % {"name": names[0]}


def _render_action(screen: Screen, view: AnimalsOnBoardView, seat: int) -> str:
    is_mine, is_out = seat in view["to_act"], seat not in view["in_round"]
    return _render_action_cached(
        _say_prompt(view, seat) if is_mine else ("", ""),
        _find_phase(view, seat) if is_mine else "",
        screen.due if is_mine else None,
        view["crates"][seat],
        _("You are out of this round") if is_out else _("Not your turn yet"),
        screen.chairs[seat].stand_in,
        is_out,
    )


def _find_phase(view: AnimalsOnBoardView, seat: int) -> str:
    """The possible kind of move: "keep", "both", "split", "take" or "forfeit"."""
    if view["round"] == 0:
        return "keep"
    sizes = [len(heap["tiles"]) for heap in view["groups"]]
    can_split = any(size > 1 for size in sizes)
    can_take = any(size <= view["crates"][seat] for size in sizes)
    return "both" if can_split and can_take else "split" if can_split else "take" if can_take else "forfeit"


def _say_prompt(view: AnimalsOnBoardView, seat: int) -> tuple[str, str]:
    """The prompt: what the seat can do, and why the other moves are not possible."""
    return {
        "keep": (_("Keep one of your three tiles."), _("The other two go to the quay.")),
        "both": (_("Your turn: split a group or take one."), ""),
        "split": (_("Your turn: split a group."), _("You cannot afford a group yet.")),
        "take": (_("Your turn: take a group."), _("There is nothing left to split.")),
        "forfeit": (_("Your turn, but you can neither split nor take."), ""),
    }[_find_phase(view, seat)]


@cache_by_language
def _render_action_cached(
    ask: tuple[str, str], phase: str, due: int | None, crates: int, label: str, is_away: bool, is_out: bool
) -> str:
    labels: dict[str, Any] = {
        "keep": _("Choose a tile to keep"),
        "forfeit": _("Skip this turn: no move possible"),
        "split": _("Choose tiles to split off"),
        "take": _("Choose a group to take"),
        "both": _("Choose tiles to split off, or a whole group"),
    }
    return macro(FILE, "action")(
        *ask, phase=phase, due=due, crates=crates, label=labels.get(phase, label), is_away=is_away, is_out=is_out
    )


@cache_by_language
def _render_bar(number: int, stack: int, is_last: bool) -> str:
    title = _("Round %(round)s") % {"round": number} if number else _("First tile")
    left = ngettext("%(count)d tile in the stack", "%(count)d tiles in the stack", stack) % {"count": stack}
    return macro(FILE, "bar")(title, left, _("Last round") if is_last else "")
