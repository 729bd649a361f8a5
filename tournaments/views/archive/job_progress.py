"""The progress page of a background job: a bar that refreshes itself and then leads to the outcome."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.accounts.current_player import player_id
from games.play.errors import NotFound
from tournaments.flow.archive import background_jobs, job_kinds
from tournaments.flow.permissions import require_role
from tournaments.models import BackgroundJob, Role
from tournaments.views.lookups import disable_caching, find_club
from tournaments.words.terms import say_trouble
from tournaments.work import tasks

POLL_NAME = "errand"
"""The bar's id and the parameter with the job's key: pages that were opened before an update poll with them."""
ANNOUNCEMENTS = 4
"""How many times screen readers are told the progress. More is more exact, and interrupts more often."""


class JobPage(NamedTuple):
    """What the page of a job shows. title: its heading; name, url: the link above it; can_stop: by the reader."""

    title: str
    name: str
    url: str
    can_stop: bool = False


def enqueue(job: BackgroundJob) -> None:
    """Send a waiting job to a worker. If the message is lost, `tasks.sweep_jobs` runs the job."""
    if job.status == BackgroundJob.Status.WAITING:
        tasks.send_task(tasks.run_job, job.pk)


def show_import(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The progress of an import, then what was imported. POST cancels it. Raises NotFound, NotAllowed."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    job = BackgroundJob.objects.filter(pk=key, club=club, kind=BackgroundJob.Kind.RESTORE).first()
    if job is None:
        raise NotFound(
            "This import is no longer known. Check whether the tournament is there. If not, import the archive again."
        )
    if request.method == "POST":
        return cancel(request, job)
    if job.status == BackgroundJob.Status.DONE and (made := _find_imported(job)):
        return _redirect(request, reverse("tournaments:tournament", args=[made]))
    place = JobPage(_("Import a tournament"), club.name, reverse("tournaments:club", args=[slug]), can_stop=True)
    return show(request, job, place)


def cancel(request: HttpRequest, job: BackgroundJob) -> HttpResponse:
    """Cancel the job, and show that on its page."""
    background_jobs.stop(job, job_kinds.HANDLERS, now=time.time())
    return redirect(f"{request.path}?{POLL_NAME}={job.pk}")


def send_compressed(request: HttpRequest, packed: bytes, send: Callable[[bytes], HttpResponse]) -> HttpResponse:
    """Send a gzipped file: as it is if the client accepts gzip, else unpacked."""
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return send(gzip.decompress(packed))
    response = send(packed)
    response["Content-Encoding"] = "gzip"
    return response


def find_polled_job(request: HttpRequest, **about: object) -> BackgroundJob | None:
    """The job named by `?errand=`, if the bar asks for it or it has failed. about: columns it must match.

    None if the file itself is asked for.
    """
    job = BackgroundJob.objects.filter(pk=request.GET.get(POLL_NAME, ""), **about).first()
    return job if job is None or asks_for_bar(request) or job.status == BackgroundJob.Status.FAILED else None


def asks_for_bar(request: HttpRequest) -> bool:
    """Whether htmx asks for the bar alone."""
    return bool(request.headers.get("HX-Target") == POLL_NAME)


def redirect_to_outcome(job: BackgroundJob) -> HttpResponse:
    """Redirect to the imported tournament or season, or to the progress page."""
    if job.status == BackgroundJob.Status.DONE and (made := _find_imported(job)):
        return redirect("tournaments:tournament", made)
    return redirect("tournaments:reading", job.club.slug if job.club else "", job.pk)


def _find_imported(job: BackgroundJob) -> str | None:
    """The id of the imported season or tournament; both kinds have the same addresses."""
    return job.season_id or job.tournament_id


def note_repeated_import(request: HttpRequest) -> None:
    """Tell the reader that the same archive was imported before."""
    notes.info(request, _("This archive was imported before. Here is the result."))


def show(request: HttpRequest, job: BackgroundJob, place: JobPage) -> HttpResponse:
    """The page of a job, or only its bar if the page refreshes it."""
    context: dict[str, Any] = {"job": job, "place": place, "here": request.path, "is_bar": asks_for_bar(request)}
    context |= _describe_job(job)
    context["is_new"] = request.GET.get("said", "") != str(context["part"])
    template = "background_jobs/bar.html" if asks_for_bar(request) else "background_jobs/page.html"
    return disable_caching(render(request, template, context, status=_find_status(request, job)))


def _find_status(request: HttpRequest, job: BackgroundJob) -> int:
    """202 while the job is not done, 422 if it has failed; for the bar always 200, as htmx swaps nothing else."""
    if asks_for_bar(request) or job.status == BackgroundJob.Status.DONE:
        return 200
    return 422 if job.status == BackgroundJob.Status.FAILED else 202


def _describe_job(job: BackgroundJob) -> dict[str, Any]:
    is_waiting = job.status == BackgroundJob.Status.WAITING
    return {
        "is_waiting": is_waiting,
        "has_begun": job.attempts > 0,
        "percent": round(100 * job.done / job.total) if job.total else None,
        "part": job.status if not is_waiting else ANNOUNCEMENTS * job.done // job.total if job.total else 0,
        "sentence": say_trouble(job.error),
    }


def _redirect(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect, also if htmx has asked."""
    if not request.headers.get("HX-Request"):
        return redirect(url)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = url
    return answer
