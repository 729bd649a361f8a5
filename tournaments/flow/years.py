"""A person's year in review, computed from stored games."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from datetime import UTC, datetime
from typing import NamedTuple

from django.db.models import QuerySet

from games.models import Player
from tournaments.flow import rivalry
from tournaments.flow.profiles import Career, GameSum, find_careers, list_totals, sum_games
from tournaments.flow.seasons import bounds_of
from tournaments.models import PersonResult
from tournaments.ratings.placement import Rating


class Year(NamedTuple):
    """A person's year. months: tables a month; company: whom he met most; gain: of the rating of all games."""

    games: list[GameSum]
    tables: int
    wins: int
    months: tuple[int, ...]
    company: tuple[rivalry.Rival, ...]
    careers: list[Career]
    gain: int | None


def review(player: Player, year: int) -> Year:
    """A year in review (UTC)."""
    begin, end = bounds_of(year)
    results = rivalry.results_of(player).filter(ended_at__gte=begin, ended_at__lt=end)
    known = list_totals(player, year)
    games = sum_games(known)
    begins = [datetime(year, month, 1, tzinfo=UTC).timestamp() for month in range(1, 13)]
    times = Counter(bisect_right(begins, at) for at in results.values_list("ended_at", flat=True))
    months = [times[month] for month in range(1, 13)]
    return Year(
        games=games,
        tables=sum(months),
        wins=sum(row.wins for row in games),
        months=tuple(months),
        company=rivalry.find_company(player, results.values("counted")),
        careers=find_careers(player, known, year),
        gain=_gain(results, player, begin),
    )


def _gain(results: QuerySet[PersonResult], player: Player, begin: float) -> int | None:
    after = _rate_last(results)
    if after is None:
        return None
    before = _rate_last(rivalry.results_of(player).filter(ended_at__lt=begin))
    return after - (1500 if before is None else before)


def _rate_last(results: QuerySet[PersonResult]) -> int | None:
    """The number of the rating of all games after the last rated one of these."""
    rated = results.filter(total_mu__isnull=False).order_by("-ended_at", "-counted")
    last = rated.values_list("total_mu", flat=True).first()
    return None if last is None else Rating(last, 0.0).number
