"""Every lesson is played through the engine, so that no change of rules breaks one silently."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.rules import registry
from games.rules.base import Move, Rules
from games.rules.info import ContextText, Text
from games.rules.lessons import LEARNER, Lesson, LessonStep, find_objection, open_step, play_step

LESSONS = {slug: lesson for slug in registry.slugs() if (lesson := registry.find_lesson(slug)) is not None}
GAMES = pytest.mark.parametrize("slug", LESSONS)
STEPS = pytest.mark.parametrize(
    ("slug", "index"),
    [
        pytest.param(slug, index, id=f"{slug}-{step.slug}")
        for slug, lesson in LESSONS.items()
        for index, step in enumerate(lesson.steps)
    ],
)
SAMPLES = 60
"""Moves that are looked at where a game does not list them."""
LONGEST_SLUG = 40


def open_at(slug: str, index: int) -> tuple[Rules[Any], LessonStep, Any]:
    """The engine, the step, and the state in which the learner is to move."""
    rules, lesson = registry.find(slug), LESSONS[slug]
    return rules, lesson.steps[index], open_step(rules, lesson, index)[-1].state


def list_moves(rules: Rules[Any], step: LessonStep, state: Any) -> list[Move]:
    """Moves that the learner may make: all where they are listed, else examples, and the right one."""
    listed = rules.legal_moves(state, LEARNER)
    if listed is None:
        rng = random.Random(1)
        listed = [rules.legal_sample(state, LEARNER, rng) for _ in range(SAMPLES)]
    return [step.right, *listed]


def list_right_moves(slug: str, index: int) -> Iterator[Move]:
    """Those of the moves that do what the step asks for."""
    rules, step, state = open_at(slug, index)
    return (move for move in list_moves(rules, step, state) if find_objection(rules, step, state, move) is None)


def read(text: Text) -> str:
    return text.message if isinstance(text, ContextText) else text


def test_all_games_of_this_repository_have_lessons() -> None:
    ours = {slug for slug, info in registry.infos().items() if info.rules.startswith("games.catalogue.")}
    assert ours <= LESSONS.keys()


@GAMES
def test_steps_have_names_of_their_own_and_begin_with_a_position(slug: str) -> None:
    lesson: Lesson = LESSONS[slug]
    slugs = [step.slug for step in lesson.steps]
    assert len(set(slugs)) == len(slugs)
    assert all(0 < len(one) <= LONGEST_SLUG for one in slugs)
    assert lesson.steps[0].position is not None
    assert [lesson.find(one) for one in slugs] == list(range(len(slugs)))
    assert lesson.find("") is lesson.find("no such step") is None


@STEPS
def test_the_right_move_is_legal_and_accepted(slug: str, index: int) -> None:
    rules, step, state = open_at(slug, index)
    assert LEARNER in rules.to_act(state)
    assert find_objection(rules, step, state, json.loads(json.dumps(step.right))) is None


@STEPS
def test_every_accepted_move_can_be_answered_as_scripted(slug: str, index: int) -> None:
    rules, lesson = registry.find(slug), LESSONS[slug]
    start, step = open_step(rules, lesson, index)[-1], lesson.steps[index]
    for move in list_right_moves(slug, index):
        assert len(play_step(rules, step, start, move)) == 1 + len(step.replies)


@STEPS
def test_what_goes_on_goes_on_from_one_place(slug: str, index: int) -> None:
    """If the next step has no position of its own, all accepted moves lead to the same one."""
    rules, lesson = registry.find(slug), LESSONS[slug]
    if index + 1 == len(lesson.steps) or lesson.steps[index + 1].position is not None:
        return
    start, step = open_step(rules, lesson, index)[-1], lesson.steps[index]
    ends = [rules.expected(play_step(rules, step, start, move)[-1].state) for move in list_right_moves(slug, index)]
    assert all(end == ends[0] for end in ends)
    assert open_step(rules, lesson, index + 1)[-1].state == play_step(rules, step, start, step.right)[-1].state


@STEPS
def test_every_other_move_gets_an_answer(slug: str, index: int) -> None:
    rules, step, state = open_at(slug, index)
    before = json.dumps(rules.to_json(state))
    answers = {find_objection(rules, step, state, move) for move in list_moves(rules, step, state)} - {None}
    assert all(answer is not None and read(answer) for answer in answers)
    assert {wrong.text for wrong in step.wrong} <= answers, "an answer to a move that nobody can make"
    assert json.dumps(rules.to_json(state)) == before


@STEPS
def test_a_step_says_what_to_do_and_points_there(slug: str, index: int) -> None:
    step = LESSONS[slug].steps[index]
    assert all(read(text) for text in (step.title, step.task, step.praise, step.otherwise))
    assert max(len(read(text)) for text in (step.task, step.praise)) <= 160, "too long to read above a table on a phone"
    assert step.points
