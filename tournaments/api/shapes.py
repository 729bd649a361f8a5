"""The schemas of tournaments, rounds, standings and results in `openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Field, Schema


class TournamentOut(Schema):
    """A tournament in a list. starts_at: ISO 8601 or null."""

    id: str
    name: str
    club: str
    game: str
    format: str
    phase: str
    version: int
    starts_at: str | None
    entrants: int


class AgreementOut(Schema):
    """The plan of a tournament. Points are in 840ths; times are in the unit of their name.

    capacity: places, null for any number; entry_closes_at: ISO 8601 or null; clubs_apart: "", "wish" or "must".
    team_size: people of a team in a round, null without teams; team_best: how many scores count, null for all of them;
    has_open_teams: people choose a team themselves. best_of, points: of seasons, too. advance: in a knockout, how many
    go on from each table; cut_to: how many enter it.
    """

    name: str
    game: str
    format: str
    about: str
    options: dict[str, Any]
    starts_at: str | None
    is_public: bool
    rounds_planned: int
    wanted: int
    least: int
    most: int
    venue: str
    repeat_worth: int
    advance: int
    cut_to: int
    best_of: int | None
    bots_fill: bool
    bot_level: str
    is_rated: bool
    duplicate: bool
    points: str
    points_table: list[int]
    tie_breaks: list[str]
    bye_points: int
    absent_points: int
    no_show_points: int
    forfeit_points: int
    turn_seconds: int
    round_minutes: int | None
    grace_minutes: int
    no_show: str
    has_sound: bool
    at_end: str
    capacity: int | None
    fee: str
    entry_closes_at: str | None
    clubs_apart: str
    team_size: int | None
    team_best: int | None
    has_open_teams: bool


class PenaltyOut(Schema):
    """points: in 840ths, taken away in this round; negative for a bonus."""

    entrant: int
    round: int
    points: int
    reason: str


class WholeTournamentOut(TournamentOut):
    """With the plan, the seed of drawn lots (empty before the first round), and the penalties."""

    agreement: AgreementOut
    lot_seed: str
    penalties: list[PenaltyOut]


class EntrantOut(Schema):
    """number: from 1, the key of the entrant elsewhere; joined: the first round they may be in; seed: null if none.

    is_filler: a bot that fills an empty seat and never advances. is_on_device: plays on a device rather than in the
    room, if the tournament has both. person: the id under which they play everywhere here; null for a bot, and until
    somebody claims the entry. fixed_table: the table that an organiser keeps for them, told to organisers only. team:
    the number of the team they play for now, or null.
    """

    number: int
    name: str
    bot: str
    status: str
    is_away: bool
    joined: int
    seed: int | None
    club: str
    is_filler: bool
    is_on_device: bool
    person: int | None
    fixed_table: int | None
    team: int | None


class TeamMemberOut(Schema):
    """entrant: their number. first, last: the rounds in which they play for the team; last is null while they stay."""

    entrant: int
    name: str
    first: int
    last: int | None
    is_captain: bool
    is_substitute: bool


class TeamOut(Schema):
    """number: from 1, the key of the team elsewhere. members: also those who have left, in order of joining."""

    number: int
    name: str
    members: list[TeamMemberOut]


class TeamLineOut(Schema):
    """A line of the team standings. rounds: what counted in each, less penalties; null if nobody of the team was in it.

    counted: by round, the numbers of the entrants whose scores counted. All points are in 840ths. tie_breaks: as text,
    null if one does not apply.
    """

    place: int
    team: int
    name: str
    points: int
    rounds: list[int | None]
    counted: list[list[int]]
    penalties: int
    tie_breaks: list[str | None]


class TeamStandingsOut(Schema):
    """after: the last round that these standings include, or null. best: how many scores count in each round."""

    after: int | None
    best: int
    tie_breaks: list[str]
    lines: list[TeamLineOut]


class StandInOut(Schema):
    """What a stand-in played for a person who was away. all: it played the whole game.

    moves: [first, last] of each stretch, numbered as in the record and the replay, from 1; last is null if the person
    did not come back.
    """

    all: bool
    moves: list[tuple[int, int | None]]


class RoundStandInOut(StandInOut):
    """round: its number; in an arena the number of the table."""

    round: int


class SeatOut(Schema):
    """place, score: among those who played; null without a result that counts, and for who did not play.

    person: the id of who plays here, of the substitute if there is one; null without an account. substitute: the name
    of who plays instead, or empty. stand_in: what a stand-in played for them, or null.
    """

    entrant: int
    name: str
    person: int | None
    place: int | None
    score: int | None
    fate: str
    substitute: str
    stand_in: StandInOut | None


class RoundTableOut(Schema):
    """A table of a round. table: of the online table, or null. reasons: why these people, in the reader's language.

    wave, real_table: in an arena, the number of its seating and of its real table.
    """

    number: int
    is_online: bool
    table: str | None
    seats: list[SeatOut]
    is_void: bool
    reasons: list[str]
    wave: int
    real_table: int | None


class DealOut(Schema):
    """The commitment to the duplicate deals of a round. Times are seconds since 1970, null before they come.

    tournament, round, seating: as they go into the seed; seating: in an arena from 1, else 0. contributions: by number
    of the entrant from 1, null for none; final from `closed_at` on. secret: empty before `revealed_at`. attempt: above
    1 if earlier deals were published and the round was drawn again.
    """

    tournament: str
    round: int
    seating: int
    attempt: int
    commitment: str
    committed_at: float
    closed_at: float | None
    revealed_at: float | None
    contributions: list[str | None]
    secret: str


class RoundOut(Schema):
    """status: released or complete. pods: the same as `tables`, under the name of earlier versions. byes, absent:
    numbers of entrants. ends_at: seconds since 1970 or null.

    draw: the solution in `menagerie-draw/1` with its bounds, or null. deal_commitment, deal_secret: of duplicate deals;
    empty without any, while they are being played, and in an arena, where each seating has its own (see `/deals`).
    """

    number: int
    stage: str
    status: str
    seed: str
    ends_at: float | None
    tables: list[RoundTableOut]
    pods: list[RoundTableOut] = Field(json_schema_extra={"deprecated": True})
    byes: list[int]
    absent: list[int]
    draw: dict[str, Any] | None
    deal_commitment: str
    deal_secret: str


class LineOut(Schema):
    """A line of the standings. person: the entrant's id, null without an account. tie_breaks: in the tournament's
    order, as text, null if one does not apply.

    rounds: points by round (in an arena by game), null if not in it; their sum less the penalties is `points`. All are
    in 840ths. stand_ins: the rounds in which a stand-in played for this person.
    """

    place: int
    entrant: int
    name: str
    person: int | None
    points: int
    wins: int
    rounds: list[int | None]
    penalties: int
    tie_breaks: list[str | None]
    stand_ins: list[RoundStandInOut]


class StandingsOut(Schema):
    """after: the last round that these standings include, or null. tie_breaks: their names."""

    after: int | None
    tie_breaks: list[str]
    lines: list[LineOut]


class ResultIn(Schema):
    """By seat: places (1 is best; tied players have the same place) or scores, from which places follow.

    null: for who did not come or forfeited. key: an idempotency key, new for each decision; a repeated one has no
    effect. counts_as: without places, of an organiser only: for nobody (void), or a first place shared by all (shared).
    """

    counts_as: Literal["", "void", "shared"] = ""
    places: list[int | None] | None = None
    scores: list[int | None] | None = None
    key: Annotated[str, Field(max_length=48)] = ""
