"""Device links: an organiser creates a link that signs a member in to one more browser, once.

The link is in the club's log. Until it is used, undoing that step withdraws it; the member sees in the list of their
devices who has made the link that opened one, and can sign it out.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from games.accounts.sign_in import signed_in_devices
from games.accounts.sign_in.signed_in_devices import HandOver
from games.models import Player
from games.play.errors import NotAllowed, NotFound, Stale
from tournaments.flow.people.representing import name_maker, require_guest
from tournaments.models import Club, DeviceLink, Membership, ModerationStep

LASTS_MINUTES: Final = 30
"""Minutes: the person who asks stands beside the organiser."""


def make(club: Club, actor: Player | None, member_id: int, *, now: float) -> tuple[Membership, str]:
    """Create a link: the member and its token. It replaces an open one. Raises NotAllowed, NotFound."""
    member = require_guest(club, actor, member_id, now=now)
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        older = _open(now=now).filter(step__player=member.player).values("step")
        ModerationStep.objects.filter(pk__in=list(older.values_list("pk", flat=True))).update(
            undone_at=now, undone_by=actor
        )
        step = ModerationStep.objects.create(
            club=club, kind=ModerationStep.Kind.HAND_OVER, actor=actor, player=member.player, at=now
        )
        DeviceLink.objects.create(step=step, digest=_digest(token), ends_at=now + LASTS_MINUTES * 60.0)
    return member, token


def find(token: str, *, now: float) -> DeviceLink:
    """The open link with this token. Raises NotFound."""
    links = _open(now=now).filter(digest=_digest(token)).select_related("step__player", "step__club", "step__actor")
    link = links.first()
    if link is None or link.step.player is None:
        raise NotFound("This link has expired, or it was already used or withdrawn. Ask for a new one.")
    return link


def use(request: HttpRequest, link: DeviceLink, *, now: float) -> None:
    """Sign the member in to this browser. Raises NotFound, NotAllowed (they have an account by now)."""
    step = link.step
    if request.user.is_authenticated:
        raise NotAllowed("This browser is signed in to an account. Sign out first.")
    member = Membership.objects.filter(club=step.club, player=step.player).first()
    if step.player is None or member is None:
        raise NotFound("This link has expired, or it was already used or withdrawn. Ask for a new one.")
    if step.player.user_id is not None:
        raise NotAllowed("This person has an account. They sign in with it on every device.")
    with transaction.atomic():
        if not _open(now=now).filter(pk=link.pk).update(used_at=now):
            raise NotFound("This link has expired, or it was already used or withdrawn. Ask for a new one.")
        signed_in_devices.open_session(request, step.player, name_maker(step.club, step.actor), now=now)


def list_used(player_id: int, since: float) -> list[HandOver]:
    """The links that have signed in a device as this person since a time (seconds since 1970)."""
    used = DeviceLink.objects.filter(step__player=player_id, used_at__gte=since)
    links = used.select_related("step__club", "step__actor")
    return [HandOver(name_maker(link.step.club, link.step.actor), link.used_at) for link in links if link.used_at]


def withdraw(step: ModerationStep, actor: Player | None, now: float) -> None:
    """Undo the step: withdraw the link. Raises Stale once it has been used."""
    with transaction.atomic():
        unused = DeviceLink.objects.select_for_update().filter(step=step, used_at=None)
        if not unused.exists():
            raise Stale("This link was already used. The member can sign out the device on their page.")
        ModerationStep.objects.filter(pk=step.pk, undone_at=None).update(undone_at=now, undone_by=actor)


def _open(*, now: float) -> QuerySet[DeviceLink]:
    return DeviceLink.objects.filter(step__undone_at=None, step__player__left_at=None, used_at=None, ends_at__gt=now)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
