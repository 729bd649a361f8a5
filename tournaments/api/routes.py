"""Routing of the API: HEAD wherever there is GET, 304 with a matching ETag, and the OpenAPI description."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import ninja
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.renderers import BaseRenderer
from ninja.responses import NinjaJSONEncoder
from ninja.types import TCallable

from games.records import strict_json
from games.views.not_modified import unless_known
from tournaments.api.description import TAGS, add_moves, add_streams, add_webhooks
from tournaments.api.examples import add_examples
from tournaments.api.field_descriptions import add_field_descriptions, add_parameter_descriptions

View = Callable[..., HttpResponse]
SAFE = ("GET", "HEAD")


class Router(ninja.Router):
    """A router whose GET routes answer HEAD, too (RFC 9110, 9.1)."""

    def get(self, path: str, **settings: Any) -> Callable[[TCallable], TCallable]:
        """A route to read from."""
        return self.api_operation(list(SAFE), path, **settings)


class StrictRenderer(BaseRenderer):
    """Renders strict JSON, without Infinity and NaN."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        """The response as JSON. Raises ValueError for Infinity or NaN."""
        return strict_json.write(data, cls=NinjaJSONEncoder)


SUMMARIES = {
    "count_tournament": "Count tournament for a season",
    "let_in": "Let person in again",
    "list_all": "List tournaments",
    "list_kept_out": "List people who are kept out",
    "list_tournaments": "List tournaments of a club",
    "move_on": "Change phase",
    "move_season_on": "Change phase of a season",
    "name_season_person": "Change name in a season",
    "show_board": "Show leaderboard",
    "show_duel": "Compare two people",
}
"""Operation → its summary, where the words of its name do not say enough."""
REFUSALS = {
    400: "The request is not understood.",
    401: "The key or token is not valid, or one is needed.",
    403: "The role or the scope is missing, or this is not for you.",
    404: "There is no such thing.",
    409: "Something has moved on. Nothing was changed; the sentence says what to do first.",
    413: "That is too much data.",
    422: "A value is not valid, or the rules forbid it.",
    429: "Too many requests. See `Retry-After`.",
    503: "The database cannot take it now. Try again.",
}
"""Status → what it means, the same everywhere."""


class Api(NinjaAPI):
    """The API, whose description is served with ETag and without CSRF checks, too."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(docs_decorator=_protect_description, renderer=StrictRenderer(), **settings)
        self._described: dict[str, OpenAPISchema] = {}
        self.add_decorator(_answer_not_modified, mode="view")

    def get_openapi_schema(self, **settings: Any) -> OpenAPISchema:
        """The OpenAPI description, built once per process as it does not change."""
        key = repr(settings)
        if key not in self._described:
            self._described[key] = self._build_schema(**settings)
        return self._described[key]

    def _build_schema(self, **settings: Any) -> OpenAPISchema:
        """Ninja's schema, with optional keys and sentences as summaries, without HEAD, which repeats GET."""
        schema = super().get_openapi_schema(**settings)
        for methods in schema["paths"].values():
            if methods.pop("head", None) is not None:
                methods["get"]["responses"][304] = {"description": "Nothing has changed since `If-None-Match`."}
            for operation in methods.values():
                operation.setdefault("security", [{}, {"Key": []}])
                operation["summary"] = SUMMARIES.get(operation["operationId"], operation["summary"].capitalize())
                for status, words in REFUSALS.items():
                    if status in operation["responses"]:
                        operation["responses"][status]["description"] = words
                add_parameter_descriptions(operation)
        add_examples(schema)
        add_moves(schema)
        add_streams(schema)
        add_webhooks(schema)
        add_field_descriptions(schema["components"]["schemas"])
        schema["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
        return schema

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The name of an operation in generated clients: that of its function."""
        return str(operation.view_func.__name__)


def _answer_not_modified(run: View) -> View:
    @wraps(run)
    def answer(request: HttpRequest, **arguments: Any) -> HttpResponse:
        response = run(request, **arguments)
        is_cacheable = request.method in SAFE and response.status_code == 200 and "Cache-Control" not in response
        return unless_known(request, response) if is_cacheable else response

    return answer


def _protect_description(view: Any) -> Any:
    return csrf_exempt(require_safe(_answer_not_modified(view)))
