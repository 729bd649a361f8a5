"""A description for every field and parameter of `openapi.json`.

The docstring of a schema describes its own fields: "name: what it is." A field that it does not name has the text that
is the same in every schema (`COMMON`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

COMMON: Final[Mapping[str, str]] = {
    "about": "A text about it, for everybody who can see it.",
    "absent_points": "Points for a round that somebody sits out, in 840ths of a round won.",
    "advance": "In a knockout: how many go on from each table.",
    "after": "The number of the last result, round or tournament that counts here.",
    "agreement": "The plan.",
    "all": "Whether a stand-in played the whole game.",
    "animal": "The animal of the person: its slug.",
    "at": "When, in seconds since 1970.",
    "at_end": "When an arena closes: `finish` plays its games to the end, `bell` ends them when time is up.",
    "best_of": "In a season: how many tournaments of each person count; null for all.",
    "bot_level": "The level of the bots on empty seats.",
    "bots_fill": "Whether bots take empty seats at online tables, so that nobody has a bye.",
    "bye_points": "Points for a bye, in 840ths of a round won.",
    "byes": "The numbers of the entrants who have a bye.",
    "capacity": "How many places there are; null for any number. More people go on the waiting list.",
    "careers": "One entry for each game with jobs.",
    "challenger": "The id of the person who sent the challenge.",
    "club": "The club: its slug.",
    "clubs_apart": (
        "People of one club or family: empty if they may meet, `wish` to keep them apart if possible, `must` always."
    ),
    "commitment": "The SHA-256 of the secret, in hexadecimal digits, published before the deal.",
    "cut_to": "In a Swiss with a knockout: how many go on into the knockout.",
    "deal": "The number of the deal at its table, from 1.",
    "deals": "How many deals.",
    "details": "What this event tells more.",
    "draw": "The draw with its bounds, in `menagerie-draw/1`, or null.",
    "duplicate": "Whether all online tables of one size get the same cards in a round.",
    "ended_at": "When every table had finished its last deal, in seconds since 1970, or null.",
    "ends_at": "When it ends, in seconds since 1970, or null.",
    "entrant": "The number of the entrant.",
    "entrants": "How many people and bots are entered.",
    "entropy": "What the player adds to the deal: 1 to 64 printable ASCII characters.",
    "entry_closes_at": "When sign-up closes by itself, in ISO 8601, or null.",
    "evening": "The evening, or null.",
    "event": "What happens.",
    "events": "What has happened since the message before, as in the log.",
    "fate": "`plays`, `no-show` or `forfeit`.",
    "fee": "A note on the fee, one line.",
    "first": "The number of an entrant.",
    "forfeit_points": "Points for a forfeit, in 840ths of a round won.",
    "format": "`swiss`, `round-robin`, `knockout`, `swiss-cut`, `ladder` or `arena`; `league` for a season.",
    "game": "The game: its slug.",
    "games": "How many games.",
    "grace_minutes": "How long an online table waits for somebody who is missing.",
    "has_open_teams": "Whether people who sign up choose their team, or name a new one.",
    "has_rung": "Whether the bell has rung.",
    "has_sound": "Whether the hall display rings a bell.",
    "id": "Its id, as in addresses.",
    "is_bot": "Whether a program plays: a bot of this site, or a bot account.",
    "is_called_off": "Whether it was cancelled before it began.",
    "is_captain": "Whether they are the captain of the team.",
    "is_decided": "Whether its result counts.",
    "is_filler": "Whether it is a bot that fills an empty seat and never advances.",
    "is_listed": "Whether the profile is public.",
    "is_locked": "Whether its people stay together when the round is drawn again.",
    "is_online": "Whether it is an online table.",
    "is_paused": "Whether its clocks stand still.",
    "is_public": "Whether everybody can see it, and not only members of the club.",
    "is_rated": "Whether it counts for ratings.",
    "is_reverted": "Whether the step was undone.",
    "is_settled": "False while the rating is provisional.",
    "is_substitute": "Whether they are in the team as a substitute.",
    "is_void": "Whether the table counts for nobody.",
    "job": "The job: its slug.",
    "key": "Any text, new for each change. The same one, sent again, changes nothing.",
    "kind": "What sort it is.",
    "latest": "The latest deals, in order of play.",
    "least": "People at a table, at least.",
    "lines": "The lines, the first place first.",
    "most": "People at a table, at most.",
    "move": "A move, as the game describes it.",
    "moves": (
        "First and last move of each stretch that a stand-in played, from 1; the last is null if the "
        "person did not come back."
    ),
    "name": "The name, as people read it.",
    "no_show": (
        "If somebody is still missing after the grace period: `bot` lets a stand-in play for "
        "them, `forfeit` counts a no-show."
    ),
    "no_show_points": "Points for a no-show, in 840ths of a round won.",
    "now": "The clock of the server, in seconds since 1970.",
    "number": "Its number, from 1.",
    "on": "True to switch it on, false to switch it off.",
    "options": "The options of the game, by name.",
    "owner": "The id of the member who opened it; null if they have left the site.",
    "penalties": "Points taken away, in 840ths of a round won.",
    "person": "The id of the person, the same everywhere in this API; null without an account.",
    "phase": "`planned`, `entry`, `check-in`, `running`, `finished`, `archived` or `called-off` (cancelled).",
    "place": "The place, from 1. Tied players share one.",
    "player_id": "The id of the person, the same everywhere in this API.",
    "ply": "The number of moves and clock events so far.",
    "points": "Points, in 840ths of a round won.",
    "points_table": "Points by place, from the first place on.",
    "promotions": "How many promotions.",
    "reasons": "Why these people sit together, in the reader's language.",
    "repeat": "Whether this key had been accepted before.",
    "repeat_worth": (
        "How strongly to avoid repeat meetings: the score difference that weighs as much as one, "
        "in 840ths of a round won."
    ),
    "rivals": "The people who were met most often.",
    "role": "`owner`, `organiser` or `member`.",
    "round": "The number of the round, from 1.",
    "round_minutes": "How long a round lasts; null for no limit. Over days: to its deadline.",
    "rounds_planned": "How many rounds are planned.",
    "scores": "The scores of the game by seat, or null.",
    "seat": "The number of the seat, from 0.",
    "seats": "The seats of the table, in order.",
    "second": "The number of the other entrant.",
    "seed": "The seed of the draw.",
    "sentence": "What happened, and what to do, in the reader's language.",
    "slug": "Its name in addresses.",
    "stage": "`swiss`, `round-robin`, `knockout`, `final`, `ladder` or `arena`.",
    "stand_in": "What a stand-in played for this person, or null.",
    "standing": "What the reader has chosen for windows to come.",
    "starts_at": "When it starts, in ISO 8601, or null.",
    "status": "The HTTP status.",
    "table": "The id of the online table, or null.",
    "tables": "The tables.",
    "team": "The number of the team.",
    "team_best": "How many scores of a team count in each round; null for all.",
    "team_size": "How many people of a team play in a round; null without teams.",
    "tie_breaks": "The tie-breaks, in order.",
    "to_act": "The seats that are asked.",
    "token": "The secret part of the link.",
    "tournament": "The id of the tournament.",
    "tournaments": "The tournaments that count.",
    "turn_seconds": "Seconds for a turn.",
    "type": "The kind of message.",
    "value": "Of `standing`: one of the game's `standing_answers`, or empty.",
    "venue": (
        "`online`, `real`, `mixed` (online where everybody at the table plays on a device) or "
        "`apart` (mixed, drawn separately)."
    ),
    "version": "Rises with every change.",
    "wanted": "People at a table, as preferred.",
    "what": "What was done, as a sentence in the reader's language.",
    "who": "The name of the person who did it; empty for the site itself.",
    "wins": "How often they came first.",
    "years": "The years with a review.",
}
"""Field → what it is in each schema that says nothing else."""
PARAMETERS: Final[Mapping[str, str]] = {
    "after": "Show the standings after this round or result; in a list, what the page before named as `after`.",
    "before": "Only steps with a smaller number.",
    "by": "`rating`, `games`, `share`, `wins` or `tops`.",
    "challenge_id": "The id of the challenge.",
    "club": "The slug of a club, for its members alone.",
    "entrant": "The number of the entrant.",
    "evening_id": "The id of the evening.",
    "game": "The slug of the game; in a list, empty for all games.",
    "number": "The number of the round, from 1.",
    "other": "The id of the other person.",
    "page": "The page, from 1.",
    "person": "The id of the person.",
    "q": "The beginnings of words of a name.",
    "report": "The id of the reported result.",
    "season": "A year; empty for all time.",
    "season_id": "The id of the season.",
    "seat": "The number of the seat, from 0.",
    "slug": "The slug of the club.",
    "step": "The number of the step.",
    "table": "The number of the table, from 1.",
    "table_id": "The id of the online table.",
    "team": "The number of the team, from 1.",
    "template": "The id of the template.",
    "token": "The secret part of the invitation.",
    "tournament_id": "The id of the tournament.",
    "year": "The year.",
}
"""Parameter of an address → what it is, the same in all of them."""
_NAMES = r"(?:[a-z_0-9]+)(?:, [a-z_0-9]+)*"
_FIELD = re.compile(rf"(?:^|(?<=[.;)] ))({_NAMES}): ")


class ParsedDocstring(NamedTuple):
    """A docstring, taken apart. text: what it says of the whole; fields: of each field."""

    text: str
    fields: Mapping[str, str]


def split(docstring: str, names: Collection[str]) -> ParsedDocstring:
    """Take the descriptions of these fields out of a docstring: each begins with their names and a colon."""
    text = " ".join(docstring.split())
    fields: dict[str, str] = {}
    for match in reversed(list(_FIELD.finditer(text))):
        if set(named := match[1].split(", ")) <= set(names):
            fields |= dict.fromkeys(named, _as_sentence(text[match.end() :]))
            text = text[: match.start()].rstrip()
    return ParsedDocstring(text, fields)


def add_field_descriptions(schemas: Mapping[str, dict[str, Any]]) -> None:
    """Describe every field of these schemas that has no description yet."""
    for schema in schemas.values():
        properties = schema.get("properties", {})
        described = split(schema.get("description", ""), properties)
        if described.fields:
            schema["description"] = described.text
        for name, one in properties.items():
            if text := described.fields.get(name) or COMMON.get(name, ""):
                one.setdefault("description", text)


def add_parameter_descriptions(operation: Mapping[str, Any]) -> None:
    """Describe the parameters of an operation."""
    for one in operation.get("parameters", ()):
        one["description"] = PARAMETERS[one["name"]]


def _as_sentence(text: str) -> str:
    """With a capital and a full stop; a name in backticks keeps its letter."""
    bare = text.rstrip("; .")
    return f"{bare[:1].upper()}{bare[1:]}."
