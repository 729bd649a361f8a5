"""Scores a season: the sum of each person's results in its finished tournaments, or of their best ones."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations, groupby
from math import lcm
from operator import and_
from typing import NamedTuple

from tournaments.scoring.points import BEATEN, SCORE, WHOLE
from tournaments.scoring.standings import compute_lot, note_separated

TIE_BREAKS = ("wins", "best", "head-to-head", "lot")
"""What can part people who are equal in a season."""
Value = Fraction | int | None


@dataclass(frozen=True, slots=True)
class SeasonScheme:
    """The scoring scheme of a season. best_of: None for all tournaments; table: points by place."""

    points: str = BEATEN
    table: tuple[int, ...] = (5, 3, 2, 1)
    best_of: int | None = None
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    lot_seed: str = ""


@dataclass(frozen=True)
class FinishedTournament:
    """A finished tournament. places: of everybody in its standing, bots among them; lines: (place, points) by person.

    Points are the tournament's own, in 840ths.
    """

    places: tuple[int, ...]
    lines: Mapping[str, tuple[int, int]]
    _worth: dict[SeasonScheme, Mapping[str, Fraction]] = field(default_factory=dict, repr=False, compare=False)
    _units: dict[SeasonScheme, int] = field(default_factory=dict, repr=False, compare=False)
    _scaled: dict[tuple[SeasonScheme, int], Mapping[str, int]] = field(default_factory=dict, repr=False, compare=False)

    def worth(self, season: SeasonScheme) -> Mapping[str, Fraction]:
        """The points of each entrant; computed once."""
        if season not in self._worth:
            self._worth[season] = _award_points(self, season)
        return self._worth[season]

    def scaled(self, season: SeasonScheme, unit: int) -> Mapping[str, int]:
        """The same in whole numbers of this part of a point; found once."""
        if (season, unit) not in self._scaled:
            self._scaled[season, unit] = _scale(self.worth(season), unit)
        return self._scaled[season, unit]

    def unit(self, season: SeasonScheme) -> int:
        """The least part of a point of which everything that it is worth is a multiple."""
        if season not in self._units:
            self._units[season] = lcm(*{value.denominator for value in self.worth(season).values()})
        return self._units[season]

    @cached_property
    def winners(self) -> tuple[str, ...]:
        """The people in first place."""
        return tuple(person for person, (place, _) in self.lines.items() if place == 1)


class SeasonLine(NamedTuple):
    """One person. points: in 840ths, exact; results: by tournament, None where they were not in it; counts: which of

    them are summed; values: by tie-break, the best result and duels in 840ths too.
    """

    person: str
    place: int
    points: Fraction
    results: tuple[Fraction | None, ...]
    counts: tuple[bool, ...]
    values: tuple[Value, ...]
    wins: int
    played: int


def rank_season(finished: Sequence[FinishedTournament], season: SeasonScheme) -> tuple[SeasonLine, ...]:
    """The standing after these tournaments, best first; equals share a place, in the order of their names."""
    worths = [event.worth(season) for event in finished]
    unit = lcm(*[event.unit(season) for event in finished])
    counted = [event.scaled(season, unit) for event in finished]
    people = sorted({person for event in finished for person in event.lines})
    rows = {person: _Row([points.get(person) for points in counted], season.best_of) for person in people}
    wins = Counter(person for event in finished for person in event.winners)
    groups = _split(people, {person: row.total for person, row in rows.items()})
    columns: list[Mapping[str, Value]] = []
    for name in season.tie_breaks:
        found = _break_tie(name, groups, finished, rows, wins, season)
        columns.append(_in_points(found, unit) if name == "best" else found)
        groups = [part for group in groups for part in _split(group, {member: found[member] or 0 for member in group})]
    lines, place = [], 1
    for group in groups:
        for person in group:
            row = rows[person]
            lines.append(
                SeasonLine(
                    person, place, Fraction(row.total, unit), tuple([worth.get(person) for worth in worths]),
                    row.counts, tuple([column[person] for column in columns]), wins[person], row.played,
                )
            )  # fmt: skip
        place += len(group)
    return tuple(lines)


def find_deciders(lines: Sequence[SeasonLine]) -> dict[str, frozenset[int]]:
    """By person: which tie-breaks, by index, part them from others with as many points. Lines as of `rank`."""
    line_of = {line.person: line for line in lines}
    groups = [[line.person for line in part] for _, part in groupby(lines, key=lambda line: line.points)]
    found = dict.fromkeys(line_of, frozenset[int]())
    for at in range(len(lines[0].values) if lines else 0):
        values = {person: line.values[at] or 0 for person, line in line_of.items()}
        parts = [part for group in groups for part in _split(group, values)]
        note_separated(found, at, groups, parts)
        groups = parts
    return found


def _in_points(found: Mapping[str, int | None], unit: int) -> dict[str, Value]:
    return {person: None if value is None else Fraction(value, unit) for person, value in found.items()}


class _Row:
    """One person's results, whole numbers of one unit, in the order of the tournaments."""

    __slots__ = ("best", "counts", "played", "total")

    def __init__(self, results: Sequence[int | None], best_of: int | None) -> None:
        attended = [index for index, one in enumerate(results) if one is not None]
        worth = {index: one for index, one in enumerate(results) if one is not None}
        # The best ones count, of equals the earlier.
        chosen = attended if best_of is None else sorted(attended, key=lambda index: -worth[index])[:best_of]
        self.played = len(attended)
        self.total = sum([worth[index] for index in chosen])
        self.best = max(worth.values(), default=None)
        in_it = set(chosen)
        self.counts = tuple([index in in_it for index in range(len(results))])


def _scale(worth: Mapping[str, Fraction], unit: int) -> dict[str, int]:
    return {person: value.numerator * (unit // value.denominator) for person, value in worth.items()}


def _award_points(tournament: FinishedTournament, season: SeasonScheme) -> dict[str, Fraction]:
    """The points that a tournament gives each entrant: by place, or their points as they are."""
    if season.points == SCORE:
        return {person: Fraction(points) for person, (_, points) in tournament.lines.items()}
    by_place: dict[int, Fraction] = {}
    ahead, others = 0, len(tournament.places) - 1
    for place, equal in sorted(Counter(tournament.places).items()):
        if season.points == BEATEN:
            halves = 2 * (len(tournament.places) - ahead - equal) + equal - 1
            by_place[place] = Fraction(WHOLE * halves, 2 * others) if others else Fraction(WHOLE)
        else:
            by_place[place] = Fraction(WHOLE * sum(season.table[ahead : ahead + equal]), equal)
        ahead += equal
    return {person: by_place[place] for person, (place, _) in tournament.lines.items()}


def _split(people: Sequence[str], value: Mapping[str, Fraction | int]) -> list[list[str]]:
    order = sorted(people, key=lambda person: (-value[person], person))
    return [list(part) for _, part in groupby(order, key=lambda person: value[person])]


def _break_tie(
    name: str,
    groups: Sequence[Sequence[str]],
    finished: Sequence[FinishedTournament],
    rows: Mapping[str, _Row],
    wins: Mapping[str, int],
    season: SeasonScheme,
) -> Mapping[str, int | None]:
    if name == "wins":
        return {person: wins[person] for person in rows}
    if name == "best":
        return {person: row.best for person, row in rows.items()}
    if name == "lot":
        return {person: compute_lot(season.lot_seed, person) for person in rows}
    found: dict[str, int | None] = dict.fromkeys(rows)
    for group in groups:
        if len(group) > 1 and (shares := _meetings(group, finished)) is not None:
            found |= shares
    return found


def _meetings(group: Sequence[str], finished: Sequence[FinishedTournament]) -> dict[str, int] | None:
    """Duels won against each other, in 840ths; None unless every two of them were in one tournament."""
    attended = [sum(1 << at for at, one in enumerate(finished) if person in one.lines) for person in group]
    if not reduce(and_, attended) and not all(one & other for one, other in combinations(attended, 2)):
        return None
    halves = dict.fromkeys(group, 0)
    for tournament in finished:
        placed = [(tournament.lines[person][0], person) for person in group if person in tournament.lines]
        places = sorted([place for place, _ in placed])
        for place, person in placed:
            ahead, behind = bisect_left(places, place), len(places) - bisect_right(places, place)
            halves[person] += 2 * behind + len(places) - ahead - behind - 1
    return {person: WHOLE // 2 * number for person, number in halves.items()}
