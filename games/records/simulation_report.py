"""Totals of simulated games: how often each bot took each place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.records.simulate import SimulatedGame


class SimulationTotals(NamedTuple):
    """games, moves: in all; places: by level, how often it took which place."""

    games: int
    moves: int
    places: dict[str, Counter[int]]


def total_games(games: Iterable[SimulatedGame]) -> SimulationTotals:
    """The tally of finished games."""
    count = moves = 0
    places: dict[str, Counter[int]] = {}
    for game in games:
        count += 1
        moves += game.moves
        for level, place in zip(game.levels, game.outcome.places, strict=True):
            places.setdefault(level, Counter())[place] += 1
    return SimulationTotals(count, moves, places)


def write_report(tally: SimulationTotals, *, seats: int, seconds: float) -> list[str]:
    """The lines of the report. seconds: how long the games took, the one figure that differs from run to run."""
    rate = round(tally.moves / seconds) if seconds > 0 else 0
    head = [("games", tally.games), ("moves", tally.moves), ("moves/s", rate)]
    lines = [f"{name:<8}{value:>12}" for name, value in head]
    rows = [["bot", "seats", "mean", *(f"{place}." for place in range(1, seats + 1))]]
    rows += [_list_cells(level, tally.places[level], seats) for level in sorted(tally.places)]
    return [*lines, "", "places by bot", *_align_columns(rows)]


def _list_cells(level: str, places: Counter[int], seats: int) -> list[str]:
    mean = sum(place * count for place, count in places.items()) / places.total()
    return [level, str(places.total()), f"{mean:.2f}", *(str(places[place]) for place in range(1, seats + 1))]


def _align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
