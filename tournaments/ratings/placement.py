"""The placement rating: the Plackett–Luce model of Weng and Lin (2011) over the places of one table, by openskill.

A rating is an estimate of a player's strength: a mean and a standard deviation on openskill's own scale (25 ± 25/3 at
first). People see one number around 1500 with its ±. The same tables in the same order give the same floats, so ratings
can be computed again at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

_MODEL: Final = PlackettLuce()
_CENTRE: Final = 1500
"""The rating shown for a newcomer, in points."""
_SCALE: Final = 40
"""Points shown for one unit of openskill's scale."""
SETTLED_AFTER: Final = 10
"""Rated tables after which a rating is no longer provisional."""


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


def is_settled(tables: int) -> bool:
    """Whether a rating after so many rated tables is no longer provisional."""
    return tables >= SETTLED_AFTER
