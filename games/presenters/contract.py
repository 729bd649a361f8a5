"""The contract of presenters: a table's screen is made of regions of HTML, each one element with an id.

`shared_regions` is the same for everybody; `private_regions` is for one seat (or for spectators) and
wins where both give the same region. A socket that has the regions already gets those that differ;
where `layout` differs it gets the whole `board` again (new deal, start, end).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from games.presenters.screen import Screen
from games.rules.base import Move, View

Legal = Sequence[Move] | None
"""The moves of a seat that is to act, where they are listed."""


class BoardPage(NamedTuple):
    """The parts of a whole board.

    regions: by id; log: its lines; now: ms since 1970; table_id: of a table that has a page with its full log, or
    empty.
    """

    regions: Mapping[str, str]
    log: Sequence[str]
    now: int
    table_id: str = ""


class Presenter(Protocol):
    """One family of screens. view is None while the table waits; seat is None for spectators."""

    def layout(self, screen: Screen, view: View | None) -> str:
        """A short key: regions of boards with the same key may replace each other one by one."""

    def shared_regions(self, screen: Screen, view: View | None) -> dict[str, str]:
        """Region id → html, from the spectators' view, the same for everybody."""

    def private_regions(self, screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
        """Region id → html for one seat, from its own view."""

    def log_lines(self, screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
        """The `<li>`s of everything after this ply that the seat may know."""

    def board(self, screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
        """The whole `<div id="board">`."""

    def words(self, screen: Screen) -> dict[str, Any]:
        """What the table's script says, as JSON values: `table_texts.table_words`, and the game's own."""


class EndNote(NamedTuple):
    """What stands under a player's name at the end. marks: CSS classes of its picture."""

    words: str
    marks: str = ""


class GamePresenter(Presenter, Protocol):
    """The screens of one game while it is played, and what it adds to the page of its end.

    Its view has `places` and `scores` (by seat, or None), and is that of a spectator where the game is over.
    It may have `say_move(view, move)`, a move in words for hints and analyses; `SHOWS_HINTS`, true where its own page
    has the button for hints; and `find_private_basis(screen, view, seat)`: from the spectators' view, what decides the
    private regions of a seat that is not asked (hashable; None: unknown). Only where it differs they are rendered anew.
    A region of cards or tiles names their selector in `data-pieces`, for the arrow keys (static/js/table/status.js).
    """

    SCRIPTS: tuple[str, ...]
    """Static files of its table: "js/climbing/hand.js"."""
    STYLES: tuple[str, ...]
    """Static style sheets of its table, loaded after table.css and rooms.css: "css/climbing.css"."""
    KIND: str
    """The class of its board, and of the hands in a replay: the slug of the game or of its family.

    table.css has layouts that boards of several games share: `seats-around` (seats around the felt), `docked-tray` (the
    hand and the buttons stay at the lower edge).
    """

    def open_hand(self, screen: Screen, view: View, seat: int) -> str:
        """What this seat holds, for a replay in which every hand is open: without ids, with nothing to press."""

    def reveal_regions(self, screen: Screen, view: View, whole: Mapping[str, Any]) -> dict[str, str]:
        """The regions that show more when nothing is hidden, for the same replay. whole: the engine's `expected`."""

    def notes(self, screen: Screen, view: View) -> list[EndNote]:
        """What stands under each name at the end, by seat."""

    def story(self, screen: Screen, view: View) -> str:
        """How it came to the end: one element with the id "story"."""
