"""The types of `menagerie-tournament/1`: what a tournament's archive says, and within which limits it is read."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from games.records.duplicate import MAX_CONTRIBUTIONS
from tournaments.flow.planning.tournament_plan import Agreement
from tournaments.models import Result

FORMAT: Final = "menagerie-tournament/1"
Number = Annotated[int, msgspec.Meta(ge=0, le=32_000)]
"""Number of a person, a round, a table or a wave."""
Ply = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
"""Ply of a game: a move, or what a clock decided."""
Amount = Annotated[int, msgspec.Meta(ge=-2_000_000_000, le=2_000_000_000)]
"""Points, or a game's own score."""
Digits = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes."""
AT_MOST = msgspec.Meta(max_length=MAX_CONTRIBUTIONS)
Moment = Annotated[float, msgspec.Meta(ge=0, le=32_500_000_000)]
"""Seconds since 1970."""


class ArchivedEntrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """number: from 1; status: entered, present, withdrawn or waiting; joined: the first round they may be in.

    is_filler: a bot on a chair that was left empty, which goes on nowhere. is_on_device: plays on a device, or else in
    the room; older archives do not say so, and name nobody's account: in the room. fixed_table: where they always sit.
    """

    number: Number
    name: str
    bot: str = ""
    status: str = "present"
    is_away: bool = False
    joined: Number = 1
    seed: Annotated[int, msgspec.Meta(ge=0, le=99_999)] | None = None
    club: str = ""
    is_filler: bool = False
    is_on_device: bool = False
    fixed_table: Number | None = None


class ArchivedStandIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot played for a person who was away, as in `games.records.stand_ins`.

    moves: [first, last], last null where the person did not come back.
    """

    all: bool = False
    moves: Annotated[tuple[tuple[Ply, Ply | None], ...], msgspec.Meta(max_length=1000)] = ()


class ArchivedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """entrant: their number; fate: plays, no-show or forfeit; stand_in: null where no bot played for them."""

    entrant: Number
    fate: str = "plays"
    substitute: str = ""
    stand_in: ArchivedStandIn | None = None


class ArchivedReason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why these people: an English sentence with %(name)s places, and what fills them. Points are 840ths."""

    template: str
    values: dict[str, Amount | str | tuple[str, ...]] = {}


class ArchivedPod(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """places, scores: by seat; null without a result. record: a file in the same ZIP, or empty.

    source: who said the result: table, player or organiser. wave, real_table: of an arena, in which one sits at many
    tables of the one round.
    """

    number: Number
    seats: tuple[ArchivedSeat, ...]
    places: tuple[Number, ...] | None = None
    scores: tuple[Amount, ...] | None = None
    is_void: bool = False
    is_online: bool = False
    record: str = ""
    wave: Number = 0
    real_table: Number | None = None
    source: str = Result.Source.ORGANISER.value
    reasons: tuple[ArchivedReason, ...] = ()


class ArchivedDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The commitment to duplicate deals of a round, and what its seeds are made of (docs/fair-deals.md).

    tournament: the id that goes into the seed; seating: of an arena from 1, else 0; secret: empty while it is not
    published; contributions: by number of the entrant from 1.
    """

    tournament: Annotated[str, msgspec.Meta(max_length=100)]
    seating: Number
    commitment: Digits
    secret: Digits | Literal[""]
    contributions: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=256)] | None, ...], AT_MOST]
    committed_at: Moment
    closed_at: Moment


class ArchivedRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """byes, absent: numbers of entrants. solution: the draw as `menagerie-draw/1`, as text; released_at: null where it

    is not known. deals: of duplicate deals; deal_secret, deal_commitment: of those from before there were `deals`.
    """

    number: Number
    stage: str
    pods: tuple[ArchivedPod, ...]
    byes: tuple[Number, ...] = ()
    absent: tuple[Number, ...] = ()
    is_complete: bool = True
    seed: str = ""
    solution: str = ""
    deal_secret: str = ""
    deal_commitment: str = ""
    released_at: Moment | None = None
    deals: tuple[ArchivedDeal, ...] = ()


class ArchivedPenalty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """points: in 840ths of a round won."""

    entrant: Number
    round: Number
    points: Amount
    reason: str


class ArchivedStandingsLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the standings when this was written. Points in 840ths: of rounds (null: not in it), less penalties.

    In an arena, of games. Older archives have the points alone.
    """

    place: Number
    entrant: Number
    points: int
    rounds: tuple[int | None, ...] = ()
    penalties: int = 0


class ArchivedMember(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """entrant: their number; first, last: the rounds in which they play for the team, last null while they stay."""

    entrant: Number
    first: Number = 1
    last: Number | None = None
    is_captain: bool = False
    is_substitute: bool = False


class ArchivedTeam(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """number: from 1; members: also those who have left."""

    number: Number
    name: str
    members: Annotated[tuple[ArchivedMember, ...], msgspec.Meta(max_length=1000)] = ()


class ArchivedTeamLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the team standings when this was written. Points in 840ths; of rounds: what counted, less penalties."""

    place: Number
    team: Number
    points: int
    rounds: tuple[int | None, ...] = ()
    penalties: int = 0


class Archive(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One tournament. Reading it back gives the same standings. finished_at: null while it goes on."""

    format: Literal["menagerie-tournament/1"]
    club: str
    agreement: Agreement
    lot_seed: str
    entrants: tuple[ArchivedEntrant, ...]
    rounds: tuple[ArchivedRound, ...] = ()
    penalties: tuple[ArchivedPenalty, ...] = ()
    standings: tuple[ArchivedStandingsLine, ...] = ()
    teams: tuple[ArchivedTeam, ...] = ()
    team_standings: tuple[ArchivedTeamLine, ...] = ()
    finished_at: Moment | None = None


DECODER = msgspec.json.Decoder(Archive)
