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

    rounds: points of each round, None where not in it. Points are 840ths.
    """

    entrant: str
    place: int
    points: int
    values: tuple[Value, ...]
    rounds: tuple[int | None, ...]
    wins: int
    played: int


def as_listed(entrant: str) -> tuple[int, str]:
    """Where an entrant stands among equals: by the number on the list, 9 before 10."""
    return len(entrant), entrant


def rank(entrants: Sequence[str], rounds: Sequence[RoundResult], scheme: Scheme) -> tuple[Standing, ...]:
    """The standings after these rounds, best first; equals in the order of `as_listed`.

    Tie-breaks are applied in the scheme's order, each within those whom the earlier ones left equal.
    """
    return rank_sums(add_up(entrants, rounds, scheme), rounds, scheme)


def rank_sums(tallies: Tallies, rounds: Sequence[RoundResult], scheme: Scheme) -> tuple[Standing, ...]:
    """The standings of these tallies, which are what these rounds have come to."""
    points = {entrant: tally.points for entrant, tally in tallies.items()}
    groups = _split([sorted(tallies, key=as_listed)], points)
    columns = []
    for name in scheme.tie_breaks:
        found = _values(name, groups, tallies, points, rounds, scheme)
        columns.append(found)
        groups = _split(groups, _measure(name, found))
    lines, place = [], 1
    for group in groups:
        for entrant in group:
            tally, values = tallies[entrant], tuple([column[entrant] for column in columns])
            line = Standing(entrant, place, points[entrant], values, tuple(tally.rounds), tally.wins, tally.played)
            lines.append(line)
        place += len(group)
    return tuple(lines)


def _split(groups: Sequence[Sequence[str]], measure: Mapping[str, Fraction | int]) -> list[Sequence[str]]:
    """Each group in groups of equals, the highest value first."""
    parts: list[Sequence[str]] = []
    for group in groups:
        if len(group) == 1:
            parts.append(group)
        else:
            ordered = sorted(group, key=measure.__getitem__, reverse=True)
            parts += [list(part) for _, part in groupby(ordered, key=measure.__getitem__)]
    return parts


def _measure(name: str, found: Mapping[str, Value]) -> Mapping[str, Fraction | int]:
    """What parts those who are equal so far: the value, or what is in the same order and compared sooner."""
    if name != "opponents":
        return {entrant: value or 0 for entrant, value in found.items()}
    common = lcm(*{value.denominator for value in found.values() if value is not None})
    return {
        entrant: value.numerator * (common // value.denominator) if value else 0 for entrant, value in found.items()
    }


def _values(
    name: str,
    groups: Sequence[Sequence[str]],
    tallies: Tallies,
    points: Mapping[str, int],
    rounds: Sequence[RoundResult],
    scheme: Scheme,
) -> Mapping[str, Value]:
    if name == "head-to-head":
        return _heads_to_heads(groups, tallies, rounds)
    one: dict[str, Callable[[str], Value]] = {
        "opponents": lambda entrant: _opponents(tallies[entrant], points),
        "wins": lambda entrant: tallies[entrant].wins,
        "best": lambda entrant: tallies[entrant].best,
        "ratio": lambda entrant: tallies[entrant].ratio,
        "lot": lambda entrant: draw_lot(scheme.lot_seed, entrant),
    }
    return {entrant: one[name](entrant) for entrant in tallies}


def _opponents(tally: Tally, points: Mapping[str, int]) -> Fraction:
    met = [points[other] for other in tally.opponents if other in points]
    return divide(sum(met), len(met)) if met else NOTHING


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
