"""The tables of a person by day over the last year, as a picture and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any, Final, NamedTuple

from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Player
from tournaments.flow.profiles import queries
from tournaments.views.fragments import render_fragment
from tournaments.views.profiles.careers import DAY_SECONDS, say_day

WEEKS: Final = {"wide": 53, "narrow": 26}
"""Weeks in the picture, by the width of the screen."""
STEP: Final = 13
"""Distance of two days in the picture."""
TOP: Final = 16
"""Height of the line with the months."""
LEVELS: Final = (2, 3, 5)
"""Tables a day from which each darker level is drawn."""
MONTH_WEEKS: Final = 3
"""Weeks that the name of a month takes."""


class Day(NamedTuple):
    """A day with tables. level: 1 to 4."""

    x: int
    y: int
    level: int
    words: str


class Picture(NamedTuple):
    """free: the path of the days without tables; months: where their names begin."""

    width: int
    height: int
    free: str
    days: tuple[Day, ...]
    months: tuple[tuple[int, str], ...]


def describe_activity(player: Player, *, now: float) -> dict[str, Any] | None:
    """The context of the section; None for a year without a table. now: seconds since 1970."""
    today = int(now // DAY_SECONDS)
    ended = queries.list_table_ends(player, since=_find_first(today, WEEKS["wide"]) * DAY_SECONDS)
    tables = Counter(int(at // DAY_SECONDS) for at in ended)
    if not tables:
        return None
    values = {"tables": tables.total(), "days": len(tables)}
    sentence = _("Tables in the last 12 months: %(tables)s. Days with tables: %(days)s.") % values
    lines = [(say_day(day * DAY_SECONDS), [_say_count(tables[day])]) for day in sorted(tables, reverse=True)]
    return {
        "pictures": [(size, _render(tables, today, weeks, sentence)) for size, weeks in WEEKS.items()],
        "sentence": sentence,
        "words": render_fragment("words", lines),
        "levels": range(1, len(LEVELS) + 2),
    }


def _render(tables: Mapping[int, int], today: int, weeks: int, sentence: str) -> SafeString:
    return render_fragment("activity", draw(tables, today, weeks), sentence)


def draw(tables: Mapping[int, int], today: int, weeks: int) -> Picture:
    """So many weeks, a column each from Monday on, the last one with today. tables: by day since 1970; today: a day."""
    first = _find_first(today, weeks)
    places = {day: ((day - first) // 7 * STEP, TOP + (day - first) % 7 * STEP) for day in range(first, today + 1)}
    return Picture(
        width=weeks * STEP - 2,
        height=TOP + 7 * STEP - 2,
        free="".join(f"M{x} {y}h11v11h-11z" for day, (x, y) in places.items() if not tables.get(day)),
        days=tuple(
            Day(
                x,
                y,
                1 + sum(tables[day] >= least for least in LEVELS),
                f"{say_day(day * DAY_SECONDS)}: {_say_count(count)}",
            )
            for day, (x, y) in places.items()
            if (count := tables.get(day, 0))
        ),
        months=_list_months(first, weeks),
    )


def _find_first(today: int, weeks: int) -> int:
    """The Monday with which so many weeks begin. 1 January 1970 was a Thursday."""
    return today - (today + 3) % 7 - 7 * (weeks - 1)


def _list_months(first: int, weeks: int) -> tuple[tuple[int, str], ...]:
    mondays = [_read_day(first + 7 * week) for week in range(weeks)]
    begins = [week for week, (one, other) in enumerate(pairwise(mondays), start=1) if one.month != other.month]
    shown = [0, *begins] if begins and begins[0] >= MONTH_WEEKS else begins
    return tuple((week * STEP, date_format(mondays[week], "M")) for week in shown if week + MONTH_WEEKS <= weeks + 1)


def _read_day(day: int) -> date:
    return datetime.fromtimestamp(day * DAY_SECONDS, tz=UTC).date()


def _say_count(tables: int) -> str:
    return ngettext("%(tables)s table", "%(tables)s tables", tables) % {"tables": tables}
