"""The JSON API, described by `openapi.json`: read clubs, tournaments, people and tables, and lead tournaments."""

from __future__ import annotations

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from games.play.errors import Refusal
from games.play.sentences import say_sentence
from games.views import error_pages
from tournaments.api import clubs, evenings, people, playing, seasons, tables, tournaments
from tournaments.api.organising import draws, entrants, members, plans, results, rounds, steps, teams
from tournaments.api.organising import evenings as led_evenings
from tournaments.api.organising import seasons as led_seasons
from tournaments.api.readers import Throttle, say_bad_key
from tournaments.api.routes import Api

api = Api(
    title="Menagerie",
    version="1",
    description=(
        "Play, run tournaments, and read clubs, tournaments, standings, people, tables and records. "
        "Public things need no key. For everything else send `Authorization: Bearer` with a personal access token "
        "(`mgt_…`) or a club's API key (`mng_…`). Points are 840ths of a round won."
    ),
    servers=[{"url": settings.SITE_URL or "/", "description": "This site"}],
    docs_url=None,
    urls_namespace="api",
    throttle=[Throttle()],
)
for part in (clubs, tournaments, seasons, evenings, people, playing, tables):  # `playing` adds to those of `tables`
    api.add_router("", part.router)
for part in (
    plans,
    entrants,
    teams,
    draws,
    rounds,
    results,
    steps,
    led_evenings,
    led_seasons,
    members,
):  # they add to these
    api.add_router("", part.router)


def _respond(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """A refusal: a status and a sentence, with Retry-After where the pages send one."""
    response = api.create_response(request, {"status": status, "sentence": sentence}, status=status)
    if status in error_pages.RETRY_SECONDS:
        response["Retry-After"] = error_pages.RETRY_SECONDS[status]
    return response


@api.exception_handler(Refusal)
def refuse(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """A use case refuses."""
    return _respond(request, refusal.status, say_sentence(refusal))


@api.exception_handler(AuthenticationError)
def refuse_stranger(request: HttpRequest, _error: AuthenticationError) -> HttpResponse:
    """401: an invalid key, or none where one is needed."""
    response = _respond(request, 401, say_bad_key())
    response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(Throttled)
def slow_down(request: HttpRequest, _error: HttpError) -> HttpResponse:
    """429: too many requests."""
    return _respond(request, 429, _("That was too fast. Wait a moment and try again."))


@api.exception_handler(HttpError)
def refuse_body(request: HttpRequest, error: HttpError) -> HttpResponse:
    """The body is not JSON."""
    return _respond(request, error.status_code, _("The request could not be understood. Go back and try again."))


@api.exception_handler(DataError)
def refuse_text(request: HttpRequest, _error: DataError) -> HttpResponse:
    """422: a value that the database cannot hold, such as text with a null character."""
    return _respond(request, 422, _("The request could not be understood. Go back and try again."))


@api.exception_handler(ValidationError)
def refuse_form(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """422: parameters or a body of the wrong shape. The sentence names up to three places."""
    where = ", ".join(".".join(map(str, detail["loc"])) for detail in error.errors[:3])
    return _respond(request, 422, _("The request is not valid. Check: %(where)s.") % {"where": where})
