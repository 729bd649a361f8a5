"""Standings, computed from raw results alone, after any round."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import NamedTuple

from tournaments.scoring.points import Scheme
from tournaments.scoring.results import RoundResult
from tournaments.scoring.tally import Tally, add_up, count_among

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


def rank(entrants: Sequence[str], rounds: Sequence[RoundResult], scheme: Scheme) -> tuple[Standing, ...]:
    """The standings after these rounds, best first; equals in the order of their names.

    Tie-breaks are applied in the scheme's order, each within those whom the earlier ones left equal.
    """
    tallies = add_up(entrants, rounds, scheme)
    values: dict[str, list[Value]] = {entrant: [] for entrant in entrants}
    groups = _split(sorted(entrants), lambda entrant: tallies[entrant].points)
    for name in scheme.tie_breaks:
        found = _values(name, groups, tallies, rounds, scheme)
        for entrant in entrants:
            values[entrant].append(found[entrant])
        groups = [part for group in groups for part in _split(group, partial(_measure, found))]
    lines, place = [], 1
    for group in groups:
        lines += [_line(entrant, place, tallies[entrant], tuple(values[entrant])) for entrant in group]
        place += len(group)
    return tuple(lines)


def _line(entrant: str, place: int, tally: Tally, values: tuple[Value, ...]) -> Standing:
    return Standing(entrant, place, tally.points, values, tuple(tally.rounds), tally.wins, tally.played)


def _split(group: Sequence[str], value: Callable[[str], Fraction | int]) -> list[list[str]]:
    """The group in groups of equals, the highest value first."""
    if len(group) == 1:
        return [list(group)]
    return [list(part) for _, part in groupby(sorted(group, key=value, reverse=True), key=value)]


def _measure(found: Mapping[str, Value], entrant: str) -> Fraction | int:
    return found[entrant] or 0


def _values(
    name: str,
    groups: Sequence[Sequence[str]],
    tallies: Mapping[str, Tally],
    rounds: Sequence[RoundResult],
    scheme: Scheme,
) -> Mapping[str, Value]:
    if name == "head-to-head":
        return _heads_to_heads(groups, tallies, rounds)
    points = {entrant: tally.points for entrant, tally in tallies.items()} if name == "opponents" else {}
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
    return Fraction(sum(met), len(met)) if met else Fraction(0)


def _heads_to_heads(
    groups: Sequence[Sequence[str]], tallies: Mapping[str, Tally], rounds: Sequence[RoundResult]
) -> dict[str, Value]:
    found: dict[str, Value] = dict.fromkeys(tallies)
    for group in groups:
        if len(group) > 1 and _may_all_have_met(group, tallies) and (shares := count_among(group, rounds)) is not None:
            found |= shares
    return found


def _may_all_have_met(group: Sequence[str], tallies: Mapping[str, Tally]) -> bool:
    """Whether the first of them has met all others: mostly not, and then nobody need look through every game."""
    return set(group[1:]).issubset(tallies[group[0]].opponents)


def draw_lot(seed: str, entrant: str) -> int:
    """The lot of an entrant, higher is better: 48 bits of SHA-256 of "seed:entrant"; the seed is published."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{entrant}".encode()).digest()[:6])
