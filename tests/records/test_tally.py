"""Places by bot."""

from __future__ import annotations

from collections import Counter

from games.records.simulate import SimulatedGame
from games.records.simulation_report import SimulationTotals, total_games, write_report
from games.rules.base import Outcome

GAMES = [
    SimulatedGame(0, ("steady", "random", "steady"), Outcome((1, 3, 2), None), 120, {}),
    SimulatedGame(1, ("random", "steady", "random"), Outcome((2, 1, 2), (4, 9, 4)), 80, {}),
]


def test_games_are_counted() -> None:
    assert total_games(GAMES) == SimulationTotals(
        2, 200, {"steady": Counter({1: 2, 2: 1}), "random": Counter({2: 2, 3: 1})}
    )


def test_the_report_is_aligned() -> None:
    assert write_report(total_games(GAMES), seats=3, seconds=0.5) == [
        "games              2",
        "moves            200",
        "moves/s          400",
        "",
        "places by bot",
        "bot     seats  mean  1.  2.  3.",
        "random      3  2.33   0   2   1",
        "steady      3  1.33   2   1   0",
    ]


def test_no_time_at_all() -> None:
    assert write_report(total_games(GAMES), seats=3, seconds=0)[2] == "moves/s            0"
