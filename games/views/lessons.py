"""Lessons: the page of a game's lesson, and the moves that a learner makes in it."""

from __future__ import annotations

import time
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts import rate_limits
from games.accounts.current_player import player_id
from games.accounts.guests import require_player
from games.play import lessons
from games.play.errors import BadInput, TooFast
from games.play.sentences import say_sentence
from games.presenters import find_presenter
from games.presenters.lesson_scenes import LessonStage
from games.presenters.names import GAMES, translate
from games.rules import registry
from games.rules.base import IllegalMove
from games.rules.lessons import Lesson, find_objection, open_step, play_step
from games.views.actions import read_fields
from games.views.json_responses import JsonAnswer


@require_safe
def show_lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """The step that this person does next, or the one named in `?step=`; after the last one, how to go on."""
    lesson = _find_lesson(slug)
    status = lessons.read_status(player_id(request), slug, lesson)
    wanted = lesson.find(request.GET.get("step", ""))
    index = status.done if wanted is None else wanted
    context: dict[str, Any] = {
        "game": GAMES[slug],
        "status": status,
        "steps": [(one.slug, translate(one.title), number < status.done) for number, one in enumerate(lesson.steps)],
    }
    if index < len(lesson.steps):
        stage = LessonStage(registry.find(slug), lesson, index)
        moments = open_step(stage.rules, lesson, index)
        context |= {
            "now": lesson.steps[index].slug,
            "screen": find_presenter(slug),
            "guide": mark_safe(stage.render_guide()),  # noqa: S308 - rendered by our own autoescaping templates
            "board": mark_safe(stage.render_page(moments)),  # noqa: S308 - as above
            "words": stage.words(moments),
            "texts": {"press": _("Press: %(control)s"), "wait": _("Go on with the next step first.")},
        }
    response = render(request, "lesson.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def play_lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """A move in a step, as JSON: `step` and `move`.

    200 with `updates` of the page and `next`, the update that opens the next step (null after the last one); 422 with
    the sentence that answers a move which the rules or the step do not allow, and nothing has changed.
    """
    lesson = _find_lesson(slug)
    if not rate_limits.allow_move(_name_learner(request), player_id(request)):
        raise TooFast("That was too fast. Wait a moment and try again.")
    fields = read_fields(request)
    index, move = lesson.find(str(fields.get("step"))), fields.get("move")
    if index is None or not isinstance(move, dict):
        raise BadInput("A move in a lesson needs `step`, the name of a step, and `move`.")
    stage = LessonStage(registry.find(slug), lesson, index)
    before = open_step(stage.rules, lesson, index)
    try:
        objection = find_objection(stage.rules, stage.step, before[-1].state, move)
    except IllegalMove as error:
        return JsonAnswer({"status": 422, "sentence": say_sentence(error)}, status=422)
    if objection is not None:
        return JsonAnswer({"status": 422, "sentence": str(translate(objection))}, status=422)
    lessons.note_done(require_player(request).pk, slug, lesson, index, now=time.time())
    updates = stage.render_updates(before, play_step(stage.rules, stage.step, before[-1], move))
    return JsonAnswer({"status": 200, "updates": updates, "next": _open_next(slug, lesson, index + 1)})


def _open_next(slug: str, lesson: Lesson, index: int) -> str | None:
    if index == len(lesson.steps):
        return None
    stage = LessonStage(registry.find(slug), lesson, index)
    return stage.render_opening(open_step(stage.rules, lesson, index))


def _find_lesson(slug: str) -> Lesson:
    lesson = registry.find_lesson(slug) if registry.is_installed(slug) else None
    if lesson is None:
        raise Http404(slug)
    return lesson


def _name_learner(request: HttpRequest) -> str:
    """What limits of moves count for: all lessons of a person, or of a stranger's network."""
    return f"lesson {rate_limits.network_of(request.META.get('REMOTE_ADDR', ''))}"
