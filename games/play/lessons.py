"""Lessons: how far a person is in each, and for which games they are offered one."""

from __future__ import annotations

from typing import NamedTuple

from django.db import DatabaseError, transaction

from games.models import LessonProgress, Seat
from games.play.errors import Busy
from games.rules import registry
from games.rules.lessons import Lesson


class LessonStatus(NamedTuple):
    """How far somebody is. done: steps they have done, all of them once the lesson is finished."""

    minutes: int
    done: int
    steps: int
    is_finished: bool


def read_status(player_id: int | None, game: str, lesson: Lesson) -> LessonStatus:
    """How far this person is in the lesson of a game; None is a stranger, who has not begun."""
    row = None if player_id is None else LessonProgress.objects.filter(player=player_id, game=game).first()
    return _build_status(row, lesson)


def _build_status(row: LessonProgress | None, lesson: Lesson) -> LessonStatus:
    steps = len(lesson.steps)
    if row is None:
        return LessonStatus(lesson.minutes, 0, steps, is_finished=False)
    is_finished = row.finished_at is not None
    return LessonStatus(lesson.minutes, steps if is_finished else lesson.find(row.step) or 0, steps, is_finished)


def note_done(player_id: int, game: str, lesson: Lesson, index: int, *, now: float) -> None:
    """Record that the person has done the step with this index. Idempotent; an earlier step changes nothing.

    Raises Busy.
    """
    is_last = index + 1 == len(lesson.steps)
    then = "" if is_last else lesson.steps[index + 1].slug
    try:
        with transaction.atomic():
            row, _is_new = LessonProgress.objects.select_for_update().get_or_create(
                player_id=player_id, game=game, defaults={"step": lesson.steps[0].slug, "at": now}
            )
            if _build_status(row, lesson).done > index:
                return
            row.step, row.at, row.finished_at = then, now, now if is_last else None
            row.save(update_fields=["step", "at", "finished_at"])
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error


def list_offers(player_id: int | None) -> dict[str, LessonStatus]:
    """Slug → status of the lessons of games that this person has neither played nor finished the lesson of."""
    lessons = {slug: lesson for slug in registry.slugs() if (lesson := registry.find_lesson(slug)) is not None}
    played: set[str] = set()
    rows: dict[str, LessonProgress] = {}
    if player_id is not None:
        seats = Seat.objects.filter(player=player_id, table__started_at__isnull=False)
        played = set(seats.order_by().values_list("table__game", flat=True).distinct())
        rows = {row.game: row for row in LessonProgress.objects.filter(player=player_id)}
    offers = {slug: _build_status(rows.get(slug), lesson) for slug, lesson in lessons.items() if slug not in played}
    return {slug: status for slug, status in offers.items() if not status.is_finished}


def find_offer(player_id: int | None, game: str) -> LessonStatus | None:
    """The lesson to offer before somebody's first game; None for those who have played it or finished the lesson."""
    lesson = registry.find_lesson(game) if registry.is_installed(game) else None
    if lesson is None:
        return None
    status = read_status(player_id, game, lesson)
    started = Seat.objects.filter(player=player_id, table__game=game, table__started_at__isnull=False)
    if status.is_finished or (player_id is not None and started.exists()):
        return None
    return status
