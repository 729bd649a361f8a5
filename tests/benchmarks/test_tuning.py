"""Tuning by SPSA: the same seed finds the same weights, and they follow what wins."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks import tuning
from benchmarks.tuning import PLAIN, SPREADS, Trial, average, move_weights, search
from games.catalogue.super_zwierzaki.bots.turn_values import WEIGHTS, Weights

BEST = 3.0


def value_block(trial: Trial) -> float:
    """A game in which only `block` counts, and is best at `BEST`."""
    return 0.9 - 0.02 * (trial.weights.block - BEST) ** 2


def follow(steps: int, seed: str = "1") -> list[Weights]:
    with ThreadPoolExecutor(1) as executor:
        return list(search(executor, start=PLAIN, seats=4, steps=steps, seed=seed))


def test_weights_follow_what_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "play_trial", value_block)
    found = average(follow(400))
    assert found.block == pytest.approx(BEST, abs=0.5)
    assert follow(80) == follow(80) != follow(80, seed="2")


def test_all_weights_move_by_so_many_spreads() -> None:
    up = [1] * len(WEIGHTS)
    assert move_weights(move_weights(WEIGHTS, up, 0.5), up, -0.5) == pytest.approx(WEIGHTS)
    assert move_weights(PLAIN, up, 1.0).block == SPREADS.block


def test_it_plays_real_deals_and_compares_with_what_is_stored(capsys: pytest.CaptureFixture[str]) -> None:
    tuning.main(["--steps", "1", "--deals", "1", "--seats", "3"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("8 turns=")
    assert lines[1].startswith("Weights(turns=")
    assert [line.split(":")[0] for line in lines[2:]] == ["found", "stored"]
