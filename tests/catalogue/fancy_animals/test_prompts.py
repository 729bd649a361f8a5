"""What a player of Fancy Animals is asked to do offers only what they can do."""

from __future__ import annotations

from typing import Any, cast

import pytest

from games.catalogue.fancy_animals.presenter.board import _say_prompt
from games.catalogue.fancy_animals.rules.view import FancyAnimalsView


@pytest.mark.parametrize("last_turns", [None, 2])
@pytest.mark.parametrize(("can_draw", "offered", "other"), [(True, "or draw.", "pass"), (False, "or pass.", "draw")])
def test_the_prompt_offers_drawing_only_where_a_card_can_be_drawn(
    last_turns: Any, can_draw: bool, offered: str, other: str
) -> None:
    sentence = _say_prompt(cast(FancyAnimalsView, {"last_turns": last_turns, "can_draw": can_draw}))
    assert sentence.endswith(offered)
    assert other not in sentence
    assert ("last turn" in sentence) is (last_turns is not None)
