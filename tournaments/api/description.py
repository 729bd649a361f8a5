"""What the OpenAPI document says besides its operations: moves, messages of streams, and webhooks."""

from __future__ import annotations

from typing import Any

import msgspec

from games.live.streams import messages
from games.rules import registry
from tournaments.flow.clubs import webhooks
from tournaments.flow.steps import webhook_events

REFERENCE = "#/components/schemas/{name}"
_TO_PROGRAM = (messages.Answer, messages.ChallengeMessage, messages.Gone, messages.Heartbeat)
_FROM_PROGRAM = (messages.Move, messages.Contribute, messages.Command, messages.Ping)


def add_moves(schema: dict[str, Any]) -> None:
    """Describe the moves of every game, and that a move is one of them."""
    schemas = schema["components"]["schemas"]
    names = {slug: "".join(part.title() for part in slug.split("-")) + "Move" for slug in registry.slugs()}
    for slug, name in names.items():
        schemas[name] = dict(registry.find_move_schema(slug))
    schemas["MoveIn"]["properties"]["move"] = {"anyOf": [_refer(name) for name in names.values()]}


def add_streams(schema: dict[str, Any]) -> None:
    """Describe the messages of streams, and where there are any (`x-streams`)."""
    schemas = schema["components"]["schemas"]
    for prefix, kinds in (("Stream", _TO_PROGRAM), ("Send", _FROM_PROGRAM)):
        _refs, described = msgspec.json.schema_components(kinds, ref_template=f"#/components/schemas/{prefix}{{name}}")
        schemas |= {f"{prefix}{name}": one for name, one in described.items()}
    event = {"ply": {"type": "integer"}, "kind": {"type": "string"}, "seat": {}, "data": {"type": "object"}}
    events = {"type": "array", "items": {"type": "object", "properties": event, "required": list(event)}}
    own = {"properties": {"type": {"const": "table"}, "events": events}, "required": ["type", "events"]}
    schemas["StreamTable"] = {"allOf": [_refer("TableOut"), own]}
    sent = ["StreamTable", *(f"Stream{kind.__name__}" for kind in _TO_PROGRAM)]
    schema["x-streams"] = {
        "addresses": ["/api/v1/stream", "/api/v1/tables/{table_id}/stream"],
        "transports": ["application/x-ndjson", "websocket"],
        "security": [{"Token": []}],
        "to_program": [_refer(name) for name in sent],
        "from_program": [_refer(f"Send{kind.__name__}") for kind in _FROM_PROGRAM],
    }


_NUMBER: dict[str, Any] = {"type": "integer"}
_PLACES: dict[str, Any] = {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "null"}]}}
_ROUND: dict[str, Any] = {"round": _NUMBER}
_RESULT: dict[str, Any] = {
    **_ROUND,
    "table": _NUMBER,
    "places": _PLACES,
    "scores": _PLACES,
    "names": {"type": "array", "items": {"type": "string"}},
    "entrants": {"type": "array", "items": _NUMBER},
    "stand_ins": {"type": "object", "additionalProperties": True},
    "void": {"type": "boolean"},
}
_PEOPLE: dict[str, Any] = {
    "name": {"type": "string"},
    "count": _NUMBER,
    "entrants": {"type": "array", "items": _NUMBER},
}
_DETAILS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "entrant.entered": (_PEOPLE, ["entrants"]),
    "entrant.checked-in": (_PEOPLE, ["entrants"]),
    "round.drawn": (_ROUND, ["round"]),
    "round.completed": ({**_ROUND, "missing": {"type": "array", "items": _NUMBER}}, ["round"]),
    "result.disputed": ({**_ROUND, "table": _NUMBER}, ["round", "table"]),
    "season.changed": ({"name": {"type": "string"}}, []),
    "round.released": (_ROUND, ["round"]),
    "result.in": (_RESULT, ["round", "table"]),
    "tournament.finished": ({}, []),
    webhook_events.WITHDRAWN: ({"event": {"type": "string"}, "id": {"type": "string"}}, ["event", "id"]),
    webhooks.TEST: ({}, []),
}
"""Event of a webhook → what its details hold, and which of it always."""
_TOURNAMENT: dict[str, Any] = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "version": _NUMBER},
    "required": ["id", "name", "version"],
}


def add_webhooks(schema: dict[str, Any]) -> None:
    """Describe every message of webhooks."""
    schema["webhooks"] = {}
    for event, (properties, required) in _DETAILS.items():
        details = {"type": "object", "properties": properties, "required": required, "additionalProperties": True}
        name = "".join(part.title() for part in event.replace("-", ".").split(".")) + "Message"
        schema["components"]["schemas"][name] = {
            "type": "object",
            "properties": {
                "event": {"type": "string"},
                "id": {"type": "string"},
                "at": {"type": "number"},
                "club": {"type": "string"},
                "tournament": {"anyOf": [_TOURNAMENT, {"type": "null"}]},
                "details": details,
            },
            "required": ["event", "id", "at", "club", "tournament", "details"],
        }
        content = {"application/json": {"schema": _refer(name)}}
        answers = {"2XX": {"description": "It has arrived. Anything else is tried again."}}
        schema["webhooks"][event] = {"post": {"requestBody": {"content": content}, "responses": answers}}


def _refer(name: str) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=name)}
