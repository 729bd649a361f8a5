"""A season: what finished tournaments come to for every person, summed, or only his best ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from tournaments.scoring.points import BEATEN, SCORE, WHOLE
from tournaments.scoring.standings import draw_lot

TIE_BREAKS = ("wins", "best", "head-to-head", "lot")
"""What can part people who are equal in a season."""
Value = Fraction | int | None


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished tournament. places: of everybody in its standing, bots among them; lines: (place, points) by person.

    Points are the tournament's own, in 840ths.
    """

    places: tuple[int, ...]
    lines: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Season:
    """How a season counts. best_of: None for all tournaments; table: points by place."""

    points: str = BEATEN
    table: tuple[int, ...] = (5, 3, 2, 1)
    best_of: int | None = None
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    lot_seed: str = ""


class LeagueLine(NamedTuple):
    """One person. points: in 840ths, exact; results: by tournament, None where he was not in it; counts: which of

    them are summed; values: by tie-break.
    """

    person: str
    place: int
    points: Fraction
    results: tuple[Fraction | None, ...]
    counts: tuple[bool, ...]
    values: tuple[Value, ...]
    wins: int
    played: int


def rank_season(finished: Sequence[Finished], season: Season) -> tuple[LeagueLine, ...]:
    """The standing after these tournaments, best first; equals share a place, in the order of their names."""
    people = sorted({person for one in finished for person in one.lines})
    results = {person: tuple(_count(one, person, season) for one in finished) for person in people}
    counts = {person: _choose(results[person], season.best_of) for person in people}
    points = {
        person: sum((value for value, is_in in zip(results[person], counts[person], strict=True) if value and is_in),
                    Fraction(0))
        for person in people
    }  # fmt: skip
    wins = {person: sum(one.lines[person][0] == 1 for one in finished if person in one.lines) for person in people}
    values: dict[str, list[Value]] = {person: [] for person in people}
    groups = _split(people, points)
    for name in season.tie_breaks:
        found = _break(name, groups, finished, results, wins, season)
        for person in people:
            values[person].append(found[person])
        groups = [part for group in groups for part in _split(group, {p: found[p] or 0 for p in group})]
    lines, place = [], 1
    for group in groups:
        for person in group:
            played = sum(value is not None for value in results[person])
            lines.append(
                LeagueLine(
                    person, place, points[person], results[person], counts[person], tuple(values[person]),
                    wins[person], played,
                )
            )  # fmt: skip
        place += len(group)
    return tuple(lines)


def _count(one: Finished, person: str, season: Season) -> Fraction | None:
    """What a tournament is worth to somebody; nothing if he was not in it."""
    if person not in one.lines:
        return None
    place, points = one.lines[person]
    if season.points == SCORE:
        return Fraction(points)
    equal = sum(other == place for other in one.places)
    if season.points == BEATEN:
        behind = sum(other > place for other in one.places)
        others = len(one.places) - 1
        return Fraction(WHOLE * (2 * behind + equal - 1), 2 * others) if others else Fraction(WHOLE)
    ahead = sum(other < place for other in one.places)
    worth = sum(season.table[rank] for rank in range(ahead, ahead + equal) if rank < len(season.table))
    return Fraction(WHOLE * worth, equal)


def _choose(results: Sequence[Fraction | None], best_of: int | None) -> tuple[bool, ...]:
    """Which results are summed: the best ones, of equals the earlier."""
    order = sorted((index for index, one in enumerate(results) if one is not None), key=lambda index: -results[index])  # type: ignore[operator]
    chosen = set(order if best_of is None else order[:best_of])
    return tuple(index in chosen for index in range(len(results)))


def _split(people: Sequence[str], value: Mapping[str, Fraction | int]) -> list[list[str]]:
    order = sorted(people, key=lambda person: (-value[person], person))
    return [list(part) for _, part in groupby(order, key=lambda person: value[person])]


def _break(
    name: str,
    groups: Sequence[Sequence[str]],
    finished: Sequence[Finished],
    results: Mapping[str, Sequence[Fraction | None]],
    wins: Mapping[str, int],
    season: Season,
) -> dict[str, Value]:
    if name == "wins":
        return dict(wins)
    if name == "best":
        return {person: max((one for one in row if one is not None), default=None) for person, row in results.items()}
    if name == "lot":
        return {person: draw_lot(season.lot_seed, person) for person in results}
    found: dict[str, Value] = dict.fromkeys(results)
    for group in groups:
        if len(group) > 1 and (shares := _meetings(group, finished)) is not None:
            found |= shares
    return found


def _meetings(group: Sequence[str], finished: Sequence[Finished]) -> dict[str, Value] | None:
    """Halves of a duel won against each other; None unless every two of them were in one tournament."""
    halves: dict[str, Value] = {}
    for person in group:
        score = 0
        for other in group:
            if other == person:
                continue
            both = [one for one in finished if person in one.lines and other in one.lines]
            if not both:
                return None
            mine = [(one.lines[person][0], one.lines[other][0]) for one in both]
            score += sum(2 if place < his else 1 if place == his else 0 for place, his in mine)
        halves[person] = score
    return halves
