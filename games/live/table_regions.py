"""Tables as HTML: rendered once for each distinct view and language, sent as what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import nan
from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.memo import Memo
from games.play import permissions
from games.play.storage.table import OVER, PLAYING, Line, Loaded, Place
from games.presenters import BoardPage, Presenter, choose_presenter, fair_deal
from games.presenters.render import cache_by_language, use_language
from games.presenters.screen import Chair, Screen
from games.presenters.stand_in_texts import say_stand_in
from games.records.fair import judge_deal
from games.records.stand_ins import StandIn
from games.rules.base import View

BEFORE_ALL = -1
"""The ply before the log's first line: a game's opening is told at ply 0."""
KEPT_PICTURES = 2048


def to_screen(table: Loaded) -> Screen:
    """What a presenter draws from."""
    is_paused = table.desk.paused_at is not None and table.status != OVER
    running = () if is_paused else tuple(clock for clock in table.desk.clocks if clock.left is None)
    dues = {_name_clock(clock.event): round(clock.due * 1000) for clock in running}
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
        chairs=_seat_people(
            table.places, table.desk.stand_ins, tuple(table.list_stand_ins().items()), table.seat_count
        ),
        due=dues.get("turn"),
        bell=dues.get("time-up"),
        commitment=table.commitment,
        log=table.log,
        auto_pass=table.desk.standing_passes,
        rematch_id=table.rematch_id,
        missing=frozenset(table.missing()) if table.desk.arranged else None,
        is_called=table.desk.is_called,
        is_starting=table.begins_at is not None,
        has_own_deal=table.has_own_deal,
        is_closed=table.status == OVER and table.state is None,
        is_paused=is_paused,
        is_standing=is_paused and table.desk.is_standing,
        has_hints=table.allows_hints,
        is_sealed=table.desk.arranged is not None and table.desk.arranged.is_sealed,
        void_reason=table.void_reason,
        dues=dues,
    )


def _name_clock(event: Mapping[str, Any]) -> str:
    """ "turn", "reaction", "call-2"."""
    name = str(event.get("clock"))
    return f"{name}-{event['seat']}" if "seat" in event else name


@lru_cache(maxsize=KEPT_PICTURES)
def _seat_people(
    places: tuple[Place, ...], stand_ins: frozenset[int], stood_in: tuple[tuple[int, StandIn], ...], seats: int
) -> tuple[Chair, ...]:
    """All chairs, the free ones too. Who sits where changes seldom."""
    taken, told = {place.seat: place for place in places}, dict(stood_in)
    return tuple(
        Chair(
            seat,
            place.name,
            place.avatar,
            taken=True,
            bot=place.bot,
            stand_in=seat in stand_ins,
            stood_in=told.get(seat),
            entropy=place.entropy,
        )
        if (place := taken.get(seat)) is not None
        else Chair(seat, "", "", taken=False)
        for seat in range(seats)
    )


class Update(NamedTuple):
    """What differs between two versions for everybody. log: as spectators read it; each player reads another one."""

    regions: str
    log: str


@dataclass(slots=True)
class Picture:
    """One version of a table in one language: the part that all share, and parts for one seat each."""

    table: Loaded
    screen: Screen
    presenter: Presenter
    view: View | None
    """The spectators' view."""
    language: str
    layout: str
    shared: dict[str, str]
    private: dict[int, dict[str, str]] = field(default_factory=dict)
    updates: dict[int, Update] = field(default_factory=dict)
    """Version before → what all sockets get that have shown it."""
    _rooted: tuple[float, str] = (nan, "")
    """The root's attributes at this moment (seconds since 1970)."""
    _for_spectators: tuple[int, str] = (0, "")
    """Their board, and the moment (ms since 1970) that it bears."""

    def regions(self, seat: int | None) -> dict[str, str]:
        """All regions as this viewer sees them."""
        return self.shared | self.private_regions(seat)

    def private_regions(self, seat: int | None) -> dict[str, str]:
        """The regions that only this viewer sees (a spectator: none that hold anything hidden)."""
        with use_language(self.language):
            return self._private(seat)

    def _private(self, seat: int | None) -> dict[str, str]:
        """As `private_regions`, in the language that is spoken."""
        key = -1 if seat is None else seat
        cached = self.private.get(key)
        if cached is None:
            is_host = seat is not None and seat == self.screen.host_seat
            share = fair_deal.render_contribution(self.screen, seat)
            cached = self.private[key] = {**self._draw_private(seat), "host": _say_host(is_host), "share": share}
        return cached

    def board(self, seat: int | None, *, now: float) -> str:
        """The whole board. That of the spectators, who may be many and come all at once, is drawn once."""
        moment = round(now * 1000)
        if seat is not None:
            return self._board(seat, moment)
        if not self._for_spectators[1]:
            self._for_spectators = moment, self._board(None, moment)
        then, board = self._for_spectators
        return mark_safe(str.replace(board, f'data-now="{then}"', f'data-now="{moment}"', 1))  # noqa: S308 - is html

    def _board(self, seat: int | None, moment: int) -> str:
        with use_language(self.language):
            log = self.presenter.log_lines(self.screen, self.view, seat, BEFORE_ALL)
            page = BoardPage(self.regions(seat), log, moment)
            return self.presenter.board(self.screen, self._view_of(seat), seat, page)

    def around(self, seat: int | None) -> str:
        """The regions that stand above the board, of whatever game."""
        return self.shared["paused"] + self.private_regions(seat)["host"]

    def below(self) -> str:
        """The region that stands right below the board, where one more line moves nothing that somebody presses."""
        return self.shared["stand-ins"]

    def deal(self, seat: int | None) -> str:
        """What stands below that: what decides the cards, and this reader's own part in it."""
        return f"{self.shared['fair']}{self.private_regions(seat)['share']}"

    def screen_with_log(self, lines: tuple[Line, ...]) -> Screen:
        """The same screen with these log lines."""
        return replace(self.screen, log=lines)

    def update(self, before: Picture | None, seat: int | None, *, now: float) -> str:
        """The frame that brings a viewer from the picture he has to this one."""
        if before is None or before.layout != self.layout or before.language != self.language:
            # Not added up: a board knows that it is html, and would take what is added for somebody's words.
            beside = f"{self.around(seat)}{self.below()}{self.deal(seat)}"
            return f'<div {self._root(now)} data-full="1">{self.board(seat, now=now)}{beside}</div>'
        with use_language(self.language):
            update = self._shared_update(before)
            mine = _changed(before._private(seat), self._private(seat))
            log = update.log if seat is None else self._log(before, seat)  # a player is told of as “you”
        return f"<div {self._root(now)}>{update.regions}{mine}{log}</div>"

    def _view_of(self, seat: int | None) -> View | None:
        return None if self.table.state is None else self.table.rules.view(self.table.state, seat)

    def _draw_private(self, seat: int | None) -> dict[str, str]:
        table = self.table
        may_act = table.status == PLAYING and seat in self.screen.asked(table.rules.to_act(table.state))
        legal = table.rules.legal_moves(table.state, seat) if may_act and seat is not None else None
        return self.presenter.private_regions(self.screen, self._view_of(seat), seat, legal)

    def _root(self, now: float) -> str:
        if self._rooted[0] != now:  # five sockets are shown it at the same moment
            screen = self.screen
            root = f'data-ply="{screen.ply}" data-version="{screen.version}" data-now="{now * 1000:.0f}"'
            self._rooted = now, root
        return self._rooted[1]

    def _shared_update(self, before: Picture) -> Update:
        cached = self.updates.get(before.screen.version)
        if cached is None:
            cached = Update(_changed(before.shared, self.shared), self._log(before, None))
            self.updates[before.screen.version] = cached
        return cached

    def _log(self, before: Picture, seat: int | None) -> str:
        lines = self.presenter.log_lines(self.screen, self.view, seat, before.screen.ply)
        return f'<ol id="log" data-append="1">{"".join(lines)}</ol>' if lines else ""


@cache_by_language
def _say_paused(is_paused: bool, is_standing: bool) -> str:
    """The one line that stands over a board, of whatever game: everything stands still."""
    said = (
        _("This table stands still. It goes on when one of its players comes back.")
        if is_standing
        else _("The organiser has paused this table. The clocks stand still; wait until it goes on.")
    )
    return str(format_html('<p id="paused" class="note" role="status"{}>{}</p>', "" if is_paused else _HIDDEN, said))


def _say_stand_ins(screen: Screen) -> str:
    """The line of a game under way that says for whom bots have played; after its end that stands by their places."""
    if screen.status == OVER:
        return _list_stand_ins(())
    return _list_stand_ins(tuple((chair.name, chair.stood_in) for chair in screen.chairs if chair.stood_in))


@cache_by_language
def _list_stand_ins(told: tuple[tuple[str, StandIn], ...]) -> str:
    said = [say_stand_in(name, one) for name, one in told]
    hidden = "" if said else _HIDDEN
    return str(format_html('<p id="stand-ins" class="soft"{}>{}</p>', hidden, "; ".join(said)))


_HIDDEN = mark_safe(" hidden")


def _say_host(is_me: bool) -> str:
    """Whether this reader is the host, which he may become at any time: his tools wait on the page for it."""
    return '<i id="host" class="me" hidden></i>' if is_me else '<i id="host" hidden></i>'


def _changed(before: dict[str, str], after: dict[str, str]) -> str:
    if before is after:
        return ""
    return "".join([html for name, html in after.items() if before.get(name) != html])


def _published(table: Loaded) -> fair_deal.PublishedDeal | None:
    """What is published of the deal: nothing as long as its game can go on."""
    if not permissions.is_published(table):
        return None
    claim = judge_deal([place.entropy for place in table.places], table.procedure) if table.seed else None
    return fair_deal.PublishedDeal(table.secret, table.seed, claim, is_whole=table.outcome is not None)


_pictures: Memo[tuple[str, str], Picture] = Memo(
    "pictures", KEPT_PICTURES, version_of=lambda picture: picture.table.version
)
"""By table and language: the newest one."""


def draw(table: Loaded, language: str) -> Picture:
    """The picture of this version in this language; of every table the newest one is remembered."""
    key = (table.id, language)
    cached = _pictures.get(key)
    if cached is not None and cached.table.version >= table.version:
        return cached
    screen = to_screen(table)
    view = None if table.state is None else table.rules.view(table.state, None)
    with use_language(language):
        presenter = choose_presenter(screen)
        picture = Picture(
            table=table,
            screen=screen,
            presenter=presenter,
            view=view,
            language=language,
            layout=presenter.layout(screen, view),
            shared=presenter.shared_regions(screen, view)
            | {
                "paused": _say_paused(screen.is_paused, screen.is_standing),
                "fair": fair_deal.render_deal(screen, _published(table)),
                "stand-ins": _say_stand_ins(screen),
            },
        )
    return _pictures.put(key, picture)
