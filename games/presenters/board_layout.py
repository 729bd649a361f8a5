"""What the boards of all games have in common: where seats stand, their marks, who plays there, who only watches."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.presenters.render import macro
from games.presenters.screen import Chair, Screen

BOARD = "board.jinja"


def number_seats(screen: Screen) -> range:
    """The playing order of a game in which nobody changes his chair."""
    return range(len(screen.chairs))


def seat_around(order: Sequence[int], seat: int | None) -> list[int]:
    """The seats in playing order from this one on; a watcher sees them from the first on."""
    start = order.index(seat) if seat is not None and seat in order else 0
    return [*order[start:], *order[:start]]


def list_marks(**marks: bool) -> str:
    """The classes of what holds, each after a space: " on bot"."""
    return "".join([f" {mark}" for mark, holds in marks.items() if holds])


def say_who_plays(chair: Chair) -> str:
    """The tag of a chair on which no person plays just now."""
    return _("stand-in") if chair.stand_in else _("bot") if chair.bot else ""


def say_turn(screen: Screen, to_act: Sequence[int], words: str) -> str:
    """The region "turn": who is to do what; in a pause, with whom it goes on."""
    if screen.is_paused and words:
        names = _(", ").join([screen.chairs[seat].name for seat in to_act])
        words = _("Paused. Afterwards it goes on with %(names)s.") % {"names": names}
    return macro(BOARD, "turn")(words)


def stand_still(chair: Chair) -> str:
    """The region "action" of a seat while everything stands still; whoever was away can come back."""
    return macro(BOARD, "away" if chair.stand_in else "paused")()


def watch_only() -> dict[str, str]:
    """The private regions of those who have no hand."""
    return {"hand": macro(BOARD, "no_hand")(), "action": macro(BOARD, "watching")()}
