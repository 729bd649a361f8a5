"""Pages of a game's analysis: request it, follow its progress, read it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import models
from games.accounts import rate_limits
from games.accounts.guests import require_player
from games.analysis.report import digest_record
from games.live.replays import scenes
from games.play.errors import NotAllowed, TooFast
from games.play.records import analyses
from games.presenters import analysis_page
from games.presenters.names import GAMES
from games.views.json_responses import JsonAnswer
from games.views.replays import Source, of_table, of_upload
from games.work import analysis_tasks

ASKED = "analyses"
"""Key of the browser session with the digests of the analyses that it has asked for."""
MAX_ASKED = 20
BAR = "analysis-progress"
"""Id of the part of the page that refreshes itself."""


@require_http_methods(["GET", "HEAD", "POST"])
def show_table_analysis(request: HttpRequest, table_id: str) -> HttpResponse:
    """The analysis of a table's finished game; POST asks for it. Raises NotAllowed while the game is under way."""
    return _show_analysis(request, of_table(request, table_id))


@require_http_methods(["GET", "HEAD", "POST"])
def show_upload_analysis(request: HttpRequest, key: str) -> HttpResponse:
    """The same of a record that somebody brought."""
    return _show_analysis(request, of_upload(key))


@require_POST
def cancel_table_analysis(request: HttpRequest, table_id: str) -> HttpResponse:
    """Cancel the analysis; only the person who asked for it can."""
    return _cancel_analysis(request, of_table(request, table_id))


@require_POST
def cancel_upload_analysis(request: HttpRequest, key: str) -> HttpResponse:
    """The same of a record that somebody brought."""
    return _cancel_analysis(request, of_upload(key))


@require_safe
def download_table_analysis(request: HttpRequest, table_id: str) -> HttpResponse:
    """The analysis as JSON. Raises NotFound if there is none yet."""
    return JsonAnswer(analyses.require_result(of_table(request, table_id).watched.record))


def _build_address(source: Source, *, cancels: bool = False) -> str:
    if not cancels:
        return source.analysis_url()
    return reverse("cancel_analysis" if source.name == "replay" else "cancel_upload_analysis", args=[source.key])


def _show_analysis(request: HttpRequest, source: Source) -> HttpResponse:
    if not analyses.can_analyse(source.watched):
        raise NotAllowed("This game cannot be analysed: it has no end, or its bots cannot judge a position.")
    if request.method == "POST":
        return _request_analysis(request, source)
    job = analyses.find(source.watched.record)
    is_bar = request.headers.get("HX-Target") == BAR
    if is_bar and (job is None or job.status != models.GameAnalysis.Status.WAITING):
        answer = HttpResponse(status=204)
        answer["HX-Redirect"] = _build_address(source)
        return answer
    chairs = scenes.build_chairs(source.watched, source.avatars)
    context: dict[str, Any] = {
        "game": GAMES[source.watched.record.game],
        "source": source,
        "job": job,
        "status": "" if job is None else job.status,
        "here": _build_address(source),
        "cancel_url": _build_address(source, cancels=True),
        "replay_url": source.url(),
        "may_cancel": job is not None and job.pk in request.session.get(ASKED, []),
    }
    if job is not None and job.status == models.GameAnalysis.Status.WAITING:
        context["before"] = analyses.count_before(job)
    if job is not None and job.status == models.GameAnalysis.Status.DONE:
        context |= _describe(analyses.read_result(job), source, [chair.name for chair in chairs])
    response = render(request, "replays/analysis_progress.html" if is_bar else "replays/analysis.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _describe(found: Mapping[str, Any], source: Source, names: list[str]) -> dict[str, Any]:
    return {
        "seats": analysis_page.list_seats(found, names),
        "decisions": analysis_page.list_decisions(found, names, source.watched),
        "lines": analysis_page.list_lines(found, names),
        "marks": analysis_page.list_marks(found, names),
        "curve": analysis_page.list_curve(found, names),
        "size": (analysis_page.WIDTH, analysis_page.HEIGHT),
        "levels": [
            (percent, analysis_page.place_point(0, percent / 100, found["plies"])[1]) for percent in (0, 50, 100)
        ],
        "json_url": reverse("analysis_json", args=[source.key]) if source.name == "replay" else "",
    }


def _request_analysis(request: HttpRequest, source: Source) -> HttpResponse:
    require_player(request)
    if not rate_limits.allow_upload(request.META.get("REMOTE_ADDR", "")):
        raise TooFast("Too many records at once from your network. Wait a minute and try again.")
    kind = analyses.TABLE if source.name == "replay" else analyses.UPLOAD
    job = analyses.request(source.watched.record, kind, source.key, now=time.time())
    if job.status == models.GameAnalysis.Status.WAITING:
        if not job.claim and not job.attempts:
            asked = [digest for digest in request.session.get(ASKED, []) if digest != job.pk]
            request.session[ASKED] = [*asked, job.pk][-MAX_ASKED:]
        analysis_tasks.send(job.pk)
    return redirect(_build_address(source))


def _cancel_analysis(request: HttpRequest, source: Source) -> HttpResponse:
    digest = digest_record(source.watched.record)
    if digest not in request.session.get(ASKED, []):
        raise NotAllowed("Only the person who asked for this analysis can cancel it.")
    analyses.cancel(digest, now=time.time())
    return redirect(_build_address(source))
