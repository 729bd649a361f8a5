"""One decision: honest, reproducible, and it finds what is better."""

from __future__ import annotations

import random
from statistics import fmean
from typing import Any

import pytest

from games.analysis import decisions
from games.analysis.decisions import SAMPLES, expect_result, judge_decision
from games.analysis.labels import label_loss
from games.bots.appraisal import Appraiser, can_appraise, open_appraiser
from games.bots.choosing import choose
from games.catalogue.climbing.bots import sharp
from games.catalogue.climbing.bots.steady import rank_moves
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance
from tests.rules.playthrough import start, step

ANALYSED = [slug for slug in registry.slugs() if can_appraise(slug)]
SEED = b"a record and a ply"


def find_choice(slug: str, plies: int) -> tuple[Any, int]:
    """A state of a game among four of `steady` in which a seat has a choice, after so many plies or more."""
    rules, state = start(slug, 4)
    rng = random.Random(8)
    while True:
        seat = rules.to_act(state)[0]
        legal = rules.legal_moves(state, seat)
        plies -= 1
        if plies < 0 and (legal is None or len(legal) > 1):
            return state, seat
        moves = legal or [rules.legal_sample(state, seat, rng)]
        state = step(rules, state, seat, choose(slug, rules.view(state, seat), moves, rng, "steady")).after


@pytest.mark.parametrize("slug", ANALYSED)
def test_hidden_cards_of_others_change_nothing(slug: str) -> None:
    rules = registry.find(slug)
    state, seat = find_choice(slug, 25)
    view = rules.view(state, seat)
    move = rules.legal_sample(state, seat, random.Random(2))
    other = rules.reshuffle_unseen(state, seat, random.Random(3))
    assert rules.expected(other) != rules.expected(state)
    found = judge_decision(slug, view, move, SEED)
    assert found is not None
    assert judge_decision(slug, rules.view(other, seat), move, SEED) == found
    assert expect_result(slug, view, SEED) == expect_result(slug, rules.view(other, seat), SEED)


@pytest.mark.parametrize("slug", ANALYSED)
def test_guesses_depend_on_view_and_seed_alone(slug: str) -> None:
    rules = registry.find(slug)
    state, seat = find_choice(slug, 20)
    other = rules.reshuffle_unseen(state, seat, random.Random(4))
    view = rules.view(state, seat)
    first, again, differing = (
        open_appraiser(slug, one, random.Random(seed)).draw()
        for one, seed in ((view, 1), (rules.view(other, seat), 1), (view, 2))
    )
    assert first == again != differing


@pytest.mark.parametrize("slug", ["karriere-poker", "animal-poker"])
def test_another_seed_gives_the_same_value_within_the_sampling_error(slug: str) -> None:
    rules = registry.find(slug)
    state, seat = find_choice(slug, 12)
    view = rules.view(state, seat)
    move = rules.legal_sample(state, seat, random.Random(1))
    values = [found.value for number in range(6) if (found := judge_decision(slug, view, move, bytes([number])))]
    assert len(values) == 6
    assert max(values) - min(values) < 6 * 0.5 / SAMPLES**0.5


@pytest.mark.parametrize("slug", ["karriere-poker", "animal-poker"])
def test_what_sharp_plays_loses_nothing_that_can_be_measured(slug: str) -> None:
    rules, rng = registry.find(slug), random.Random(5)
    lost: dict[str, list[float]] = {"sharp": [], "dearest": []}
    for plies in range(12):
        state, seat = find_choice(slug, 3 * plies)
        view, legal = rules.view(state, seat), rules.legal_moves(state, seat) or ()
        moves = {"sharp": choose(slug, view, legal, rng, "sharp"), "dearest": rank_moves(view, legal)[-1]}
        for name, losses in lost.items():
            found = judge_decision(slug, view, moves[name], bytes([plies]))
            assert found is not None
            losses.append(found.loss)
    assert fmean(lost["sharp"]) < 0.02
    assert fmean(lost["dearest"]) > 0.05


def test_what_looks_like_a_loss_by_chance_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first guesses all favour the other move by chance; the second measurement finds both as good."""
    state, seat = find_choice("karriere-poker", 12)
    view = registry.find("karriere-poker").view(state, seat)
    legal = registry.find("karriere-poker").legal_moves(state, seat) or ()
    calls: list[int] = []

    def compare(_appraiser: Any, _move: Any, _best: Any, samples: int) -> tuple[float, float, float]:
        calls.append(samples)
        return (0.3, 0.6, 0.1) if samples == SAMPLES else (0.45, 0.46, 0.02)

    monkeypatch.setattr(decisions, "_compare", compare)
    monkeypatch.setattr(decisions, "choose_best", lambda candidates, *_, **__: candidates[1])
    found = judge_decision("karriere-poker", view, legal[0], SEED)
    assert found is not None
    assert (found.loss, found.best, calls) == (0.0, legal[0], [SAMPLES, decisions.CONFIRMING_SAMPLES])


@pytest.mark.parametrize(("careful", "label"), [(0.0, "best"), (0.1, "inaccurate"), (0.4, "mistake")])
def test_a_mistake_loses_no_more_than_careful_play_leaves_possible(
    careful: float, label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, seat = find_choice("karriere-poker", 12)
    view = registry.find("karriere-poker").view(state, seat)
    legal = registry.find("karriere-poker").legal_moves(state, seat) or ()

    def open_careful(game: str, view: Any, rng: random.Random) -> Appraiser:
        found = open_appraiser(game, view, rng)
        return found._replace(careful_value=lambda _guess, move: 0.0 if move == legal[0] else careful)

    monkeypatch.setattr(decisions, "open_appraiser", open_careful)
    monkeypatch.setattr(decisions, "_compare", lambda *_: (0.3, 0.6, 0.02))
    monkeypatch.setattr(decisions, "choose_best", lambda candidates, *_, **__: candidates[1])
    found = judge_decision("karriere-poker", view, legal[0], SEED)
    assert found is not None
    assert label_loss(found.loss) == label
    assert (found.best == legal[0]) == (label == "best")


@pytest.mark.parametrize("slug", ["karriere-poker", "animal-poker"])
def test_careful_play_ends_with_the_deal_and_counts_who_is_behind(slug: str) -> None:
    state, seat = find_choice(slug, 30)
    rules = registry.find(slug)
    appraiser = open_appraiser(slug, rules.view(state, seat), random.Random(3))
    assert appraiser.careful_value is not None
    move = (rules.legal_moves(state, seat) or ())[0]
    found = {round(3 * appraiser.careful_value(appraiser.draw(), move), 6) for _ in range(12)}
    assert found <= {0.0, 1.0, 2.0, 3.0}


def test_going_out_is_best_and_staying_costs() -> None:
    rules = registry.find("karriere-poker")
    setup = {"order": [0, 1, 2, 3], "deals": [{"hands": [["13", "13"], ["2", "2", "5"], ["3", "4", "6"], ["7"]]}]}
    state = rules.start(Config(4, {}, setup), Chance())
    out = judge_decision("karriere-poker", rules.view(state, 0), {"play": ["13", "13"]}, SEED)
    stays = judge_decision("karriere-poker", rules.view(state, 0), {"play": ["13"]}, SEED)
    assert out is not None
    assert stays is not None
    assert (out.value, out.loss, out.best) == (1.0, 0.0, {"play": ["13", "13"]})
    assert stays.best_value == 1.0


def test_a_move_is_not_blamed_for_a_poor_way_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a pair of 2s away, the 13 is kept for later. Rules of thumb lead it at once while another has one card."""
    rules = registry.find("karriere-poker")
    hands = [["2", "2", "4", "7", "13"], ["5", "9"], ["11"], ["3", "8", "10"]]
    state = rules.start(Config(4, {}, {"order": [0, 1, 2, 3], "deals": [{"hands": hands}]}), Chance())
    view = rules.view(state, 0)
    found = judge_decision("karriere-poker", view, {"play": ["2", "2"]}, SEED)
    monkeypatch.setattr(sharp, "OTHER_STYLES", ())
    blamed = judge_decision("karriere-poker", view, {"play": ["2", "2"]}, SEED)
    assert found is not None
    assert blamed is not None
    assert label_loss(found.loss) == "best"
    assert label_loss(blamed.loss) != "best"


def test_a_forced_move_is_no_decision() -> None:
    rules = registry.find("karriere-poker")
    setup = {"order": [0, 1, 2, 3], "deals": [{"hands": [["9", "9"], ["2", "3"], ["4", "5"], ["6", "7"]]}]}
    state, _ = rules.apply(rules.start(Config(4, {}, setup), Chance()), 0, {"play": ["9"]})
    assert judge_decision("karriere-poker", rules.view(state, 1), {"pass": True}, SEED) is None


@pytest.mark.parametrize(
    ("loss", "label"),
    [(0.0, "best"), (0.049, "good"), (0.05, "inaccurate"), (0.149, "inaccurate"), (0.15, "mistake")],
)
def test_labels_follow_the_thresholds(loss: float, label: str) -> None:
    assert label_loss(loss) == label
