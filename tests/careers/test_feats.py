"""Feats: the score where the score is the feat, else the longest duel that somebody laid a card in."""

from __future__ import annotations

import pytest

from tournaments.careers.feats import find_feats, measure_duels

DUELS = (
    ("duel_begun", 2), ("dueled", 0), ("dueled", 2), ("duel_over", 2),
    ("duel_begun", 0), ("duel_over", None),
    ("duel_begun", 1), ("dueled", 2), ("duel_over", None),
    ("duel_begun", 3), ("dueled", 3),
)  # fmt: skip


def test_a_duel_is_as_long_as_its_plays_and_is_theirs_who_laid_a_card() -> None:
    assert measure_duels(DUELS) == {0: 3, 2: 3, 1: 2}


@pytest.mark.parametrize("game", ["animals-on-board", "fancy-animals"])
def test_arks_and_animals_are_their_scores(game: str) -> None:
    assert find_feats(game, 3, (12, -4, 31), ()) == (12, -4, 31)
    assert find_feats(game, 3, None, ()) == (None, None, None)


def test_who_was_in_no_duel_has_no_longest_one() -> None:
    assert find_feats("super-zwierzaki", 4, None, DUELS) == (3, 2, 3, None)


def test_climbing_games_have_ranks_instead() -> None:
    assert find_feats("animal-poker", 2, (3, 0), DUELS) == (None, None)
