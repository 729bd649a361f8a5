"""What a view shows, and what it keeps to itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints

from games.catalogue.super_zwierzaki.rules import RULES
from games.catalogue.super_zwierzaki.rules.events import KINDS
from games.catalogue.super_zwierzaki.rules.view import OwnView, SuperZwierzakiView
from games.rules.base import Config
from games.rules.chance import Chance
from tests.catalogue.super_zwierzaki.rules.playing import make_state, run, run_events
from tests.rules.playthrough import playthrough

SPICY = [hand.split() for hand in ("37 38 107 25 53 53", "14 46 107 2 2", "66 33 99 93 59", "4 51 24 22 47")]


def test_a_player_sees_their_own_hand_and_the_sizes_of_the_others() -> None:
    state = make_state("38 1", "107 24 3", draw="8 9")
    view = RULES.view(state, 0)
    mine = {"hand": ["1", "38"], "plays": {"38": 1}, "nine": False, "may_call": False, "default": {"draw": True}}
    assert view["mine"] == mine
    assert (view["hand_sizes"], view["draw_size"], view["heap_size"], view["top"]) == ([2, 3], 2, 0, "40")
    theirs = {"hand": ["3", "24", "107"], "plays": {}, "nine": False, "may_call": False, "default": None}
    assert RULES.view(state, 1)["mine"] == theirs
    assert RULES.view(state, None)["mine"] is None
    assert set(view) == set(get_type_hints(SuperZwierzakiView))


def test_who_could_react_shows_nowhere() -> None:
    """The same game, but the teal and the woodpecker are in the draw pile."""
    with_teal = run(make_state("37 1 1", "107 46 3", "5 5", draw="8 9 10"), "0: play 37")
    without = run(make_state("37 1 1", "8 9 3", "5 5", draw="107 46 10"), "0: play 37")
    for seat in (0, 2, None):
        assert RULES.view(with_teal, seat) == RULES.view(without, seat)
    assert RULES.deadlines(with_teal) == RULES.deadlines(without)
    assert RULES.to_act(with_teal) == RULES.to_act(without)


def test_what_would_happen_by_itself_is_told_to_who_is_asked_alone() -> None:
    state = run(make_state("53 1 1", "3", "5 5", top="49"), "0: play 53", "reaction")
    assert RULES.view(state, 0)["mine"]["default"] == {"swap": [0, 1]}
    assert RULES.view(state, 1)["mine"]["default"] is None
    window = run(make_state("37 1 1", "3"), "0: play 37")
    assert RULES.view(window, 1)["mine"]["default"] is None


def test_a_play_its_chain_and_a_duel() -> None:
    state = run(make_state("37 37 1 1", "107 3"), "0: play 37 x2", "1: react 107")
    view = RULES.view(state, None)
    assert view["play"] == {"seat": 0, "card": "37", "count": 2, "nine": []}
    assert view["chain"] == [{"seat": 1, "card": "107"}]
    duel = run(make_state("37 25 1", "3 3"), "0: play 37", "reaction", "0: play 25")
    assert RULES.view(duel, 1)["duel"] == {"kind": "Oth", "points": 3, "inside": [0, 1], "after_red": True}


def test_after_it_no_play_is_under_way() -> None:
    state = run(make_state("37 37 1 1", "107 3"), "0: play 37", "1: react 107", "reaction")
    view = RULES.view(state, None)
    assert (view["play"], view["chain"], view["turn"], view["turns"]) == (None, [], 1, 2)


def test_what_is_asked() -> None:
    state = run(make_state("33 33 33 1 3", "5 5", top="97"), "0: play 33 x3", "reaction")
    view = RULES.view(state, 1)
    assert (view["phase"], view["need"], view["may_decline"], view["to_act"]) == ("give", 1, True, [0])
    nine = "38 1 16 25 49 61 73 85 97"
    given = RULES.view(run(make_state(f"{nine} 3 5", "6"), f"0: nine {nine}", "reaction"), 1)
    assert (given["phase"], given["need"], given["may_decline"]) == ("give", 1, False)
    assert given["play"]["nine"] == nine.split()


def test_saying_it_is_offered_to_who_may() -> None:
    state = run(make_state("38 1", "39 3 5"), "0: play 38")
    assert (RULES.view(state, 0)["mine"]["may_call"], RULES.view(state, 1)["must_call"]) == (True, [0])
    assert RULES.legal_moves(state, 0) == ({"call": True},)
    assert RULES.legal_moves(run(state, "0: call"), 0) == ()


def test_cards_that_move_face_down_are_told_to_those_who_saw_them() -> None:
    _, drawn = run_events(make_state("38 1", "3 3", draw="8"), "0: draw")
    assert [(event.kind, event.data, event.to) for event in drawn] == [
        ("drew", {"count": 1, "why": "draw"}, None),
        ("drawn", {"cards": ["8"]}, (0,)),
    ]
    _, given = run_events(run(make_state("33 1 3", "5 5", top="97"), "0: play 33", "reaction"), "0: give 3 to 1")
    assert [(event.kind, event.data, event.to) for event in given] == [
        ("gave", {"to": 1, "count": 1}, None),
        ("gift", {"to": 1, "cards": ["3"]}, (0, 1)),
    ]
    _, buried = run_events(run(make_state("66 1 3", "5 5", top="62"), "0: play 66", "reaction"), "0: discard 3")
    assert [(event.kind, event.data, event.to) for event in buried] == [
        ("discarded", {"count": 1}, None),
        ("buried", {"cards": ["3"]}, (0,)),
    ]


def test_every_event_is_in_the_closed_list() -> None:
    collected: set[str] = set()
    for number in range(12):
        state = RULES.start(Config(4, {}, {"hands": SPICY}), Chance(bytes([number]) * 32))
        collected |= {event.kind for taken in playthrough(RULES, state, number) for event in taken.events}
    assert collected <= set(KINDS)
    assert len(collected) > 25


def test_the_document_names_everything_that_a_view_has_and_nothing_else() -> None:
    text = (Path(__file__).parents[4] / "docs" / "rules" / "super-zwierzaki.md").read_text(encoding="utf-8")
    rows = [line for line in text.partition("## What a player sees")[2].splitlines() if line.startswith("| `")]
    named = {word for row in rows for word in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == set(get_type_hints(SuperZwierzakiView)) - {"game", "seat"}
    mine = next(row for row in rows if row.startswith("| `mine`"))
    assert set(get_type_hints(OwnView)) == set(re.findall(r'"(\w+)"[:,}]', mine.split("`: `plays`")[0]))


def test_at_the_end_everybody_sees_the_places() -> None:
    state = run(make_state("40", "1 3", "5", draw="8 9 10"), "0: play 40", "win")
    for seat in (0, 2, None):
        view = RULES.view(state, seat)
        assert (view["over"], view["phase"], view["places"], view["to_act"]) == (True, "over", [1, 3, 2], [])
