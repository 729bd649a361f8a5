"""The schemas of tournaments, rounds, standings and results in `openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Field, Schema


class TournamentOut(Schema):
    """A tournament in a list. entrants: how many people and bots are entered."""

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
    """The plan of a tournament or season.

    points: `beaten` (share of opponents beaten), `table` (points by place, see `points_table`) or `score` (the score
    of the game; of a season, the tournament's own points). tie_breaks: `opponents`, `wins`, `head-to-head`, `best`,
    `ratio`, `lot`, in order.
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
    """A penalty. points: taken away in this round, in 840ths; negative for a bonus. reason: for everybody to read."""

    entrant: int
    round: int
    points: int
    reason: str


class WholeTournamentOut(TournamentOut):
    """A tournament with its plan. lot_seed: from which lots are drawn, empty before the first round. penalties: all."""

    agreement: AgreementOut
    lot_seed: str
    penalties: list[PenaltyOut]


class EntrantOut(Schema):
    """An entrant: a person or a bot. number: from 1; it names the entrant everywhere else. name: as the club writes
    it.

    bot: the level of a bot, else empty. status: `entered`, `present`, `withdrawn` or
    `waiting`. is_away: whether they
    sit out. joined: the first round in which they may play. seed: their rank for the first draw, null without one.
    club: their club or family, as text. is_on_device: whether they play on a device rather than in the room, if the
    tournament has both. person: their id, null for a bot, and until somebody claims the entry. fixed_table: the table
    that is kept for them, null for none; only organisers see it. team: the number of their team, or null.
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
    """Somebody in a team. first, last: the rounds in which they play for it; last is null while they stay."""

    entrant: int
    name: str
    first: int
    last: int | None
    is_captain: bool
    is_substitute: bool


class TeamOut(Schema):
    """A team. number: from 1; it names the team everywhere else. members: in order of joining, former ones, too."""

    number: int
    name: str
    members: list[TeamMemberOut]


class TeamLineOut(Schema):
    """A line of the team standings. team: its number. rounds: the points of each round, less penalties, in 840ths;
    null if nobody of the team was in it. counted: by round, the numbers of the entrants whose scores counted.
    tie_breaks: in the order of the standings, as text; null if one does not apply.
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
    """Team standings. after: the last round that counts here, or null. best: how many scores of a team count in each
    round.
    """

    after: int | None
    best: int
    tie_breaks: list[str]
    lines: list[TeamLineOut]


class StandInOut(Schema):
    """What a stand-in played for a person who was away. all: whether it played the whole game. moves: first and last
    move of each stretch, numbered from 1 as in the replay; the last is null if the person did not come back.
    """

    all: bool
    moves: list[tuple[int, int | None]]


class RoundStandInOut(StandInOut):
    """What a stand-in played in a round. round: its number; in an arena the number of the table."""

    round: int


class SeatOut(Schema):
    """A seat of a table. place, score: null without a result that counts, and for people who did not play.

    person: the id of the person who plays here, or of their substitute; null without an account. substitute: the name
    of the person who plays instead, or empty.
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
    """A table of a round. wave: in an arena, the number of its seating. real_table: in an arena, its number in the
    room, or null.
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
    """The commitment to the duplicate deals of a round. seating: in an arena the number of the seating, from 1; else
    0.

    attempt: above 1 if earlier deals were published and the round was drawn again. committed_at, closed_at,
    revealed_at: when the commitment was published, contributions were closed, the secret was published; in seconds
    since 1970, null before. contributions: by number of the entrant, from 1; null for none. secret: empty until it is
    published.
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
    """A round. status: `released` or `complete`. pods: the same as `tables`, under the name of earlier versions.
    absent: the numbers of the entrants who sit out or are away.

    deal_commitment, deal_secret: of duplicate deals; empty without any, while they are being played, and in an arena,
    where each seating has its own (see `/deals`).
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
    """A line of the standings. points: the sum of `rounds` less `penalties`, in 840ths of a round won. rounds: points
    by round (in an arena by game), in 840ths; null if they were not in it. tie_breaks: in the order of the standings,
    as text; null if one does not apply. stand_ins: the rounds in which a stand-in played for this person.
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
    """The standings. after: the last round that counts here, or null."""

    after: int | None
    tie_breaks: list[str]
    lines: list[LineOut]


class ResultIn(Schema):
    """The result of a table. places: by seat, 1 is best and tied players share a place; null for a person who did not
    come or who forfeited. scores: by seat, instead of places, which follow from them. counts_as: instead of both, for
    organisers only: `void` counts for nobody, `shared` is a first place shared by all.
    """

    counts_as: Literal["", "void", "shared"] = ""
    places: list[int | None] | None = None
    scores: list[int | None] | None = None
    key: Annotated[str, Field(max_length=48)] = ""
