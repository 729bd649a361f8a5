"""Download a tournament or season as files, and import one from an archive."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.accounts import rate_limits
from games.accounts.current_player import player_id, player_of
from games.play.errors import BadInput, NotAllowed, NotFound, TooFast
from games.play.sentences import say_sentence
from games.views.not_modified import unless_known
from tournaments.flow.archive import (
    background_jobs,
    csv_export,
    export_jobs,
    import_job,
    job_kinds,
    season_document,
    tournament_document,
)
from tournaments.flow.archive.export_jobs import Exported
from tournaments.flow.archive.season_document import LEAGUE_FILE
from tournaments.flow.archive.zip_limits import require_size
from tournaments.flow.permissions import require_role
from tournaments.flow.seasons.season_standings import read_table
from tournaments.flow.standings import book_cache
from tournaments.models import BackgroundJob, Club, Role, Season, Tournament
from tournaments.views.archive import job_progress
from tournaments.views.lookups import (
    disable_caching,
    find_club,
    find_page_version,
    find_season,
    find_tournament,
    is_organiser,
)
from tournaments.words.terms import say_trouble


@require_http_methods(["GET", "HEAD", "POST"])
def download(request: HttpRequest, tournament_id: str, kind: str) -> HttpResponse:
    """`archive.zip`, `tournament.json`, `standings.csv`, `results.csv`, and of teams `teams.csv`.

    While a long archive is being made, a progress page (202) is sent instead. `?round=`: the standings after this
    round. POST cancels the job that makes the file. Raises NotFound, NotAllowed, Busy.
    """
    tournament, role = find_tournament(request, tournament_id)
    return _download(request, tournament, role, kind, FILES)


@require_http_methods(["GET", "HEAD", "POST"])
def download_season(request: HttpRequest, tournament_id: str, kind: str) -> HttpResponse:
    """`archive.zip`, `league.json`, `standings.csv`, as for a tournament. `?round=`: after so many tournaments."""
    season, role = find_season(request, tournament_id)
    return _download(request, season, role, kind, SEASON_FILES)


def _download(
    request: HttpRequest,
    subject: Any,
    role: Role | None,
    kind: str,
    files: Mapping[str, Callable[[Any, int | None], bytes]],
) -> HttpResponse:
    """subject: the tournament or season; files: by name, the writers of files that need no background job."""
    long = export_jobs.find_kind(subject, kind)
    if long is not None:
        return (_cancel_job if request.method == "POST" else _send_or_queue)(request, subject, role, long)
    if request.method == "POST":
        return HttpResponseNotAllowed(["GET", "HEAD"])
    write = files.get(kind)
    if write is None or (kind == TEAMS_FILE and subject.team_size is None):
        raise NotFound("This file does not exist.")
    return _send(request, subject, kind, write(subject, _read_round(request)))


def _cancel_job(request: HttpRequest, subject: Exported, role: Role | None, kind: str) -> HttpResponse:
    job = export_jobs.find_waiting(subject, kind)
    if job is None:
        return redirect("tournaments:outputs", subject.pk)
    if not _can_stop(request, job, role):
        raise NotAllowed(
            "Others are waiting for this file, too. Only the person who asked for it first or an organiser "
            "of the club can cancel the job."
        )
    return job_progress.cancel(request, job)


def _can_stop(request: HttpRequest, job: BackgroundJob, role: Role | None) -> bool:
    """All who ask for the same file share one job. Its first requester and organisers may cancel it."""
    return is_organiser(role) or (job.player_id is not None and job.player_id == player_id(request))


def _send_or_queue(request: HttpRequest, subject: Exported, role: Role | None, kind: str) -> HttpResponse:
    is_season = kind == BackgroundJob.Kind.SEASON
    name = LEAGUE_FILE if is_season else "archive.zip"
    about: dict[str, object] = {"season": subject} if isinstance(subject, Season) else {"tournament": subject}
    job = job_progress.find_polled_job(request, kind=kind, **about)
    if job is None:
        if export_jobs.is_quick(subject, kind):
            return _send(request, subject, name, export_jobs.write_at_once(subject, kind))
        job = export_jobs.ask_file(subject, kind, player_of(request), find_page_version(subject), now=time.time())
        job_progress.enqueue(job)
    body = None if job_progress.asks_for_bar(request) else export_jobs.find_file(job)
    if body is not None:
        send = partial(_send, request, subject, name)
        return job_progress.send_compressed(request, body, send) if is_season else send(body)
    outputs = reverse("tournaments:outputs", args=[subject.pk])
    can_stop = _can_stop(request, job, role)
    title = _("Season file") if is_season else _("Tournament archive")
    return job_progress.show(request, job, job_progress.JobPage(title, subject.name, outputs, can_stop))


TEAMS_FILE = "teams.csv"
FILES: Mapping[str, Callable[[Tournament, int | None], bytes]] = {
    "tournament.json": lambda tournament, _after: tournament_document.write_json(
        tournament_document.describe(book_cache.read(tournament))
    ),
    "standings.csv": lambda tournament, after: csv_export.to_file(
        csv_export.write_standings(book_cache.read(tournament), after)
    ),
    "results.csv": lambda tournament, _after: csv_export.to_file(csv_export.write_results(book_cache.read(tournament))),
    TEAMS_FILE: lambda tournament, after: csv_export.to_file(
        csv_export.write_team_standings(book_cache.read(tournament), after)
    ),
}
SEASON_FILES: Mapping[str, Callable[[Season, int | None], bytes]] = {
    "standings.csv": lambda season, after: csv_export.to_file(
        season_document.write_standings(read_table(season), after)
    ),
}
CONTENT_TYPES = {"zip": "application/zip", "json": "application/json", "csv": "text/csv; charset=utf-8"}


def _send(request: HttpRequest, subject: Exported, kind: str, body: bytes) -> HttpResponse:
    answer = HttpResponse(body, content_type=CONTENT_TYPES[kind.rpartition(".")[2]])
    name = f"{slugify(subject.name) or subject.pk}-{kind}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return unless_known(request, answer)


def _read_round(request: HttpRequest) -> int | None:
    text = request.GET.get("round", "")
    return int(text) if text.isdecimal() and len(text) < 4 else None


def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for an archive. A small one is imported at once; a large one gets a job and its progress page."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    context: dict[str, object] = {"club": club, "waiting": import_job.list_waiting(club)}
    status = 200
    if request.method == "POST":
        try:
            job = _start_import(request, club)
        except import_job.AlreadyImported as found:
            context["known"] = found.known
            return disable_caching(render(request, "clubs/restore.html", context, status=409))
        except BadInput as error:
            context["sentence"] = say_sentence(error)
        else:
            if job.status != BackgroundJob.Status.FAILED:
                return job_progress.redirect_to_outcome(job)
            context["sentence"] = say_trouble(job.error)
        status = 422
    return disable_caching(render(request, "clubs/restore.html", context, status=status))


def _start_import(request: HttpRequest, club: Club) -> BackgroundJob:
    """The job that imports the uploaded file. Raises NotAllowed, BadInput, Busy, TooFast, AlreadyImported."""
    sent = request.FILES.get("file")
    if sent is None:
        raise BadInput("Choose a file first.")
    require_size(sent.size or 0)
    if not rate_limits.allow_archive(request.META.get("REMOTE_ADDR", "")):
        raise TooFast(
            "Too many archives were uploaded from your network in the last hour. Wait a while, then try again."
        )
    is_copy_wanted, now = request.POST.get("copy") == "1", time.time()
    player, name = player_of(request), sent.name or ""
    job = import_job.ask(club, player, sent.read(), name, is_copy_wanted=is_copy_wanted, now=now)
    if job.status == BackgroundJob.Status.DONE:
        job_progress.note_repeated_import(request)
    elif (sent.size or 0) > import_job.AT_ONCE:
        job_progress.enqueue(job)
    else:
        background_jobs.run(job.pk, job_kinds.HANDLERS, now=time.time())
        job.refresh_from_db()
    return job
