"""The table of Super Zwierzaki says what is asked of which player, and what happens if nobody answers."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from games.catalogue.super_zwierzaki.presenter import board
from games.catalogue.super_zwierzaki.presenter.action import say_default
from games.catalogue.super_zwierzaki.presenter.board import say_counters
from games.presenters.screen import Chair, LogLine, Screen
from games.rules import registry
from games.rules.base import Config, Move, View
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


def test_where_a_turn_has_no_limit_nothing_is_said_of_time_running_out() -> None:
    state = RULES.start(Config(4, {}), Chance(bytes(32)))
    seat = RULES.to_act(state)[0]
    view = RULES.view(state, seat)
    regions = [
        board.private_regions(replace(SCREEN, is_untimed=is_untimed), view, seat, None) for is_untimed in (False, True)
    ]
    assert ["When time runs out" in one["action"] for one in regions] == [True, False]


def check(phase: str, views: list[View]) -> None:
    """Every region of every viewer is an element with its id; who is asked is asked, nobody else."""
    shared = board.shared_regions(SCREEN, views[0])
    for seat, view in zip((None, 0, 1, 2, 3), views, strict=True):
        regions = shared | board.private_regions(SCREEN, view, seat, None)
        for name, html in regions.items():
            assert read(html)
            assert f'id="{name}"' in html
        passes = phase in ("reaction", "win") and not (view["mine"] or {}).get("plays")
        is_asked = seat in view["to_act"] and not passes
        assert ('class="mine"' in regions["action"]) == is_asked, phase
        assert ("When " in regions["action"]) == is_asked, phase
        assert regions["action"].count('aria-describedby="default"') == is_asked, phase


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


def view_after(hands: str, *moves: tuple[int, Move], seat: int, top: str = "40", **setup: object) -> View:
    """What this seat sees after these moves; seat 0 begins."""
    given = {"hands": [hand.split() for hand in hands.split("/")], "top": top, "order": [0, 1, 2, 3], **setup}
    state = RULES.start(Config(4, {}, given), Chance(bytes(32)))
    for mover, move in moves:
        state, _ = RULES.apply(state, mover, move)
    return RULES.view(state, seat)


APE = (0, {"play": "37"})


def brass(view: View, seat: int) -> list[str]:
    """The words of the brass buttons of what this seat is asked."""
    action = board.private_regions(SCREEN, view, seat, None)["action"]
    return re.findall(r'<button[^>]* ?class="btn go"[^>]*>([^<]*)<', action)


@pytest.mark.parametrize(
    ("view", "seat", "words"),
    [
        (view_after("37 1 1/107 3/24 5/8", APE, seat=1), 1, "Allow"),
        (view_after("38/107 24 3/24 5/8 9", (0, {"play": "38"}), seat=1), 1, "Play Black woodpecker"),
        (view_after("37 1 1/107 3/24 5/8", seat=0), 0, "Choose cards"),
        (view_after("1 3/107 3/24 5/8", seat=0, top="49"), 0, "Draw a card"),
        (view_after("1 3/107 3/24 5/8", seat=0, counters={"red": 4}), 0, "Take 4 cards"),
        (
            view_after(
                "99 1 49 49/3/5/8", (0, {"play": "99"}), *((n, {"decline": True}) for n in (1, 2, 3)), seat=0, top="97"
            ),
            0,
            "Name violet",
        ),
        (view_after("37 1 1/3/5/8", APE, *((n, {"decline": True}) for n in (1, 2, 3)), seat=0), 0, "Fold"),
    ],
    ids=["reaction", "win", "turn", "draw", "red", "colour", "duel"],
)
def test_one_brass_button_is_the_thing_to_do(view: View, seat: int, words: str) -> None:
    assert brass(view, seat) == [words]


def test_a_window_that_passes_by_itself_asks_nothing() -> None:
    screen = replace(SCREEN, has_standing_answers=True)
    view = view_after("37 1 1/107 3/24 5/8", APE, seat=2)
    action = board.private_regions(screen, view, 2, None)["action"]
    assert "No card of yours can answer this. It passes by itself." in action
    assert ("mine" in action, "data-move" in action, "data-hold" in action) == (False, False, False)
    ordered = replace(screen, standing_answers={1: "wins"}, holds={1: 1500})
    teal = view_after("37 1 1/107 3/24 5/8", APE, seat=1)
    assert "You let this pass, as you chose in advance." in board.private_regions(ordered, teal, 1, None)["action"]
    asked = board.private_regions(replace(screen, holds={1: 1500}), teal, 1, None)["action"]
    assert ('data-hold="1500"' in asked, 'class="mine"' in asked) == (True, True)


def test_a_standing_answer_is_shown_to_its_owner_and_cancelled_by_one_press() -> None:
    screen = replace(SCREEN, has_standing_answers=True, standing_answers={1: "wins"})
    mine, others = (
        board.private_regions(screen, view_after("37 1 1/107 3/24 5/8", seat=seat), seat, None)["action"]
        for seat in (1, 2)
    )
    assert 'data-command="standing" data-value=""\naria-pressed="true">Ask me only about wins' in mine
    assert 'data-value="pass"\naria-pressed="false">' in mine
    assert 'aria-pressed="true"' not in others
    assert "standing" not in board.private_regions(SCREEN, view_after("1/3/5/8", seat=1), 1, None)["action"]


def test_lines_of_the_log_show_small_cards() -> None:
    log = (
        LogLine(1, "played", 1, {"card": "37", "count": 2}, None),
        LogLine(2, "drawn", 0, {"cards": ["8", "8", "24"]}, (0,)),
        LogLine(3, "folded", 1, {}, None),
    )
    lines = board.log_lines(replace(SCREEN, log=log), None, 0, 0)
    assert [line.count('<i class="z ') for line in lines] == [1, 2, 0]
    assert board.log_lines(replace(SCREEN, log=log[1:2]), None, 1, 0) == []


def test_who_comes_first_of_several_without_cards_is_told_with_the_rule() -> None:
    view = view_after("1/3/5/8", seat=0) | {"hand_sizes": [0, 0, 2, 1], "places": [2, 1, 4, 3]}
    said = [note.words for note in board.notes(SCREEN, view)]
    assert said == ["no cards left", "no cards left · tie broken by the playing order", "2 cards left", "1 card left"]
    shared = view | {"hand_sizes": [0, 0, 2, 2], "places": [1, 1, 3, 3]}
    assert not any("tie broken" in note.words for note in board.notes(SCREEN, shared))


def test_the_end_is_told_to_the_winner_and_the_others() -> None:
    def tell(places: list[int], seat: int | None) -> str:
        log = (LogLine(1, "game_over", None, {"places": places}, None),)
        return " ".join(board.log_lines(replace(SCREEN, log=log), None, seat, 0))

    assert "The game is over. Ana has won." in tell([1, 2, 3, 4], 1)
    assert "The game is over. You have won." in tell([1, 2, 3, 4], 0)
    assert "The game is over. Won by: Ana, Ben." in tell([1, 1, 3, 4], None)
