"""The sums of a person's results and career entries: added one by one, the same in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Record(NamedTuple):
    """The records of a career in one game. All count deals; None: it has not happened.

    reign, bottom: most deals in a row at the top, at the bottom; climb: fewest from the bottom to the top; promotions,
    falls: how often the rank got better, worse, from one deal to the next.
    """

    deals: int
    average: float | None
    reign: int | None
    bottom: int | None
    climb: int | None
    promotions: int
    falls: int


class CareerResult(NamedTuple):
    """One result. beaten: share of the people beaten, in 840ths; people: how many played; at: seconds since 1970."""

    place: int
    people: int
    beaten: int
    score: int | None
    feat: int | None
    at: float


class CareerDeal(NamedTuple):
    """One career entry; see `entries`. demoted_by: a person's key, None without one."""

    rank: int
    of: int
    before: int | None
    spell: int
    climb: int | None
    job: str
    demoted_by: int | None
    at: float


@dataclass(slots=True)
class Total:
    """The sums of one person in one game, for all time or one season.

    wins: first places among all; met: tables with other people, and beaten: the shares of them; jobs: job → deals and
    sum of ranks; rivals: person → how often they took this one's rank. The `…_at` of a record is when it was first
    reached.
    """

    games: int = 0
    wins: int = 0
    places: int = 0
    met: int = 0
    beaten: int = 0
    best: int | None = None
    feat: int | None = None
    feat_at: float | None = None
    deals: int = 0
    ranks: int = 0
    promotions: int = 0
    falls: int = 0
    reign: int | None = None
    reign_at: float | None = None
    bottom: int | None = None
    bottom_at: float | None = None
    climb: int | None = None
    climb_at: float | None = None
    jobs: dict[str, list[int]] = field(default_factory=dict)
    rivals: dict[str, int] = field(default_factory=dict)

    def add_result(self, result: CareerResult) -> None:
        """Count one table."""
        self.games += 1
        self.wins += result.place == 1
        self.places += result.place
        if result.people > 1:
            self.met += 1
            self.beaten += result.beaten
        if result.score is not None:
            self.best = result.score if self.best is None else max(self.best, result.score)
        if result.feat is not None:
            self.feat, self.feat_at = _raise_best(self.feat, self.feat_at, result.feat, result.at)

    def add_deal(self, deal: CareerDeal) -> None:
        """Count one deal."""
        self.deals += 1
        self.ranks += deal.rank
        counted = self.jobs.setdefault(deal.job, [0, 0])
        counted[0] += 1
        counted[1] += deal.rank
        if deal.before is not None:
            self.promotions += deal.rank < deal.before
            self.falls += deal.rank > deal.before
        if deal.demoted_by is not None:
            rival = str(deal.demoted_by)
            self.rivals[rival] = self.rivals.get(rival, 0) + 1
        self._add_records(deal)

    def _add_records(self, deal: CareerDeal) -> None:
        if deal.rank == 1:
            self.reign, self.reign_at = _raise_best(self.reign, self.reign_at, deal.spell, deal.at)
            if deal.climb is not None:
                low, at = _raise_best(_negate(self.climb), self.climb_at, -deal.climb, deal.at)
                self.climb, self.climb_at = -low, at
        if deal.rank == deal.of:
            self.bottom, self.bottom_at = _raise_best(self.bottom, self.bottom_at, deal.spell, deal.at)

    @property
    def record(self) -> Record:
        """The records of the career."""
        average = self.ranks / self.deals if self.deals else None
        return Record(self.deals, average, self.reign, self.bottom, self.climb, self.promotions, self.falls)

    def share_jobs(self) -> tuple[tuple[str, int, float], ...]:
        """(job, deals, share of all deals), by the mean rank of each job: for tables of one size, the ladder."""
        order = sorted(self.jobs.items(), key=lambda job: (job[1][1] / job[1][0], job[0]))
        return tuple((job, deals, deals / self.deals) for job, (deals, _) in order)

    def list_rivals(self) -> Sequence[tuple[int, int]]:
        """(person, how often they took this one's rank), most often first."""
        return sorted(
            ((int(key), times) for key, times in self.rivals.items()), key=lambda rival: (-rival[1], rival[0])
        )


def _negate(value: int | None) -> int | None:
    return None if value is None else -value


def _raise_best(best: int | None, known_at: float | None, value: int, at: float) -> tuple[int, float]:
    """The greater value, and when it was first reached."""
    if best is None or known_at is None or value > best:
        return value, at
    return best, min(known_at, at) if value == best else known_at
