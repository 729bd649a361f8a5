"""Error pages: every error as a page or as JSON, with its status and a sentence that says what to do."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.play.errors import Refusal
from games.play.sentences import say_sentence
from games.rules.base import UnknownGame
from games.views.json_responses import JsonAnswer

logger = logging.getLogger(__name__)

View = TypeVar("View", bound=Callable[..., HttpResponse])
TOO_BIG = "_answer_too_big"
RETRY_SECONDS = {429: "5", 503: "2"}


class ErrorMiddleware:
    """Turns refusals of the use cases, and errors of the database, into responses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and (not response.content or _is_program(request)):
            return _refuse_method(request, response["Allow"])
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer for a refusal; None lets the framework answer."""
        if isinstance(error, Refusal):
            return answer(request, error.status, say_sentence(error))
        if isinstance(error, UnknownGame):
            return answer(request, 410, say_sentence(error))
        return _blame_database(request, error) if isinstance(error, DatabaseError) else None


def titles() -> Mapping[int, str]:
    """A few words for each status that people see."""
    return {
        400: _("Invalid request"),
        403: _("No access"),
        404: _("Page not found"),
        405: _("Not available directly"),
        409: _("Changed in the meantime"),
        410: _("No longer available"),
        413: _("Too much data"),
        422: _("Against the rules"),
        429: _("Slow down"),
        500: _("Server error"),
        503: _("Temporarily unavailable"),
    }


def wants_json(request: HttpRequest) -> bool:
    """Whether the client is a program: it sends JSON, prefers JSON to a page, or asks below a path without pages."""
    is_json = request.content_type == "application/json" or not request.accepts("text/html")
    return is_json or _is_program(request)


def _is_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def answer(request: HttpRequest, status: int, sentence: str, *, title: str = "", back: str = "") -> HttpResponse:
    """The error as the reader can read it: JSON for programs, a line for htmx, a page for people.

    title: of the page, the status's own if it is empty. back: where people go on, the lobby if it is empty.
    """
    response: HttpResponse
    if wants_json(request):
        response = JsonAnswer({"status": status, "sentence": sentence}, status=status)
    elif getattr(request, "htmx", False):
        response = HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    else:
        title = title or titles().get(status, titles()[400])
        can_sign_in = status == 403 and request.method == "GET" and not request.user.is_authenticated
        context = {"status": status, "title": title, "sentence": sentence, "back": back, "can_sign_in": can_sign_in}
        context["can_try_again"] = status >= 500 and request.method == "GET"  # a form would have to be sent again
        response = render(request, "error.html", context, status=status)
    if status in RETRY_SECONDS:
        response["Retry-After"] = RETRY_SECONDS[status]
    response["Cache-Control"] = "no-store"
    return response


def _blame_database(request: HttpRequest, error: DatabaseError) -> HttpResponse:
    if isinstance(error, DataError):  # it answers: what was sent is nothing that it can hold
        logger.warning("the database cannot hold what was sent: %s", error)
        return _refuse_request(request)
    logger.error("the database failed", exc_info=error)
    return answer(request, 503, _("The database is not answering. Nothing is lost. Try again in a moment."))


def _refuse_method(request: HttpRequest, allowed: str) -> HttpResponse:
    if _is_program(request):
        sentence = _("This method is not allowed here. See the Allow header.")
    else:
        sentence = _("This address only works from a button. Go back and use the button.")
    response = answer(request, 405, sentence)
    response["Allow"] = allowed
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own 400; too much in one request is noticed before any view is asked."""
    if isinstance(exception, RequestDataTooBig):
        return _refuse_size(request)
    return _refuse_request(request)


def _refuse_request(request: HttpRequest) -> HttpResponse:
    return answer(request, 400, _("The request could not be understood. Go back and try again."))


def _refuse_size(request: HttpRequest) -> HttpResponse:
    """The response to a request that is too big; a view may give its own (`when_too_big`)."""
    own = getattr(request.resolver_match and request.resolver_match.func, TOO_BIG, None)
    if own is not None and not wants_json(request):
        response: HttpResponse = own(request)
        return response
    sentence = _("That was too much data. The limit is %(most)s kB. Nothing was changed. Try again with less.")
    return answer(request, 413, sentence % {"most": (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) // 1024})


def when_too_big(say: Callable[[HttpRequest], HttpResponse]) -> Callable[[View], View]:
    """Decorates a view with its response to a form that is too big to be read."""

    def mark(view: View) -> View:
        setattr(view, TOO_BIG, say)
        return view

    return mark


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own 403."""
    return answer(request, 403, _("You do not have permission for this. The lobby shows what is open to everybody."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own 404: no page has this address."""
    return answer(request, 404, _("This page does not exist. Check the link, or go to the lobby."))


def too_many(request: HttpRequest) -> HttpResponse:
    """429: a limit on signing in, signing up, or emails."""
    return answer(request, 429, _("Too many attempts from you or your network. Wait a few minutes and try again."))


def server_error(request: HttpRequest) -> HttpResponse:
    """500: an error of the program, or of the database outside any view (it stores sessions, too)."""
    error = sys.exception()
    if isinstance(error, DatabaseError):
        return _blame_database(request, error)
    return answer(request, 500, _("Something went wrong on our side. What you did before is saved. Try again."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without a valid CSRF token: an old page, as after a sign-in in another window, or no cookies."""
    if wants_json(request) or getattr(request, "htmx", False):
        sentence = _("This form has expired, or your browser blocks cookies. Reload the page and try again.")
    else:  # this page is the answer to the form: reloaded, it would send the old one again
        sentence = _(
            "Nothing was changed. The form was open for too long, or your browser blocks cookies. Go back, "
            "reload that page, and send the form again."
        )
    return answer(request, 403, sentence, title=_("This form has expired"))
