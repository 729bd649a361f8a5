"""Plan again: templates of a club, copies of a tournament, and the same tournament week after week."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec
from django.db.models import QuerySet
from django.utils.timezone import localtime

from games.models import Player
from games.models.spelling import collapse_spaces
from games.play.errors import BadInput, NotFound
from games.play.seats.player_names import clean_name
from tournaments.flow.permissions import require_organiser
from tournaments.flow.planning.tournament_plan import Agreement, read
from tournaments.models import Club, PlanTemplate, Tournament

MAX_TEMPLATES = 30
"""Templates of a club."""
MAX_WEEKS = 26
"""Evenings that can be planned at once."""
WEEK = timedelta(days=7)
PLANS = msgspec.json.Decoder(Agreement)
"""Reads the stored plan of a template."""


def save_template(tournament: Tournament, actor: Player | None, *, name: str) -> PlanTemplate:
    """Keep the plan of a tournament under this name, in place of an older one. Raises NotAllowed, BadInput."""
    require_organiser(tournament.club, actor)
    name = clean_name(collapse_spaces(name), most=40)
    templates = list_templates(tournament.club)
    if templates.count() >= MAX_TEMPLATES and not templates.filter(name=name).exists():
        raise BadInput("This club has too many templates. Delete one that is no longer needed.")
    plan = msgspec.structs.replace(read(tournament), starts_at=None, entry_closes_at=None)
    values = {"plan": msgspec.json.encode(plan).decode()}
    return PlanTemplate.objects.update_or_create(club=tournament.club, name=name, defaults=values)[0]


def list_templates(club: Club) -> QuerySet[PlanTemplate]:
    """The templates of a club by name."""
    return PlanTemplate.objects.filter(club=club).order_by("name")


def delete_template(club: Club, actor: Player | None, template_id: int) -> None:
    """Delete a template. Idempotent. Raises NotAllowed."""
    require_organiser(club, actor)
    PlanTemplate.objects.filter(club=club, pk=template_id).delete()


def read_template(club: Club, template_id: int) -> Agreement:
    """The plan of a template. Raises NotFound."""
    found = PlanTemplate.objects.filter(club=club, pk=template_id).first()
    if found is None:
        raise NotFound("There is no such template. Perhaps somebody has deleted it.")
    return PLANS.decode(found.plan)


def copy_plan(club: Club, tournament_id: str, *, now: datetime) -> Agreement:
    """The plan of a tournament of this club for its next evening, weeks later at the same hour. Raises NotFound."""
    found = Tournament.objects.filter(club=club, pk=tournament_id).first()
    if found is None:
        raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
    plan = read(found)
    if plan.starts_at is None:
        return plan
    return move_weeks(plan, max(1, -(-(now - plan.starts_at) // WEEK)))


def move_weeks(plan: Agreement, weeks: int) -> Agreement:
    """The plan so many weeks later, at the same hour of the active time zone."""
    later = WEEK * weeks
    starts_at = plan.starts_at and localtime(plan.starts_at) + later
    closes_at = plan.entry_closes_at and localtime(plan.entry_closes_at) + later
    return msgspec.structs.replace(plan, starts_at=starts_at, entry_closes_at=closes_at)


def repeat_weekly(plan: Agreement, weeks: int) -> Iterator[Agreement]:
    """The plan for so many evenings, a week apart. Raises BadInput without a start time."""
    if not 1 <= weeks <= MAX_WEEKS:
        raise BadInput("Plan 1 to 26 evenings at once.")
    if weeks > 1 and plan.starts_at is None:
        raise BadInput("A tournament that is repeated every week needs a start time.")
    return (move_weeks(plan, at) for at in range(weeks))
