"""What programs are told of a tournament, and what they say: the shapes of `openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any

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
    """What its organiser has laid down; points in 840ths, turn_seconds and minutes as they are said.

    best_of, points: of a season, too. advance: of a knockout, who goes on from each table; cut_to: who goes into it.
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


class PenaltyOut(Schema):
    """points: in 840ths, taken away in this round."""

    entrant: int
    round: int
    points: int
    reason: str


class WholeTournamentOut(TournamentOut):
    """With what was agreed, the seed by which lots are drawn (empty before the first round), and every penalty."""

    agreement: AgreementOut
    lot_seed: str
    penalties: list[PenaltyOut]


class EntrantOut(Schema):
    """number: from 1, by which the others refer to him; joined: the first round he may be in; seed: null if none;

    is_filler: a bot on a chair that was left empty, which goes on nowhere. is_on_device: wants to play on a device, or
    else in the room, where the tournament is played in both places.
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


class StandInOut(Schema):
    """What a bot played for a person who was away. all: that person decided nothing in the whole game; moves: [first,
    last] of each stretch, counted as in the record and the replay, from 1; last is null where the person did not come
    back.
    """

    all: bool
    moves: list[tuple[int, int | None]]


class RoundStandInOut(StandInOut):
    """round: its number; in an arena that of the table."""

    round: int


class SeatOut(Schema):
    """place, score: among those who played; null without a result, for who did not play, where it counts for nobody.

    substitute: who plays instead, or empty. stand_in: what a bot played for them, null if nothing.
    """

    entrant: int
    name: str
    place: int | None
    score: int | None
    fate: str
    substitute: str
    stand_in: StandInOut | None


class PodOut(Schema):
    """A table of a round. table: of the online table, or null. reasons: why these people, in the reader's language.

    wave, real_table: of an arena, which seating it was, and at which real table.
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
    """The commitment to the duplicate deals of a round. Times are seconds since 1970, null for what is still to come.

    tournament, round, seating: as they go into the seed; seating: of an arena from 1, else 0. contributions: what the
    entrants have added, by number from 1, null for nothing; they stand from `closed_at` on. secret: empty before
    `revealed_at`. attempt: above 1 where the deals before were published and the round was drawn again.
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
    """status: released or complete. byes, absent: numbers of entrants. ends_at: seconds since 1970 or null.

    draw: how it was drawn, as a solution of `menagerie-draw/1` with its bounds where there is one, or null.
    deal_commitment, deal_secret: of duplicate deals, empty where there are none or they are still being played, and in
    an arena, where each seating has its own: `/deals` has them all.
    """

    number: int
    stage: str
    status: str
    seed: str
    ends_at: float | None
    pods: list[PodOut]
    byes: list[int]
    absent: list[int]
    draw: dict[str, Any] | None
    deal_commitment: str
    deal_secret: str


class LineOut(Schema):
    """A line of the standings. tie_breaks: in the tournament's order, as text, null where one does not apply.

    rounds: points of each round (in an arena of each game), null where not in it; less the penalties they are the
    points. All in 840ths. stand_ins: the rounds in which a bot played for this person.
    """

    place: int
    entrant: int
    name: str
    points: int
    wins: int
    rounds: list[int | None]
    penalties: int
    tie_breaks: list[str | None]
    stand_ins: list[RoundStandInOut]


class StandingsOut(Schema):
    """after: the last round that counts, or null. tie_breaks: their names."""

    after: int | None
    tie_breaks: list[str]
    lines: list[LineOut]


class ResultIn(Schema):
    """By seat: places (1 is best, shared places are given twice) or scores, from which places follow.

    null: of who did not come, or forfeited. key: new for every decision, so that the same one sent again, however
    late, is none.
    """

    places: list[int | None] | None = None
    scores: list[int | None] | None = None
    key: Annotated[str, Field(max_length=48)] = ""
