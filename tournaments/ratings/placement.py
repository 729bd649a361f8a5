"""The placement rating: the Plackett–Luce model of Weng and Lin (2011) over the places of one table, by openskill.

A rating is an estimate of a player's strength: a mean and a standard deviation on openskill's own scale (25 ± 25/3 at
first). People see one number around 1500 with its ±. The same tables in the same order give the same floats, so ratings
can be computed again at any time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

_MODEL: Final = PlackettLuce()
_CENTRE: Final = 1500
"""The rating shown for a newcomer, in points."""
_SCALE: Final = 40
"""Points shown for one unit of openskill's scale."""
CAUTION: Final = 2
"""Standard deviations (k) that a cautious value lies below an estimate: about 98 of 100 people are at least that good.

With 3, the number of tables decides the order for months; with 1, a newcomer leads after a lucky evening.
"""
SETTLED_SHARE: Final = 0.75
"""A rating is provisional while its deviation is above this share of a newcomer's: for 15 to 20 tables of four."""


class Rating(NamedTuple):
    """mu: mean; sigma: standard deviation; both on openskill's scale."""

    mu: float
    sigma: float

    @property
    def number(self) -> int:
        """The rating shown, in points: about 1500 for a newcomer."""
        return round(_CENTRE + _SCALE * (self.mu - _MODEL.mu))

    @property
    def spread(self) -> int:
        """The ± shown beside it: one standard deviation in points."""
        return round(_SCALE * self.sigma)

    @property
    def cautious(self) -> int:
        """What leaderboards are ordered by, in points: `CAUTION` deviations below the mean."""
        return round(_CENTRE + _SCALE * (self.mu - CAUTION * self.sigma - _MODEL.mu))

    @property
    def is_settled(self) -> bool:
        """Whether it is certain enough not to be provisional."""
        return self.sigma <= SETTLED_SHARE * _MODEL.sigma


NEWCOMER: Final = Rating(_MODEL.mu, _MODEL.sigma)


def rate(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """The ratings after one table, in the order given. places: 1 = best, tied players share one.

    Raises ValueError for fewer than two people, or another number of places.
    """
    if len(before) < 2 or len(before) != len(places):
        raise ValueError("a rated table has at least two people, and a place for each")
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(Rating(team[0].mu, team[0].sigma) for team in after)


def find_cautious_share(share: float, tables: int) -> float:
    """The lower end of Wilson's interval (1927) of a share of people beaten (0–1), `CAUTION` deviations wide.

    A share of few tables says little, so it counts for less: 1.0 after one table comes to 0.2, after fifty to 0.93.
    """
    if not tables:
        return 0.0
    weight = CAUTION**2 / tables
    width = math.sqrt(share * (1 - share) / tables + weight / (4 * tables)) * CAUTION
    return max(0.0, (share + weight / 2 - width) / (1 + weight))
