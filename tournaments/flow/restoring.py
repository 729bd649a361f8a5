"""A tournament read back from its archive: checked as a whole before anything is written."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field

import msgspec
from django.db import transaction

from games.models import Player
from games.play import replays
from games.play.errors import BadInput
from tournaments.flow import planning
from tournaments.flow.archive import TOURNAMENT_FILE, Archive, ArchivedLine, ArchivedPod, ArchivedRound
from tournaments.flow.book import open_book
from tournaments.flow.permissions import require_role
from tournaments.flow.tokens import draw_id, draw_token
from tournaments.models import (
    Club,
    Entrant,
    Penalty,
    Phase,
    Pod,
    PodSeat,
    Rest,
    Result,
    Role,
    Round,
    Stage,
    Step,
    Tournament,
)
from tournaments.scoring.points import MOST_SEATS

MOST_BYTES = 20_000_000
"""Of an archive, as it is sent and unpacked."""
MOST_ENTRANTS = 1_000
MOST_ROUNDS = 60
MOST_NUMBER = 32_000
"""Of a table or a seating."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """An archive that holds, and the records that came with it, by file name."""

    archive: Archive
    records: dict[str, bytes] = field(default_factory=dict)


def open_parcel(raw: bytes) -> Parcel:
    """Read a ZIP or a JSON document. Raises BadInput with what is wrong."""
    if len(raw) > MOST_BYTES:
        raise BadInput("That archive is too big: at most %(most)s MB.", most=MOST_BYTES // 1_000_000)
    if not raw.startswith(b"PK"):
        parcel = Parcel(_read(raw))
    else:
        files = unpack(raw)
        if TOURNAMENT_FILE not in files:
            raise BadInput("There is no tournament.json in this archive.")
        archive = _read(files.pop(TOURNAMENT_FILE))
        wanted = {pod.record for one in archive.rounds for pod in one.pods if pod.record}
        parcel = Parcel(archive, {name: text for name, text in files.items() if name in wanted})
    check(parcel.archive)
    return parcel


def unpack(raw: bytes) -> dict[str, bytes]:
    """The JSON documents of a ZIP, by name. Raises BadInput if it is too big or cannot be opened."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as file:
            infos = [info for info in file.infolist() if info.filename.endswith(".json")]
            if sum(info.file_size for info in infos) > MOST_BYTES:
                raise BadInput("That archive is too big: at most %(most)s MB.", most=MOST_BYTES // 1_000_000)
            if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in infos):
                raise ValueError("packed in a way whose size cannot be bounded")
            return {info.filename: file.read(info) for info in infos}
    except (zipfile.BadZipFile, RuntimeError, OSError, NotImplementedError, EOFError, ValueError, zlib.error) as error:
        raise BadInput("This is no archive that can be opened. Perhaps it was cut off on its way.") from error


def _read(raw: bytes) -> Archive:
    try:
        return msgspec.json.decode(raw, type=Archive)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("This is no archive of a tournament: %(why)s.", why=str(error)[:200]) from error


def check(archive: Archive) -> None:
    """Raises BadInput with the first thing that cannot be."""
    planning.check(archive.agreement)
    if len(archive.entrants) > MOST_ENTRANTS or len(archive.rounds) > MOST_ROUNDS:
        raise BadInput("That is more than a tournament here can hold.")
    numbers = [one.number for one in archive.entrants]
    names = [one.name for one in archive.entrants]
    for what, values in (("number", numbers), ("name", names)):
        doubled = [value for value, times in Counter(values).items() if times > 1]
        if doubled:
            raise BadInput("Two entrants have the same %(what)s: %(value)s.", what=what, value=str(doubled[0])[:60])
    for one in archive.entrants:
        if not 1 <= len(one.name) <= 40 or not one.name.isprintable() or one.status not in Entrant.Status.values:
            raise BadInput("Entrant %(number)s cannot be read.", number=one.number)
    for played in archive.rounds:
        _check_round(played, frozenset(numbers), archive)


def _check_round(played: ArchivedRound, numbers: frozenset[int], archive: Archive) -> None:
    where = {"round": played.number}
    if played.stage not in Stage.values or [one.number for one in archive.rounds].count(played.number) > 1:
        raise BadInput("Round %(round)s cannot be read.", **where)
    seated = [seat.entrant for pod in played.pods for seat in pod.seats] + [*played.byes, *played.absent]
    tables = [[seat.entrant for seat in pod.seats] for pod in played.pods] if played.stage == Stage.ARENA else [seated]
    if set(seated) - numbers:
        raise BadInput("In round %(round)s sits somebody who is not in the tournament.", **where)
    if any(len(set(table)) < len(table) for table in tables):
        raise BadInput("In round %(round)s somebody sits in two places.", **where)
    if len({pod.number for pod in played.pods}) < len(played.pods):
        raise BadInput("Round %(round)s cannot be read.", **where)
    for pod in played.pods:
        _check_pod(pod, **where)


def _check_pod(pod: ArchivedPod, **where: int) -> None:
    size = len(pod.seats)
    where = where | {"table": pod.number}
    is_counted = all(0 <= number <= MOST_NUMBER for number in (pod.number, pod.wave, pod.real_table or 0))
    if not is_counted or not 1 <= size <= MOST_SEATS or any(seat.fate not in PodSeat.Fate.values for seat in pod.seats):
        raise BadInput("Round %(round)s, table %(table)s cannot be read.", **where)
    if pod.places is not None and (len(pod.places) != size or not is_ranking(pod.places)):
        raise BadInput("Round %(round)s, table %(table)s: these places cannot be.", **where)
    if pod.scores is not None and len(pod.scores) != size:
        raise BadInput("Round %(round)s, table %(table)s: there must be a score for each seat.", **where)


def is_ranking(places: tuple[int, ...]) -> bool:
    """Whether these are places that people can have: as many are better as the place says, less one."""
    return all(place == 1 + sum(other < place for other in places) for place in places)


def restore(club: Club, player: Player | None, parcel: Parcel, *, now: float) -> Tournament:
    """A new, archived tournament of this club with everything that is in the parcel.

    Raises NotAllowed, BadInput: also if the standings in the archive do not follow from its results.
    """
    require_role(club, player.pk if player else None, Role.ORGANISER)
    archive = parcel.archive
    with transaction.atomic():
        tournament = Tournament.objects.create(
            id=draw_id(),
            club=club,
            entry_token=draw_token(),
            lot_seed=archive.lot_seed[:64],
            phase=Phase.ARCHIVED,
            finished_at=now,
            **planning.columns(archive.agreement),
        )
        name = player.name if player else ""
        Step.objects.create(tournament=tournament, number=0, kind="restore", actor=player, actor_name=name, at=now)
        _fill(tournament, parcel, player, now=now)
        book = open_book(tournament)
        found = tuple(ArchivedLine(one.place, int(one.entrant), one.points) for one in book.standings())
        if archive.standings and found != archive.standings:
            raise BadInput("The standings in this archive do not follow from its results.")
    return tournament


def _fill(tournament: Tournament, parcel: Parcel, player: Player | None, *, now: float) -> None:
    archive = parcel.archive
    entrants = Entrant.objects.bulk_create(
        Entrant(
            tournament=tournament,
            number=one.number,
            name=one.name,
            bot=one.bot[:16],
            status=one.status,
            is_away=one.is_away,
            joined_round=one.joined,
            rank_hint=one.seed,
            club_name=one.club[:40],
            claim_token=draw_token(),
        )
        for one in archive.entrants
    )
    by_number = {one.number: one for one in entrants}
    Penalty.objects.bulk_create(
        Penalty(
            tournament=tournament,
            entrant=by_number[one.entrant],
            round_number=one.round,
            points=one.points,
            reason=one.reason[:200],
        )
        for one in archive.penalties
        if one.entrant in by_number
    )
    for played in archive.rounds:
        if played.is_complete:
            _fill_round(tournament, played, by_number, parcel, player, now=now)


def _fill_round(
    tournament: Tournament,
    played: ArchivedRound,
    by_number: dict[int, Entrant],
    parcel: Parcel,
    player: Player | None,
    *,
    now: float,
) -> None:
    row = Round.objects.create(
        tournament=tournament,
        number=played.number,
        stage=played.stage,
        status=Round.Status.COMPLETE,
        seed=played.seed[:64],
        solution=played.solution,
        deal_secret=played.deal_secret[:64],
        deal_commitment=played.deal_commitment[:64],
        completed_at=now,
    )
    for kind, numbers in ((Rest.Kind.BYE, played.byes), (Rest.Kind.ABSENT, played.absent)):
        Rest.objects.bulk_create(Rest(round=row, entrant=by_number[number], kind=kind) for number in numbers)
    for one in played.pods:
        pod = Pod.objects.create(
            round=row,
            number=one.number,
            is_online=one.is_online,
            record=_keep(one, parcel, player, now=now),
            wave=one.wave,
            real_table=one.real_table,
        )
        PodSeat.objects.bulk_create(
            PodSeat(
                pod=pod,
                index=index,
                entrant=by_number[seat.entrant],
                fate=seat.fate,
                substitute_name=seat.substitute[:40],
            )
            for index, seat in enumerate(one.seats)
        )
        if one.places is not None:
            Result.objects.create(
                pod=pod,
                status=Result.Status.ACCEPTED,
                source=Result.Source.ORGANISER,
                places=msgspec.json.encode(one.places).decode(),
                scores=msgspec.json.encode(one.scores).decode(),
                is_void=one.is_void,
                entered_by=player,
                at=now,
            )


def _keep(pod: ArchivedPod, parcel: Parcel, player: Player | None, *, now: float) -> str:
    """The key under which the pod's record can be watched; nothing for one that did not come along."""
    raw = parcel.records.get(pod.record)
    return replays.keep_record(player, raw, now=now, for_good=True) if raw else ""
