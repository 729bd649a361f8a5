"""The tables of an evening and the lines of its log, each drawn once for what it shows and not once for each reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name

from games.accounts.current_player import player_id
from games.play.storage.codec import read_desk
from games.play.storage.table import OVER, WAITING
from games.presenters.render import PART_PLACEHOLDER, cache_by_language, fill_part, macro
from games.templatetags.menagerie import clock_time
from tournaments.flow.evenings.jobs import TableStory
from tournaments.flow.undo.evening_undo import LoggedEveningStep, Origin
from tournaments.models import Step, TimedSession
from tournaments.views.standings import job_table
from tournaments.views.standings.cached_rows import CSRF, join, part_days, write_token
from tournaments.words.step_words import say_evening_step
from tournaments.words.terms import NOBODY


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at an evening. belongs: to its club or at one of its tables; can_steer: it, and it goes on."""

    player_id: int | None
    belongs: bool
    can_steer: bool


class Panel(NamedTuple):
    """What the page shows of a table; it is drawn anew when this is another one."""

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
    ladder: tuple[job_table.Office, ...]
    names: tuple[tuple[str, bool], ...]
    """Of everybody, and whether it is a bot."""


def draw_tables(
    request: HttpRequest, evening: TimedSession, stories: Sequence[TableStory], reader: Reader
) -> SafeString:
    """Every table: where it is, who holds which job, and every job of everybody, deal by deal."""
    draw, steer = macro("evenings.jinja", "panel"), _address(evening)
    panels = []
    for story in stories:
        chronicle = job_table.render_chronicle(story, reader.player_id)
        panel = _describe(evening, story, reader, has_chronicle=bool(chronicle))
        panels.append(fill_part(draw(steer, CSRF, PART_PLACEHOLDER, panel), chronicle))
    return join([str.replace(join(panels), CSRF, write_token(request))])


def _describe(evening: TimedSession, story: TableStory, reader: Reader, *, has_chronicle: bool) -> Panel:
    table, is_mine = story.table, job_table.is_seated(story, reader.player_id)
    is_brought, has_begun = read_desk(table.desk).arranged is None, table.started_at is not None
    is_host = reader.player_id is not None and table.host_id == reader.player_id
    if is_brought:
        can_close = (reader.can_steer or is_host) and not evening.has_rung and table.status != OVER
    else:
        can_close = reader.can_steer and table.status == WAITING
    return Panel(
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
        ladder=job_table.climb(story, reader.player_id),
        names=tuple((seat.name, bool(seat.bot)) for seat in story.seats),
    )


def draw_log(
    request: HttpRequest, evening: TimedSession, steps: Sequence[tuple[LoggedEveningStep, bool]]
) -> SafeString:
    """What was done, line by line; with a button where a step can be taken back, or done again."""
    steer, zone, reader = _address(evening), get_current_timezone_name(), player_id(request)
    lines = ((step.at, _draw_step(steer, zone, step, is_own(step, reader), can_undo)) for step, can_undo in steps)
    return join([str.replace(part_days(lines), CSRF, write_token(request))])


@cache_by_language
def _draw_step(steer: str, zone: str, step: LoggedEveningStep, is_me: bool, can_undo: bool) -> str:
    """zone: in which the time is said, which is the present one."""
    draw, undo = macro("evenings.jinja", "step"), ("redo" if step.is_redo else "undo") if can_undo else ""
    who, at = name_actor(step), clock_time(step.at)
    return draw(steer, CSRF, step.number, at, who, is_me, say(step), step.is_reverted, undo)


def is_own(step: LoggedEveningStep | Origin, reader: int | None) -> bool:
    """Whether this person did it."""
    return reader is not None and step.actor_id == reader


def name_actor(step: LoggedEveningStep | Origin) -> str:
    """Who did it."""
    return step.actor_name or str(NOBODY)


def say(step: LoggedEveningStep | Origin) -> str:
    """What was done."""
    about = step.origin if isinstance(step, LoggedEveningStep) and step.kind == Step.Kind.UNDO else None
    return say_evening_step(step.kind, step.details, None if about is None else (about.kind, about.details))


def _address(evening: TimedSession) -> str:
    return reverse("tournaments:steer_evening", args=[evening.pk])
