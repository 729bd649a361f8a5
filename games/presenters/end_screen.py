"""The screen of a finished game: places, how it ended, and what can be done next."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models.texts import join_with_and
from games.presenters.contract import BoardPage, Legal
from games.presenters.registry import find_presenter
from games.presenters.render import macro
from games.presenters.screen import Screen
from games.presenters.stand_in_texts import say_stand_in
from games.rules.base import View

FILE = "over.jinja"


def layout(screen: Screen, view: View | None) -> str:
    """One layout from the end on, and another one as long as the deal is kept back."""
    return "over-sealed" if screen.is_sealed else "over"


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Places, the game's own story, what can be done now; why it counts for nobody, perhaps long after its end."""
    shown = view or {}
    is_whole = shown.get("places") is not None
    return {
        "void": macro(FILE, "void")(screen.void_reason),
        "story": find_presenter(screen.game).story(screen, shown) if is_whole else "",
        "again": macro(FILE, "again")(screen.table_id, screen.rematch_id, is_whole),
    }


def private_regions(screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
    """Nothing is hidden any more. Each reader is told as “you” whether they have won, and their own place is marked."""
    shown = view or {}
    return {
        "outcome": macro(FILE, "outcome")(say_winner(screen, shown, seat)),
        "places": macro(FILE, "places")(_list_rows(screen, shown), seat),
    }


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """As at the table."""
    return find_presenter(screen.game).log_lines(screen, view, seat, since_ply)


def board(screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
    """The whole page of the end."""
    return macro(FILE, "board")(screen=screen, seat=seat, layout=layout(screen, view), page=page)


def words(screen: Screen) -> dict[str, Any]:
    """As at the table."""
    return find_presenter(screen.game).words(screen)


def say_winner(screen: Screen, view: View, seat: int | None) -> str:
    """Who has won, said to this seat; or that the game is void."""
    if screen.void_reason:
        return _("This game is void")
    winners = [index for index, place in enumerate(view["places"] or ()) if place == 1]
    if not winners:
        return _("The game is over")
    if seat in winners:
        return _("You have won!") if len(winners) == 1 else _("You share the victory!")
    names = [screen.chairs[winner].name for winner in winners]
    if len(names) == 1:
        return _("%(name)s has won") % {"name": names[0]}
    return _("%(names)s share the victory") % {"names": join_with_and(names)}


def _list_rows(screen: Screen, view: View) -> list[dict[str, Any]]:
    places = view["places"]
    if places is None:
        return []  # it was voided before its end
    notes = find_presenter(screen.game).notes(screen, view)
    rows = []
    for chair in sorted(screen.chairs, key=lambda chair: places[chair.index]):
        score = view["scores"][chair.index] if view["scores"] else None
        rows.append(
            {
                "seat": chair.index,
                "place": places[chair.index],
                "name": chair.name,
                "chair": chair,
                "note": notes[chair.index],
                "stand_in": say_stand_in(chair.name, chair.stood_in),
                "score": ""
                if score is None
                else ngettext("%(count)d point", "%(count)d points", score) % {"count": score},
            }
        )
    return rows
