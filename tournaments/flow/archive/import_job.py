"""An archive that somebody sends, read in as an errand: first every record is checked and kept, one by one; then the
tournament is written, or a season's one after the other, seen by nobody; then all of it is there at once."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from games.models import Player
from games.play.errors import BadInput
from games.play.records import replays
from tournaments.flow.archive import background_jobs, restoring, season_restoring, zip_import
from tournaments.flow.archive.background_jobs import JobClaim, JobHandler
from tournaments.flow.archive.restoring import PendingImport
from tournaments.flow.archive.season_restoring import CheckedSeasonArchive
from tournaments.flow.archive.zip_import import CheckedArchive
from tournaments.flow.archive.zip_limits import require_size
from tournaments.flow.permissions import require_organiser
from tournaments.models import Club, Errand, ErrandFile, Season, Tournament

AT_ONCE = 50_000
"""A file of up to so many bytes, some ten games, is read in while its sender waits."""


class AlreadyImported(Exception):
    """The club has something of an archive. known: its seasons and tournaments, the latest of each first."""

    def __init__(self, known: list[Season | Tournament]) -> None:
        super().__init__()
        self.known = known


def ask(
    club: Club, player: Player | None, raw: bytes, name: str, *, is_copy_wanted: bool = False, now: float
) -> Errand:
    """The errand that reads this archive into the club; the same file comes in once, however often it is sent.

    is_copy_wanted: also if the club has a tournament of it already. Raises NotAllowed, BadInput, Busy, KnownAlready.
    """
    require_organiser(club, player)
    require_size(len(raw))
    kind = Errand.Kind.RESTORE
    sameness = f"{kind}:{club.pk}:{sha256(raw).hexdigest()}"
    is_sent_again = Errand.objects.filter(sameness=sameness).exclude(status=Errand.Status.FAILED).exists()
    if not is_copy_wanted and not is_sent_again and (known := find_known(club, raw)):
        raise AlreadyImported(known)
    return background_jobs.ask(
        background_jobs.JobRequest(kind, sameness, player, club=club, name=name, content=raw), now=now
    )


def find_known(club: Club, raw: bytes) -> list[Season | Tournament]:
    """What of this club is in the archive, or came of it: by the seed of its lots, which each has for itself and takes
    along. Nothing for what cannot be read: reading it in says why."""
    try:
        sent = open_sent(raw, "")
    except BadInput:
        return []
    nights = () if isinstance(sent, CheckedArchive) else sent.archive.tournaments
    seeds = {sent.archive.lot_seed, *(one.tournament.lot_seed for one in nights)} - {""}
    same = {"club": club, "lot_seed__in": seeds}
    return [
        *Season.objects.filter(**same).order_by("-created_at", "pk"),
        *Tournament.objects.filter(**same).order_by("-created_at", "pk"),
    ]


def list_waiting(club: Club) -> list[Errand]:
    """What is being read in for this club, or waits to be, the oldest first."""
    waiting = Errand.objects.filter(club=club, kind=Errand.Kind.RESTORE, status=Errand.Status.WAITING)
    return list(waiting.order_by("asked_at"))


def bring(claim: JobClaim) -> None:
    """Read it in. Raises Overtaken, NotAllowed, BadInput with what is wrong."""
    errand = claim.errand
    club, player = errand.club, errand.player
    assert club is not None  # noqa: S101 - so it was asked for
    require_organiser(club, player)
    sent = open_sent(claim.read_file(), errand.lot)
    _keep_records(sent, claim)
    arrival = PendingImport(errand.pk, club, player, claim.now)
    if isinstance(sent, CheckedArchive):
        made: dict[str, Tournament | Season] = {"tournament": _write(sent, arrival, claim)}
    else:
        made = {"season": _write_season(sent, arrival, claim)}
    with claim.ending():
        restoring.show(errand.pk)
        Errand.objects.filter(pk=errand.pk).update(**made)
        ErrandFile.objects.filter(errand=errand).delete()


def open_sent(raw: bytes, lot: str) -> CheckedArchive | CheckedSeasonArchive:
    """A tournament or a whole season, its records not looked at yet. Raises BadInput."""
    return season_restoring.open_archive(raw, lot) or zip_import.open_archive(raw, lot)


def _list_archives(sent: CheckedArchive | CheckedSeasonArchive) -> Iterator[CheckedArchive]:
    if isinstance(sent, CheckedArchive):
        yield sent
    else:
        yield from sent.list_archives()


def _keep_records(sent: CheckedArchive | CheckedSeasonArchive, claim: JobClaim) -> None:
    """Check every record, and keep it under its own key; one that is kept was checked when this began."""
    of = sum(len(one.records) for one in _list_archives(sent))
    kept = replays.list_kept(zip_import.begin_of_keys(claim.errand.lot))
    done = 0
    claim.tell(done, of)
    for parcel in _list_archives(sent):
        for name in sorted(parcel.records):
            done += 1
            if parcel.key_of(name) not in kept:
                raw = _check_record(parcel, name)
                with claim.step(done=done, of=of):
                    replays.keep_checked(claim.errand.player, parcel.key_of(name), raw, now=claim.now)


def _check_record(parcel: CheckedArchive, name: str) -> bytes:
    raw = parcel.read_record(name)
    try:
        replays.check_record(raw)
        parcel.check_record(name, raw)
    except BadInput as error:
        raise BadInput("%(file)s cannot be imported: %(why)s.", file=name[:60], why=error) from error
    return raw


def _write(sent: CheckedArchive, arrival: PendingImport, claim: JobClaim) -> Tournament:
    with claim.step():
        made = restoring.write(arrival, sent)
    restoring.check_standings(made, sent.archive)
    return made


def _write_season(sent: CheckedSeasonArchive, arrival: PendingImport, claim: JobClaim) -> Season:
    """One tournament after the other: all at once would keep everybody else from writing for seconds."""
    with claim.step():
        season = season_restoring.write_season(arrival, sent)
    nights, is_of_today = [], True
    for order, (one, inner) in enumerate(zip(sent.archive.tournaments, sent.list_archives(), strict=True)):
        with claim.step():
            nights.append(season_restoring.write_night(arrival, season, order, one, inner))
        is_of_today &= restoring.check_standings(nights[-1], inner.archive)
    if is_of_today:
        season_restoring.check_table(season, sent, nights)
    return season


def throw_away(errand: Errand) -> None:
    """What was written and kept of a tournament that does not come."""
    restoring.throw_away(errand.pk)
    replays.delete_kept(zip_import.begin_of_keys(errand.lot))


READING_IN = JobHandler(bring, throw_away)
