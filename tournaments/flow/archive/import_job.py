"""The import of an uploaded archive as a background job: first every record is checked and stored, one by one; then the
tournament is written, or those of a season one after the other, hidden; then all of it is shown at once."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from games.models import Player
from games.play.errors import BadInput
from games.play.records import replays
from tournaments.flow.archive import background_jobs, restoring, season_restoring, zip_import
from tournaments.flow.archive.background_jobs import JobClaim, JobHandler, JobRequest
from tournaments.flow.archive.restoring import PendingImport
from tournaments.flow.archive.season_restoring import CheckedSeasonArchive
from tournaments.flow.archive.zip_import import CheckedArchive
from tournaments.flow.archive.zip_limits import require_size
from tournaments.flow.permissions import require_organiser
from tournaments.models import BackgroundJob, BackgroundJobFile, Club, Season, Tournament

AT_ONCE = 50_000
"""Bytes. A file of up to so many, some ten games, is imported while its sender waits."""


class AlreadyImported(Exception):
    """The club has something of an archive. known: its seasons and tournaments, the latest of each first."""

    def __init__(self, copies: list[Season | Tournament]) -> None:
        super().__init__()
        self.known = copies


def ask(
    club: Club, player: Player | None, raw: bytes, name: str, *, is_copy_wanted: bool = False, now: float
) -> BackgroundJob:
    """The job that imports this archive into the club; the same file is imported once, however often it is sent.

    is_copy_wanted: also if the club has a tournament of it already. Raises NotAllowed, BadInput, Busy, AlreadyImported.
    """
    require_organiser(club, player)
    require_size(len(raw))
    kind = BackgroundJob.Kind.RESTORE
    key = f"{kind}:{club.pk}:{sha256(raw).hexdigest()}"
    same = BackgroundJob.objects.filter(deduplication_key=key).exclude(status=BackgroundJob.Status.FAILED)
    if not is_copy_wanted and not same.exists() and (copies := find_known(club, raw)):
        raise AlreadyImported(copies)
    return background_jobs.ask(JobRequest(kind, key, player, club=club, name=name, content=raw), now=now)


def find_known(club: Club, raw: bytes) -> list[Season | Tournament]:
    """The seasons and tournaments of this club that are in the archive, or were imported from it: by the seed of their
    lots, which no other one has and which archives contain. None for an invalid file: importing it says why."""
    try:
        sent = open_sent(raw, "")
    except BadInput:
        return []
    nights = () if isinstance(sent, CheckedArchive) else sent.archive.tournaments
    seeds = {sent.archive.lot_seed, *(tournament.tournament.lot_seed for tournament in nights)} - {""}
    same = {"club": club, "lot_seed__in": seeds}
    return [
        *Season.objects.filter(**same).order_by("-created_at", "pk"),
        *Tournament.objects.filter(**same).order_by("-created_at", "pk"),
    ]


def list_waiting(club: Club) -> list[BackgroundJob]:
    """The imports into this club that run or wait, the oldest first."""
    waiting = BackgroundJob.objects.filter(
        club=club, kind=BackgroundJob.Kind.RESTORE, status=BackgroundJob.Status.WAITING
    )
    return list(waiting.order_by("asked_at"))


def run_import(claim: JobClaim) -> None:
    """Import an archive. Raises ClaimLost, NotAllowed, BadInput with what is wrong."""
    job = claim.job
    club, player = job.club, job.player
    assert club is not None  # noqa: S101 - `ask` sets it
    require_organiser(club, player)
    sent = open_sent(claim.read_file(), job.key_seed)
    _keep_records(sent, claim)
    pending = PendingImport(job.pk, club, player, claim.now)
    if isinstance(sent, CheckedArchive):
        made: dict[str, Tournament | Season] = {"tournament": _write(sent, pending, claim)}
    else:
        made = {"season": _write_season(sent, pending, claim)}
    with claim.ending():
        restoring.show(job.pk)
        BackgroundJob.objects.filter(pk=job.pk).update(**made)
        BackgroundJobFile.objects.filter(job=job).delete()


def open_sent(raw: bytes, key_seed: str) -> CheckedArchive | CheckedSeasonArchive:
    """A tournament or a whole season, its records not checked yet. Raises BadInput."""
    return season_restoring.open_archive(raw, key_seed) or zip_import.open_archive(raw, key_seed)


def _list_archives(sent: CheckedArchive | CheckedSeasonArchive) -> Iterator[CheckedArchive]:
    if isinstance(sent, CheckedArchive):
        yield sent
    else:
        yield from sent.list_archives()


def _keep_records(sent: CheckedArchive | CheckedSeasonArchive, claim: JobClaim) -> None:
    """Check every record, and store it under its key; those that are stored were checked before an interruption."""
    total = sum(len(checked.records) for checked in _list_archives(sent))
    kept = replays.list_kept(zip_import.derive_key_prefix(claim.job.key_seed))
    done = 0
    claim.report(done, total)
    for archive in _list_archives(sent):
        for name in sorted(archive.records):
            done += 1
            if archive.key_of(name) not in kept:
                raw = _check_record(archive, name)
                with claim.step(done=done, total=total):
                    replays.keep_checked(claim.job.player, archive.key_of(name), raw, now=claim.now)


def _check_record(archive: CheckedArchive, name: str) -> bytes:
    raw = archive.read_record(name)
    try:
        replays.check_record(raw)
        archive.check_record(name, raw)
    except BadInput as error:
        raise BadInput("%(file)s cannot be imported: %(why)s.", file=name[:60], why=error) from error
    return raw


def _write(sent: CheckedArchive, pending: PendingImport, claim: JobClaim) -> Tournament:
    with claim.step():
        made = restoring.write(pending, sent)
    restoring.check_standings(made, sent.archive)
    return made


def _write_season(sent: CheckedSeasonArchive, pending: PendingImport, claim: JobClaim) -> Season:
    """Write one tournament after the other: one transaction for all would block other writers for seconds."""
    with claim.step():
        season = season_restoring.write_season(pending, sent)
    nights, is_of_today = [], True
    for order, (one, inner) in enumerate(zip(sent.archive.tournaments, sent.list_archives(), strict=True)):
        with claim.step():
            nights.append(season_restoring.write_night(pending, season, order, one, inner))
        is_of_today &= restoring.check_standings(nights[-1], inner.archive)
    if is_of_today:
        season_restoring.check_table(season, sent, nights)
    return season


def delete_import(job: BackgroundJob) -> None:
    """Delete what was written and stored for an import that failed."""
    restoring.delete_import(job.pk)
    replays.delete_kept(zip_import.derive_key_prefix(job.key_seed))


IMPORT = JobHandler(run_import, delete_import)
