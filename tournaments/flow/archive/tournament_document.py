"""A whole tournament as a document: `menagerie-tournament/1`.

Only what is public once a round is complete is in it: no links by which people come in, no seed of a deal that is
still to be played, no draft of a draw.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from django.db.models import Q, QuerySet

from games.play.seats import arranged_tables
from games.play.storage.table import OVER
from tournaments.flow import duplicate_commitments
from tournaments.flow.archive.tournament_schema import (
    FORMAT,
    Archive,
    ArchivedDeal,
    ArchivedEntrant,
    ArchivedMember,
    ArchivedPenalty,
    ArchivedPod,
    ArchivedReason,
    ArchivedRound,
    ArchivedSeat,
    ArchivedStandIn,
    ArchivedStandingsLine,
    ArchivedTeam,
    ArchivedTeamLine,
)
from tournaments.flow.counting import stand_in_records
from tournaments.flow.planning.tournament_plan import read
from tournaments.flow.standings import ranking, team_ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Phase, Pod, PodSeat, Rest, Result, Round, RoundDeals, Team, Tournament
from tournaments.scoring.standings import Standing

TOURNAMENT_FILE = "tournament.json"
PUBLIC = (Round.Status.RELEASED, Round.Status.COMPLETE)


def describe(book: Book, *, recorded: frozenset[int] = frozenset()) -> Archive:
    """The archive of a tournament as it is now. recorded: pods whose records come along; they name the files."""
    return Archive(
        format=FORMAT,
        club=book.tournament.club.name,
        agreement=read(book.tournament),
        lot_seed=publish_lot(book.tournament, has_begun=bool(public_rounds(book))),
        entrants=tuple(_describe_entrant(entrant) for entrant in book.entrants.values()),
        rounds=tuple(describe_round(book, played, recorded) for played in public_rounds(book)),
        penalties=tuple(
            ArchivedPenalty(
                book.entrants[penalty.entrant_id].number, penalty.round_number, penalty.points, penalty.reason
            )
            for penalty in book.penalties
        ),
        standings=tuple(
            ArchivedStandingsLine(line.place, int(line.entrant), line.points, line.rounds, line.penalties)
            for line in derive_standings(book)
        ),
        teams=tuple(_describe_team(book, team) for team in book.teams.values()),
        team_standings=tuple(
            ArchivedTeamLine(
                line.place, int(line.team), line.points, tuple(part.points for part in line.rounds), line.penalties
            )
            for line in (team_ranking.rank_teams(book) if book.complete_rounds() else ())
        ),
        finished_at=book.tournament.finished_at,
    )


def _describe_team(book: Book, team: Team) -> ArchivedTeam:
    """A team and everybody who plays or played for it, in the order in which they came to it."""
    members = (member for member in book.team_members if member.team_id == team.pk)
    return ArchivedTeam(
        team.number,
        team.name,
        tuple(
            ArchivedMember(
                book.entrants[member.entrant_id].number,
                member.first_round,
                member.last_round,
                member.is_captain,
                member.is_substitute,
            )
            for member in members
        ),
    )


def _describe_entrant(entrant: Entrant) -> ArchivedEntrant:
    """Who this is in the tournament, by number."""
    return ArchivedEntrant(
        number=entrant.number,
        name=entrant.name,
        bot=entrant.bot,
        status=entrant.status,
        is_away=entrant.is_away,
        joined=entrant.joined_round,
        seed=entrant.rank_hint,
        club=entrant.club_name,
        is_filler=entrant.is_filler,
        is_on_device=entrant.is_on_device,
        fixed_table=entrant.fixed_table,
    )


def publish_lot(tournament: Tournament, *, has_begun: bool) -> str:
    """The seed of lots, once a round is released, or nobody comes in any more.

    Before, somebody who knew it could enter just when the next number has the lot that they would like.
    """
    is_over = tournament.phase in (Phase.FINISHED, Phase.ARCHIVED)
    return tournament.lot_seed if has_begun or is_over else ""


def derive_standings(book: Book) -> tuple[Standing, ...]:
    """The standings that follow from complete rounds alone, as a reader of the archive computes them; before: none."""
    return ranking.rank(book) if book.complete_rounds() else ()


def public_rounds(book: Book) -> tuple[Round, ...]:
    """Rounds that everybody may see."""
    return tuple(played for played in book.rounds if played.status in PUBLIC)


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
        deals=tuple(_describe_deal(deals) for deals in book.find_deals(played)),
    )


def _describe_deal(deals: RoundDeals) -> ArchivedDeal:
    return ArchivedDeal(
        tournament=deals.deal.tournament,
        seating=deals.seating,
        commitment=deals.deal.commitment,
        secret=deals.deal.secret if deals.revealed_at is not None else "",
        contributions=duplicate_commitments.read_contributions(deals.deal),
        committed_at=deals.committed_at,
        closed_at=deals.closed_at or 0.0,
    )


def _resting(book: Book, played: Round, kind: str) -> tuple[int, ...]:
    return tuple(book.entrants[rest.entrant_id].number for rest in book.rests.get(played.pk, ()) if rest.kind == kind)


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
    reasons = msgspec.json.decode(reason) if reason else ()
    return tuple(msgspec.convert({"template": one, "values": values}, ArchivedReason) for one, values in reasons)


def write_reasons(reasons: tuple[ArchivedReason, ...]) -> str:
    """The inverse of `read_reasons`."""
    return msgspec.json.encode([(reason.template, reason.values) for reason in reasons]).decode() if reasons else ""


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
