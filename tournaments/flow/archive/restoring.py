"""Creates a tournament from its archive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from django.db.models import Model

from games.models import Player, SharedDeal
from games.play.errors import BadInput
from games.play.storage import codec
from games.records.stand_ins import StandIn
from tournaments.flow.archive.tournament_document import write_reasons
from tournaments.flow.archive.tournament_schema import (
    Archive,
    ArchivedDeal,
    ArchivedPod,
    ArchivedRound,
    ArchivedStandingsLine,
    ArchivedTeamLine,
)
from tournaments.flow.archive.zip_import import CheckedArchive
from tournaments.flow.planning import tournament_plan
from tournaments.flow.planning.tournament_plan import Agreement
from tournaments.flow.standings import ranking, team_ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.tokens import make_token
from tournaments.models import (
    Club,
    Entrant,
    Penalty,
    Phase,
    Pod,
    PodSeat,
    Rest,
    Result,
    Round,
    RoundDeals,
    Season,
    SeasonName,
    Step,
    Team,
    TeamMember,
    Tournament,
)
from tournaments.scoring.standings import Standing
from tournaments.scoring.teams import TeamStanding


@dataclass(frozen=True, slots=True)
class PendingImport:
    """The job that imports a tournament or season. Its rows have the job's key and are hidden until `show`."""

    key: str
    club: Club
    player: Player | None
    now: float

    def open(self, tournament_id: str, agreement: Agreement, lot_seed: str, finished_at: float | None) -> Tournament:
        """An empty archived tournament, or the one that was written before an interruption."""
        existing = Tournament.everything.filter(pk=tournament_id).first()
        if existing is not None:
            return existing
        made = Tournament.everything.create(
            id=tournament_id,
            club=self.club,
            entry_token=make_token(),
            lot_seed=lot_seed[:64],
            phase=Phase.ARCHIVED,
            finished_at=self.end(finished_at),
            arriving=self.key,
            **tournament_plan.columns(agreement),
        )
        name = self.player.name if self.player else ""
        Step.objects.create(
            tournament=made, number=0, kind=Step.Kind.RESTORE, actor=self.player, actor_name=name, at=self.now
        )
        return made

    def end(self, finished_at: float | None) -> float:
        """When an imported tournament or season ended: now, if it had not ended when it was exported."""
        return self.now if finished_at is None else min(finished_at, self.now)


def write(pending: PendingImport, checked: CheckedArchive) -> Tournament:
    """The tournament of an archive whose records are stored already, in no season.

    One that was written before an interruption is left as it is.
    """
    archive = checked.archive
    existing = Tournament.everything.filter(pk=checked.tournament_id).first()
    if existing is not None:
        return existing
    tournament = pending.open(checked.tournament_id, archive.agreement, archive.lot_seed, archive.finished_at)
    filling = _RoundContext(checked, pending.player, pending.now, _fill_people(tournament, archive))
    for played in archive.rounds:
        if played.is_complete:
            filling.fill_round(tournament, played)
    return tournament


def check_standings(tournament: Tournament, archive: Archive) -> bool:
    """Whether the standings in the archive are those that today's rules give, and not those of older rules.

    Raises BadInput if they follow from its results by neither. Lines of people without a game are skipped (older
    archives had them last), and tied people may be in any order.
    """
    book = open_book(tournament)
    is_of_today = not archive.standings or _agree(ranking.rank(book), archive.standings)
    if not is_of_today and not any(_agree(lines, archive.standings) for lines in ranking.rank_by_older_rules(book)):
        raise BadInput("The standings in this archive do not match its results.")
    if archive.team_standings and not _agree_on_teams(team_ranking.rank_teams(book), archive.team_standings):
        raise BadInput("The standings in this archive do not match its results.")
    return is_of_today


def _agree_on_teams(lines: Sequence[TeamStanding], archived: Sequence[ArchivedTeamLine]) -> bool:
    return {(line.place, int(line.team), line.points) for line in lines} == {
        (team_line.place, team_line.team, team_line.points) for team_line in archived
    }


def _agree(lines: Sequence[Standing], archived: Sequence[ArchivedStandingsLine]) -> bool:
    found = {(line.place, int(line.entrant), line.points) for line in lines}
    people = {entrant for _, entrant, _ in found}
    archived_lines = [
        (standings_line.place, standings_line.entrant, standings_line.points)
        for standings_line in archived
        if standings_line.entrant in people
    ]
    return len(archived_lines) == len(found) and set(archived_lines) == found


def show(key: str) -> None:
    """Show what this job has written."""
    Season.everything.filter(arriving=key).update(arriving="")
    Tournament.everything.filter(arriving=key).update(arriving="")


_PARTS: tuple[tuple[type[Model], str], ...] = (
    (Result, "pod__round__tournament"), (PodSeat, "pod__round__tournament"), (Pod, "round__tournament"),
    (Rest, "round__tournament"), (Round, "tournament"), (Penalty, "tournament"), (SeasonName, "entrant__tournament"),
    (TeamMember, "team__tournament"), (Team, "tournament"),
    (Entrant, "tournament"), (Step, "tournament"), (Step, "season"),
)  # fmt: skip
"""The rows of a tournament or season, and the way to it; rows that refer to others come first."""


def delete_import(key: str) -> None:
    """Delete what this job has written."""
    for model, path in _PARTS:
        model._default_manager.filter(**{f"{path}__arriving": key}).delete()
    Tournament.everything.filter(arriving=key).delete()
    Season.everything.filter(arriving=key).delete()


def _fill_people(tournament: Tournament, archive: Archive) -> dict[int, Entrant]:
    """Create the entrants, teams and penalties of the imported rounds. Returns the entrants by number."""
    entrants = Entrant.objects.bulk_create(
        Entrant(
            tournament=tournament,
            number=entrant.number,
            name=entrant.name,
            bot=entrant.bot[:16],
            status=entrant.status,
            is_away=entrant.is_away,
            joined_round=entrant.joined,
            rank_hint=entrant.seed,
            club_name=entrant.club[:40],
            is_filler=entrant.is_filler and bool(entrant.bot),
            is_on_device=entrant.is_on_device or bool(entrant.bot),
            fixed_table=entrant.fixed_table,
            claim_token=make_token(),
        )
        for entrant in archive.entrants
    )
    by_number = {entrant.number: entrant for entrant in entrants}
    complete = {played.number for played in archive.rounds if played.is_complete}
    Penalty.objects.bulk_create(
        Penalty(
            tournament=tournament,
            entrant=by_number[penalty.entrant],
            round_number=penalty.round,
            points=penalty.points,
            reason=penalty.reason[:200],
        )
        for penalty in archive.penalties
        if penalty.round in complete
    )
    _fill_teams(tournament, archive, by_number)
    return by_number


def _fill_teams(tournament: Tournament, archive: Archive, entrants: Mapping[int, Entrant]) -> None:
    """The teams, and who played for them. entrants: by number."""
    teams = Team.objects.bulk_create(
        Team(tournament=tournament, number=team.number, name=team.name) for team in archive.teams
    )
    TeamMember.objects.bulk_create(
        TeamMember(
            team=team,
            entrant=entrants[member.entrant],
            first_round=member.first,
            last_round=member.last,
            is_captain=member.is_captain,
            is_substitute=member.is_substitute,
        )
        for team, one in zip(teams, archive.teams, strict=True)
        for member in one.members
    )


@dataclass(frozen=True, slots=True)
class _RoundContext:
    """What the rounds of an archive are filled with. entrants: by number."""

    checked: CheckedArchive
    player: Player | None
    now: float
    entrants: Mapping[int, Entrant]

    def fill_round(self, tournament: Tournament, played: ArchivedRound) -> None:
        """A complete round with its tables, results and records."""
        row = Round.objects.create(
            tournament=tournament,
            number=played.number,
            stage=played.stage,
            status=Round.Status.COMPLETE,
            seed=played.seed[:64],
            solution=played.solution,
            deal_secret=played.deal_secret[:64],
            deal_commitment=played.deal_commitment[:64],
            released_at=played.released_at,
            completed_at=self.now,
        )
        for deal in played.deals:
            _create_deals(tournament, played.number, deal)
        for kind, numbers in ((Rest.Kind.BYE, played.byes), (Rest.Kind.ABSENT, played.absent)):
            Rest.objects.bulk_create(Rest(round=row, entrant=self.entrants[number], kind=kind) for number in numbers)
        pods = Pod.objects.bulk_create(self._pod(row, pod) for pod in played.pods)
        pairs = list(zip(pods, played.pods, strict=True))
        PodSeat.objects.bulk_create(seat for pod, one in pairs for seat in self._seats(pod, one))
        Result.objects.bulk_create(self._result(pod, one) for pod, one in pairs if one.places is not None)

    def _pod(self, row: Round, archived: ArchivedPod) -> Pod:
        return Pod(
            round=row,
            number=archived.number,
            is_online=archived.is_online,
            record=self._key(archived),
            wave=archived.wave,
            real_table=archived.real_table,
            reason=write_reasons(archived.reasons),
        )

    def _key(self, archived: ArchivedPod) -> str:
        """The key of the pod's record; empty if the archive has none."""
        if not archived.record or archived.record not in self.checked.records:
            return ""
        return self.checked.key_of(archived.record)

    def _seats(self, pod: Pod, one: ArchivedPod) -> Iterator[PodSeat]:
        for index, seat in enumerate(one.seats):
            entrant, name = self.entrants[seat.entrant], seat.substitute[:40]
            archived = seat.stand_in
            stand_in = codec.write_stand_in(None if archived is None else StandIn(archived.all, archived.moves))
            yield PodSeat(
                pod=pod, index=index, entrant=entrant, fate=seat.fate, substitute_name=name, stand_in=stand_in
            )

    def _result(self, pod: Pod, archived: ArchivedPod) -> Result:
        return Result(
            pod=pod,
            status=Result.Status.ACCEPTED,
            source=archived.source,
            places=msgspec.json.encode(archived.places).decode(),
            scores=msgspec.json.encode(archived.scores).decode(),
            is_void=archived.is_void,
            entered_by=self.player,
            at=self.now,
        )


def _create_deals(tournament: Tournament, number: int, archived: ArchivedDeal) -> None:
    """Duplicate deals as they were played. Their seeds depend on the tournament's former id."""
    deal = SharedDeal.objects.create(
        tournament=archived.tournament, round=number, seating=archived.seating, secret=archived.secret,
        commitment=archived.commitment, contributions=msgspec.json.encode(archived.contributions).decode(),
    )  # fmt: skip
    RoundDeals.objects.create(
        tournament=tournament, number=number, seating=archived.seating, deal=deal, committed_at=archived.committed_at,
        closed_at=archived.closed_at, revealed_at=archived.closed_at if archived.secret else None,
    )  # fmt: skip
