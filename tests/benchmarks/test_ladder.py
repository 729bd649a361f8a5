"""The ladder of bot levels: duplicated deals, shares, intervals, and the same figures for the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import ladder
from benchmarks.ladder import Share, compare, dump_row, find_share, list_rotations, list_rows, measure


def test_levels_go_round_the_seats_until_the_first_seating_comes_again() -> None:
    assert list_rotations(("a", "b"), 4) == [("a", "b", "a", "b"), ("b", "a", "b", "a")]
    assert list_rotations(("a", "b"), 3) == [("a", "b", "a"), ("b", "a", "a"), ("a", "a", "b")]


def test_a_share_counts_pairs_of_seats_with_different_levels_and_half_for_ties() -> None:
    assert compare(("a", "b", "a", "b"), (1, 2, 3, 4), "a") == 0.75
    assert compare(("a", "b"), (1, 1), "a") == 0.5
    assert compare(("a", "a"), (1, 2), "a") is None


def test_the_interval_is_over_deals_and_stays_within_0_and_1() -> None:
    mean, low, high = find_share([0.5, 1.0, 0.5, 1.0])
    assert (mean, round(low, 3), high) == (0.75, 0.467, 1.0)
    assert find_share([0.5]) == Share(0.5, 0.0, 1.0)


def test_rows_are_each_level_against_the_one_below_at_the_seats_a_game_allows() -> None:
    assert list(list_rows(["animals-on-board"], (4, 2, 6), ())) == [
        ("animals-on-board", 4, "steady", "random"),
        ("animals-on-board", 2, "steady", "random"),
        ("animals-on-board", 4, "sharp", "steady"),
        ("animals-on-board", 2, "sharp", "steady"),
    ]
    assert list(list_rows(["karriere-poker"], (2, 4), ("steady", "random"))) == [
        ("karriere-poker", 4, "steady", "random")
    ]


def test_the_same_seed_gives_the_same_figures_apart_from_seconds() -> None:
    row = measure("karriere-poker", 4, ("steady", "random"), deals=2, seed=b"1", options={"deals": 1})
    same = measure("karriere-poker", 4, ("steady", "random"), deals=2, seed=b"1", options={"deals": 1})
    assert row._replace(seconds={}) == same._replace(seconds={})
    assert (row.deals, row.games) == (2, 4)
    assert row.share.mean > 0.5
    other = measure("karriere-poker", 4, ("steady", "random"), deals=6, seed=b"2", options={"deals": 1})
    assert other.share != row.share


def test_it_prints_a_table_and_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ladder.json"
    ladder.main(
        [
            *("--game", "karriere-poker", "--seats", "4", "--levels", "steady", "random", "--deals", "2"),
            *("--options", '{"deals": 1}', "--json", str(file)),
        ]
    )
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| Karriere Poker, 4 | steady v random | ")
    [row] = json.loads(file.read_text())
    assert (row["game"], row["seats"], row["better"], row["worse"], row["games"]) == (
        "karriere-poker", 4, "steady", "random", 4
    )  # fmt: skip
    assert sorted(row["seconds"]) == ["random", "steady"]
    assert row["share"]["low"] <= row["share"]["mean"] <= row["share"]["high"]
    assert set(row) == set(dump_row(measure("karriere-poker", 4, ("steady", "random"), deals=1, seed=b"", options={})))
