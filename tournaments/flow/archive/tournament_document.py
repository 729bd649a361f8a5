"""A whole tournament as a document: `menagerie-tournament/1`.

Only what is public once a round is complete is in it: no links by which people come in, no seed of a deal that is
still to be played, no draft of a draw.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Final, Literal

import msgspec
from django.db.models import Q, QuerySet

from games.play.seats import arranged_tables
from games.play.storage.table import OVER
from games.records.duplicate import MAX_CONTRIBUTIONS
from tournaments.flow import duplicate_commitments
from tournaments.flow.counting import stand_in_records
from tournaments.flow.planning.tournament_plan import Agreement, read
from tournaments.flow.standings import ranking, team_ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Phase, Pod, PodSeat, Rest, Result, Round, RoundDeals, Team, Tournament
from tournaments.scoring.standings import Standing

FORMAT: Final = "menagerie-tournament/1"
TOURNAMENT_FILE = "tournament.json"
PUBLIC = (Round.Status.RELEASED, Round.Status.COMPLETE)
Number = Annotated[int, msgspec.Meta(ge=0, le=32_000)]
"""Of a person, a round, a table or a seating."""
Ply = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
"""Of a game: a move, or what a clock decided."""
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


class ArchivedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    standings: tuple[ArchivedLine, ...] = ()
    teams: tuple[ArchivedTeam, ...] = ()
    team_standings: tuple[ArchivedTeamLine, ...] = ()
    finished_at: Moment | None = None


DECODER = msgspec.json.Decoder(Archive)


def describe(book: Book, *, recorded: frozenset[int] = frozenset()) -> Archive:
    """The archive of a tournament as it is now. recorded: pods whose records come along; they name the files."""
    return Archive(
        format=FORMAT,
        club=book.tournament.club.name,
        agreement=read(book.tournament),
        lot_seed=publish_lot(book.tournament, has_begun=bool(public_rounds(book))),
        entrants=tuple(_describe_entrant(one) for one in book.entrants.values()),
        rounds=tuple(describe_round(book, one, recorded) for one in public_rounds(book)),
        penalties=tuple(
            ArchivedPenalty(book.entrants[one.entrant_id].number, one.round_number, one.points, one.reason)
            for one in book.penalties
        ),
        standings=tuple(
            ArchivedLine(one.place, int(one.entrant), one.points, one.rounds, one.penalties) for one in settled(book)
        ),
        teams=tuple(_describe_team(book, one) for one in book.teams.values()),
        team_standings=tuple(
            ArchivedTeamLine(
                one.place, int(one.team), one.points, tuple(part.points for part in one.rounds), one.penalties
            )
            for one in (team_ranking.rank_teams(book) if book.complete_rounds() else ())
        ),
        finished_at=book.tournament.finished_at,
    )


def _describe_team(book: Book, team: Team) -> ArchivedTeam:
    """A team and everybody who plays or played for it, in the order in which they came to it."""
    members = (one for one in book.team_members if one.team_id == team.pk)
    return ArchivedTeam(
        team.number,
        team.name,
        tuple(
            ArchivedMember(
                book.entrants[one.entrant_id].number,
                one.first_round,
                one.last_round,
                one.is_captain,
                one.is_substitute,
            )
            for one in members
        ),
    )


def _describe_entrant(one: Entrant) -> ArchivedEntrant:
    """Who this is in the tournament, by number."""
    return ArchivedEntrant(
        number=one.number,
        name=one.name,
        bot=one.bot,
        status=one.status,
        is_away=one.is_away,
        joined=one.joined_round,
        seed=one.rank_hint,
        club=one.club_name,
        is_filler=one.is_filler,
        is_on_device=one.is_on_device,
        fixed_table=one.fixed_table,
    )


def publish_lot(tournament: Tournament, *, has_begun: bool) -> str:
    """The seed of lots, once a round is released, or nobody comes in any more.

    Before, somebody who knew it could enter just when the next number has the lot that they would like.
    """
    is_over = tournament.phase in (Phase.FINISHED, Phase.ARCHIVED)
    return tournament.lot_seed if has_begun or is_over else ""


def settled(book: Book) -> tuple[Standing, ...]:
    """The standings that follow from complete rounds alone, as a reader of the archive computes them; before: none."""
    return ranking.rank(book) if book.complete_rounds() else ()


def public_rounds(book: Book) -> tuple[Round, ...]:
    """Rounds that everybody may see."""
    return tuple(one for one in book.rounds if one.status in PUBLIC)


def describe_round(book: Book, played: Round, recorded: frozenset[int] = frozenset()) -> ArchivedRound:
    """A round with all its tables."""
    is_complete = played.status == Round.Status.COMPLETE
    return ArchivedRound(
        number=played.number,
        stage=played.stage,
        pods=tuple(describe_pod(book, played, pod, recorded) for pod in book.pods.get(played.pk, ())),
        byes=_resting(book, played, Rest.Kind.BYE),
        absent=_resting(book, played, Rest.Kind.ABSENT),
        is_complete=is_complete,
        seed=played.seed,
        solution=played.solution,
        deal_secret=played.deal_secret if book.is_published(played) else "",
        deal_commitment=played.deal_commitment,
        released_at=played.released_at,
        deals=tuple(_describe_deal(one) for one in book.find_deals(played)),
    )


def _describe_deal(one: RoundDeals) -> ArchivedDeal:
    return ArchivedDeal(
        tournament=one.deal.tournament,
        seating=one.seating,
        commitment=one.deal.commitment,
        secret=one.deal.secret if one.revealed_at is not None else "",
        contributions=duplicate_commitments.read_contributions(one.deal),
        committed_at=one.committed_at,
        closed_at=one.closed_at or 0.0,
    )


def _resting(book: Book, played: Round, kind: str) -> tuple[int, ...]:
    return tuple(book.entrants[one.entrant_id].number for one in book.rests.get(played.pk, ()) if one.kind == kind)


def describe_pod(book: Book, played: Round, pod: Pod, recorded: frozenset[int] = frozenset()) -> ArchivedPod:
    """A table and its result, cached as long as neither changes."""
    is_recorded = pod.pk in recorded
    made_of = (pod, book.seats.get(pod.id, ()), book.results.get(pod.id, ()))
    way = ("archived", pod.id, is_recorded)
    return book.derived.get(way, made_of, lambda: _describe_pod(book, played, pod, is_recorded=is_recorded))


def _describe_pod(book: Book, played: Round, pod: Pod, *, is_recorded: bool) -> ArchivedPod:
    result = book.accepted(pod)
    return ArchivedPod(
        number=pod.number,
        seats=tuple(_seat(book, seat) for seat in book.seats.get(pod.pk, ())),
        places=tuple(msgspec.json.decode(result.places)) if result else None,
        scores=_scores(result),
        is_void=bool(result and result.is_void),
        is_online=pod.is_online,
        record=record_name(played, pod) if is_recorded else "",
        wave=pod.wave,
        real_table=pod.real_table,
        source=(result.source if result else Result.Source.ORGANISER.value),
        reasons=read_reasons(pod.reason),
    )


def read_reasons(reason: str) -> tuple[ArchivedReason, ...]:
    """Why these people, as a pod has it."""
    said = msgspec.json.decode(reason) if reason else ()
    return tuple(msgspec.convert({"template": one, "values": values}, ArchivedReason) for one, values in said)


def write_reasons(reasons: tuple[ArchivedReason, ...]) -> str:
    """The inverse of `read_reasons`."""
    return msgspec.json.encode([(one.template, one.values) for one in reasons]).decode() if reasons else ""


def _scores(result: Result | None) -> tuple[int, ...] | None:
    scores = msgspec.json.decode(result.scores) if result else None
    return None if scores is None else tuple(scores)


def _seat(book: Book, seat: PodSeat) -> ArchivedSeat:
    stand_in = stand_in_records.read(seat)
    archived = None if stand_in is None else ArchivedStandIn(stand_in.is_all, stand_in.moves)
    return ArchivedSeat(book.entrants[seat.entrant_id].number, seat.fate, seat.substitute_name, archived)


def list_recorded(book: Book) -> frozenset[int]:
    """The pods of complete rounds whose games came to an end here that everybody may look at, or whose records came
    with an archive; not while others still play the same deals."""
    return frozenset(_recorded([book.tournament.pk]).values_list("pk", flat=True))


def count_recorded(tournament_ids: Collection[str]) -> int:
    """How many records go out with the archives of these tournaments."""
    return _recorded(tournament_ids).count()


def _recorded(tournament_ids: Collection[str]) -> QuerySet[Pod]:
    pods = Pod.objects.filter(round__tournament__in=tournament_ids, round__status=Round.Status.COMPLETE)
    ended = Q(table__status=OVER) & ~Q(table__result="") & ~Q(table__desk__contains=arranged_tables.SEALED_MARK)
    return pods.filter(ended | ~Q(record=""))


def record_name(played: Round, pod: Pod) -> str:
    """The file of a pod's record: "records/r1-t3.json"."""
    return f"records/r{played.number}-t{pod.number}.json"


def write_json(archive: Archive) -> bytes:
    """The archive as a JSON document."""
    return msgspec.json.format(msgspec.json.encode(archive), indent=1)
