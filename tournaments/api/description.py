"""What the OpenAPI document says besides its operations: moves, messages of streams, and webhooks."""

from __future__ import annotations

from typing import Any

import msgspec

from games.live.streams import messages
from games.rules import registry
from tournaments.flow.clubs import webhooks
from tournaments.flow.steps import webhook_events

TAGS = {
    "clubs": "Clubs and their members.",
    "tournaments": "Tournaments: entrants, rounds, standings, results.",
    "seasons": "Several tournaments counted together.",
    "evenings": "Timed evenings: the jobs at each table, deal by deal.",
    "people": "Leaderboards, profiles, careers, records.",
    "play": "Play with an access token: open tables, sit down, move.",
    "tables": "Tables as the reader sees them, records, analyses.",
    "organise": "Run tournaments, evenings, seasons and clubs with an access token.",
}
"""What the tags of operations stand for."""
REFERENCE = "#/components/schemas/{name}"
_TO_PROGRAM = (messages.Answer, messages.ChallengeMessage, messages.TableGone, messages.Heartbeat)
_FROM_PROGRAM = (messages.Move, messages.Contribute, messages.Command, messages.Ping)


def add_moves(schema: dict[str, Any]) -> None:
    """Describe the moves of every game, and that a move is one of them."""
    schemas = schema["components"]["schemas"]
    names = {slug: "".join(part.title() for part in slug.split("-")) + "Move" for slug in registry.slugs()}
    for slug, name in names.items():
        schemas[name] = {"description": f"A move of {registry.infos()[slug].name}.", **registry.find_move_schema(slug)}
    schemas["MoveIn"]["properties"]["move"] = {"anyOf": [_refer_to_schema(name) for name in names.values()]}


def add_streams(schema: dict[str, Any]) -> None:
    """Describe the messages of streams, and where there are any (`x-streams`)."""
    schemas = schema["components"]["schemas"]
    for prefix, kinds in (("Stream", _TO_PROGRAM), ("Send", _FROM_PROGRAM)):
        _refs, described = msgspec.json.schema_components(kinds, ref_template=f"#/components/schemas/{prefix}{{name}}")
        schemas |= {f"{prefix}{name}": one for name, one in described.items()}
    event = {"ply": {"type": "integer"}, "kind": {"type": "string"}, "seat": {}, "data": {"type": "object"}}
    events = {"type": "array", "items": {"type": "object", "properties": event, "required": list(event)}}
    own = {"properties": {"type": {"const": "table"}, "events": events}, "required": ["type", "events"]}
    parts = [_refer_to_schema("TableOut"), own]
    schemas["StreamTable"] = {"description": "A table, after each change.", "allOf": parts}
    sent = ["StreamTable", *(f"Stream{kind.__name__}" for kind in _TO_PROGRAM)]
    schema["x-streams"] = {
        "addresses": ["/api/v1/stream", "/api/v1/tables/{table_id}/stream"],
        "transports": ["application/x-ndjson", "websocket"],
        "security": [{"Token": []}],
        "to_program": [_refer_to_schema(name) for name in sent],
        "from_program": [_refer_to_schema(f"Send{kind.__name__}") for kind in _FROM_PROGRAM],
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
    "people": {"type": "array", "items": {"anyOf": [_NUMBER, {"type": "null"}]}},
    "stand_ins": {"type": "object", "additionalProperties": True},
    "void": {"type": "boolean"},
}
_NUMBER_OR_NONE: dict[str, Any] = {"anyOf": [_NUMBER, {"type": "null"}]}
_IDS: dict[str, Any] = {"type": "array", "items": _NUMBER_OR_NONE}
_PEOPLE: dict[str, Any] = {
    "name": {"type": "string"},
    "count": _NUMBER,
    "entrants": {"type": "array", "items": _NUMBER},
    "people": _IDS,
}
_TABLE: dict[str, Any] = {
    "round": _NUMBER_OR_NONE,
    "table": _NUMBER,
    "online_table": {"type": "string"},
    "entrants": {"type": "array", "items": _NUMBER},
    "people": _IDS,
}
_GAME: dict[str, Any] = {
    **_TABLE,
    "places": {"type": "array", "items": _NUMBER},
    "scores": {"anyOf": [{"type": "array", "items": _NUMBER}, {"type": "null"}]},
}
_EVENING_DETAILS: dict[str, Any] = {
    "game": {"type": "string"},
    "starts_at": {"type": "number"},
    "ends_at": {"type": "number"},
}
_DETAILS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "entrant.entered": (_PEOPLE, ["entrants", "people"]),
    "entrant.checked-in": (_PEOPLE, ["entrants", "people"]),
    "round.drawn": (_ROUND, ["round"]),
    "round.completed": ({**_ROUND, "missing": {"type": "array", "items": _NUMBER}}, ["round"]),
    "result.disputed": ({**_ROUND, "table": _NUMBER}, ["round", "table"]),
    "season.changed": ({"name": {"type": "string"}}, []),
    "round.released": (_ROUND, ["round"]),
    "result.in": (_RESULT, ["round", "table"]),
    webhook_events.TABLE_READY: (_TABLE, list(_TABLE)),
    webhook_events.GAME_OVER: (_GAME, list(_GAME)),
    webhook_events.EVENING_BEGUN: (_EVENING_DETAILS, list(_EVENING_DETAILS)),
    webhook_events.EVENING_ENDED: (
        {**_EVENING_DETAILS, "is_called_off": {"type": "boolean"}},
        [*_EVENING_DETAILS, "is_called_off"],
    ),
    "tournament.finished": ({}, []),
    webhook_events.WITHDRAWN: ({"event": {"type": "string"}, "id": {"type": "string"}}, ["event", "id"]),
    webhooks.TEST: ({}, []),
}
"""Event of a webhook → what its details hold, and which of it always."""
_MEANINGS: dict[str, str] = {
    "entrant.entered": "Somebody signed up, or was added or imported.",
    "entrant.checked-in": "Somebody has come.",
    "round.drawn": "There is a draft, which only organisers see.",
    "round.completed": "The results of a round are fixed. `missing` names the tables whose result was missing.",
    "result.disputed": "A reported result is disputed.",
    "season.changed": "A season has been opened, or a tournament was added to it or taken out.",
    "round.released": "The pairings of a round are published.",
    "result.in": "A result counts.",
    webhook_events.TABLE_READY: "People can sit down at an online table of a round or an evening.",
    webhook_events.GAME_OVER: "A game at an online table of a round or an evening is over.",
    webhook_events.EVENING_BEGUN: "An evening has begun.",
    webhook_events.EVENING_ENDED: "An evening is over at all its tables, or was cancelled.",
    "tournament.finished": "A tournament or a season is over.",
    webhook_events.WITHDRAWN: "A step was undone, so its message no longer holds. `id` and `event` name that message.",
    webhooks.TEST: "A test that an owner has sent.",
}
"""Event of a webhook → what has happened."""
_NAMED: dict[str, Any] = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "version": _NUMBER},
    "required": ["id", "name", "version"],
}
"""A tournament, season or evening that a message tells of."""
_MAY_BE_OF_EVENING = {*webhook_events.HAPPENINGS, webhook_events.WITHDRAWN}


def add_webhooks(schema: dict[str, Any]) -> None:
    """Describe every message of webhooks."""
    schema["webhooks"] = {}
    for event, (properties, required) in _DETAILS.items():
        details = {"type": "object", "properties": properties, "required": required, "additionalProperties": True}
        name = "".join(part.title() for part in event.replace("-", ".").split(".")) + "Message"
        schema["components"]["schemas"][name] = {
            "description": _MEANINGS[event],
            "type": "object",
            "properties": {
                "event": {"type": "string", "description": "What has happened."},
                "id": {"type": "string", "description": "Of this message, the same each time it is sent."},
                "at": {"type": "number"},
                "club": {"type": "string"},
                "tournament": {
                    "anyOf": [_NAMED, {"type": "null"}],
                    "description": "The tournament or season, or null.",
                },
                **({"evening": {"anyOf": [_NAMED, {"type": "null"}]}} if event in _MAY_BE_OF_EVENING else {}),
                "details": details,
            },
            "required": [
                "event",
                "id",
                "at",
                "club",
                "tournament",
                "details",
                *(["evening"] if event in webhook_events.HAPPENINGS else []),
            ],
        }
        content = {"application/json": {"schema": _refer_to_schema(name)}}
        answers = {"2XX": {"description": "The message has arrived. After any other answer, it is sent again."}}
        schema["webhooks"][event] = {
            "post": {"summary": _MEANINGS[event], "requestBody": {"content": content}, "responses": answers}
        }


def _refer_to_schema(name: str) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=name)}
