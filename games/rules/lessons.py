"""What a lesson is: steps from fixed positions, each one idea that the learner plays on the game's own engine. Pure.

A game's package names its lesson in `GameInfo.lesson`. Texts are English and are translated where they are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from games.rules.base import Config, Event, IllegalMove, Move, Rules, Seat
from games.rules.chance import Chance
from games.rules.info import Text, gettext_noop

LEARNER: Final[Seat] = 0
"""The learner's seat in every lesson."""
SEED: Final = bytes(32)
"""Decides what a position leaves open, the same for every learner."""

NOT_THIS: Final = gettext_noop("That is allowed, but this step asks for something else. Try again.")

Fits = Callable[[Move], bool]
"""Whether a move, which the engine allows, is meant."""


class ScriptedMove(NamedTuple):
    """What happens without the learner: the move of another seat, or a clock event where `seat` is None."""

    seat: Seat | None
    move: Move


class WrongMove(NamedTuple):
    """A legal move that misses the idea, and the sentence that answers it."""

    fits: Fits
    text: Text


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where steps begin: a table of so many seats with these options and this set-up, after these moves."""

    seats: int
    setup: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    moves: tuple[ScriptedMove, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """One idea that the learner does with one move.

    position: None to go on where the step before ended. right: a move that does it. fits: which other moves do, too;
    None for those that lead to the same state. replies: what the others do then, legal after each move that fits.
    wrong: answers to legal moves that do not fit, the first one that applies, else `otherwise`. points: CSS selectors
    of what to press, in this order; the hint points at the first one that the page shows. shows: the selector of what
    has to be in view at the start, where it may be below.
    """

    slug: str
    """Unique in its lesson; stored as a person's progress, so it never changes."""
    title: Text
    task: Text
    """What to do, in one or two sentences."""
    praise: Text
    """What that did, and what to remember of it."""
    right: Move
    points: tuple[str, ...]
    otherwise: Text = NOT_THIS
    position: Position | None = None
    fits: Fits | None = None
    replies: tuple[ScriptedMove, ...] = ()
    wrong: tuple[WrongMove, ...] = ()
    shows: str = ""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """The lesson of one game. minutes: how long it takes a person who has never played."""

    minutes: int
    steps: tuple[LessonStep, ...]

    def find(self, slug: str) -> int | None:
        """The index of the step with this slug."""
        return next((index for index, step in enumerate(self.steps) if step.slug == slug), None)


def list_words(text: str) -> list[str]:
    """Cards or tiles in short: "3 3 J" as a list."""
    return text.split()


class LessonMoment(NamedTuple):
    """The game after so many plies of a lesson, and what happened in the last one."""

    ply: int
    state: Any
    events: tuple[Event, ...]


def open_step(rules: Rules[Any], lesson: Lesson, index: int) -> list[LessonMoment]:
    """The moments up to the learner's move in this step, the position's start first."""
    first = index
    while lesson.steps[first].position is None:
        first -= 1
    moments = _set_up(rules, lesson.steps[first])
    for step in lesson.steps[first:index]:
        moments += play_step(rules, step, moments[-1], step.right)
    return moments


def _set_up(rules: Rules[Any], step: LessonStep) -> list[LessonMoment]:
    position = step.position
    assert position is not None  # noqa: S101 - the caller looked for it
    state = rules.start(Config(position.seats, position.options, position.setup), Chance(SEED))
    moments = [LessonMoment(0, state, rules.opening(state))]
    for entry in position.moves:
        moments.append(_follow(rules, moments[-1], entry))
    return moments


def _follow(rules: Rules[Any], before: LessonMoment, entry: ScriptedMove) -> LessonMoment:
    if entry.seat is None:
        state, events = rules.on_clock(before.state, entry.move)
    else:
        state, events = rules.apply(before.state, entry.seat, entry.move)
    return LessonMoment(before.ply + 1, state, events)


def play_step(rules: Rules[Any], step: LessonStep, start: LessonMoment, move: Move) -> list[LessonMoment]:
    """The moments after the learner's move: that move, then the replies. Raises IllegalMove."""
    moments = [_follow(rules, start, ScriptedMove(LEARNER, move))]
    for entry in step.replies:
        moments.append(_follow(rules, moments[-1], entry))
    return moments


def find_objection(rules: Rules[Any], step: LessonStep, state: Any, move: Move) -> Text | None:
    """None for a move that does what the step asks for, else the answer to it. Raises IllegalMove."""
    if LEARNER not in rules.to_act(state):
        raise IllegalMove("It is not your turn.")
    after, _events = rules.apply(state, LEARNER, move)
    if _is_right(rules, step, state, move, after):
        return None
    return next((wrong.text for wrong in step.wrong if wrong.fits(move)), step.otherwise)


def _is_right(rules: Rules[Any], step: LessonStep, state: Any, move: Move, after: Any) -> bool:
    if step.fits is not None:
        return step.fits(move)
    wanted, _events = rules.apply(state, LEARNER, step.right)
    return rules.expected(after) == rules.expected(wanted)
