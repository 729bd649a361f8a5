"""The JSON API: what can be read of clubs, tournaments, people and tables, and results, as `openapi.json` says."""

from __future__ import annotations

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from games.play.errors import Refusal
from games.views import error_pages
from tournaments.api import clubs, evenings, people, seasons, tables, tournaments
from tournaments.api.readers import Throttle, say_bad_key
from tournaments.api.routes import Api

api = Api(
    title="Menagerie",
    version="1",
    description="Clubs, tournaments, standings, results, people, tables, records. Points are 840ths of a round won.",
    docs_url=None,
    urls_namespace="api",
    throttle=[Throttle()],
)
for part in (clubs, tournaments, seasons, evenings, people, tables):
    api.add_router("", part.router)


def _respond(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """A refusal as everywhere: a status and a sentence."""
    said = api.create_response(request, {"status": status, "sentence": sentence}, status=status)
    if status in error_pages.RETRY_SECONDS:
        said["Retry-After"] = error_pages.RETRY_SECONDS[status]
    return said


@api.exception_handler(Refusal)
def refuse(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """What the use cases refuse."""
    return _respond(request, refusal.status, _(refusal.template) % refusal.values)


@api.exception_handler(AuthenticationError)
def refuse_stranger(request: HttpRequest, _error: AuthenticationError) -> HttpResponse:
    """A key that opens nothing, or none where one is needed."""
    said = _respond(request, 401, say_bad_key())
    said["WWW-Authenticate"] = "Bearer"
    return said


@api.exception_handler(Throttled)
def slow_down(request: HttpRequest, _error: HttpError) -> HttpResponse:
    """Too many questions."""
    return _respond(request, 429, _("That was too fast. Wait a moment and try again."))


@api.exception_handler(HttpError)
def refuse_body(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What is no JSON at all."""
    return _respond(request, error.status_code, _("The request could not be understood. Go back and try again."))


@api.exception_handler(DataError)
def refuse_text(request: HttpRequest, _error: DataError) -> HttpResponse:
    """What the database cannot hold, so that there is nothing of that name."""
    return _respond(request, 422, _("The request could not be understood. Go back and try again."))


@api.exception_handler(ValidationError)
def refuse_form(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """What cannot be read."""
    where = ", ".join(".".join(map(str, one["loc"])) for one in error.errors[:3])
    return _respond(request, 422, _("This cannot be read: %(where)s.") % {"where": where})
