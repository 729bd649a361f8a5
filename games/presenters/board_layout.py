"""What the boards of all games have in common: where seats stand, their marks, who plays there, who only watches."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.presenters.render import macro
from games.presenters.screen import Chair, Screen

BOARD = "board.jinja"


def list_seats(screen: Screen) -> range:
    """The playing order of a game in which seats do not change places."""
    return range(len(screen.chairs))


def order_around(order: Sequence[int], seat: int | None) -> list[int]:
    """The seats in playing order from this one on; a watcher sees them from the first on."""
    start = order.index(seat) if seat is not None and seat in order else 0
    return [*order[start:], *order[:start]]


def join_classes(**marks: bool) -> str:
    """The CSS classes that apply, each after a space: " on bot"."""
    return "".join([f" {mark}" for mark, holds in marks.items() if holds])


def say_bot_tag(chair: Chair) -> str:
    """The tag of a chair at which a bot plays now; empty for a person."""
    return _("stand-in") if chair.stand_in else _("bot") if chair.bot else ""


def render_turn(screen: Screen, to_act: Sequence[int], words: str) -> str:
    """The region "turn": who is to do what; in a pause, whose turn comes after it."""
    if screen.is_paused and words:
        names = _(", ").join([screen.chairs[seat].name for seat in to_act])
        words = _("Paused. Next: %(names)s.") % {"names": names}
    return macro(BOARD, "turn")(words)


def render_paused_action(chair: Chair) -> str:
    """The region "action" of a seat while the table is paused; a player with a stand-in can come back."""
    return macro(BOARD, "away" if chair.stand_in else "paused")()


def say_who_is_waited_for(screen: Screen) -> str:
    """In an interlude: which players have not yet said that they are ready."""
    unready = screen.interlude.unready if screen.interlude is not None else ()
    return _("Waiting for: %(names)s.") % {"names": _(", ").join([screen.chairs[seat].name for seat in unready])}


def render_interlude_action(screen: Screen, seat: int) -> str:
    """The region "action" of a seat in an interlude: its player can say that they are ready."""
    if screen.chairs[seat].stand_in:
        return macro(BOARD, "away")()
    is_ready = screen.interlude is None or seat not in screen.interlude.unready
    return macro(BOARD, "interlude")(is_ready, say_who_is_waited_for(screen) if is_ready else "")


def render_spectator_regions() -> dict[str, str]:
    """The private regions of those who have no hand."""
    return {"hand": macro(BOARD, "no_hand")(), "action": macro(BOARD, "watching")()}
