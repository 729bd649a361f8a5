"""Changes of a club and of its members' roles, in the club's log, where they can be undone.

Pictures (`club_picture`) and templates (`flow.planning.plan_templates`) are logged with the same functions.
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction

from games.models import Player
from games.play.errors import Stale
from tournaments.flow.clubs import membership
from tournaments.flow.permissions import require_role
from tournaments.models import Club, Colour, Membership, ModerationStep, Role

EDITED = ("name", "about", "place", "colour", "is_public", "can_talk")
"""What an owner edits of a club."""


def change_role(club: Club, actor: Player | None, member_id: int, role: Role, *, now: float) -> None:
    """Make somebody owner, organiser or member. Raises NotAllowed, NotFound, Stale."""
    with transaction.atomic():
        before = Membership.objects.select_for_update().filter(club=club, pk=member_id).first()
        membership.change_role(club, actor, member_id, role)
        if before is not None and before.role != role:
            log_change(
                club, ModerationStep.Kind.ROLE, actor, {"role": role}, now=now,
                player_id=before.player_id, role=before.role,
            )  # fmt: skip


def undo_role(step: ModerationStep, actor: Player | None, now: float) -> None:
    """Undo a change of a role. Raises NotAllowed, Stale."""
    require_role(step.club, actor.pk if actor else None, Role.OWNER)
    with transaction.atomic():
        if not mark_undone(step, actor, now):
            return
        member = Membership.objects.filter(club=step.club_id, player=step.player_id).first()
        if member is None or member.role != read_details(step)["role"]:
            raise Stale("This person has left the club, or has another role by now. Reload the page.")
        membership.change_role(step.club, actor, member.pk, Role(step.role))


def edit_club(
    club: Club,
    actor: Player | None,
    *,
    name: str,
    about: str,
    is_public: bool,
    can_talk: bool,
    meeting_place: str = "",
    colour: str = Colour.FELT,
    now: float,
) -> None:
    """Change name, description or settings of a club. Raises NotAllowed, BadInput."""
    with transaction.atomic():
        stored = Club.objects.select_for_update().get(pk=club.pk)
        before = {field: getattr(stored, field) for field in EDITED}
        membership.edit_club(
            club, actor, name=name, about=about, is_public=is_public, can_talk=can_talk, meeting_place=meeting_place,
            colour=colour,
        )  # fmt: skip
        after = {field: getattr(club, field) for field in EDITED}
        changed = [field for field in EDITED if before[field] != after[field]]
        if changed:
            details = {when: {field: values[field] for field in changed} for when, values in (
                ("before", before), ("after", after)
            )}  # fmt: skip
            log_change(club, ModerationStep.Kind.SETTINGS, actor, details, now=now)


def undo_settings(step: ModerationStep, actor: Player | None, now: float) -> None:
    """Undo a change of name, description or settings. Raises NotAllowed, Stale."""
    require_role(step.club, actor.pk if actor else None, Role.OWNER)
    details = read_details(step)
    with transaction.atomic():
        if not mark_undone(step, actor, now):
            return
        club = Club.objects.select_for_update().get(pk=step.club_id)
        if any(getattr(club, name) != value for name, value in details["after"].items()):
            raise Stale("These settings have been changed again since. Undo the later change first.")
        Club.objects.filter(pk=club.pk).update(**details["before"])


def log_change(
    club: Club, kind: str, actor: Player | None, details: dict[str, Any], *, now: float, **about: Any
) -> ModerationStep:
    """Log a change. about: further columns of the step."""
    text = msgspec.json.encode(details).decode()
    return ModerationStep.objects.create(club=club, kind=kind, actor=actor, details=text, at=now, **about)


def mark_undone(step: ModerationStep, actor: Player | None, now: float) -> bool:
    """Mark a step as undone. False if it was already."""
    open_step = ModerationStep.objects.filter(pk=step.pk, undone_at=None)
    return bool(open_step.update(undone_at=now, undone_by=actor))


def read_details(step: ModerationStep) -> dict[str, Any]:
    """Of a role: `role`, the new one. Of the others: `before` and `after`: of settings by field, of a picture its key
    (empty for none), of a template its plan (null for none), with its `name`."""
    found: dict[str, Any] = msgspec.json.decode(step.details)
    return found
