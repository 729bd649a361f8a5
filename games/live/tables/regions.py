"""Tables as HTML: rendered once for each distinct view and language, sent as what has changed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import NamedTuple

from django.utils.safestring import mark_safe

from games.live.tables import common_regions
from games.live.tables.screens import build_screen
from games.memo import Memo
from games.play.storage.table import PLAYING, LoadedTable, LogLine
from games.presenters import BoardPage, Presenter, breaks, choose_presenter, fair_deal, hints
from games.presenters.render import is_active, use_language
from games.presenters.screen import Screen
from games.rules.base import View

BEFORE_FIRST_PLY = -1
"""The ply before the log's first line: the opening has ply 0."""
KEPT_RENDERED = 2048
"""Rendered tables, one per table and language, that a process remembers."""


class SharedUpdate(NamedTuple):
    """The HTML that differs between two versions for all.

    log: the new lines as spectators read them; concerned: the seats that read them otherwise ("you"), None for all.
    """

    regions: str
    log: str
    concerned: frozenset[int] | None


class LastingRegions(NamedTuple):
    """The private regions that moves hardly ever change: one version hands them on to the next.

    basis: what they are rendered from; by_seat: those rendered so far, spectators' at -1.
    """

    basis: tuple[object, ...]
    by_seat: dict[int, dict[str, str]]


@dataclass(slots=True)
class RenderedTable:
    """One version of a table as HTML in one language: the regions that all share, and those of each seat."""

    table: LoadedTable
    screen: Screen
    presenter: Presenter
    view: View | None
    """The spectators' view."""
    language: str
    layout: str
    shared: dict[str, str]
    lasting: LastingRegions
    private: dict[int, dict[str, str]] = field(default_factory=dict)
    """Private regions rendered so far or taken over from the version before, by seat; -1 for spectators."""
    bases: dict[int, Hashable] = field(default_factory=dict)
    """What private regions of seats that are not asked are rendered from (`find_private_basis`), by seat."""
    updates: dict[int, SharedUpdate] = field(default_factory=dict)
    """Earlier version → the update for all sockets that show it."""
    _rooted: tuple[float, str] = (nan, "")
    """A time (seconds since 1970), and the root element's attributes at it."""
    _for_spectators: tuple[int, str] = (0, "")
    """A time (ms since 1970), and the spectators' board that contains it."""

    def regions(self, seat: int | None) -> dict[str, str]:
        """All regions as this viewer sees them."""
        return self.shared | self.private_regions(seat)

    def private_regions(self, seat: int | None) -> dict[str, str]:
        """The regions that only this viewer sees (a spectator: none that hold anything hidden)."""
        with use_language(self.language):
            return self._private(seat) | self._lasting(seat)

    def _private(self, seat: int | None) -> dict[str, str]:
        """The private regions that may change with every move, in the active language."""
        key = -1 if seat is None else seat
        cached = self.private.get(key)
        if cached is None:
            cached = self.private[key] = self._render_private(seat)
        return cached

    def _lasting(self, seat: int | None) -> dict[str, str]:
        """The private regions that moves hardly ever change, in the active language: the same object until they do."""
        key = -1 if seat is None else seat
        cached = self.lasting.by_seat.get(key)
        if cached is None:
            cached = self.lasting.by_seat[key] = {
                "host": common_regions.render_host_mark(seat is not None and seat == self.screen.host_seat),
                "ways": breaks.render_ways(self.screen, seat),
                "share": fair_deal.render_contribution(self.screen, seat),
                "hints": hints.render_hints(self.screen, seat),
            }
        return cached

    def render_board(self, seat: int | None, *, now: float) -> str:
        """The whole board. That of the spectators, who may be many and come at once, is rendered once."""
        moment = round(now * 1000)
        if seat is not None:
            return self._render_board(seat, moment)
        if not self._for_spectators[1]:
            self._for_spectators = moment, self._render_board(None, moment)
        then, board = self._for_spectators
        return mark_safe(str.replace(board, f'data-now="{then}"', f'data-now="{moment}"', 1))  # noqa: S308 - is html

    def _render_board(self, seat: int | None, moment: int) -> str:
        with use_language(self.language):
            log = self.presenter.log_lines(self.screen, self.view, seat, BEFORE_FIRST_PLY)
            page = BoardPage(self.regions(seat), log, moment, table_id=self.table.id)
            return self.presenter.board(self.screen, self._view_of(seat), seat, page)

    def render_above(self, seat: int | None) -> str:
        """The regions above the board, the same for every game."""
        return self.shared["paused"] + self.private_regions(seat)["host"]

    def render_below(self) -> str:
        """The region right below the board, where one more line moves no control."""
        return self.shared["stand-ins"]

    def render_ways(self, seat: int | None) -> str:
        """The regions beside the title: hints, and where this player leaves, pauses or ends the game."""
        regions = self.private_regions(seat)
        return f"{regions['hints']}{regions['ways']}"

    def render_deal(self, seat: int | None) -> str:
        """The regions about the deal below that: commitment and this reader's contribution."""
        return f"{self.shared['fair']}{self.private_regions(seat)['share']}"

    def screen_with_log(self, lines: tuple[LogLine, ...]) -> Screen:
        """The same screen with these log lines."""
        return replace(self.screen, log=lines)

    def render_update(self, before: RenderedTable | None, seat: int | None, *, now: float) -> str:
        """The frame that brings a viewer's page from `before` to this version."""
        if before is None or before.layout != self.layout or before.language != self.language:
            # Not added up: a board knows that it is html, and would take what is added for somebody's words.
            around = f"{self.render_ways(seat)}{self.render_above(seat)}"
            beside = f"{around}{self.render_below()}{self.render_deal(seat)}"
            return f'<div {self._render_root(now)} data-full="1">{self.render_board(seat, now=now)}{beside}</div>'
        if is_active(self.language):
            return self._render_difference(before, seat, now)
        with use_language(self.language):
            return self._render_difference(before, seat, now)

    def _render_difference(self, before: RenderedTable, seat: int | None, now: float) -> str:
        update = self._shared_update(before)
        mine = _join_changed(before._private(seat), self._private(seat))
        if before.lasting is not self.lasting:
            mine += _join_changed(before._lasting(seat), self._lasting(seat))
        is_for_all = seat is None or (update.concerned is not None and seat not in update.concerned)
        log = update.log if is_for_all else self._render_log(before, seat)
        return f"<div {self._render_root(now)}>{update.regions}{mine}{log}</div>"

    def _view_of(self, seat: int | None) -> View | None:
        return None if self.table.state is None else self.table.rules.view(self.table.state, seat)

    def _render_private(self, seat: int | None) -> dict[str, str]:
        table = self.table
        may_act = table.status == PLAYING and seat in self.screen.asked(table.rules.to_act(table.state))
        legal = table.rules.legal_moves(table.state, seat) if may_act and seat is not None else None
        return self.presenter.private_regions(self.screen, self._view_of(seat), seat, legal)

    def _render_root(self, now: float) -> str:
        if self._rooted[0] != now:  # five sockets are shown it at the same moment
            screen = self.screen
            root = f'data-ply="{screen.ply}" data-version="{screen.version}" data-now="{now * 1000:.0f}"'
            self._rooted = now, root
        return self._rooted[1]

    def _shared_update(self, before: RenderedTable) -> SharedUpdate:
        cached = self.updates.get(before.screen.version)
        if cached is None:
            concerned = list_concerned(self.screen.lines_after(before.screen.ply))
            changed = _join_changed(before.shared, self.shared)
            cached = SharedUpdate(changed, self._render_log(before, None), concerned)
            self.updates[before.screen.version] = cached
        return cached

    def _render_log(self, before: RenderedTable, seat: int | None) -> str:
        lines = self.presenter.log_lines(self.screen, self.view, seat, before.screen.ply)
        return f'<ol id="log" data-append="1">{"".join(lines)}</ol>' if lines else ""


def list_concerned(lines: Sequence[LogLine]) -> frozenset[int] | None:
    """The seats that some of these lines may be about: theirs, or named in a line's data.

    None if that may be any seat: some may not see a line, or its data may hold seats in lists or mappings.
    """
    seats = {line.seat for line in lines}
    for line in lines:
        if line.to is not None or any(map(_may_hold_seats, line.data.values())):
            return None
        seats.update(value for value in line.data.values() if isinstance(value, int))
    return frozenset(seat for seat in seats if seat is not None)


def _may_hold_seats(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list | tuple) and not all(isinstance(item, str) for item in value)
    )


def _join_changed(before: dict[str, str], after: dict[str, str]) -> str:
    if before is after:
        return ""
    return "".join([html for name, html in after.items() if before.get(name) != html])


def _keep_lasting(screen: Screen, before: RenderedTable | None) -> LastingRegions:
    """The lasting regions of the version before if nothing that they show has changed, else an empty set."""
    basis = (
        screen.status,
        screen.host_seat,
        screen.is_held,
        screen.commitment,
        screen.contributions,
        screen.has_hints,
        breaks.Situation.of(screen),
    )
    return before.lasting if before is not None and before.lasting.basis == basis else LastingRegions(basis, {})


def _take_over_private(rendered: RenderedTable, before: RenderedTable | None) -> None:
    """Take over the private regions of seats for which nothing has changed: most seats, with most moves."""
    find_basis = getattr(rendered.presenter, "find_private_basis", None)
    if find_basis is None:
        return
    rendered.bases = {
        chair.index: find_basis(rendered.screen, rendered.view, chair.index) for chair in rendered.screen.chairs
    }
    if before is None or before.presenter is not rendered.presenter:
        return
    for seat, basis in rendered.bases.items():
        if basis is not None and basis == before.bases.get(seat) and seat in before.private:
            rendered.private[seat] = before.private[seat]


_rendered: Memo[tuple[str, str], RenderedTable] = Memo(
    "rendered_tables", KEPT_RENDERED, version_of=lambda rendered: rendered.table.version
)
"""The newest rendered table, by table id and language."""


def render_table(table: LoadedTable, language: str) -> RenderedTable:
    """Render this version in this language, or a newer one that is remembered."""
    key = (table.id, language)
    cached = _rendered.get(key)
    if cached is not None and cached.table.version >= table.version:
        return cached
    screen = build_screen(table, cached)
    view = None if table.state is None else table.rules.view(table.state, None)
    with use_language(language):
        presenter = choose_presenter(screen)
        rendered = RenderedTable(
            table=table,
            screen=screen,
            presenter=presenter,
            view=view,
            language=language,
            layout=presenter.layout(screen, view),
            shared=presenter.shared_regions(screen, view)
            | {
                "paused": common_regions.render_paused(screen.is_paused, screen.is_standing, screen.is_held),
                "fair": common_regions.render_deal(table, screen, cached),
                "stand-ins": common_regions.render_stand_ins(screen),
            },
            lasting=_keep_lasting(screen, cached),
        )
    _take_over_private(rendered, cached)
    return _rendered.put(key, rendered)
