"""Hints: a legal move and a fact, from what the seat sees, the same for the same view."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.bots.hints import Reason, explain_move, find_hint, give_reason, read_hint, write_hint
from games.catalogue.climbing.bots import reasons
from games.play.sentences import say_sentence
from games.rules import registry
from games.rules.base import Config, Move, View
from games.rules.chance import Chance
from tests.rules.playthrough import start, step

HINTED = [slug for slug, info in registry.infos().items() if info.has_hints]


@pytest.mark.parametrize("slug", HINTED)
def test_hints_are_legal_reproducible_and_survive_json(slug: str) -> None:
    rules, state = start(slug, 4)
    rng = random.Random(3)
    for _ in range(12):
        if not (acting := rules.to_act(state)):
            break
        seat = acting[0]
        view = rules.view(state, seat)
        legal = rules.legal_moves(state, seat) or [rules.legal_sample(state, seat, random.Random(1))]
        hint = find_hint(slug, view, legal)
        assert hint == find_hint(slug, view, legal) == read_hint(json.loads(json.dumps(write_hint(hint))))
        assert say_sentence(hint.reason).endswith(".")
        if hint.move is not None:
            rules.check(state, seat, hint.move)
        hidden = rules.reshuffle_unseen(state, seat, rng)
        assert find_hint(slug, rules.view(hidden, seat), legal) == hint
        state = step(rules, state, seat, hint.move or legal[0]).after


def test_a_reason_is_a_template_with_values() -> None:
    reason = Reason("Cards: %(count)s.", count=3)
    assert (str(reason), reason == Reason("Cards: %(count)s.", count=3)) == ("Cards: 3.", True)


def explain(slug: str, state: Any, seat: int, move: Move) -> str:
    rules = registry.find(slug)
    return str(explain_move(slug, rules.view(state, seat), rules.legal_moves(state, seat) or (), move))


def deal(hands: str) -> Any:
    """Karriere Poker: the first of these hands leads."""
    cards = [hand.split() for hand in hands.split("|")]
    setup = {"order": list(range(len(cards))), "deals": [{"hands": cards}]}
    return registry.find("karriere-poker").start(Config(len(cards), {}, setup), Chance())


@pytest.mark.parametrize(
    ("hands", "move", "reason"),
    [
        ("3 3 13 13 J J|5 6 7|6 7 8|8 9 9", ["13", "13"], "Nobody can beat this any more, and the rest"),
        ("3 3 4 13 13 J J|5 6 7|6 7 8|8 9 9", ["13", "13"], "Nobody can beat this any more: all cards"),
        ("3 3 4 13 13|5 6 7|6 7 8|8 9 9", ["3", "3"], "You lead: these are your lowest cards"),
        ("3 3|5 6 7|6 7 8|8 9 9", ["3", "3"], "These are your last cards"),
        ("3 4 4 8|13|6 7 8|8 9 9", ["4", "4"], "A player with one card left"),
        ("3 4 8 12|5 6|6 7 8|8 9 9", ["12"], "You lead what is hard to beat"),
        ("3 4 8 9|5 6|6 7 8|8 9 9", ["4"], "You lead a low card that has no equal"),
        ("3 4 4 8 9|5 6|6 7 8|8 9 9", ["4", "4"], "You lead several equal cards"),
    ],
)
def test_reasons_of_the_climbing_games_are_facts(hands: str, move: list[str], reason: str) -> None:
    assert explain("karriere-poker", deal(hands), 0, {"play": move}).startswith(reason)


def test_what_can_be_beaten_is_not_called_unbeatable() -> None:
    assert "Nobody" not in explain("karriere-poker", deal("3 3 4 12 12|13 13 7|6 7 8|8 9 9"), 0, {"play": ["12", "12"]})


@pytest.mark.parametrize("play", [["4"], ["8"]], ids=["one of two equal cards", "neither low nor high"])
def test_a_lead_without_a_fact_for_it_has_no_reason_of_its_own(play: list[str]) -> None:
    rules = registry.find("karriere-poker")
    state = deal("3 4 4 8|5 6|6 7 8|8 9 9")
    assert reasons.explain(rules.view(state, 0), rules.legal_moves(state, 0) or (), {"play": play}) is None


def test_a_pass_is_explained_by_what_the_answers_cost() -> None:
    rules = registry.find("karriere-poker")
    state, _ = rules.apply(deal("5 7|3 6 6|6 7 8|8 9 9"), 0, {"play": ["5"]})
    assert explain("karriere-poker", state, 1, {"pass": True}).startswith("Any answer would split equal cards")


@pytest.mark.parametrize(
    ("hand", "reason"), [("8 12", "Your lowest answer can still be beaten"), ("9 12", "Your answers are high cards")]
)
def test_only_high_answers_are_saved_for_later(hand: str, reason: str) -> None:
    rules = registry.find("karriere-poker")
    state, _ = rules.apply(deal(f"5 3 3 3 4 4|{hand}|6 6 6 7 7|4 4 7 7 11"), 0, {"play": ["5"]})
    assert explain("karriere-poker", state, 1, {"pass": True}).startswith(reason)


def test_reasons_of_animals_on_board_count_points_and_crates() -> None:
    view: View = {
        "seat": 0, "ark": ["tiger-1", "tiger-2"], "crates": [3, 1], "in_round": [0, 1],
        "groups": [{"number": 1, "tiles": ["tiger-3"]}, {"number": 2, "tiles": ["panda-1", "panda-2"]}],
    }  # fmt: skip
    reason = give_reason("animals-on-board", view, (), {"take": 1})
    assert str(reason) == "It makes or enlarges a herd. Points: 15 more, for crates: 1."
    poor = give_reason("animals-on-board", view | {"crates": [0, 1]}, (), {"split": 2, "off": ["panda-1"]})
    assert str(poor) == "You cannot pay for a group yet. A split earns a crate."
