"""Plan an evening again: a copy of it for the next week, and the same evening week after week."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from django.db import transaction
from django.utils.timezone import localtime

from games.models import Player
from games.play.errors import BadInput, NotFound
from tournaments.flow.evenings.sessions import MINUTES, EveningPlan, open_evening
from tournaments.flow.permissions import require_organiser
from tournaments.flow.planning.plan_templates import MOST_WEEKS, WEEK
from tournaments.flow.steps.recorder import read_changes
from tournaments.models import Club, Step, TimedSession


def copy_evening(club: Club, evening_id: str, *, now: float) -> EveningPlan:
    """The plan of an evening of this club for its next date, weeks later at the same hour. Raises NotFound.

    It lasts as long as the evening was to last, also if that was ended early or cancelled.
    """
    found = TimedSession.objects.filter(club=club, pk=evening_id).first()
    if found is None:
        raise NotFound("This evening does not exist. The link may be incomplete.")
    starts_at, ends_at = _find_agreed_times(found)
    minutes = max(MINUTES[0], min(round((ends_at - starts_at) / 60), MINUTES[-1]))
    plan = EveningPlan(found.name, found.game, minutes, starts_at)
    return _move_weeks(plan, max(1, -(-(now - starts_at) // WEEK.total_seconds())))


def _find_agreed_times(evening: TimedSession) -> tuple[float, float]:
    """Start and end of an evening, as they were before it was ended early."""
    ended = Step.objects.filter(evening=evening, kind=Step.Kind.END).order_by("-number").first()
    for model, _, before, _ in read_changes(ended) if ended is not None and evening.has_rung else ():
        if model == TimedSession.__name__ and before is not None and "ends_at" in before:
            return before.get("starts_at", evening.starts_at), before["ends_at"]
    return evening.starts_at, evening.ends_at


def open_weekly(club: Club, player: Player | None, plan: EveningPlan, weeks: int, *, now: float) -> TimedSession:
    """This evening and, for organisers, the same one in the next weeks, all or none; returns the first one.

    Raises NotAllowed, BadInput.
    """
    if weeks == 1:
        return open_evening(club, player, plan, now=now)
    require_organiser(club, player)
    if not 1 <= weeks <= MOST_WEEKS:
        raise BadInput("Plan 1 to 26 evenings at once.")
    if plan.starts_at is None:
        raise BadInput("An evening that is repeated every week needs a start time.")
    with transaction.atomic():
        first = open_evening(club, player, plan, now=now)
        for at in range(1, weeks):
            open_evening(club, player, _move_weeks(plan, at), now=now)
    return first


def _move_weeks(plan: EveningPlan, weeks: float) -> EveningPlan:
    """The plan so many weeks later, at the same hour of the active time zone."""
    starts_at = localtime(datetime.fromtimestamp(plan.starts_at or 0, tz=UTC)) + WEEK * weeks
    return replace(plan, starts_at=starts_at.timestamp())
