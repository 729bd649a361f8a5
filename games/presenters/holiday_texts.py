"""Holidays of players in games over days, as everybody at the table reads them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.presenters.screen import ShownHoliday
from games.rules.day_pace import SeatHoliday

HALF_DAY = 43_200.0
"""Seconds. Twelve hours after midnight somewhere, it is the same date in UTC (except a few islands)."""


def list_shown_holidays(holidays: Iterable[SeatHoliday], *, now: float) -> tuple[ShownHoliday, ...]:
    """The holidays that are not over, by the calendar of the person who takes them."""
    return tuple(
        ShownHoliday(seat, _find_date(since + HALF_DAY), _find_date(until - HALF_DAY), is_on=since <= now)
        for seat, since, until in holidays
        if until > now
    )


def _find_date(at: float) -> date:
    return datetime.fromtimestamp(at, tz=UTC).date()


def say_holiday(name: str, holiday: ShownHoliday) -> str:
    """One holiday in a sentence."""
    last = date_format(holiday.last)
    if holiday.is_on:
        return _("%(name)s is on holiday until %(last)s.") % {"name": name, "last": last}
    words = {"name": name, "first": date_format(holiday.first), "last": last}
    return _("%(name)s is on holiday from %(first)s to %(last)s.") % words
