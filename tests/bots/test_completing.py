"""Views completed into states: of every game whose bots can, every state has exactly the view it was made from."""

from __future__ import annotations

import random
from collections import Counter
from importlib import import_module
from math import sqrt
from typing import Any

import pytest

from games.rules import registry
from games.rules.base import View
from tests.rules.census import find_census
from tests.rules.playthrough import playthrough, start

SLUGS = [slug for slug, info in registry.infos().items() if hasattr(import_module(info.bots), "complete_view")]
TABLES = pytest.mark.parametrize(
    ("slug", "seats"), [(slug, seats) for slug in SLUGS for seats in registry.find(slug).seat_counts if seats <= 6]
)
EVERY = 7
"""Of so many positions of a game one is completed."""


def complete(slug: str, view: View, rng: random.Random) -> Any:
    """A state that fits the view."""
    return import_module(registry.infos()[slug].bots).complete_view(view, rng)


def test_every_game_of_this_repository_can() -> None:
    ours = [slug for slug, info in registry.infos().items() if info.rules.startswith("games.catalogue.")]
    assert set(ours) <= set(SLUGS)


@TABLES
def test_a_completed_state_has_the_view_it_was_made_from(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    rng = random.Random(5)
    for number, taken in enumerate(playthrough(rules, state)):
        if number % EVERY == 0:
            for seat in range(seats):
                view = rules.view(taken.before, seat)
                assert rules.view(complete(slug, view, rng), seat) == view


@TABLES
def test_others_differ_from_sample_to_sample_and_the_same_chance_gives_the_same_state(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    view = rules.view(state, 0)
    found = [rules.setup_of(complete(slug, view, random.Random(seed))) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


@TABLES
def test_a_completed_game_can_be_played_to_its_end(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    steps = list(playthrough(rules, state))
    taken = steps[len(steps) // 2]
    seat = (rules.to_act(taken.before) or (0,))[0]
    middle = complete(slug, rules.view(taken.before, seat), random.Random(1))
    *_, last = playthrough(rules, middle)
    assert rules.outcome(last.after) is not None


COUNTED = ["animals-on-board", "fancy-animals", "super-zwierzaki"]
"""Games whose census knows all cards. Those of the climbing games: tests/catalogue/climbing/bots/test_completing.py."""


@pytest.mark.parametrize("slug", COUNTED)
def test_no_card_is_made_or_lost(slug: str) -> None:
    rules, state = start(slug, 4)
    rng, census = random.Random(6), find_census(slug)
    census.see(rules, state, ())
    for number, taken in enumerate(playthrough(rules, state)):
        census.see(rules, taken.after, taken.events)
        if number % EVERY == 0:
            for seat in range(4):
                census.see(rules, complete(slug, rules.view(taken.after, seat), rng), ())


def list_hidden(slug: str, setup: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What seat 1 has, and all that seat 0 does not see."""
    if slug == "animals-on-board":
        arks = setup["arks"]
        face_down = [setup["face_down"]] if setup["face_down"] else []
        return arks[1], [*(tile for ark in arks[1:] for tile in ark), *setup["stack"], *face_down]
    hands, rest = setup["hands"], setup["deck"] if slug == "fancy-animals" else [*setup["draw"], *setup["heap"]]
    return hands[1], [*(card for hand in hands[1:] for card in hand), *rest]


@pytest.mark.parametrize("slug", COUNTED)
def test_every_hidden_card_is_as_often_in_a_hand_as_it_is_likely(slug: str) -> None:
    """All are equally likely everywhere there, so a hand of n of N hidden cards has each with probability n / N."""
    rules, state = start(slug, 2)
    steps = list(playthrough(rules, state))
    # Between two plays: cards of a play under way lie where everybody has seen them.
    taken = next(one for one in steps[len(steps) // 3 :] if not rules.view(one.after, 0).get("play"))
    view, rng, times = rules.view(taken.after, 0), random.Random(7), 3000
    tally: Counter[str] = Counter()
    for _ in range(times):
        setup = rules.setup_of(complete(slug, view, rng))
        hand, hidden = list_hidden(slug, setup)
        tally.update(hand)
    assert hand
    for card, copies in Counter(hidden).items():
        share = copies * len(hand) / len(hidden)
        assert abs(tally[card] / times - share) < 4.5 * sqrt(share / times) + 0.002
