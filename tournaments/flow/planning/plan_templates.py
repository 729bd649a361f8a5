"""Plan again: templates of a club, copies of a tournament, and the same tournament week after week."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import localtime

from games.models import Player
from games.models.spelling import collapse_spaces
from games.play.errors import BadInput, NotFound, Stale
from games.play.seats.player_names import clean_name
from tournaments.flow.clubs import club_changes
from tournaments.flow.permissions import require_organiser
from tournaments.flow.planning.tournament_plan import Agreement, read
from tournaments.models import Club, ModerationStep, PlanTemplate, Tournament

MAX_TEMPLATES = 30
"""Templates of a club."""
MAX_WEEKS = 26
"""Evenings that can be planned at once."""
WEEK = timedelta(days=7)
PLANS = msgspec.json.Decoder(Agreement)
"""Reads the stored plan of a template."""


def save_template(tournament: Tournament, actor: Player | None, *, name: str, now: float) -> PlanTemplate:
    """Keep the plan of a tournament under this name, in place of an older one. Raises NotAllowed, BadInput."""
    club = tournament.club
    require_organiser(club, actor)
    name = clean_name(collapse_spaces(name), most=40)
    plan = msgspec.structs.replace(read(tournament), starts_at=None, entry_closes_at=None)
    with transaction.atomic():
        before = _find_plan(club, name)
        if before is None:
            _require_room(club)
        text = msgspec.json.encode(plan).decode()
        saved = PlanTemplate.objects.update_or_create(club=club, name=name, defaults={"plan": text})[0]
        _log(club, actor, name, before, text, now=now)
        return saved


def list_templates(club: Club) -> QuerySet[PlanTemplate]:
    """The templates of a club by name."""
    return PlanTemplate.objects.filter(club=club).order_by("name")


def delete_template(club: Club, actor: Player | None, template_id: int, *, now: float) -> None:
    """Delete a template. Idempotent. Raises NotAllowed."""
    require_organiser(club, actor)
    with transaction.atomic():
        found = PlanTemplate.objects.select_for_update().filter(club=club, pk=template_id).first()
        if found is not None:
            found.delete()
            _log(club, actor, found.name, found.plan, None, now=now)


def undo_change(step: ModerationStep, actor: Player | None, now: float) -> None:
    """The template has the plan again that it had, or is deleted if it was new. Raises NotAllowed, Stale, BadInput."""
    require_organiser(step.club, actor)
    details = club_changes.read_details(step)
    name, before = details["name"], details["before"]
    with transaction.atomic():
        if not club_changes.mark_undone(step, actor, now):
            return
        if _find_plan(step.club, name) != details["after"]:
            raise Stale("This template has been changed again since. Undo the later change first.")
        if before is None:
            PlanTemplate.objects.filter(club=step.club, name=name).delete()
            return
        if details["after"] is None:
            _require_room(step.club)
        PlanTemplate.objects.update_or_create(club=step.club, name=name, defaults={"plan": before})


def _find_plan(club: Club, name: str) -> str | None:
    """The stored plan of the template with this name."""
    return PlanTemplate.objects.filter(club=club, name=name).values_list("plan", flat=True).first()


def _require_room(club: Club) -> None:
    """Raises BadInput if the club has as many templates as it can have."""
    if list_templates(club).count() >= MAX_TEMPLATES:
        raise BadInput("This club has too many templates. Delete one that is no longer needed.")


def _log(club: Club, actor: Player | None, name: str, before: str | None, after: str | None, *, now: float) -> None:
    if before != after:
        details = {"name": name, "before": before, "after": after}
        club_changes.log_change(club, ModerationStep.Kind.TEMPLATE, actor, details, now=now)


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
