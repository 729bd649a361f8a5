"""What every screen of a table is made of: regions of html, one element with an id each.

`shared_regions` is the same for everybody; `private_regions` is for one seat (or for spectators) and
wins where both give the same region. A socket that has the regions already gets those that differ;
where `layout` differs it gets the whole `board` again (new deal, start, end).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from games.live.presenters import climbing, over, waiting
from games.live.screen import Screen
from games.rules import registry
from games.rules.base import Move, View


class Presenter(Protocol):
    """One family of screens. view is None while the table waits; seat is None for spectators."""

    def layout(self, screen: Screen, view: View | None) -> str:
        """A short key: regions of boards with the same key may replace each other one by one."""

    def shared_regions(self, screen: Screen, view: View | None) -> dict[str, str]:
        """Region id → html, from the spectators' view, the same for everybody."""

    def private_regions(
        self, screen: Screen, view: View | None, seat: int | None, legal: Sequence[Move] | None
    ) -> dict[str, str]:
        """Region id → html for one seat, from its own view. legal: its moves if it is to act."""

    def log_lines(self, screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
        """The `<li>`s of everything after this ply that the seat may know."""

    def board(
        self,
        screen: Screen,
        view: View | None,
        seat: int | None,
        regions: Mapping[str, str],
        log: Sequence[str],
        *,
        now: int,
        fair: Mapping[str, str] | None = None,
    ) -> str:
        """The whole `<div id="board">`. now: ms since 1970; fair: secret and seed, once the game is over."""

    def words(self, screen: Screen) -> dict[str, Any]:
        """What the table's script needs to say, as JSON values."""


_BY_GAME: dict[str, Presenter] = {
    "karriere-poker": cast(Presenter, climbing),
    "animal-poker": cast(Presenter, climbing),
}


def slugs() -> tuple[str, ...]:
    """The games that have a screen, in the registry's order; an engine alone serves records only."""
    return tuple(slug for slug in registry.slugs() if slug in _BY_GAME)


def presenter_for(screen: Screen) -> Presenter:
    """Who draws this table now."""
    if screen.status == "waiting":
        return cast(Presenter, waiting)
    if screen.status == "over":
        return cast(Presenter, over)
    return _BY_GAME[screen.game]
