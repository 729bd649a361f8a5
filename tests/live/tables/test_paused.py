"""A table that stands still asks nobody anything, in every game; as it goes on it is what it was."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games import models
from games.live.tables.regions import render_table
from games.live.tables.screens import build_screen
from games.play.records.table_description import describe
from games.play.seats import arranged_tables
from games.play.storage import store
from games.presenters import choose_presenter
from games.presenters.screen import Screen
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance
from tests.cast import NOW
from tests.live.boards import NOW as NOW_MS
from tests.live.boards import make_screen
from tests.live.markup import read

SEATS = range(4)


def walk(slug: str) -> Iterator[tuple[Any, list[int]]]:
    """States of a game at random, and whose move each waits for."""
    rules, rng = registry.find(slug), random.Random(7)
    state = rules.start(Config(4, {}), Chance(bytes(32)))
    for _ in range(60):
        if rules.outcome(state) or not (acting := rules.to_act(state)):
            break
        yield state, list(acting)
        seat = rng.choice(acting)
        state, _ = rules.apply(state, seat, rules.legal_sample(state, seat, rng))


def render(screen: Screen, state: Any, seat: int) -> dict[str, str]:
    rules, presenter = registry.find(screen.game), choose_presenter(screen)
    acts = seat in screen.asked(rules.to_act(state))
    legal = rules.legal_moves(state, seat) if acts else None
    private = presenter.private_regions(screen, rules.view(state, seat), seat, legal)
    return presenter.shared_regions(screen, rules.view(state, None)) | private


@pytest.mark.parametrize("slug", registry.slugs())
def test_nobody_is_asked_anything_in_a_pause(slug: str) -> None:
    chairs = make_screen().chairs[:4]
    running = make_screen(game=slug, options={}, chairs=chairs, dues={"turn": NOW_MS, "reaction": NOW_MS})
    still = make_screen(game=slug, options={}, chairs=chairs, due=None, is_paused=True)
    for state, acting in walk(slug):
        for seat in SEATS:
            before, paused = render(running, state, seat), render(still, state, seat)
            is_asked = seat in acting and registry.find(slug).answer_window(state, seat, "") is None
            assert ('class="mine"' in before["action"]) == is_asked
            assert before.keys() == paused.keys()
            assert all(not read(html).faults for html in paused.values())
            whole = "".join(paused.values())
            assert not any(mark in whole for mark in ('class="mine"', 'class="ask"', "data-due", "data-move"))
            assert 'aria-disabled="true"' in paused["action"]
            assert ">Paused</button>" in paused["action"]
            marks = [paused[f"seat-{index}"].split(">")[0].split('"')[3].split() for index in SEATS]
            assert not any({"on", "asked"} & set(words) for words in marks)
            assert paused["turn"] == '<p id="turn"></p>' or "Paused. Next: " in paused["turn"]
            assert paused["hand" if "hand" in paused else "ark"] == before["hand" if "hand" in before else "ark"]


def test_a_draft_goes_on_in_a_pause() -> None:
    state, (mover, *_) = next(walk("fancy-animals"))
    still = make_screen(game="fancy-animals", options={}, chairs=make_screen().chairs[:4], due=None, is_paused=True)
    assert [seat for seat in SEATS if "data-draft" in render(still, state, seat)["action"]] == [mover]


@pytest.mark.django_db
def test_no_clock_runs_on_the_screen_in_a_pause(ana: models.Player) -> None:
    guests = (
        arranged_tables.SeatAssignment("Ana", "fox", ana.pk),
        *(arranged_tables.SeatAssignment("Bo", "cat", bot="random"),) * 3,
    )
    with store.save_together():
        table = arranged_tables.arrange(arranged_tables.TablePlan("animal-poker", guests, {"minutes": 20}), now=NOW)
    table = arranged_tables.start_without_absent(table.id, now=NOW)
    assert build_screen(table).bell is not None
    paused = arranged_tables.pause(table.id, now=NOW + 1)
    screen, described = build_screen(paused), describe(paused, ana.pk)
    assert (screen.bell, screen.due, dict(screen.dues)) == (None, None, {})
    assert (described["to_act"], described["legal"], described["deadlines"]) == ([], [], [])
    assert build_screen(arranged_tables.resume(table.id, now=NOW + 60)).bell == round((NOW + 60 + 20 * 60 - 1) * 1000)


@pytest.mark.django_db
def test_a_whole_picture_brings_what_stands_beside_the_board(ana: models.Player) -> None:
    guests = (
        arranged_tables.SeatAssignment("Ana", "fox", ana.pk),
        *(arranged_tables.SeatAssignment("Bo", "cat", bot="random"),) * 3,
    )
    with store.save_together():
        table = arranged_tables.arrange(arranged_tables.TablePlan("animal-poker", guests, {}), now=NOW)
    for message in (
        arranged_tables.start_without_absent(table.id, now=NOW),
        arranged_tables.pause(table.id, now=NOW + 1),
    ):
        rendered = render_table(message, "en")
        whole = rendered.render_update(None, 0, now=NOW + 2)
        assert whole.endswith(f"{rendered.render_above(0)}{rendered.render_below()}{rendered.render_deal(0)}</div>")
        assert {"board", "paused", "host", "stand-ins", "fair", "share"} <= set(read(whole).ids)


@pytest.mark.django_db
def test_a_table_that_was_closed_in_a_pause_waits_for_nothing(ana: models.Player) -> None:
    guests = (
        arranged_tables.SeatAssignment("Ana", "fox", ana.pk),
        *(arranged_tables.SeatAssignment("Bo", "cat", bot="random"),) * 3,
    )
    with store.save_together():
        table = arranged_tables.arrange(arranged_tables.TablePlan("animal-poker", guests, {"minutes": 20}), now=NOW)
    assert build_screen(arranged_tables.pause(table.id, now=NOW + 1)).is_paused
    screen = build_screen(arranged_tables.close(table.id, now=NOW + 2))
    assert (screen.is_closed, screen.is_paused) == (True, False)
