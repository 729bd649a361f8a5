"""What programs outside are told of a step; written down with it, so that nothing is told of what did not happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tournaments.flow.steps.kinds import KINDS, Kind
from tournaments.models import Delivery, Season, Step, Tournament, Webhook

EVENTS: Mapping[str, str] = {one.kind: one.event for one in KINDS.values() if one.event}
"""Kind of step → event. A round that is completed without all of its results says what each of these counts as."""
WITHDRAWN = "message.withdrawn"
"""What an earlier message has told is not so any more: its step was taken back."""


class _Told(NamedTuple):
    """An event, with what is said of it. part: which of several of one step, with a stroke before it."""

    event: str
    details: Mapping[str, Any]
    part: str = ""


def note(
    tournament: Tournament | Season, kind: str, details: Mapping[str, Any], *, reverts: Step | None = None, now: float
) -> list[int]:
    """Within a step: write down what it means to the club's webhooks. Returns those that have something to hear."""
    told = _tell(kind, details) if reverts is None else _tell_undo(tournament, details, reverts)
    if not told:
        return []
    hooks = list(Webhook.objects.filter(club=tournament.club_id, is_active=True).order_by("pk"))
    rows = [row for one in told for row in _write(tournament, one, hooks, now=now)]
    return sorted({row.webhook_id for row in Delivery.objects.bulk_create(rows)})


def _write(tournament: Tournament | Season, told: _Told, hooks: Sequence[Webhook], *, now: float) -> Iterator[Delivery]:
    key = _key(tournament, tournament.version, told)
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
    for hook in hooks:
        yield Delivery(webhook=hook, event=told.event, key=key, body=body, due_at=now, at=now)


def _key(tournament: Tournament | Season, number: int, told: _Told) -> str:
    """The `id` of what is told of this step."""
    return f"{tournament.pk}/{number}{told.part}"


def _tell(kind: str, details: Mapping[str, Any]) -> list[_Told]:
    """Nothing where nothing counts that it tells of: a result not yet confirmed, or of a table decided before."""
    is_only_said = (kind == Kind.RESULT and not details.get("accepted")) or details.get("late", False)
    if kind not in EVENTS or is_only_said:
        return []
    if kind == Kind.COMPLETE:
        return [_Told(EVENTS[kind], one, f"/{one['table']}") for one in details.get("settled", ())]
    return [_Told(EVENTS[kind], details)]


def _tell_undo(tournament: Tournament | Season, details: Mapping[str, Any], reverts: Step) -> list[_Told]:
    """Done again, it is told again; taken back, what was told of `reverts` is withdrawn."""
    if details["kind"] not in EVENTS:
        return []
    origin = tournament.steps.get(number=details["step"])
    told = _tell(origin.kind, msgspec.json.decode(origin.details))
    if details["redo"]:
        return told
    return [
        _Told(WITHDRAWN, {**one.details, "event": one.event, "id": _key(tournament, reverts.number, one)}, one.part)
        for one in told
    ]
