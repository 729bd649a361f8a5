"""Anything at all may come as a move: it is refused with a sentence, and nothing has changed."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import registry
from games.rules.base import IllegalMove
from tests.rules.playthrough import playthrough, start

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "play", "as", "pass", "draw", "keep", "split", "off", "take", "forfeit", "table", "call", "nine",
    "swap", "give", "to",
]  # fmt: skip
WORDS = st.sampled_from([*KEYS, "1", "7", "13", "14", "J", "F", "tiger-3", "?", "%", "%(cards)s"])
LIKELY = st.dictionaries(WORDS, JSON | st.lists(WORDS | JSON, max_size=4) | WORDS, max_size=3)


GAMES = pytest.mark.parametrize("slug", registry.slugs())


@pytest.mark.slow
@GAMES
@settings(max_examples=150, deadline=None)
@given(move=LIKELY | JSON, number=st.integers(0, 60))
def test_whatever_is_no_move_is_refused_with_a_sentence_and_changes_nothing(slug: str, move: Any, number: int) -> None:
    rules, state = start(slug, 4)
    for taken in islice(playthrough(rules, state, number), number):
        state = taken.after
    before = rules.to_json(state)
    for seat in rules.to_act(state):
        legal = rules.legal_moves(state, seat)
        try:
            rules.apply(state, seat, move)
        except IllegalMove:
            continue
        assert legal is None or strip_joker_names(move) in [strip_joker_names(item) for item in legal]
    assert rules.to_json(state) == before


@GAMES
@settings(max_examples=60, deadline=None)
@given(event=st.dictionaries(st.just("clock") | st.text(max_size=3), JSON, max_size=2))
def test_whatever_is_no_clock_event_is_refused(slug: str, event: dict[str, Any]) -> None:
    rules, state = start(slug, 4)
    with pytest.raises(IllegalMove):
        rules.on_clock(state, event)


def strip_joker_names(move: Any) -> Any:
    """The move without the name of jokers, and without the order of its cards: what a listed move stands for."""
    return {key: sorted(value) if isinstance(value, list) else value for key, value in move.items() if key != "as"}
