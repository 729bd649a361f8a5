"""The people of a chaos run know when a game is over: from then on its secret may be shown."""

from __future__ import annotations

import json

import pytest

from chaos.people import _tells_end


@pytest.mark.parametrize(
    ("answer", "is_over"),
    [
        ({"status": "over", "view": {"places": [1, 2]}}, True),
        ({"status": 409, "sentence": "The table has changed in the meantime.", "view": {"places": [1, 2]}}, True),
        ({"status": 409, "sentence": "The table has changed in the meantime.", "view": {"places": None}}, False),
        ({"status": "playing", "view": {"places": None}}, False),
        ({"status": "waiting", "view": None}, False),
    ],
)
def test_an_answer_tells_that_a_game_is_over(answer: object, is_over: bool) -> None:
    assert _tells_end(json.dumps(answer)) == is_over


def test_a_page_tells_that_a_game_is_over() -> None:
    assert _tells_end('<div class="board over"\nid="board" data-status="over">')
    assert not _tells_end('<div class="board"\nid="board" data-status="playing">')
