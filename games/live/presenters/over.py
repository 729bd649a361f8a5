"""The end of a game: who sits where, how it came to that, and what now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.live.presenters import climbing_history, climbing_words
from games.live.presenters.climbing_log import log_lines
from games.live.render import macro
from games.live.screen import Screen
from games.names import chair_of, name_rank
from games.rules.base import Move, View
from games.rules.climbing.view import ClimbingView

__all__ = ["board", "layout", "log_lines", "private_regions", "shared_regions", "words"]

FILE = "over.jinja"


def layout(screen: Screen, view: View | None) -> str:
    """One layout from the end on."""
    return "over"


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Places, all chairs, and what can be done now."""
    shown = cast(ClimbingView, view)
    return {
        "places": macro(FILE, "places")(_rows(screen, shown)),
        "history": climbing_history.draw(screen, shown),
        "again": macro(FILE, "again")(screen.table_id, screen.rematch_id),
    }


def private_regions(
    screen: Screen, view: View | None, seat: int | None, legal: Sequence[Move] | None
) -> dict[str, str]:
    """Nothing is hidden any more."""
    return {}


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
    """The whole page of the end. fair: secret and seed."""
    shown = cast(ClimbingView, view)
    ladder = climbing_history.draw_ladder(screen, shown)
    return macro(FILE, "board")(screen, seat, _headline(screen, shown, seat), regions, ladder, log, now, fair)


def words(screen: Screen) -> dict[str, Any]:
    """As at the table."""
    return climbing_words.words(screen)


def _headline(screen: Screen, view: ClimbingView, seat: int | None) -> str:
    places = view["places"] or []
    if seat is not None and places and places[seat] == 1:
        return _("You have won!")
    return (
        _("%(name)s has won") % {"name": screen.chairs[places.index(1)].name} if 1 in places else _("The game is over")
    )


def _rows(screen: Screen, view: ClimbingView) -> list[dict[str, Any]]:
    places = view["places"] or [0] * len(screen.chairs)
    last = view["past"][-1]["ranks"] if view["past"] else None
    rows = []
    for chair in sorted(screen.chairs, key=lambda chair: places[chair.index]):
        slug = view["rank_names"][last[chair.index] - 1] if last else ""
        score = view["scores"][chair.index] if view["scores"] else None
        rows.append(
            {
                "place": places[chair.index],
                "name": chair.name,
                "avatar": chair.avatar,
                "job": name_rank(screen.game, slug) if slug else "",
                "chair": chair_of(screen.game, slug),
                "score": ""
                if score is None
                else ngettext("%(count)d point", "%(count)d points", score) % {"count": score},
            }
        )
    return rows
