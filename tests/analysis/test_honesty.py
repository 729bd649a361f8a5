"""Whole games: an analysis uses only what the seat could know, and finds no losses in the moves of `sharp`.

At each decision the cards that the seat does not see are dealt anew before the analysis looks at it.
"""

from __future__ import annotations

import json
import random
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

import pytest

from games import bots
from games.analysis import decisions, report
from games.bots.appraisal import Appraiser, can_appraise, complete_view, open_appraiser
from games.bots.choosing import choose
from games.bots.hints import find_hint
from games.bots.search import choose_best
from games.records.events import MoveEvent
from games.records.format import Record, parse_record
from games.records.replay import ReplayStep, replay
from games.records.simulate import SimulationPlan, play_game
from games.records.writer import to_text
from games.rules import registry
from games.rules.base import Config, Rules, View
from games.rules.chance import Chance

ANALYSED = [slug for slug in registry.slugs() if can_appraise(slug)]
EACH_GAME = pytest.mark.parametrize("slug", ANALYSED)
SHORT: dict[str, dict[str, Any]] = {"karriere-poker": {"deals": 1}, "animal-poker": {"sessions": 1}}
EVERY = {"karriere-poker": 4, "animal-poker": 4, "animals-on-board": 8, "fancy-animals": 5, "super-zwierzaki": 1}
"""Of so many decisions of a game one is looked at, so that a whole game takes seconds. Of other games all are."""
SEED = 4
PLAYOUTS = 12
"""Of a comparison, in place of a hundred."""


def play(slug: str, *levels: str, seed: int = 0, seats: int = 4) -> Record:
    """A whole game between these levels, as a record of people."""
    plan = SimulationPlan(registry.find(slug), Config(seats, SHORT.get(slug, {})), bytes([seed] * 32), levels)
    document = json.loads(to_text(play_game(plan, 0, bots.choose, stays_silent=bots.stays_silent).record))
    document["players"] = [{"name": f"Player {seat}"} for seat in range(seats)]
    return parse_record(json.dumps(document).encode())


def list_choices(record: Record) -> list[tuple[Any, ReplayStep]]:
    """The moves of a record that were chosen from several, with the state before, thinned out."""
    rules = registry.find(record.game)
    found = []
    for before, after in pairwise(replay(record)):
        if isinstance(after.entry, MoveEvent) and after.entry.seat in rules.to_act(before.state):
            legal = rules.legal_moves(before.state, after.entry.seat)
            if legal is None or len(legal) > 1:
                found.append((before.state, after))
    return found[:: EVERY.get(record.game, 1)]


def make_guess(slug: str, state: Any) -> Any:
    """This very state as a guess of this game's appraiser. A playout needs chance, and a replayed state has none."""
    if slug in ("karriere-poker", "animal-poker"):
        return list(state.hands)
    return state._replace(chance=Chance(bytes(32))) if slug == "super-zwierzaki" else state


def think_less(monkeypatch: pytest.MonkeyPatch, truth: list[Any] | None = None) -> None:
    """Few playouts, for the time that tests have. truth: guesses are the state in it, as no analysis may."""

    def open_small(game: str, view: View, rng: random.Random) -> Appraiser:
        found = open_appraiser(game, view, rng)._replace(playouts=PLAYOUTS)
        return found if truth is None else found._replace(draw=lambda: make_guess(game, truth[0]))

    monkeypatch.setattr(decisions, "open_appraiser", open_small)
    monkeypatch.setattr(decisions, "SAMPLES", 6)
    monkeypatch.setattr(decisions, "CONFIRMING_SAMPLES", 6)
    monkeypatch.setattr(decisions, "CAREFUL_SAMPLES", 2)
    monkeypatch.setattr(decisions, "CAREFUL_BATCH", 2)
    monkeypatch.setattr(decisions, "VALUE_SAMPLES", 4)
    monkeypatch.setattr(report, "VALUE_SAMPLES", 4)
    monkeypatch.setattr(report, "LUCK_DEALS", 2)


def analyse_shuffled(record: Record, seed: int | None, truth: list[Any]) -> report._RecordWalk:
    """An analysis of the choices, each with the hidden cards dealt anew; with the true ones where there is no seed."""
    rules = registry.find(record.game)
    walk = report._RecordWalk(record, rules, judges_bots=True)
    for number, (before, step) in enumerate(list_choices(record)):
        assert isinstance(step.entry, MoveEvent)
        if seed is not None:
            before = rules.reshuffle_unseen(before, step.entry.seat, random.Random(seed + number))
        truth[:] = [before]
        walk.take(before, step)
    return walk


@pytest.mark.slow
@EACH_GAME
def test_hidden_cards_change_nothing_in_the_analysis_of_a_whole_game(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    think_less(monkeypatch)
    record = play(slug, "steady", "random", seed=SEED)
    true, other = (analyse_shuffled(record, seed, []) for seed in (None, 11))
    assert len(true.decisions) > 5
    assert true.decisions == other.decisions
    assert true.curve == other.curve
    assert true.luck == other.luck


@pytest.mark.slow
@EACH_GAME
def test_an_analysis_that_looks_at_hidden_cards_is_found_out(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    truth: list[Any] = []
    think_less(monkeypatch, truth)
    monkeypatch.setattr(
        report._RecordWalk, "_find_luck", lambda *_: 0.0
    )  # it looks at other deals, which truth does not fit
    record = play(slug, "steady", "random", seed=SEED)
    true, other = (analyse_shuffled(record, seed, truth) for seed in (None, 11))
    assert true.curve != other.curve


@pytest.mark.slow
@EACH_GAME
def test_hidden_cards_change_no_guess_no_hint_and_no_move_of_a_whole_game(slug: str) -> None:
    rules, record = registry.find(slug), play(slug, "steady", "random", seed=1)
    for number, (state, step) in enumerate(list_choices(record)[::3]):
        assert isinstance(step.entry, MoveEvent)
        seat = step.entry.seat
        other = rules.reshuffle_unseen(state, seat, random.Random(number))
        found = [decide_everything(rules, one, seat, number) for one in (state, other)]
        assert found[0] == found[1]


def decide_everything(rules: Rules[Any], state: Any, seat: int, seed: int) -> tuple[Any, ...]:
    """What bots make of a position: three guesses at what is hidden, the hint, and the move of `sharp`."""
    view, rng = rules.view(state, seat), random.Random(seed)
    legal = rules.legal_moves(state, seat)
    if legal is None:
        legal = [rules.legal_sample(state, seat, random.Random(seed))]
    appraiser = open_appraiser(rules.slug, view, rng)
    guesses = [appraiser.draw() for _ in range(3)]
    return guesses, find_hint(rules.slug, view, legal), choose(rules.slug, view, legal, rng, "sharp")


@pytest.mark.slow
@EACH_GAME
def test_what_sharp_plays_against_itself_loses_nothing_beyond_the_interval(slug: str) -> None:
    """The best moves that an analysis finds bring no more than those of `sharp`, measured on fresh guesses."""
    gains = [find_gain(slug, state, step, number) for number, (state, step) in enumerate(list_games_of_sharp(slug))]
    assert len(gains) > 10
    assert fmean(gains) <= 1.96 * stdev(gains) / len(gains) ** 0.5


def list_games_of_sharp(slug: str) -> list[tuple[Any, ReplayStep]]:
    """Choices of games among four of `sharp`."""
    return [choice for seed in (2, 3) for choice in list_choices(play(slug, "sharp", seed=seed))]


def find_gain(slug: str, state: Any, step: ReplayStep, seed: int, guesses: int = 12) -> float:
    """What the best move of an analysis brings more than the move that was played; 0 where it is the same."""
    assert isinstance(step.entry, MoveEvent)
    rules, seat, move, rng = registry.find(slug), step.entry.seat, step.entry.move, random.Random(seed)
    view = rules.view(state, seat)
    appraiser = open_appraiser(slug, view, rng)
    guess = complete_view(slug, view, rng)
    legal = decisions._list_moves(rules, guess, view, rng)
    candidates = decisions._list_candidates(slug, rules, guess, view, legal, move, rng)
    best = choose_best(candidates, appraiser.draw, appraiser.value, playouts=appraiser.playouts)
    if best is candidates[0]:
        return 0.0
    drawn = [appraiser.draw() for _ in range(guesses)]
    return fmean(appraiser.value(guess, best) - appraiser.value(guess, move) for guess in drawn)
