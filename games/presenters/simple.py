"""A ready-made presenter for games with few moves: seats, what lies on the table, hand, and a button for each move.

A game's `presenter` module makes one `SimplePresenter` of its own, called `PRESENTER`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from games.models.texts import join_with_and
from games.presenters.board_layout import (
    join_classes,
    list_seats,
    order_around,
    render_interlude_action,
    render_paused_action,
    render_spectator_regions,
    render_turn,
    say_bot_tag,
)
from games.presenters.contract import BoardPage, EndNote, Legal
from games.presenters.log import name_seat, render_log
from games.presenters.render import macro
from games.presenters.screen import LogLine, Screen
from games.presenters.table_texts import table_words
from games.records import strict_json
from games.rules.base import Move, View

FILE = "simple.jinja"


class SimplePresenter(ABC):
    """`GamePresenter` over a few sentences. Views need `to_act`, `places` and `scores`; moves must be listed."""

    SCRIPTS: tuple[str, ...] = ("js/table/moves.js", "js/table/move-buttons.js")
    STYLES: tuple[str, ...] = ("css/simple.css",)
    KIND = "simple"
    HEADS: ClassVar[frozenset[str]] = frozenset()
    """Kinds of events whose lines are headings in the log."""

    SOUNDS: ClassVar[Mapping[str, str]] = {}
    """Kinds of events that are heard: "turn", "play", "pass", "win", "bell" or "window"."""

    # What a game writes, in the reader's language

    @abstractmethod
    def describe_table(self, screen: Screen, view: View) -> Sequence[str]:
        """What everybody sees on the table, one item for each line."""

    @abstractmethod
    def describe_seat(self, view: View, seat: int) -> str:
        """What stands under a player's name: cards, points."""

    @abstractmethod
    def describe_hand(self, view: View, seat: int) -> str:
        """What this seat holds, from its own view."""

    @abstractmethod
    def name_move(self, move: Move) -> str:
        """What the button of a move says."""

    @abstractmethod
    def describe_line(self, line: LogLine, name: str) -> str:
        """One event as a sentence of the log; empty for none. name: of the event's seat."""

    def describe_result(self, view: View, seat: int) -> str:
        """What stands under a player's name at the end."""
        return ""

    # The contract

    def layout(self, screen: Screen, view: View | None) -> str:
        """One layout for the whole game."""
        return self.KIND

    def shared_regions(self, screen: Screen, view: View | None) -> dict[str, str]:
        """Seats, table and whose turn it is."""
        shown = view or {}
        asked = screen.asked(shown["to_act"])
        regions = {
            f"seat-{chair.index}": macro(FILE, "seat")(
                index=chair.index,
                chair=chair,
                marks=join_classes(on=chair.index in asked, bot=bool(chair.bot)),
                due=screen.due if chair.index in asked else None,
                words=self.describe_seat(shown, chair.index),
                tag=say_bot_tag(chair),
            )
            for chair in screen.chairs
        }
        names = join_with_and([screen.chairs[seat].name for seat in shown["to_act"]])
        turn = _("%(names)s to move") % {"names": names} if names else ""
        return regions | {
            "turn": render_turn(screen, shown["to_act"], turn),
            "middle": macro(FILE, "middle")(tuple(self.describe_table(screen, shown))),
        }

    def private_regions(self, screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
        """Hand and buttons of this seat; for spectators the same regions with nothing in them."""
        if seat is None or view is None:
            return render_spectator_regions()
        if screen.is_paused:
            action = render_paused_action(screen.chairs[seat])
        elif screen.interlude is not None:
            action = render_interlude_action(screen, seat)
        else:
            moves = tuple((strict_json.write(move), self.name_move(move)) for move in legal or ())
            is_mine = seat in view["to_act"]
            action = macro(FILE, "action")(
                moves=moves, is_mine=is_mine, due=screen.due if is_mine else None, is_away=screen.chairs[seat].stand_in
            )
        return {"hand": macro(FILE, "hand")(self.describe_hand(view, seat)), "action": action}

    def log_lines(self, screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
        """The lines after this ply that this seat may know."""

        def say(line: LogLine) -> str:
            return self.describe_line(line, name_seat(screen, line.seat, seat))

        return render_log(screen, seat, since_ply, say, heads=self.HEADS, sounds=self.SOUNDS)

    def board(self, screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
        """The whole board, this seat first."""
        around = order_around(list_seats(screen), seat)
        return macro(FILE, "board")(
            kind=self.KIND, screen=screen, seat=seat, layout=self.layout(screen, view), order=around, page=page
        )

    def words(self, screen: Screen) -> dict[str, Any]:
        """What the script says."""
        return table_words() | {
            "game": screen.game,
            "wait": _("Not your turn yet"),
            "ring": _("Ring the bell"),
            "bell_now": _("The bell has rung."),
        }

    def open_hand(self, screen: Screen, view: View, seat: int) -> str:
        """What this seat holds, for a replay with open hands."""
        return macro(FILE, "open_hand")(self.describe_hand(view, seat))

    def reveal_regions(self, screen: Screen, view: View, whole: Mapping[str, Any]) -> dict[str, str]:
        """Nothing on the table is hidden."""
        return {}

    def notes(self, screen: Screen, view: View) -> list[EndNote]:
        """What stands under each name at the end."""
        return [EndNote(self.describe_result(view, chair.index)) for chair in screen.chairs]

    def story(self, screen: Screen, view: View) -> str:
        """No story."""
        return macro(FILE, "story")()
