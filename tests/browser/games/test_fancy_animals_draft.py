"""The draft of Fancy Animals as the browser keeps it, step by step, and the move that it means, which is legal."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.fancy_animals.presenter.names import list_clothing
from games.catalogue.fancy_animals.rules.state import State
from tests.browser.conftest import Run
from tests.catalogue.fancy_animals.rules.playing import FANCY, act, expected, melds, position

pytestmark = pytest.mark.chromium

RUN = "3LG:G 4GM:G 5GC:G"


# The draft, step by step


def steps(
    run: Run, first: dict[str, Any], *deeds: list[Any], rules: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """What lies where after each deed: a method of the draft and what it is given."""
    found: list[dict[str, Any]] = run(
        "fancy-animals/draft",
        """(it, { first, deeds, rules }) => {
          const draft = new it.Draft(it.begin(first.melds, first.hand, first.worn), rules);
          return deeds.map(([deed, ...given]) => {
            draft[deed](...given);
            return { ...draft.now, played: draft.played, wilds: draft.wilds, isTouched: draft.isTouched };
          });
        }""",
        {"first": first, "deeds": deeds, "rules": {"top": 11, "loop": False}},
    )
    return found


FIRST = {"melds": melds(f"{RUN} 6LG:G | 8LM:M 8GC:C 8LG:L"), "hand": ["7GM", "2LG"], "worn": {"hand": ["hand-G-1"]}}


def test_a_draft_goes_back_and_forth(run: Run) -> None:
    placed, undone, redone, reset = steps(run, FIRST, ["place", ["7GM"], 0], ["undo"], ["redo"], ["reset"])
    longer = ["3LG:G", "4GM:G", "5GC:G", "6LG:G", "7GM:G"]
    assert (placed["melds"][0], placed["hand"], placed["played"]) == (longer, ["2LG"], ["7GM"])
    assert (undone["melds"], undone["isTouched"]) == (FIRST["melds"], False)
    assert redone == placed
    assert (reset["melds"], reset["hand"], reset["isTouched"]) == (FIRST["melds"], FIRST["hand"], False)


def test_cards_move_between_melds_the_hand_and_the_animal(run: Run) -> None:
    fresh, wild, home, cut = steps(
        run,
        FIRST,
        ["place", ["6LG", "7GM"], None],
        ["place", ["hand-G-1"], 2],
        ["takeBack", ["hand-G-1", "7GM", "3LG"]],
        ["split", "5GC"],
    )
    assert fresh["melds"] == [["3LG:G", "4GM:G", "5GC:G"], ["8LM:M", "8GC:C", "8LG:L"], ["6LG:G", "7GM:G"]]
    assert (wild["melds"][2], wild["worn"], wild["wilds"]) == (
        ["6LG:G", "7GM:G", "hand-G-1:8"],
        {"hand": []},
        ["hand-G-1"],
    )
    assert (home["melds"][2], home["hand"], home["worn"]) == (["6LG:G"], ["7GM", "2LG"], {"hand": ["hand-G-1"]})
    assert cut["melds"][:2] == [["3LG:G", "4GM:G"], ["5GC:G"]]


def test_a_card_is_turned_and_a_wild_counts_on(run: Run) -> None:
    card, wild = steps(run, FIRST, ["flip", "6LG"], ["flip", "6LG"])
    assert (card["melds"][0][3], wild["melds"][0][3]) == ("6LG:L", "6LG:G")
    first = {"melds": melds("9GM:M 10MC:M hand-M-2:11"), "hand": [], "worn": {}}
    (turned,) = steps(run, first, ["flip", "hand-M-2"])
    assert turned["melds"] == [["9GM:M", "10MC:M", "hand-M-2:1"]]


def test_a_run_all_of_whose_cards_are_of_two_suits_is_turned_as_one(run: Run) -> None:
    first = {"melds": melds("5GM:G 6GM:G 7GM:G | 9LM:L 9GM:G 9MC:C"), "hand": [], "worn": {}}
    over, back, of_a_set = steps(run, first, ["flip", "6GM"], ["flip", "7GM"], ["flip", "9LM"])
    assert over["melds"][0] == ["5GM:M", "6GM:M", "7GM:M"]
    assert back["melds"] == first["melds"]
    assert of_a_set["melds"][1] == ["9LM:M", "9GM:G", "9MC:C"]


# The move that it means


def plan(run: Run, state: State, *deeds: list[Any]) -> list[Any]:
    """The moves that the draft of the seat to act means: before any deed, and after each."""
    view = FANCY.view(state, state.turn)
    found: list[Any] = run(
        "fancy-animals/draft-move fancy-animals/draft",
        """(it, { first, deeds, rules, shop }) => {
          const draft = new it.Draft(it.begin(first.melds, first.hand, first.worn), rules);
          const look = () => (it.revise(draft, shop), it.makeMove(draft, shop));
          return [look(), ...deeds.map(([deed, ...given]) => (draft[deed](...given), look()))];
        }""",
        {
            "first": {"melds": view["table"], "hand": view["hand"], "worn": view["worn"][state.turn]},
            "deeds": deeds,
            "rules": {"top": state.top, "loop": state.loop, "mix": "mix" in state.active},
            "shop": {"clothing": list_clothing(), "active": view["active"], "canDraw": view["can_draw"]},
        },
    )
    return found


FOUR = f"{RUN} 6LG:G"
LONGER = "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G"


def test_an_untouched_draft_draws_or_passes(run: Run) -> None:
    assert plan(run, position("7GM", "1LM", deck="2LM")) == [{"draw": True}]
    assert plan(run, position("7GM", "1LM")) == [{"pass": True}]


def test_a_draft_that_is_no_table_is_no_move(run: Run) -> None:
    state = position("7GM 1LC", "1LM", table=FOUR, deck="2LM")
    assert plan(run, state, ["place", ["7GM"], None], ["undo"], ["flip", "4GM"]) == [
        {"draw": True},
        None,
        {"draw": True},
        None,
    ]


def test_a_claim_rides_on_a_play_and_falls_with_it(run: Run) -> None:
    state = position("7GM 1LC", "1LM", table=FOUR, deck="2LM")
    _, played, claimed, fallen = plan(
        run, state, ["place", ["7GM"], 0], ["choose", {"claim": "feet-G-4"}], ["takeBack", ["7GM"]]
    )
    assert played == {"play": ["7GM"], "table": melds(LONGER)}
    assert claimed == {**played, "claim": "feet-G-4", "spot": "feet"}
    assert expected(act(state, claimed), "scores") == [4, 0]
    assert fallen == {"draw": True}


def test_where_several_spots_are_free_one_is_chosen(run: Run) -> None:
    worn = [{"feet": ["feet-C-3"], "head": ["head-C-8"]}, {}]
    state = position("7GM 1LC", "1LM", table=FOUR, worn=worn)
    _, _, open_, chosen = plan(
        run, state, ["place", ["7GM"], 0], ["choose", {"claim": "feet-G-4"}], ["choose", {"spot": "body"}]
    )
    assert open_ is None
    assert expected(act(state, chosen), "worn")[0] == {**worn[0], "body": ["feet-G-4"]}


def test_a_set_switches_a_rule_on_and_what_hangs_on_the_rule_goes_with_it(run: Run) -> None:
    state = position("7LG 7GM 7MC 1LC", "1LM", table=FOUR)
    _, laid, rule, back, off = plan(
        run,
        state,
        ["place", ["7LG", "7GM", "7MC"], None],
        ["choose", {"rule": "return"}],
        ["choose", {"back": "feet-M-3"}],
        ["choose", {"rule": None}],
    )
    words = ["7LG:L", "7GM:G", "7MC:M"]
    assert laid == {"play": ["7LG", "7GM", "7MC"], "table": [*melds(FOUR), words]}
    assert rule == {"activate": "return", "set": words}
    assert back == {**rule, "return": "feet-M-3"}
    assert off == laid
    for move in (laid, rule, back):
        assert expected(act(state, move), "to_act") == [1]


def test_clothing_is_put_back_where_the_rule_is_on(run: Run) -> None:
    state = position("7GM 1LC", "1LM", table=FOUR, active=("return",))
    _, _, back = plan(run, state, ["place", ["7GM"], 0], ["choose", {"back": "feet-G-4"}])
    assert "feet-G-4" not in expected(act(state, back), "offer")


def test_clothes_are_laid_as_wilds(run: Run) -> None:
    state = position("3LM", "1LM", worn=[{"hand": ["hand-L-1"], "feet": ["feet-L-4"]}, {}])
    _, made = plan(run, state, ["place", ["3LM", "hand-L-1", "feet-L-4"], None])
    assert made == {
        "play": ["3LM"],
        "table": [["3LM:L", "hand-L-1:4", "feet-L-4:5"]],
        "wilds": ["hand-L-1", "feet-L-4"],
    }
    assert expected(act(state, made), "worn") == [{}, {}]
