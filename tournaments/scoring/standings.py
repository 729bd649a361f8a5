"""Standings, computed from raw results alone, after any round."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import lcm
from typing import NamedTuple

from tournaments.scoring.points import Scheme
from tournaments.scoring.results import RoundResult
from tournaments.scoring.tally import NOTHING, Tallies, Tally, add_up, count_among, divide

Value = Fraction | int | None


class Standing(NamedTuple):
    """One line. place: shared by those whom nothing parts; values: by tie-break, None where it does not apply;

    rounds: points of each round, None where not in it; penalties: points taken away (or given, if negative). The
    rounds less the penalties are the points. Points are 840ths.
    """

    entrant: str
    place: int
    points: int
    values: tuple[Value, ...]
    rounds: tuple[int | None, ...]
    wins: int
    played: int
    penalties: int = 0


def as_listed(entrant: str) -> tuple[int, str]:
    """Where an entrant stands among equals: by the number on the list, 9 before 10."""
    return len(entrant), entrant


def rank(entrants: Sequence[str], rounds: Sequence[RoundResult], scheme: Scheme) -> tuple[Standing, ...]:
    """The standings after these rounds, best first; equals in the order of `as_listed`.

    Tie-breaks are applied in the scheme's order, each within those whom the earlier ones left equal.
    """
    return rank_sums(add_up(entrants, rounds, scheme), rounds, scheme)


def rank_sums(
    tallies: Tallies, rounds: Sequence[RoundResult], scheme: Scheme, *, is_former: bool = False
) -> tuple[Standing, ...]:
    """The standings of these tallies, which are what these rounds have come to.

    is_former: by tie-breaks as they were while a missing value counted as 0 and a bye could be the best result.
    """
    points = {entrant: tally.points for entrant, tally in tallies.items()}
    groups = _split([sorted(tallies, key=as_listed)], points, tallies)
    columns = []
    for name in scheme.tie_breaks:
        measure = _FORMER if is_former and name in _FORMER else _MEASURES
        found = _values(name, measure, groups, tallies, points, rounds, scheme)
        columns.append(found)
        groups = _split(groups, _in_whole_numbers(found) if name == "opponents" else found, tallies)
    lines, place = [], 1
    for group in groups:
        for entrant in group:
            tally, values = tallies[entrant], tuple([column[entrant] for column in columns])
            parts = tuple(tally.rounds), tally.wins, tally.played, tally.penalties
            lines.append(Standing(entrant, place, points[entrant], values, *parts))
        place += len(group)
    return tuple(lines)


def find_deciders(lines: Sequence[Standing]) -> dict[str, frozenset[int]]:
    """By entrant: which tie-breaks, by index, part it from others with as many points. Lines as of `rank`."""
    known = {line.entrant: line for line in lines}
    groups: list[Sequence[str]] = [
        [line.entrant for line in part] for _, part in groupby(lines, key=lambda line: line.points)
    ]
    found = dict.fromkeys(known, frozenset[int]())
    for at in range(len(lines[0].values) if lines else 0):
        values = {entrant: line.values[at] for entrant, line in known.items()}
        parts = _split(groups, values, known)
        note_parted(found, at, groups, parts)
        groups = parts
    return found


def note_parted(
    found: dict[str, frozenset[int]], at: int, before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]
) -> None:
    """Add tie-break `at` to everybody whose group it has parted. after: the groups of `before`, some of them parted."""
    whole = {frozenset(group) for group in after}
    for group in before:
        if frozenset(group) not in whole:
            found |= {one: found[one] | {at} for one in group}


def _split(
    groups: Sequence[Sequence[str]], found: Mapping[str, Value], tallies: Mapping[str, Tally | Standing]
) -> list[Sequence[str]]:
    """Each group in groups of equals, the highest value first, where its values can be compared.

    If one of those who have played lacks a value the group stays together; who has not played stands behind.
    """
    parts: list[Sequence[str]] = []
    for group in groups:
        lacking = [entrant for entrant in group if found[entrant] is None] if len(group) > 1 else group
        if len(lacking) == len(group) or any(tallies[entrant].played for entrant in lacking):
            parts.append(group)
            continue
        known = {entrant: value for entrant in group if (value := found[entrant]) is not None}
        ordered = sorted(known, key=known.__getitem__, reverse=True)
        parts += [list(part) for _, part in groupby(ordered, key=known.__getitem__)]
        parts += [lacking] if lacking else []
    return parts


def _in_whole_numbers(found: Mapping[str, Value]) -> Mapping[str, int | None]:
    """What is in the same order as these fractions, and compared sooner."""
    common = lcm(*{value.denominator for value in found.values() if value is not None})
    return {
        entrant: None if value is None else value.numerator * (common // value.denominator)
        for entrant, value in found.items()
    }


Points = Mapping[str, int]
Measure = Callable[[Tally, Points], Value]
"""A value of one entrant, from the tally and everybody's points."""


def _opponents(tally: Tally, points: Points) -> Fraction | None:
    """The average of their points over all meetings; None for somebody who has met nobody."""
    met = [points[other] for other in tally.opponents if other in points]
    return divide(sum(met), len(met)) if met else None


_MEASURES: Mapping[str, Measure] = {
    "opponents": _opponents,
    "wins": lambda tally, points: tally.wins,
    "best": lambda tally, points: tally.best,
    "ratio": lambda tally, points: tally.ratio,
}
_FORMER: Mapping[str, Measure] = {
    "opponents": lambda tally, points: _opponents(tally, points) or NOTHING,
    "best": lambda tally, points: tally.best_round,
    "ratio": lambda tally, points: tally.known_ratio,
}


def _values(
    name: str,
    measures: Mapping[str, Measure],
    groups: Sequence[Sequence[str]],
    tallies: Tallies,
    points: Points,
    rounds: Sequence[RoundResult],
    scheme: Scheme,
) -> Mapping[str, Value]:
    if name == "head-to-head":
        return _heads_to_heads(groups, tallies, rounds)
    if name == "lot":
        return {entrant: draw_lot(scheme.lot_seed, entrant) for entrant in tallies}
    measure = measures[name]
    return {entrant: measure(tally, points) for entrant, tally in tallies.items()}


def _heads_to_heads(
    groups: Sequence[Sequence[str]], tallies: Tallies, rounds: Sequence[RoundResult]
) -> dict[str, Value]:
    found: dict[str, Value] = dict.fromkeys(tallies)
    for group in groups:
        if len(group) > 1 and _may_all_have_met(group, tallies) and (shares := count_among(group, rounds)) is not None:
            found |= shares
    return found


def _may_all_have_met(group: Sequence[str], tallies: Tallies) -> bool:
    """Whether the first of them has met all others: mostly not, and then nobody need look through every game."""
    met = tallies[group[0]].opponents
    return all(other in met for other in group[1:])


@lru_cache(maxsize=1 << 14)
def draw_lot(seed: str, entrant: str) -> int:
    """The lot of an entrant, higher is better: 48 bits of SHA-256 of "seed:entrant"; the seed is published."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{entrant}".encode()).digest()[:6])
