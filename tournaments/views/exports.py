"""A tournament as files, and a tournament from a file."""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import limits
from games.play.errors import BadInput, NotFound, TooFast
from tournaments.flow import archive, league_archive, reading_in, works
from tournaments.flow import errands as work
from tournaments.flow.book import open_book
from tournaments.flow.permissions import require_role
from tournaments.flow.zips import require_size
from tournaments.models import Club, Errand, Format, Role, Tournament
from tournaments.views import errands
from tournaments.views.finding import find_club, find_tournament, fresh, player_id, player_of
from tournaments.views.leagues import read_table
from tournaments.words import say_trouble


@require_safe
def download(request: HttpRequest, tournament_id: str, kind: str) -> HttpResponse:
    """`archive.zip`, `tournament.json`, `standings.csv`, `results.csv`. Raises NotFound, NotAllowed."""
    tournament, _role = find_tournament(request, tournament_id)
    if tournament.format == Format.LEAGUE:
        return _send(tournament, kind, *_season(request, tournament, kind))
    book = open_book(tournament)
    if kind == "archive.zip":
        body, content_type = archive.write_zip(book), "application/zip"
    elif kind == "tournament.json":
        body, content_type = archive.write_json(archive.describe(book)), "application/json"
    elif kind == "standings.csv":
        body, content_type = archive.to_file(archive.write_standings(book, _round(request))), "text/csv; charset=utf-8"
    elif kind == "results.csv":
        body, content_type = archive.to_file(archive.write_results(book)), "text/csv; charset=utf-8"
    else:
        raise NotFound("There is no such file.")
    return _send(tournament, kind, body, content_type)


def _season(request: HttpRequest, tournament: Tournament, kind: str) -> tuple[bytes, str]:
    """A file of a season: `archive.zip`, `league.json`, `standings.csv` (`?round=`: after so many tournaments)."""
    table = read_table(tournament)
    if kind == "archive.zip":
        return league_archive.write_zip(table), "application/zip"
    if kind == "league.json":
        return league_archive.write_json(table), "application/json"
    if kind == "standings.csv":
        return archive.to_file(league_archive.write_standings(table, _round(request))), "text/csv; charset=utf-8"
    raise NotFound("There is no such file.")


def _send(tournament: Tournament, kind: str, body: bytes | str, content_type: str) -> HttpResponse:
    answer = HttpResponse(body, content_type=content_type)
    name = f"{slugify(tournament.name) or tournament.pk}-{kind}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return fresh(answer)


def _round(request: HttpRequest) -> int | None:
    text = request.GET.get("round", "")
    return int(text) if text.isdecimal() and len(text) < 4 else None


def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """What an archive becomes: a small one is there at once, of a big one a page says how far it is."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    context: dict[str, object] = {"club": club, "waiting": reading_in.list_waiting(club)}
    status = 200
    if request.method == "POST":
        try:
            errand = _read_in(request, club)
        except BadInput as error:
            context["sentence"] = _(error.template) % error.values
        else:
            if errand.status != Errand.Status.FAILED:
                return errands.go_to(errand)
            context["sentence"] = say_trouble(errand.trouble)
        status = 422
    return fresh(render(request, "clubs/restore.html", context, status=status))


def _read_in(request: HttpRequest, club: Club) -> Errand:
    """The errand that reads in what was sent. Raises NotAllowed, BadInput, Busy, TooFast."""
    sent = request.FILES.get("file")
    if sent is None:
        raise BadInput("Choose a file first.")
    require_size(sent.size or 0)
    if not limits.allow_archive(request.META.get("REMOTE_ADDR", "")):
        raise TooFast("Too many archives from your network in this hour. Wait a little, and send it again.")
    errand = reading_in.ask(club, player_of(request), sent.read(), sent.name or "", now=time.time())
    if errand.status == Errand.Status.DONE:
        errands.say_known(request)
    elif (sent.size or 0) > reading_in.AT_ONCE:
        errands.begin(errand)
    else:
        work.run(errand.pk, works.WORKS, now=time.time())
        errand.refresh_from_db()
    return errand
