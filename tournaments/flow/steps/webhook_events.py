"""The webhook messages of a step, stored in its transaction (an outbox): no message without its step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tournaments.flow.steps.kinds import KINDS, Kind
from tournaments.models import Delivery, Season, Step, Tournament, Webhook

EVENTS: Mapping[str, str] = {kind.kind: kind.event for kind in KINDS.values() if kind.event}
"""Kind of step → event. A completed round sends one message for each missing result: what it counts as."""
STANDARD: frozenset[str] = frozenset(EVENTS.values())
"""What a webhook hears of until its owner chooses."""
MORE_EVENTS: Mapping[str, str] = {
    Kind.ENTER: "entrant.entered",
    Kind.WALK_IN: "entrant.entered",
    Kind.BOT: "entrant.entered",
    Kind.IMPORT: "entrant.entered",
    Kind.PRESENT: "entrant.checked-in",
    Kind.DRAW: "round.drawn",
    Kind.COMPLETE: "round.completed",
    Kind.REJECT: "result.disputed",
    Kind.OPEN_SEASON: "season.changed",
    Kind.COUNT: "season.changed",
    Kind.UNCOUNT: "season.changed",
}
"""Kind of step → event that only those hear of who have chosen it."""
TABLE_READY, GAME_OVER, EVENING_BEGUN, EVENING_ENDED = HAPPENINGS = (
    "table.ready", "game.over", "evening.begun", "evening.ended",
)  # fmt: skip
"""Events that no step of a tournament tells of (`happenings`). Only those hear of them who have chosen them."""
CHOICES: tuple[str, ...] = tuple(sorted({*STANDARD, *MORE_EVENTS.values(), *HAPPENINGS}))
"""What a webhook can choose to hear of."""
FEW_DETAILS: Mapping[str, tuple[str, ...]] = {"round.completed": ("round", "missing"), "round.drawn": ("round",)}
"""Event → which details of its step it tells, if not all of them."""
WITHDRAWN = "message.withdrawn"
"""The event that revokes an earlier message, because its step was undone."""


class Message(NamedTuple):
    """A whole message. key: its `id`, unique; about: the tournament or the evening that it names."""

    event: str
    key: str
    club: str
    about: Mapping[str, Any]
    details: Mapping[str, Any]


def list_active(club_id: int) -> list[Webhook]:
    """The webhooks of a club that are told anything."""
    return list(Webhook.objects.filter(club=club_id, is_active=True).order_by("pk"))


def store(hooks: Sequence[Webhook], messages: Sequence[Message], *, now: float) -> list[int]:
    """Store messages to those of these webhooks that hear of them, each once. Returns their ids, sorted."""
    rows = [
        Delivery(webhook=hook, event=message.event, key=message.key, body=_write(message, now=now), due_at=now, at=now)
        for message in messages
        for hook in hooks
        if _is_subscribed(hook, message)
    ]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)
    return sorted({row.webhook_id for row in rows})


def _write(one: Message, *, now: float) -> str:
    """The body of a message."""
    message = {"event": one.event, "id": one.key, "at": round(now, 3), "club": one.club, **one.about}
    return msgspec.json.encode(message | {"details": one.details}).decode()


def describe_tournament(tournament: Tournament | Season) -> dict[str, Any]:
    """The tournament or the season of a message."""
    return {"id": tournament.pk, "name": tournament.name, "version": tournament.version}


class _Message(NamedTuple):
    """An event and its details. part: "/" and a number, if the step sends several messages."""

    event: str
    details: Mapping[str, Any]
    part: str = ""


def write_deliveries(
    tournament: Tournament | Season, kind: str, details: Mapping[str, Any], *, reverts: Step | None = None, now: float
) -> list[int]:
    """Within a step: store its messages to the club's active webhooks. Returns the ids of these webhooks, sorted."""
    messages = _list_messages(kind, details) if reverts is None else _list_undo_messages(tournament, details, reverts)
    if not messages:
        return []
    about = {"tournament": describe_tournament(tournament)}
    hooks = list_active(tournament.club_id)
    if not hooks:
        return []
    return store(
        hooks,
        [
            Message(
                message.event,
                _message_id(tournament, tournament.version, message),
                tournament.club.slug,
                about,
                _add_people(tournament, message.details),
            )
            for message in messages
        ],
        now=now,
    )


def _add_people(tournament: Tournament | Season, details: Mapping[str, Any]) -> Mapping[str, Any]:
    """The details with the ids of the people whose numbers as entrants they name; null without an account."""
    if "entrants" not in details or isinstance(tournament, Season):
        return details
    rows = tournament.entrants.filter(number__in=details["entrants"]).values_list("number", "player")
    players: dict[int, int | None] = dict(rows)
    return {**details, "people": [players.get(number) for number in details["entrants"]]}


def _is_subscribed(hook: Webhook, message: Message) -> bool:
    """Whether it has chosen this event; what is withdrawn concerns those who heard of it."""
    event = str(message.details["event"]) if message.event == WITHDRAWN else message.event
    return event in (hook.events.split() if hook.events else STANDARD)


def _message_id(tournament: Tournament | Season, number: int, message: _Message) -> str:
    """The `id` field of a message about the step of this number."""
    return f"{tournament.pk}/{number}{message.part}"


def _list_messages(kind: str, details: Mapping[str, Any]) -> list[_Message]:
    """The messages of a step; none for a result that does not count: unconfirmed, or of a table already decided."""
    is_uncounted = (kind == Kind.RESULT and not details.get("accepted")) or details.get("late", False)
    if is_uncounted or (kind == Kind.DRAW and details.get("failed")):
        return []
    more = [_Message(MORE_EVENTS[kind], _choose_details(MORE_EVENTS[kind], details))] if kind in MORE_EVENTS else []
    if kind == Kind.COMPLETE:
        return [
            *(_Message(EVENTS[kind], detail, f"/{detail['table']}") for detail in details.get("settled", ())),
            *more,
        ]
    return [_Message(EVENTS[kind], details)] if kind in EVENTS else more


def _choose_details(event: str, details: Mapping[str, Any]) -> Mapping[str, Any]:
    """The details of a step that its message tells."""
    return {name: details[name] for name in FEW_DETAILS.get(event, tuple(details)) if name in details}


def _list_undo_messages(tournament: Tournament | Season, details: Mapping[str, Any], reverts: Step) -> list[_Message]:
    """A redo sends the messages again; an undo sends `WITHDRAWN` for each message of `reverts`."""
    if details["kind"] not in {*EVENTS, *MORE_EVENTS}:
        return []
    origin = tournament.steps.get(number=details["step"])
    messages = _list_messages(origin.kind, msgspec.json.decode(origin.details))
    if details["redo"]:
        return messages
    return [
        _Message(
            WITHDRAWN,
            {**message.details, "event": message.event, "id": _message_id(tournament, reverts.number, message)},
            message.part,
        )
        for message in messages
    ]
