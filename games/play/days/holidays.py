"""Holidays: days on which the clocks that wait for a person stand still, in all their games over days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo

from django.db import transaction

from games.models import Holiday, Seat
from games.play.errors import BadInput, NotFound
from games.play.moves import advance
from games.play.moves.submission import retry, schedule_bots
from games.play.storage import store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.day_pace import DAY_SECONDS, SeatHoliday

DAYS_PER_YEAR = 28
"""Holidays of a person in a calendar year."""
MAX_DAYS_AHEAD = 366
"""Days from today to the last day of a holiday."""


def plan_holiday(player_id: int, first: date, last: date, *, zone: tzinfo, now: float) -> Holiday:
    """Take these days off, both included. One that begins today begins now. Raises BadInput, Busy."""
    today = datetime.fromtimestamp(now, tz=UTC).astimezone(zone).date()
    if last < first:
        raise BadInput("The last day must not be before the first day.")
    if first < today:
        raise BadInput("A holiday can begin today at the earliest.")
    if (last - today).days > MAX_DAYS_AHEAD:
        raise BadInput("A holiday can end a year from now at the latest.")
    with transaction.atomic():
        holidays = list(Holiday.objects.select_for_update().filter(player=player_id))
        if any(row.first <= last and first <= row.last for row in holidays):
            raise BadInput("You already have a holiday on one of these days.")
        wanted = Counter(day.year for day in _list_days(first, last))
        for year, days in sorted(wanted.items()):
            left = DAYS_PER_YEAR - count_days(holidays, year)
            if days > left:
                raise BadInput(
                    "You have %(left)s holiday days left in %(year)s. Choose fewer days.", left=left, year=year
                )
        since = max(now, _find_midnight(first, zone))
        until = _find_midnight(last + timedelta(days=1), zone)
        holiday = Holiday.objects.create(player_id=player_id, first=first, last=last, since=since, until=until)
    apply_holidays(player_id, now=now)
    return holiday


def end_holiday(player_id: int, holiday_id: int, *, zone: tzinfo, now: float) -> None:
    """Cancel a holiday that has not begun, or end one that is under way: today counts. Raises NotFound, Busy."""
    holiday = Holiday.objects.filter(player=player_id, pk=holiday_id, until__gt=now).first()
    if holiday is None:
        raise NotFound("This holiday is over or does not exist.")
    if holiday.since > now:
        holiday.delete()
    else:
        today = datetime.fromtimestamp(now, tz=UTC).astimezone(zone).date()
        Holiday.objects.filter(pk=holiday_id).update(until=now, last=min(holiday.last, max(holiday.first, today)))
    apply_holidays(player_id, now=now)


def count_days(holidays: Collection[Holiday], year: int) -> int:
    """How many days of this calendar year they take."""
    return sum(day.year == year for holiday in holidays for day in _list_days(holiday.first, holiday.last))


def list_coming(player_id: int, *, now: float) -> list[Holiday]:
    """Holidays that are not over, in order."""
    return list(Holiday.objects.filter(player=player_id, until__gt=now).order_by("since"))


def read_for_seats(table: LoadedTable, *, now: float) -> tuple[SeatHoliday, ...]:
    """The coming holidays of the people at this table, by seat."""
    seats = {place.player_id: place.seat for place in table.places if place.player_id is not None}
    rows = Holiday.objects.filter(player__in=seats, until__gt=now).order_by("since")
    found = rows.values_list("player", "since", "until")
    return tuple(sorted((seats[player_id], since, until) for player_id, since, until in found))


def apply_holidays(player_id: int, *, now: float) -> None:
    """Have the clocks of all this person's games over days follow their holidays. Idempotent. Raises Busy."""
    seats = Seat.objects.filter(player=player_id, table__status=PLAYING, table__turn_seconds__gte=DAY_SECONDS)
    for table_id in seats.order_by("table").values_list("table", flat=True):
        with isolate_errors(f"table {table_id}"):
            retry(table_id, lambda table, present: _apply_holidays(table, now=present), now=now)


def _apply_holidays(table: LoadedTable, *, now: float) -> LoadedTable:
    if table.status != PLAYING or not table.is_over_days:
        return table
    holidays = read_for_seats(table, now=now)
    over = tuple(holiday for holiday in table.runtime.holidays if holiday[2] <= now)
    if holidays == tuple(holiday for holiday in table.runtime.holidays if holiday not in over):
        return table
    after = advance.set_holidays(table, holidays, now=now)
    return store.commit(table, schedule_bots(after._replace(version=table.version + 1), now=now))


def _list_days(first: date, last: date) -> Iterator[date]:
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def _find_midnight(day: date, zone: tzinfo) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()
