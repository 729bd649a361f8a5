"""The sums of one tournament for every entrant, from raw results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from tournaments.scoring.points import Scheme, count_pod, share_beaten
from tournaments.scoring.results import PLAYS, PodResult, RoundResult

NOTHING = Fraction(0)


@lru_cache(maxsize=1 << 14)
def divide(part: int, whole: int) -> Fraction:
    """An exact quotient, cached: standings ask for the same few thousand again and again."""
    return Fraction(part, whole)


@dataclass(slots=True)
class Tally:
    """The sums of one entrant: points of every round (None: not in it), and what tie-breaks need.

    played: games that count; scored: how many of them have scores; best: points of the best game, None without any;
    own_score, all_scores: game scores, of the entrant and of all at their tables.
    """

    rounds: list[int | None] = field(default_factory=list)
    penalties: int = 0
    wins: int = 0
    played: int = 0
    scored: int = 0
    best: int | None = None
    opponents: list[str] = field(default_factory=list)
    own_score: int = 0
    all_scores: int = 0

    @property
    def points(self) -> int:
        """The sum, less penalties, in 840ths."""
        return sum(points for points in self.rounds if points is not None) - self.penalties

    @property
    def best_round(self) -> int:
        """The best round, byes and absences included, in 840ths; 0 without any: the former tie-break "best"."""
        return max((points for points in self.rounds if points is not None), default=0)

    @property
    def ratio(self) -> Fraction | None:
        """The entrant's share of all game scores at their tables; None unless every game that counts has scores."""
        return self.known_ratio if self.played and self.scored == self.played else None

    @property
    def known_ratio(self) -> Fraction:
        """The share in the games that have scores, 0 without any: the former tie-break "ratio"."""
        return divide(self.own_score, self.all_scores) if self.all_scores > 0 else NOTHING

    def copy(self) -> Tally:
        """An independent copy."""
        return replace(self, rounds=[*self.rounds], opponents=[*self.opponents])


Tallies: TypeAlias = dict[str, Tally]
"""Tallies by entrant."""


def add_up(entrants: Sequence[str], rounds: Sequence[RoundResult], scheme: Scheme) -> Tallies:
    """The tallies after these rounds. Those who are not in `entrants` are not counted, but were opponents."""
    tallies = {entrant: Tally() for entrant in entrants}
    for number, played in enumerate(rounds, start=1):
        _add_round(tallies, played, scheme, number)
    return tallies


def add_round(tallies: Tallies, played: RoundResult, scheme: Scheme, *, number: int) -> Tallies:
    """The tallies with one more round, of this number; the given ones are not changed."""
    more = {entrant: tally.copy() for entrant, tally in tallies.items()}
    _add_round(more, played, scheme, number)
    return more


def _add_round(tallies: Tallies, played: RoundResult, scheme: Scheme, number: int) -> None:
    for pod in played.pods:
        _add_pod(tallies, pod, scheme)
    for entrant in played.byes:
        _add_rest(tallies, entrant, scheme.bye)
    for entrant in played.absent:
        _add_rest(tallies, entrant, scheme.absent)
    for entrant, points in played.penalties.items():
        if entrant in tallies:
            tallies[entrant].penalties += points
    for tally in tallies.values():
        tally.rounds += [None] * (number - len(tally.rounds))


def _add_rest(tallies: Tallies, entrant: str, points: int) -> None:
    if entrant in tallies:
        tallies[entrant].rounds.append(points)


def tally_games(games: Mapping[str, Sequence[PodResult]], scheme: Scheme) -> Tallies:
    """The tallies of an arena: each entrant's tables in their order."""
    counted: dict[int, _PodCount] = {}
    tallies: Tallies = {}
    for entrant, played in games.items():
        tally = tallies[entrant] = Tally() if played else Tally(rounds=[None])
        for pod in played:
            if id(pod) not in counted:
                counted[id(pod)] = _count_pod(pod, scheme)
            _add_seat(tally, pod, counted[id(pod)], pod.entrants.index(entrant))
    return tallies


def penalise(tallies: Tallies, penalties: Mapping[str, int]) -> Tallies:
    """The tallies with these points taken away; the given ones are not changed."""
    hit = {entrant: points for entrant, points in penalties.items() if entrant in tallies}
    more = {entrant: replace(tallies[entrant], penalties=tallies[entrant].penalties + hit[entrant]) for entrant in hit}
    return tallies | more


class _PodCount(NamedTuple):
    """One pod for all its players: points and ranks by seat, who played, the sum of their scores."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]
    there: list[str]
    total: int


def _count_pod(pod: PodResult, scheme: Scheme) -> _PodCount:
    playing = [entrant for seat, entrant in enumerate(pod.entrants) if pod.fate(seat) == PLAYS]
    return _PodCount(count_pod(pod, scheme), pod.ranks(), playing, sum(pod.scores) if pod.scores else 0)


def _add_pod(tallies: Tallies, pod: PodResult, scheme: Scheme) -> None:
    counted = _count_pod(pod, scheme)
    for seat, entrant in enumerate(pod.entrants):
        if entrant in tallies:
            _add_seat(tallies[entrant], pod, counted, seat)


def _add_seat(tally: Tally, pod: PodResult, counted: _PodCount, seat: int) -> None:
    tally.rounds.append(counted.points[seat])
    if pod.is_void or pod.fate(seat) != PLAYS:
        return
    points = counted.points[seat]
    tally.played += 1
    tally.best = points if tally.best is None else max(tally.best, points)
    tally.wins += counted.ranks[seat] == min(counted.ranks)
    tally.opponents += [other for other in counted.there if other != pod.entrants[seat]]
    if pod.scores is not None:
        tally.scored += 1
        tally.own_score += pod.scores[seat]
        tally.all_scores += counted.total


def count_among(group: Sequence[str], rounds: Sequence[RoundResult]) -> dict[str, int] | None:
    """Shares beaten in games against each other, in 840ths; None unless every two of them have met."""
    members = set(group)
    met: set[frozenset[str]] = set()
    shares = dict.fromkeys(group, 0)
    for played in rounds:
        for pod in played.pods:
            seats = [
                seat for seat, entrant in enumerate(pod.entrants) if entrant in members and _counts_for_seat(pod, seat)
            ]
            if len(seats) < 2:
                continue
            among = tuple(pod.ranks()[seat] for seat in seats)
            met |= {frozenset((pod.entrants[a], pod.entrants[b])) for a in seats for b in seats if a < b}
            for index, seat in enumerate(seats):
                shares[pod.entrants[seat]] += share_beaten(among, index) * (len(seats) - 1)
    return shares if len(met) == len(members) * (len(members) - 1) // 2 else None


def _counts_for_seat(pod: PodResult, seat: int) -> bool:
    return not pod.is_void and pod.fate(seat) == PLAYS
