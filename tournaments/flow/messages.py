"""What programs outside are told of a step; written down with it, so that nothing is told of what did not happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from tournaments.models import Delivery, Step, Tournament, Webhook

EVENTS: Mapping[str, str] = {
    "release": "round.released",
    "open-arena": "round.released",
    "table-result": "result.in",
    "confirm": "result.in",
    "result": "result.in",
    "decide": "result.in",
    "finish": "tournament.finished",
}
"""Kind of step → event."""
WITHDRAWN = "message.withdrawn"
"""What an earlier message has told is not so any more: its step was taken back."""


class _Told(NamedTuple):
    """An event, with what is said of it."""

    event: str
    details: Mapping[str, Any]


def note(
    tournament: Tournament, kind: str, details: Mapping[str, Any], *, reverts: Step | None = None, now: float
) -> list[int]:
    """Within a step: write down what it means to the club's webhooks. Returns those that have something to hear."""
    told = _tell(kind, details) if reverts is None else _tell_undo(tournament, details, reverts)
    if told is None:
        return []
    hooks = Webhook.objects.filter(club=tournament.club_id, is_active=True).order_by("pk")
    key = _key(tournament, tournament.version)
    body = msgspec.json.encode(
        {
            "event": told.event,
            "id": key,
            "at": round(now, 3),
            "club": tournament.club.slug,
            "tournament": {"id": tournament.pk, "name": tournament.name, "version": tournament.version},
            "details": told.details,
        }
    ).decode()
    rows = [Delivery(webhook=hook, event=told.event, key=key, body=body, due_at=now, at=now) for hook in hooks]
    return [row.webhook_id for row in Delivery.objects.bulk_create(rows)]


def _key(tournament: Tournament, number: int) -> str:
    """The `id` of what is told of this step."""
    return f"{tournament.pk}/{number}"


def _tell(kind: str, details: Mapping[str, Any]) -> _Told | None:
    """None where it tells of nothing that counts: of a result not yet confirmed, or one of a table decided before."""
    is_only_said = (kind == "result" and not details.get("accepted")) or details.get("late", False)
    return None if kind not in EVENTS or is_only_said else _Told(EVENTS[kind], details)


def _tell_undo(tournament: Tournament, details: Mapping[str, Any], reverts: Step) -> _Told | None:
    """Done again, it is told again; taken back, what was told of `reverts` is withdrawn."""
    if details["kind"] not in EVENTS:
        return None
    origin = Step.objects.get(tournament=tournament, number=details["step"])
    told = _tell(origin.kind, msgspec.json.decode(origin.details))
    if told is None or details["redo"]:
        return told
    return _Told(WITHDRAWN, {**told.details, "event": told.event, "id": _key(tournament, reverts.number)})
