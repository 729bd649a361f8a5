"""The bots of the climbing games."""

from __future__ import annotations

import random
from statistics import mean, stdev
from typing import Any

import pytest

from games.bots import choose, list_bot_levels
from games.catalogue.climbing.bots import sharp
from games.catalogue.climbing.bots.completing import HiddenCards
from games.catalogue.climbing.bots.playout import play_out
from games.rules import registry
from games.rules.base import Config, Move, View
from games.rules.chance import Chance

GAMES = pytest.mark.parametrize("slug", ["karriere-poker", "animal-poker"])
ONE_DEAL: dict[str, dict[str, Any]] = {"karriere-poker": {"deals": 2}, "animal-poker": {"sessions": 2}}


def play_mixed(slug: str, seats: int, games: int) -> dict[str, float]:
    """The mean place of each level, over games in which the levels sit alternately."""
    rules, rng = registry.find(slug), random.Random(11)
    places: dict[str, list[int]] = {level: [] for level in ("random", "steady")}
    for game in range(games):
        state = rules.start(Config(seats, ONE_DEAL[slug]), Chance(rng.randbytes(32)))
        levels = [("random", "steady")[(seat + game) % 2] for seat in range(seats)]
        while acting := rules.to_act(state):
            seat = acting[0]
            legal = rules.legal_moves(state, seat) or ()
            move = choose(slug, rules.view(state, seat), legal, rng, levels[seat])
            state, _ = rules.apply(state, seat, move)
        outcome = rules.outcome(state)
        assert outcome is not None
        for level, place in zip(levels, outcome.places, strict=True):
            places[level].append(place)
    return {level: mean(found) for level, found in places.items()}


@GAMES
@pytest.mark.parametrize(("seats", "margin"), [(4, 1.0), (6, 1.5)])
def test_steady_clearly_beats_random(slug: str, seats: int, margin: float) -> None:
    means = play_mixed(slug, seats, 40)
    assert means["steady"] + margin < means["random"]


@GAMES
@pytest.mark.parametrize("level", ["random", "steady"])
def test_every_choice_is_a_legal_move_and_the_same_again(slug: str, level: str) -> None:
    rules, rng = registry.find(slug), random.Random(2)
    state = rules.start(Config(5, ONE_DEAL[slug]), Chance(bytes(32)))
    while acting := rules.to_act(state):
        view, legal = rules.view(state, acting[0]), rules.legal_moves(state, acting[0]) or ()
        seed = rng.random()
        chosen = choose(slug, view, legal, random.Random(seed), level)
        assert chosen in legal
        assert choose(slug, view, legal, random.Random(seed), level) == chosen
        state, _ = rules.apply(state, acting[0], chosen)


def test_random_plays_every_legal_move_as_often() -> None:
    legal: list[Move] = [{"play": ["5"]}, {"play": ["6"]}, {"pass": True}]
    rng = random.Random(4)
    chosen = [choose("karriere-poker", {}, legal, rng, "random") for _ in range(3000)]
    assert all(900 < chosen.count(move) < 1100 for move in legal)


def test_an_unknown_level_is_an_error() -> None:
    assert list_bot_levels("karriere-poker") == ("random", "steady", "sharp")
    with pytest.raises(KeyError):
        choose("karriere-poker", {}, [], random.Random(1), "grandmaster")


def choose_steady_move(hand: str, table: str = "", *, sizes: tuple[int, ...] = (9, 9, 9)) -> str:
    """What steady plays with this hand on this table when the others hold so many cards."""
    rules = registry.find("karriere-poker")
    cards = hand.split()
    setup = {
        "order": [0, 1, 2, 3],
        "deals": [{"hands": [[*table.split(), "1"] if table else ["1"], cards, ["2"], ["3"]]}],
    }
    if not table:
        setup["order"] = [1, 2, 3, 0]
    state = rules.start(Config(4, {}, setup), Chance())
    if table:
        state, _ = rules.apply(state, 0, {"play": table.split()})
    view: View = {**rules.view(state, 1), "hand_sizes": [sizes[0], len(cards), *sizes[1:]]}
    move = choose("karriere-poker", view, rules.legal_moves(state, 1) or (), random.Random(0), "steady")
    return " ".join(move.get("play", ["pass"]))


@pytest.mark.parametrize(
    ("hand", "table", "played"),
    [
        ("4 4 6 9 11 12 13 J", "", "4 4"),
        ("5 9 10 10 11 12 13 J", "", "5"),
        ("5 5 7 9 9 11 12 J", "4", "7"),
        ("2 3 3 5 5 8 8 9 9 J", "10", "pass"),
        ("8 8", "7 7", "8 8"),
        ("8 J", "7 7", "8 J"),
        ("J J", "", "J J"),
        ("6 J", "", "6 J"),
        ("3 13 13", "", "13 13"),
    ],
)
def test_rules_of_thumb(hand: str, table: str, played: str) -> None:
    assert choose_steady_move(hand, table) == played


def test_steady_stops_who_is_about_to_go_out() -> None:
    hand = "2 3 3 5 5 8 8 9 9 12 12 J"
    assert choose_steady_move(hand, "11", sizes=(9, 9, 9)) == "pass"
    assert choose_steady_move(hand, "11", sizes=(9, 1, 9)) == "12"


def test_steady_leads_more_than_one_card_against_one_who_has_a_single_one() -> None:
    assert choose_steady_move("3 5 5 7 9 11", sizes=(9, 1, 9)) == "5 5"
    assert choose_steady_move("3 5 7 9 11", sizes=(9, 1, 9)) == "11"


@GAMES
def test_sharp_goes_out_when_it_can_and_the_same_chance_gives_the_same_move(slug: str) -> None:
    rules = registry.find(slug)
    state = rules.start(Config(4, ONE_DEAL[slug]), Chance(bytes([3] * 32)))
    while len(state.out) < 2:
        seat = rules.to_act(state)[0]
        view, legal = rules.view(state, seat), rules.legal_moves(state, seat) or ()
        move = choose(slug, view, legal, random.Random(6), "sharp")
        assert move in legal
        assert move == choose(slug, view, legal, random.Random(6), "sharp")
        if any(len(one.get("play", ())) == len(view["hand"]) for one in legal):
            assert len(move["play"]) == len(view["hand"])
        state, _ = rules.apply(state, seat, move)


def find_gains(slug: str, positions: int, deals: int) -> list[float]:
    """What sharp's move brings more than steady's, in share of the others beaten, where the two differ.

    The positions are from games among four of steady. Both moves are played out in the same deals of the hidden cards.
    """
    rules, rng = registry.find(slug), random.Random(11)
    gains: list[float] = []
    while positions:
        state = rules.start(Config(4, ONE_DEAL[slug]), Chance(rng.randbytes(32)))
        while acting := rules.to_act(state):
            view, legal = rules.view(state, acting[0]), rules.legal_moves(state, acting[0]) or ()
            plain = choose(slug, view, legal, rng, "steady")
            if positions and len(legal) > 1 and rng.random() < 0.2:
                positions -= 1
                move = choose(slug, view, legal, random.Random(positions), "sharp")
                if move != plain:
                    hidden, chance = HiddenCards(view), random.Random(positions)
                    hands = [hidden.draw(chance) for _ in range(deals)]
                    table = sharp.read_table(view, hidden)
                    plays = [sharp.read_play(one, view, hidden) for one in (move, plain)]
                    gains.append(
                        mean(play_out(table, deal, plays[0]) - play_out(table, deal, plays[1]) for deal in hands)
                    )
            state, _ = rules.apply(state, acting[0], plain)
    return gains


@pytest.mark.slow
@GAMES
def test_sharp_finds_better_moves_than_steady(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharp, "PLAYOUTS", 100)  # a quarter of what it plays with: `benchmarks.ladder` measures that
    gains = find_gains(slug, 90, 30)
    assert len(gains) > 20
    assert mean(gains) > 0.02
    assert mean(gains) > 2 * stdev(gains) / len(gains) ** 0.5
