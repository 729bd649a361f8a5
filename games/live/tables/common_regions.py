"""The regions around the board that are the same for every game: paused, stand-ins, host, the deal."""

from __future__ import annotations

from typing import Protocol

from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.play import permissions
from games.play.storage.table import OVER, PLAYING, LoadedTable
from games.presenters import fair_deal
from games.presenters.holiday_texts import say_holiday
from games.presenters.render import cache_by_language
from games.presenters.screen import Screen, ShownHoliday
from games.presenters.stand_in_texts import say_stand_in
from games.records.fair import judge_deal
from games.records.stand_ins import StandIn

_HIDDEN = mark_safe(" hidden")


class RenderedDeal(Protocol):
    """An earlier version whose region `fair` is in `shared`."""

    screen: Screen
    shared: dict[str, str]


@cache_by_language
def render_paused(is_paused: bool, is_standing: bool, is_held: bool) -> str:
    """The line above the board of a paused table, the same for every game."""
    if is_standing:
        sentence = _("This table is paused because nobody is here. It resumes when one of its players comes back.")
    elif is_held:
        sentence = _("This table is paused. Its players can resume the game.")
    else:
        sentence = _("An organiser has paused this table and its clocks. Wait until play resumes.")
    return str(
        format_html('<p id="paused" class="note" role="status"{}>{}</p>', "" if is_paused else _HIDDEN, sentence)
    )


def render_stand_ins(screen: Screen) -> str:
    """The line of a running game that lists stand-ins and holidays; after its end stand-ins are with the places."""
    if screen.status == OVER:
        return _render_stand_in_list((), ())
    played = tuple((chair.name, chair.stood_in) for chair in screen.chairs if chair.stood_in)
    return _render_stand_in_list(
        played, tuple((screen.chairs[holiday.seat].name, holiday) for holiday in screen.holidays)
    )


@cache_by_language
def _render_stand_in_list(
    played: tuple[tuple[str, StandIn], ...], holidays: tuple[tuple[str, ShownHoliday], ...]
) -> str:
    sentences = [say_stand_in(name, one) for name, one in played] + [say_holiday(name, one) for name, one in holidays]
    hidden = "" if sentences else _HIDDEN
    return str(format_html('<p id="stand-ins" class="soft"{}>{}</p>', hidden, "; ".join(sentences)))


def render_host_mark(is_me: bool) -> str:
    """A mark that tells the page whether this reader is the host, who sees more controls."""
    return '<i id="host" class="me" hidden></i>' if is_me else '<i id="host" hidden></i>'


def _find_published_deal(table: LoadedTable) -> fair_deal.PublishedDeal | None:
    """Secret and seed of the deal; None as long as its game can go on."""
    if not permissions.is_published(table):
        return None
    claim = judge_deal([place.entropy for place in table.places], table.procedure) if table.seed else None
    return fair_deal.PublishedDeal(table.secret, table.seed, claim, is_whole=table.outcome is not None)


def render_deal(table: LoadedTable, screen: Screen, before: RenderedDeal | None) -> str:
    """What decides the cards. It stays while the same people play: a move does not render it again."""
    if before is not None and before.screen.status == screen.status == PLAYING:
        now = screen.chairs, screen.contributions
        if (before.screen.chairs, before.screen.contributions) == now:
            return before.shared["fair"]
    return fair_deal.render_deal(screen, _find_published_deal(table))
