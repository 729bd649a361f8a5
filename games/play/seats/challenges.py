"""Challenges: one player invites another, a bot account for instance, to a waiting table."""

from __future__ import annotations

from typing import Final

from django.db import DatabaseError
from django.db.models import Q, QuerySet

from games.models import Challenge, Player
from games.play import signals
from games.play.errors import BadInput, Busy, NotAllowed, NotFound, Stale, TooFast
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import WAITING, LoadedTable

MAX_OPEN: Final = 20
"""Open challenges that one player may have sent."""
OPEN_SECONDS: Final = 86_400.0
"""Seconds for which a challenge is open."""
_OPEN, _ACCEPTED, _DECLINED = Challenge.Status.OPEN, Challenge.Status.ACCEPTED, Challenge.Status.DECLINED


def challenge(table_id: str, challenger: Player, challenged_id: int, *, now: float) -> Challenge:
    """Invite this player to a waiting table at which the challenger sits. Idempotent: an open one is sent once.

    Only accounts and bot accounts can be challenged. Raises NotAllowed, NotFound, Stale, BadInput, TooFast, Busy.
    """
    table = store.refresh(table_id)
    if table.seat_of(challenger.pk) is None:
        raise NotAllowed("You have no seat at this table. Sit down first.")
    if table.status != WAITING or table.runtime.arranged is not None:
        raise Stale("This game has already started.")
    reachable = Q(user__is_active=True) | Q(games_at_once__gt=0, owner__isnull=False)
    other = Player.objects.filter(reachable, pk=challenged_id, left_at=None).first()
    if other is None or table.seat_of(other.pk) is not None:
        raise NotFound("Nobody with this ID can be challenged. Choose a person with an account, or a bot.")
    if other.is_bot and table.is_rated:
        raise BadInput("Bot accounts only play at tables that do not count for ratings. Open one that does not.")
    existing = Challenge.objects.filter(table=table_id, challenged=other).first()
    if existing is not None:
        return existing
    if list_open(now=now).filter(challenger=challenger).count() >= MAX_OPEN:
        raise TooFast("You have sent %(most)s challenges that are still open. Wait for an answer.", most=MAX_OPEN)
    try:
        made, _ = Challenge.objects.get_or_create(
            table_id=table_id, challenged=other, defaults={"challenger": challenger, "at": now}
        )
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error
    signals.challenge_made.send_robust(sender=Challenge, player_id=other.pk)
    return made


def list_open(*, now: float) -> QuerySet[Challenge]:
    """Challenges that can still be accepted, oldest first."""
    waiting = Q(status=_OPEN, table__status=WAITING, at__gt=now - OPEN_SECONDS)
    return Challenge.objects.filter(waiting).select_related("challenger", "table").order_by("pk")


def is_invited(table_id: str, player_id: int | None) -> bool:
    """Whether somebody at this table has challenged this player, who has not declined."""
    sent = Challenge.objects.filter(table=table_id, challenged=player_id).exclude(status=_DECLINED)
    return player_id is not None and sent.exists()


def accept(challenge_id: int, player: Player, *, now: float) -> LoadedTable:
    """Sit down at the challenge's table. Idempotent. Raises NotFound, Stale, NotAllowed, TooFast, Busy."""
    found = _find_challenge(challenge_id, player)
    if found.status == _DECLINED:
        raise Stale("This challenge was declined.")
    if found.status == _OPEN and found.at <= now - OPEN_SECONDS:
        raise Stale("This challenge has expired.")
    table = sitting.sit(found.table_id, player, now=now)
    Challenge.objects.filter(pk=found.pk, status=_OPEN).update(status=_ACCEPTED)
    return table


def decline(challenge_id: int, player: Player) -> Challenge:
    """Decline a challenge; returns it. Idempotent. Raises NotFound, Stale."""
    found = _find_challenge(challenge_id, player)
    if found.status == _ACCEPTED:
        raise Stale("This challenge was accepted. Leave the table instead.")
    Challenge.objects.filter(pk=found.pk, status=_OPEN).update(status=_DECLINED)
    found.status = _DECLINED
    return found


def _find_challenge(challenge_id: int, player: Player) -> Challenge:
    found = Challenge.objects.filter(pk=challenge_id, challenged=player).first()
    if found is None:
        raise NotFound("This challenge does not exist, or is for somebody else.")
    return found
