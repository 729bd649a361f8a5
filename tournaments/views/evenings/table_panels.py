"""The tables of an evening and the lines of its log as HTML, cached by what they show and shared by readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name

from games.accounts.current_player import player_id
from games.play.storage.codec import read_runtime
from games.play.storage.table import OVER, WAITING
from games.presenters.render import PART_PLACEHOLDER, cache_by_language, fill_part, macro
from games.templatetags.menagerie import clock_time
from tournaments.flow.evenings.jobs import TableStory
from tournaments.flow.undo.evening_undo import LoggedEveningStep, Origin
from tournaments.models import Step, TimedSession
from tournaments.views.standings import job_table
from tournaments.views.standings.cached_rows import CSRF_PLACEHOLDER, insert_day_headings, join, render_csrf_field
from tournaments.words.step_words import say_evening_step
from tournaments.words.terms import NO_ACTOR


@dataclass(frozen=True, slots=True)
class EveningReader:
    """Who reads the page. belongs: is in the club or has a seat; can_steer: may run the evening, which is not over."""

    player_id: int | None
    belongs: bool
    can_steer: bool


class EveningTablePanel(NamedTuple):
    """What the page shows of a table, and so the key under which its HTML is cached."""

    id: str
    number: int
    status: str
    has_begun: bool
    is_paused: bool
    is_mine: bool
    is_brought: bool
    can_watch: bool
    can_begin: bool
    can_close: bool
    has_chronicle: bool
    deals: int
    ladder: tuple[job_table.JobHolder, ...]
    names: tuple[tuple[str, bool], ...]
    """The name of each player, and whether it is a bot."""


def render_panels(
    request: HttpRequest, evening: TimedSession, stories: Sequence[TableStory], reader: EveningReader
) -> SafeString:
    """A panel for each table: its state, the jobs now, and the jobs of each deal."""
    render_panel, action_url = macro("evenings.jinja", "panel"), _build_action_url(evening)
    panels = []
    for story in stories:
        chronicle = job_table.render_chronicle(story, reader.player_id)
        panel = _describe(evening, story, reader, has_chronicle=bool(chronicle))
        rendered = render_panel(steer=action_url, csrf=CSRF_PLACEHOLDER, chronicle=PART_PLACEHOLDER, table=panel)
        panels.append(fill_part(rendered, chronicle))
    return join([str.replace(join(panels), CSRF_PLACEHOLDER, render_csrf_field(request))])


def _describe(
    evening: TimedSession, story: TableStory, reader: EveningReader, *, has_chronicle: bool
) -> EveningTablePanel:
    table, is_mine = story.table, job_table.is_seated(story, reader.player_id)
    is_brought, has_begun = read_runtime(table.desk).arranged is None, table.started_at is not None
    is_host = reader.player_id is not None and table.host_id == reader.player_id
    if is_brought:
        can_close = (reader.can_steer or is_host) and not evening.has_rung and table.status != OVER
    else:
        can_close = reader.can_steer and table.status == WAITING
    return EveningTablePanel(
        id=table.pk,
        number=story.number,
        status=table.status,
        has_begun=has_begun,
        is_paused=evening.paused_at is not None,
        is_mine=is_mine,
        is_brought=is_brought,
        can_watch=(has_begun or table.status != OVER) and (table.is_public or is_mine or reader.belongs),
        can_begin=reader.can_steer and table.status == WAITING and not is_brought,
        can_close=can_close,
        has_chronicle=has_chronicle,
        deals=len(story.deals),
        ladder=job_table.list_job_holders(story, reader.player_id),
        names=tuple((seat.name, bool(seat.bot)) for seat in story.seats),
    )


def render_log(
    request: HttpRequest, evening: TimedSession, steps: Sequence[tuple[LoggedEveningStep, bool]]
) -> SafeString:
    """The steps as lines, each with a button if it can be undone or redone."""
    action_url, zone, reader = _build_action_url(evening), get_current_timezone_name(), player_id(request)
    lines = (
        (step.at, _render_step(action_url, zone, step, is_own(step, reader), can_undo)) for step, can_undo in steps
    )
    return join([str.replace(insert_day_headings(lines), CSRF_PLACEHOLDER, render_csrf_field(request))])


@cache_by_language
def _render_step(action_url: str, zone: str, step: LoggedEveningStep, is_me: bool, can_undo: bool) -> str:
    """One line. zone: the active time zone, here only as part of the cache key."""
    render_macro, undo = macro("evenings.jinja", "step"), ("redo" if step.is_redo else "undo") if can_undo else ""
    return render_macro(
        steer=action_url,
        csrf=CSRF_PLACEHOLDER,
        number=step.number,
        at=clock_time(step.at),
        who=name_actor(step),
        is_me=is_me,
        what=say_step(step),
        is_reverted=step.is_reverted,
        undo=undo,
    )


def is_own(step: LoggedEveningStep | Origin, reader: int | None) -> bool:
    """Whether the reader took this step."""
    return reader is not None and step.actor_id == reader


def name_actor(step: LoggedEveningStep | Origin) -> str:
    """The name of who took the step."""
    return step.actor_name or str(NO_ACTOR)


def say_step(step: LoggedEveningStep | Origin) -> str:
    """What the step did, in words."""
    about = step.origin if isinstance(step, LoggedEveningStep) and step.kind == Step.Kind.UNDO else None
    return say_evening_step(step.kind, step.details, None if about is None else (about.kind, about.details))


def _build_action_url(evening: TimedSession) -> str:
    return reverse("tournaments:steer_evening", args=[evening.pk])
