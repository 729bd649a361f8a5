"""The table of Super Zwierzaki says what is asked of which player, and what happens if nobody answers."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.catalogue.super_zwierzaki.presenter import board
from games.catalogue.super_zwierzaki.presenter.action import say_default
from games.catalogue.super_zwierzaki.presenter.board import say_counters
from games.presenters.screen import Chair, LogLine, Screen
from games.rules import registry
from games.rules.base import Config, View
from games.rules.chance import Chance
from tests.live.markup import read

RULES = registry.find("super-zwierzaki")
NAMES = ("Ana", "Ben", "Eva", "Tom")
SCREEN = Screen(
    table_id="t",
    game="super-zwierzaki",
    options={},
    status="playing",
    is_public=True,
    host_seat=0,
    turn_seconds=45,
    ply=1,
    version=1,
    chairs=tuple(Chair(seat, name, "fox", taken=True) for seat, name in enumerate(NAMES)),
    due=None,
    bell=None,
    commitment="",
)
ZERO = {"red": 0, "orc": 0, "stop": 0, "demand": 0}


def test_whatever_is_asked_is_drawn() -> None:
    """Random games come through every question; each is drawn for everybody, and well formed."""
    seen = set()
    for number in range(20):
        rng = random.Random(number)
        hands = {"setup": {"hands": [["47"], ["2"], ["1"], ["3"]], "top": "40"}} if number == 0 else {}
        state = RULES.start(Config(4, {}, **hands), Chance(bytes([number]) * 32))
        for _ in range(300):
            if RULES.outcome(state):
                break
            phase = RULES.view(state, None)["phase"]
            if phase not in seen:
                seen.add(phase)
                check(phase, [RULES.view(state, seat) for seat in (None, 0, 1, 2, 3)])
            seat = rng.choice(RULES.to_act(state))
            state, _ = RULES.apply(state, seat, RULES.legal_sample(state, seat, rng))
    assert {"turn", "reaction", "colour", "name", "swap", "discard", "give", "duel", "win"} <= seen


def check(phase: str, views: list[View]) -> None:
    """Every region of every viewer is an element with its id; who is asked is asked, nobody else."""
    shared = board.shared_regions(SCREEN, views[0])
    for seat, view in zip((None, 0, 1, 2, 3), views, strict=True):
        regions = shared | board.private_regions(SCREEN, view, seat, None)
        for name, html in regions.items():
            assert read(html)
            assert f'id="{name}"' in html
        assert ('class="mine"' in regions["action"]) == (seat in view["to_act"]), phase
        assert ("When " in regions["action"]) == (seat in view["to_act"]), phase
        assert regions["action"].count('aria-describedby="default"') == (seat in view["to_act"]), phase


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ({"draw": True}, "When time runs out, you draw a card."),
        ({"accept": True}, "When time runs out, you take the cards or lose the turns."),
        ({"fold": True}, "When time runs out, you fold."),
        ({"play": "51"}, "When time runs out, Orca is played."),
        ({"name": "1"}, "When time runs out, Black mamba is demanded."),
        ({"swap": [0, 1]}, "When time runs out, Ana and Ben swap hands."),
        (
            {"sigma": [0, 1, 2, 3], "from": 0, "to": 1},
            "When time runs out, Ana gives Ben a random half of their hand. Nothing else moves.",
        ),
        ({"give": ["1"], "to": 2}, "When time runs out, Eva gets all your cards but one."),
        ({"decline": True}, "When time runs out, you decline."),
        (None, "When time runs out, you allow it."),
    ],
)
def test_it_says_what_time_will_do(move: dict[str, object] | None, sentence: str) -> None:
    view = RULES.view(RULES.start(Config(4, {}), Chance(bytes(32))), 0)
    assert say_default(SCREEN, move, view) == sentence  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("counters", "named", "sentence"),
    [
        (ZERO, None, ""),
        (
            ZERO | {"red": 4},
            None,
            "Red points: 4. Play a Red +2, a Big Five or a Veto, or take that many cards.",
        ),
        (ZERO | {"orc": 3}, None, "Orca points: 3. Play an orca or a Veto. If you cannot, draw that many cards."),
        (
            ZERO | {"stop": 2},
            None,
            "Stop points: 2. Play a Stop or a Veto. If you cannot, you lose that many turns.",
        ),
        (ZERO | {"demand": 1}, "19", "Demanded: Koala. Play it, a Demand or a Veto, or draw a card."),
    ],
)
def test_the_counter_that_stands_is_explained(counters: dict[str, int], named: str | None, sentence: str) -> None:
    assert say_counters(counters, named) == sentence


def test_what_is_said_and_what_was_not_is_shown_at_the_seat() -> None:
    log = tuple(
        LogLine(number, kind, 1, {}, None) for number, kind in enumerate(("called", "forgot", "folded"), start=1)
    )
    assert board.log_lines(replace(SCREEN, log=log), None, 0, 0) == [
        '<li class="cry" data-seat="1" data-who="1">Ben: “Codziennie niskie ceny!”</li>',
        (
            '<li class="shame" data-seat="1" data-who="1">'
            "Ben did not say “Codziennie niskie ceny!”. Shame! Two cards.</li>"
        ),
        '<li data-who="1">Ben folds.</li>',
    ]
