"""Guests of an evening: people who come by its link, see it and can get a seat, without joining the club."""

from __future__ import annotations

from games.models import Player
from games.play.errors import NotFound, Stale
from tournaments.flow.evenings.guest_list import is_guest
from tournaments.flow.evenings.sessions import require_manage
from tournaments.flow.tokens import make_token
from tournaments.models import EveningGuest, TimedSession


def renew_token(evening: TimedSession, actor: Player | None) -> None:
    """Replace the link; the old one stops working. People who came by it stay. Raises NotAllowed."""
    require_manage(evening, actor)
    TimedSession.objects.filter(pk=evening.pk).update(guest_token=make_token())


def find_by_token(evening_id: str, token: str) -> TimedSession:
    """The evening of a guests' link. Raises NotFound if the link is wrong or was replaced."""
    rows = TimedSession.objects.select_related("club", "owner").filter(pk=evening_id).exclude(guest_token="")
    found = rows.filter(guest_token=token).first()
    if found is None:
        raise NotFound("This link is no longer valid. Ask an organiser for a new one.")
    return found


def add_guest(evening: TimedSession, player: Player) -> None:
    """Add a guest. Idempotent. Raises Stale once the evening is over."""
    if is_guest(evening, player.pk):
        return
    if evening.has_rung:
        raise Stale("The evening is over.")
    EveningGuest.objects.get_or_create(evening=evening, player=player)
