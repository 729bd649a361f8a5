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
    """One entrant's line in the standings. Points are 840ths of a round won.

    place: shared by those that nothing separates; values: by tie-break, None where it does not apply; rounds: points of
    each round, None where not in it; penalties: points taken away (or given, if negative). The sum of rounds less
    penalties is the points.
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
    """The sort key among tied entrants: by entry number, 9 before 10."""
    return len(entrant), entrant


def rank(entrants: Sequence[str], rounds: Sequence[RoundResult], scheme: Scheme) -> tuple[Standing, ...]:
    """The standings after these rounds, best first; tied entrants in the order of `as_listed`.

    Tie-breaks apply in the scheme's order, each among those that the earlier ones left tied.
    """
    return rank_sums(add_up(entrants, rounds, scheme), rounds, scheme)


def rank_sums(
    tallies: Tallies, rounds: Sequence[RoundResult], scheme: Scheme, *, is_former: bool = False
) -> tuple[Standing, ...]:
    """The standings from these tallies of these rounds.

    is_former: with the former tie-breaks, in which a missing value counted as 0 and a bye could be the best result; old
    tournaments keep them.
    """
    points = {entrant: tally.points for entrant, tally in tallies.items()}
    groups = _split([sorted(tallies, key=as_listed)], points, tallies)
    columns = []
    for name in scheme.tie_breaks:
        measure = _FORMER if is_former and name in _FORMER else _MEASURES
        found = _list_values(name, measure, groups, tallies, points, rounds, scheme)
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
    """By entrant: the indices of the tie-breaks that separate it from others with equal points.

    lines: as returned by `rank`.
    """
    line_of = {line.entrant: line for line in lines}
    groups: list[Sequence[str]] = [
        [line.entrant for line in part] for _, part in groupby(lines, key=lambda line: line.points)
    ]
    found = dict.fromkeys(line_of, frozenset[int]())
    for at in range(len(lines[0].values) if lines else 0):
        values = {entrant: line.values[at] for entrant, line in line_of.items()}
        parts = _split(groups, values, line_of)
        note_separated(found, at, groups, parts)
        groups = parts
    return found


def note_separated(
    found: dict[str, frozenset[int]], at: int, before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]
) -> None:
    """Add tie-break `at` to everybody whose group it has split. after: the groups of `before`, some of them split."""
    whole = {frozenset(group) for group in after}
    for group in before:
        if frozenset(group) not in whole:
            found |= {member: found[member] | {at} for member in group}


def _split(
    groups: Sequence[Sequence[str]], found: Mapping[str, Value], tallies: Mapping[str, Tally | Standing]
) -> list[Sequence[str]]:
    """Each group split into groups of equal value, the highest first, where its values can be compared.

    If one of those who have played lacks a value the group stays together; those who have not played rank behind.
    """
    parts: list[Sequence[str]] = []
    for group in groups:
        lacking = [entrant for entrant in group if found[entrant] is None] if len(group) > 1 else group
        if len(lacking) == len(group) or any(tallies[entrant].played for entrant in lacking):
            parts.append(group)
            continue
        value_of = {entrant: value for entrant in group if (value := found[entrant]) is not None}
        ordered = sorted(value_of, key=value_of.__getitem__, reverse=True)
        parts += [list(part) for _, part in groupby(ordered, key=value_of.__getitem__)]
        parts += [lacking] if lacking else []
    return parts


def _in_whole_numbers(found: Mapping[str, Value]) -> Mapping[str, int | None]:
    """Integers in the same order as these fractions, which compare faster."""
    common = lcm(*{value.denominator for value in found.values() if value is not None})
    return {
        entrant: None if value is None else value.numerator * (common // value.denominator)
        for entrant, value in found.items()
    }


Points = Mapping[str, int]
Measure = Callable[[Tally, Points], Value]
"""The value of a tie-break for one entrant, from their tally and everybody's points."""


def _opponents(tally: Tally, points: Points) -> Fraction | None:
    """The mean of the opponents' points over all meetings; None for an entrant without any."""
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


def _list_values(
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
        return {entrant: compute_lot(scheme.lot_seed, entrant) for entrant in tallies}
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
    """Whether the first of them has met all others: a quick test that mostly saves going through every game."""
    met = tallies[group[0]].opponents
    return all(other in met for other in group[1:])


@lru_cache(maxsize=1 << 14)
def compute_lot(seed: str, entrant: str) -> int:
    """The lot of an entrant, higher is better: 48 bits of SHA-256 of "seed:entrant"; the seed is published."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{entrant}".encode()).digest()[:6])
