"""Tables as HTML: rendered once for each distinct view and language, sent as what has changed."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import nan
from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.memo import Memo
from games.play import permissions
from games.play.moves.interludes import list_unready
from games.play.moves.window_answers import find_holds, get_standing_answer
from games.play.seats import seat_roles
from games.play.storage.table import OVER, PLAYING, LoadedTable, LogLine, SeatedPlayer
from games.presenters import BoardPage, Presenter, breaks, choose_presenter, fair_deal, hints
from games.presenters.holiday_texts import list_shown_holidays, say_holiday
from games.presenters.render import cache_by_language, is_active, use_language
from games.presenters.screen import Chair, Screen, ShownHoliday, ShownInterlude
from games.presenters.stand_in_texts import say_stand_in
from games.records.fair import judge_deal
from games.records.stand_ins import StandIn
from games.rules import registry
from games.rules.base import View

BEFORE_FIRST_PLY = -1
"""The ply before the log's first line: the opening has ply 0."""
KEPT_RENDERED = 2048
"""Rendered tables, one per table and language, that a process remembers."""


def build_screen(table: LoadedTable, before: RenderedTable | None = None) -> Screen:
    """What a presenter renders. before: an earlier version, whose chairs are taken over if nothing there changed."""
    is_paused = table.runtime.paused_at is not None and table.status != OVER
    running = () if is_paused else tuple(clock for clock in table.runtime.clocks if clock.left is None)
    dues = {_name_clock(clock.event): round(clock.due * 1000) for clock in running if table.has_limit(clock)}
    return Screen(
        table_id=table.id,
        game=table.rules.slug,
        options=table.options,
        status=table.status,
        is_public=table.is_public,
        host_seat=table.seat_of(table.host_id),
        turn_seconds=table.turn_seconds,
        ply=table.ply,
        version=table.version,
        chairs=_list_chairs(table, before),
        due=dues.get("turn"),
        bell=dues.get("time-up"),
        commitment=table.commitment,
        contributions=_list_contributions(table, before),
        log=table.log,
        auto_pass=table.runtime.standing_passes,
        has_standing_answers=bool(table.rules.standing_answers),
        standing_answers=_list_standing_answers(table),
        holds={seat: round(until * 1000) for seat, until in find_holds(table).items()},
        rematch_id=table.rematch_id,
        missing=frozenset(table.missing()) if table.runtime.arranged else None,
        is_called=table.runtime.is_called,
        is_starting=table.begins_at is not None,
        has_own_deal=table.has_own_deal,
        is_closed=table.status == OVER and table.state is None,
        is_paused=is_paused,
        is_standing=is_paused and table.runtime.is_standing,
        is_held=is_paused and table.runtime.is_held,
        ending=table.runtime.ending,
        is_untimed=table.is_untimed,
        is_rated=table.is_rated,
        pace=table.pace,
        interlude=None if is_paused else _show_interlude(table),
        has_hints=registry.infos()[table.rules.slug].has_hints and table.allows_hints,
        has_replay=table.outcome is not None and permissions.is_published(table),
        is_sealed=table.runtime.arranged is not None and table.runtime.arranged.is_sealed,
        void_reason=table.void_reason,
        dues=dues,
        holidays=list_shown_holidays(table.runtime.holidays, now=time.time()) if table.runtime.holidays else (),
    )


def _show_interlude(table: LoadedTable) -> ShownInterlude | None:
    interlude = table.runtime.interlude
    if interlude is None or table.status != PLAYING:
        return None
    return ShownInterlude(round(interlude.since * 1000), round(interlude.until * 1000), list_unready(table))


def _name_clock(event: Mapping[str, Any]) -> str:
    """ "turn", "reaction", "call-2"."""
    name = str(event.get("clock"))
    return f"{name}-{event['seat']}" if "seat" in event else name


@lru_cache(maxsize=KEPT_RENDERED)
def _build_chairs(
    places: tuple[SeatedPlayer, ...],
    stand_ins: frozenset[int],
    stood_in: tuple[tuple[int, StandIn], ...],
    roles: tuple[tuple[int, str], ...],
    seats: int,
) -> tuple[Chair, ...]:
    """All seats, the free ones too. Cached, as they change seldom."""
    taken, stand_in_by_seat, role_by_seat = {place.seat: place for place in places}, dict(stood_in), dict(roles)
    return tuple(
        Chair(
            seat,
            place.name,
            place.avatar,
            taken=True,
            bot=place.bot,
            stand_in=seat in stand_ins,
            stood_in=stand_in_by_seat.get(seat),
            role=role_by_seat.get(seat, ""),
            has_account=place.has_account,
        )
        if (place := taken.get(seat)) is not None
        else Chair(seat, "", "", taken=False)
        for seat in range(seats)
    )


def _list_chairs(table: LoadedTable, before: RenderedTable | None) -> tuple[Chair, ...]:
    runtime, roles = table.runtime, seat_roles.list_seat_roles(table)
    if before is not None and before.table.places is table.places:
        old, chairs = before.table.runtime, before.screen.chairs
        is_same = old.stand_ins == runtime.stand_ins and old.decisions.stretches == runtime.decisions.stretches
        if is_same and all(chair.role == roles.get(chair.index, "") for chair in chairs):
            return chairs
    stand_ins = tuple(table.list_stand_ins().items())
    return _build_chairs(table.places, runtime.stand_ins, stand_ins, tuple(roles.items()), table.seat_count)


def _list_contributions(table: LoadedTable, before: RenderedTable | None) -> tuple[str | None, ...]:
    if before is not None and before.table.places is table.places:
        return before.screen.contributions
    entropy: list[str | None] = [None] * table.seat_count
    for place in table.places:
        entropy[place.seat] = place.entropy
    return tuple(entropy)


def _list_standing_answers(table: LoadedTable) -> Mapping[int, str]:
    if not table.rules.standing_answers:
        return {}
    return {place.seat: get_standing_answer(table, place.seat) for place in table.places}


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
    """By seat, spectators' at -1: those rendered so far, or taken over from the version before."""
    bases: dict[int, Hashable] = field(default_factory=dict)
    """By seat: what its private regions are rendered from, of seats that are not asked (`find_private_basis`)."""
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
        """Those of them that may change with every move, in the active language."""
        key = -1 if seat is None else seat
        cached = self.private.get(key)
        if cached is None:
            cached = self.private[key] = self._render_private(seat)
        return cached

    def _lasting(self, seat: int | None) -> dict[str, str]:
        """Those of them that hardly ever change, in the active language: the same object as long as they do not."""
        key = -1 if seat is None else seat
        cached = self.lasting.by_seat.get(key)
        if cached is None:
            cached = self.lasting.by_seat[key] = {
                "host": _render_host_mark(seat is not None and seat == self.screen.host_seat),
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
            page = BoardPage(self.regions(seat), log, moment)
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


@cache_by_language
def _render_paused(is_paused: bool, is_standing: bool, is_held: bool) -> str:
    """The line above the board of a paused table, the same for every game."""
    if is_standing:
        said = _("This table is paused because nobody is here. It resumes when one of its players comes back.")
    elif is_held:
        said = _("This table is paused. Its players can resume the game.")
    else:
        said = _("An organiser has paused this table and its clocks. Wait until play resumes.")
    return str(format_html('<p id="paused" class="note" role="status"{}>{}</p>', "" if is_paused else _HIDDEN, said))


def _render_stand_ins(screen: Screen) -> str:
    """The line of a running game that lists stand-ins and holidays; after its end stand-ins are with the places."""
    if screen.status == OVER:
        return _render_stand_in_list((), ())
    played = tuple((chair.name, chair.stood_in) for chair in screen.chairs if chair.stood_in)
    return _render_stand_in_list(played, tuple((screen.chairs[one.seat].name, one) for one in screen.holidays))


@cache_by_language
def _render_stand_in_list(
    played: tuple[tuple[str, StandIn], ...], holidays: tuple[tuple[str, ShownHoliday], ...]
) -> str:
    said = [say_stand_in(name, one) for name, one in played] + [say_holiday(name, one) for name, one in holidays]
    hidden = "" if said else _HIDDEN
    return str(format_html('<p id="stand-ins" class="soft"{}>{}</p>', hidden, "; ".join(said)))


_HIDDEN = mark_safe(" hidden")


def _render_host_mark(is_me: bool) -> str:
    """A mark that tells the page whether this reader is the host, who sees more controls."""
    return '<i id="host" class="me" hidden></i>' if is_me else '<i id="host" hidden></i>'


def _join_changed(before: dict[str, str], after: dict[str, str]) -> str:
    if before is after:
        return ""
    return "".join([html for name, html in after.items() if before.get(name) != html])


def _find_published_deal(table: LoadedTable) -> fair_deal.PublishedDeal | None:
    """Secret and seed of the deal; None as long as its game can go on."""
    if not permissions.is_published(table):
        return None
    claim = judge_deal([place.entropy for place in table.places], table.procedure) if table.seed else None
    return fair_deal.PublishedDeal(table.secret, table.seed, claim, is_whole=table.outcome is not None)


def _render_deal(table: LoadedTable, screen: Screen, before: RenderedTable | None) -> str:
    """What decides the cards. It stays while the same people play: a move does not render it again."""
    if before is not None and before.screen.status == screen.status == PLAYING:
        now = screen.chairs, screen.contributions
        if (before.screen.chairs, before.screen.contributions) == now:
            return before.shared["fair"]
    return fair_deal.render_deal(screen, _find_published_deal(table))


def _keep_lasting(screen: Screen, before: RenderedTable | None) -> LastingRegions:
    """Those of the version before, if nothing that they show has changed since."""
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
"""By table and language: the newest one."""


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
                "paused": _render_paused(screen.is_paused, screen.is_standing, screen.is_held),
                "fair": _render_deal(table, screen, cached),
                "stand-ins": _render_stand_ins(screen),
            },
            lasting=_keep_lasting(screen, cached),
        )
    _take_over_private(rendered, cached)
    return _rendered.put(key, rendered)
