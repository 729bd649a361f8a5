"""A person's year in review, computed from stored games."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from datetime import UTC, datetime
from typing import NamedTuple

from games.models import Player
from tournaments.flow.counting.calendar_years import bounds_of
from tournaments.flow.profiles import head_to_head
from tournaments.flow.profiles.queries import Career, GameSum, find_careers, find_rating, list_totals, sum_games
from tournaments.ratings.placement import NEWCOMER


class Year(NamedTuple):
    """A person's year. months: tables a month; company: who they met most.

    rating_before, rating_after: of all games, as the year began and after its last rated table; None without one.
    """

    games: list[GameSum]
    tables: int
    wins: int
    months: tuple[int, ...]
    company: tuple[head_to_head.Rival, ...]
    careers: list[Career]
    rating_before: int | None
    rating_after: int | None

    @property
    def gain(self) -> int | None:
        """The change of the rating of all games in the year."""
        if self.rating_before is None or self.rating_after is None:
            return None
        return self.rating_after - self.rating_before


def review(player: Player, year: int) -> Year:
    """A year in review (UTC)."""
    begin, end = bounds_of(year)
    results = head_to_head.results_of(player).filter(ended_at__gte=begin, ended_at__lt=end)
    totals = list_totals(player, year)
    games = sum_games(totals)
    begins = [datetime(year, month, 1, tzinfo=UTC).timestamp() for month in range(1, 13)]
    times = Counter(bisect_right(begins, at) for at in results.values_list("ended_at", flat=True))
    months = [times[month] for month in range(1, 13)]
    after = find_rating(results, "")
    before = find_rating(head_to_head.results_of(player).filter(ended_at__lt=begin), "") or NEWCOMER
    return Year(
        games=games,
        tables=sum(months),
        wins=sum(row.wins for row in games),
        months=tuple(months),
        company=head_to_head.find_frequent_opponents(player, results.values("counted")),
        careers=find_careers(player, totals, year),
        rating_before=before.number if after is not None else None,
        rating_after=after.number if after is not None else None,
    )
