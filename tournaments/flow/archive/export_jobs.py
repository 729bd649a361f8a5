"""Files that take long to make, made by background jobs: an archive of many games, a long season as a document, and
everything that is stored about a person."""

from __future__ import annotations

import gzip
import io
from typing import Any, TypeAlias

from games.models import Player, Seat
from games.play.errors import BadInput, NotFound
from tournaments.flow.archive import background_jobs, season_document, tournament_document, zip_export
from tournaments.flow.archive.background_jobs import JobClaim, JobHandler, JobRequest
from tournaments.flow.archive.person_export import export_person
from tournaments.flow.archive.zip_export import ReportProgress, ZipWriter, ignore_progress
from tournaments.flow.seasons import season_standings
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import BackgroundJob, BackgroundJobFile, Season, Tournament

Exported: TypeAlias = Tournament | Season

AT_ONCE = 30
"""Games. A file of up to so many, about a second, is made while somebody waits for it."""
NIGHTS_AT_ONCE, TABLES_AT_ONCE = 5, 150
"""Tournaments, and games at real tables or on screens, of a season whose file is made while somebody waits for it."""
MAX_BYTES = 100_000_000
"""Bytes of a file that is made."""


SEASON_KINDS = {
    season_document.LEAGUE_FILE: BackgroundJob.Kind.SEASON,
    "archive.zip": BackgroundJob.Kind.ARCHIVE,
}
"""The kind of job that makes a season's file, by the file's name; any other file is made at once."""


def find_kind(subject: Exported, name: str) -> str | None:
    """The kind of job that makes this file; None for a file that is always made at once."""
    if isinstance(subject, Season):
        return SEASON_KINDS.get(name)
    return BackgroundJob.Kind.ARCHIVE if name == "archive.zip" else None


def is_quick(subject: Exported, kind: str) -> bool:
    """Whether this file is made at once."""
    ids = [subject.pk]
    if isinstance(subject, Season):
        ids = season_standings.finished_of(subject)
        if len(ids) > NIGHTS_AT_ONCE or season_document.count_tables(ids) > TABLES_AT_ONCE:
            return False
    return kind == BackgroundJob.Kind.SEASON or tournament_document.count_recorded(ids) <= AT_ONCE


def write_at_once(subject: Exported, kind: str) -> bytes:
    """A file that is quick."""
    if isinstance(subject, Season) and kind == BackgroundJob.Kind.SEASON:
        return season_document.write_json(season_standings.read_table(subject))
    return write_archive(subject)


def write_archive(
    subject: Exported, report: ReportProgress = ignore_progress, unfinished: ZipWriter | None = None
) -> bytes:
    """The tournament, or the season, as one ZIP.

    report: called after each game; unfinished: the ZIP to be continued.
    """
    if isinstance(subject, Season):
        return season_document.write_zip(season_standings.read_table(subject), report, unfinished)
    return zip_export.write_zip(open_book(subject), report, unfinished)


def ask_file(subject: Exported, kind: str, player: Player | None, stamp: str, *, now: float) -> BackgroundJob:
    """The job that makes the file, or has made it. stamp: the present state of the subject. Raises Busy."""
    about: dict[str, Any] = {"season": subject} if isinstance(subject, Season) else {"tournament": subject}
    request = JobRequest(kind, f"{kind}:{subject.pk}", player, stamp=stamp, **about)
    return background_jobs.ask(request, now=now)


def find_waiting(subject: Exported, kind: str) -> BackgroundJob | None:
    """The job that is to make the file, or makes it now, if there is one."""
    return subject.background_jobs.filter(kind=kind, status=BackgroundJob.Status.WAITING).first()


def run_archive(claim: JobClaim) -> None:
    """Make an archive, or continue one. Raises ClaimLost, BadInput."""
    subject = claim.job.season or claim.job.tournament
    assert subject is not None  # noqa: S101 - `ask_file` sets one of them
    _finish(claim, write_archive(subject, claim.report, ZipWriter(claim.read_file(), claim.keep)))


def run_season(claim: JobClaim) -> None:
    """Make the document of a season, compressed. Raises ClaimLost, BadInput."""
    season = claim.job.season
    assert season is not None  # noqa: S101 - `ask_file` sets it
    _finish(claim, gzip.compress(season_document.write_json(season_standings.read_table(season), claim.report), 6))


def is_quick_person(player: Player) -> bool:
    """Whether everything that is stored about this person is exported at once."""
    return Seat.objects.filter(player=player).count() <= AT_ONCE


def find_person(player: Player) -> BackgroundJob | None:
    """The job that exports what is stored about this person, or has done so of late."""
    jobs = BackgroundJob.objects.filter(deduplication_key=_key_of(player))
    return jobs.exclude(status=BackgroundJob.Status.FAILED).first()


def ask_person(player: Player, *, now: float) -> BackgroundJob:
    """The job that exports what is stored about this person. Raises Busy."""
    return background_jobs.ask(JobRequest(BackgroundJob.Kind.PERSON, _key_of(player), player), now=now)


def _key_of(player: Player) -> str:
    return f"{BackgroundJob.Kind.PERSON}:{player.pk}"


def run_person(claim: JobClaim) -> None:
    """Export what is stored about a person, compressed. Raises ClaimLost, BadInput, NotFound."""
    player = claim.job.player
    if player is None:
        raise NotFound("This site no longer stores anything about you.")
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6) as file:
        for piece in export_person(player, claim.report):
            file.write(piece.encode())
    _finish(claim, packed.getvalue())


def _finish(claim: JobClaim, content: bytes) -> None:
    if len(content) > MAX_BYTES:
        most = MAX_BYTES // 1_000_000
        raise BadInput("This file would be larger than %(most)s MB. Ask the administrator for a backup.", most=most)
    with claim.ending():
        BackgroundJobFile.objects.update_or_create(job=claim.job, defaults={"content": content})


def find_file(job: BackgroundJob) -> bytes | None:
    """The file that the job has made, if it is there."""
    if job.status != BackgroundJob.Status.DONE:
        return None
    content = BackgroundJobFile.objects.filter(job=job).values_list("content", flat=True).first()
    return None if content is None else bytes(content)


ARCHIVE, SEASON, PERSON = JobHandler(run_archive), JobHandler(run_season), JobHandler(run_person)
