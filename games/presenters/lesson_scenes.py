"""A lesson as HTML: the learner's board at a moment, rendered as the table's, and the guide beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.bots.hints import give_reason
from games.play.sentences import say_sentence
from games.play.storage.codec import build_log_lines
from games.presenters import choose_presenter, end_screen, find_presenter
from games.presenters.contract import BoardPage
from games.presenters.names import ANIMALS, translate
from games.presenters.render import macro
from games.presenters.screen import Chair, Screen
from games.records import strict_json
from games.rules.base import Rules
from games.rules.lessons import LEARNER, Lesson, LessonMoment, LessonStep, open_step

FILE = "lesson.jinja"
COMPANIONS = ("otter", "badger", "owl", "hedgehog", "beaver", "raccoon", "penguin")
"""Animals that play against the learner."""
LEARNER_ANIMAL = "fox"
"""The learner, who may become a guest with a name of their own in the middle of the lesson."""
STEP_PLIES = 1000
"""Room for the plies of one step, so that no two steps show the same ply."""


@dataclass(frozen=True)
class LessonStage:
    """One step of a lesson, rendered for its learner in the active language."""

    rules: Rules[Any]
    lesson: Lesson
    index: int

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.lesson.steps[self.index]

    def render_page(self, moments: Sequence[LessonMoment]) -> str:
        """The board at the last of these moments, the first of which is the position's start."""
        regions = self._render_regions(moments)
        screen, state = self._build_screen(moments), moments[-1].state
        if screen.status == "over":
            log = end_screen.log_lines(screen, self.rules.view(state, None), LEARNER, -1)
            winner = end_screen.say_winner(screen, self.rules.view(state, None), LEARNER)
            return macro("replay.jinja", "end")(game=screen.game, headline=winner, regions=regions, log="".join(log))
        view, presenter = self.rules.view(state, LEARNER), find_presenter(screen.game)
        log = presenter.log_lines(screen, view, LEARNER, -1)
        return presenter.board(screen, view, LEARNER, BoardPage(regions, log, now=0))

    def render_opening(self, moments: Sequence[LessonMoment]) -> str:
        """The update that brings any page of the lesson to this step."""
        return self._wrap(moments, f"{self.render_page(moments)}{self.render_guide()}", is_full=True)

    def render_updates(self, before: Sequence[LessonMoment], after: Sequence[LessonMoment]) -> list[str]:
        """An update for each of the moments that follow those before; the last one says that the step is done."""
        updates = []
        for count in range(1, len(after) + 1):
            earlier, now = [*before, *after[: count - 1]], [*before, *after[:count]]
            guide = self.render_guide(is_done=True) if count == len(after) else ""
            updates.append(self._render_update(earlier, now, guide))
        return updates

    def render_guide(self, *, is_done: bool = False) -> str:
        """What is to be done in this step, or what it has shown."""
        step = self.step
        return macro(FILE, "guide")(
            slug=step.slug,
            title=str(translate(step.title)),
            text=str(translate(step.praise if is_done else step.task)),
            is_done=is_done,
            number=self.index + 1,
            total=len(self.lesson.steps),
            points=strict_json.write(list(step.points)),
            shows=step.shows,
            reason="" if is_done else self._say_reason(),
        )

    def _say_reason(self) -> str:
        """Why the move of this step is good, for those who ask for a hint; empty where the game gives no reasons."""
        state = open_step(self.rules, self.lesson, self.index)[-1].state
        legal = self.rules.legal_moves(state, LEARNER) or ()
        reason = give_reason(self.rules.slug, self.rules.view(state, LEARNER), legal, self.step.right)
        return "" if reason is None else say_sentence(reason)

    def words(self, moments: Sequence[LessonMoment]) -> dict[str, Any]:
        """What the scripts of the table say."""
        screen = self._build_screen(moments)
        return find_presenter(screen.game).words(screen)

    def _render_update(self, before: Sequence[LessonMoment], now: Sequence[LessonMoment], guide: str) -> str:
        if self._layout(before) != self._layout(now):
            return self._wrap(now, f"{self.render_page(now)}{guide}", is_full=True)
        screen = self._build_screen(now)
        earlier = self._render_regions(before)
        regions = [html for name, html in self._render_regions(now).items() if earlier.get(name) != html]
        view = self.rules.view(now[-1].state, LEARNER)
        log = find_presenter(screen.game).log_lines(screen, view, LEARNER, self._ply(before))
        lines = f'<ol id="log" data-append="1">{"".join(log)}</ol>' if log else ""
        return self._wrap(now, f"{''.join(regions)}{lines}{guide}", is_full=False)

    def _wrap(self, moments: Sequence[LessonMoment], html: str, *, is_full: bool) -> str:
        ply = self._ply(moments)
        full = ' data-full="1"' if is_full else ""
        return f'<div data-ply="{ply}" data-version="{ply}" data-now="0"{full}>{html}</div>'

    def _ply(self, moments: Sequence[LessonMoment]) -> int:
        return self._start_of_position() * STEP_PLIES + moments[-1].ply

    def _start_of_position(self) -> int:
        index = self.index
        while self.lesson.steps[index].position is None:
            index -= 1
        return index

    def _layout(self, moments: Sequence[LessonMoment]) -> str:
        screen = self._build_screen(moments)
        return choose_presenter(screen).layout(screen, self.rules.view(moments[-1].state, None))

    def _render_regions(self, moments: Sequence[LessonMoment]) -> dict[str, str]:
        screen, state = self._build_screen(moments), moments[-1].state
        presenter = choose_presenter(screen)
        may_act = LEARNER in self.rules.to_act(state)
        legal = self.rules.legal_moves(state, LEARNER) if may_act else None
        shared = presenter.shared_regions(screen, self.rules.view(state, None))
        return shared | presenter.private_regions(screen, self.rules.view(state, LEARNER), LEARNER, legal)

    def _build_screen(self, moments: Sequence[LessonMoment]) -> Screen:
        position = self.lesson.steps[self._start_of_position()].position
        assert position is not None  # noqa: S101 - the first step of a lesson has one
        offset = self._start_of_position() * STEP_PLIES
        lines = [line for moment in moments for line in build_log_lines(offset + moment.ply, moment.events)]
        is_over = self.rules.outcome(moments[-1].state) is not None
        return Screen(
            table_id=f"lesson-{self.rules.slug}",
            game=self.rules.slug,
            options=position.options,
            status="over" if is_over else "playing",
            is_public=True,
            host_seat=None,
            turn_seconds=0,
            ply=self._ply(moments),
            version=self._ply(moments),
            chairs=self._build_chairs(position.seats),
            due=None,
            bell=None,
            commitment="",
            log=tuple(lines),
        )

    def _build_chairs(self, seats: int) -> tuple[Chair, ...]:
        mine = Chair(LEARNER, _name_animal(LEARNER_ANIMAL), LEARNER_ANIMAL, taken=True)
        others = enumerate(COMPANIONS[: seats - 1], start=1)
        return (mine, *(Chair(seat, _name_animal(animal), animal, taken=True, bot="steady") for seat, animal in others))


def _name_animal(animal: str) -> str:
    name = str(ANIMALS[animal])
    return name[:1].upper() + name[1:]
