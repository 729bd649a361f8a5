"""How the API is asked: HEAD as GET, 304 for whoever has the answer, keys shown with every question."""

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
from ninja.renderers import BaseRenderer
from ninja.responses import NinjaJSONEncoder
from ninja.types import TCallable

from games.records import strict_json
from games.views.not_modified import unless_known

View = Callable[..., HttpResponse]
SAFE = ("GET", "HEAD")


class Router(ninja.Router):
    """Addresses that may be asked by HEAD wherever they may be by GET (RFC 9110, 9.1)."""

    def get(self, path: str, **wishes: Any) -> Callable[[TCallable], TCallable]:
        """An address to read from."""
        return self.api_operation(list(SAFE), path, **wishes)


class StrictRenderer(BaseRenderer):
    """Answers without Infinity and NaN."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        """The answer as JSON. Raises ValueError."""
        return strict_json.write(data, cls=NinjaJSONEncoder)


class Api(NinjaAPI):
    """The API with its description, which can be read like everything else."""

    def __init__(self, **wishes: Any) -> None:
        super().__init__(docs_decorator=_protect_description, renderer=StrictRenderer(), **wishes)
        self._described: dict[str, OpenAPISchema] = {}
        self.add_decorator(_answer_not_modified, mode="view")

    def get_openapi_schema(self, **wishes: Any) -> OpenAPISchema:
        """The description, told once: nothing of it changes while a process runs."""
        way = repr(wishes)
        if way not in self._described:
            self._described[way] = self._tell(**wishes)
        return self._described[way]

    def _tell(self, **wishes: Any) -> OpenAPISchema:
        """A key may be shown with every question; that HEAD is GET without a body is not told."""
        schema = super().get_openapi_schema(**wishes)
        for methods in schema["paths"].values():
            if methods.pop("head", None) is not None:
                methods["get"]["responses"][304] = {"description": "Nothing is new since If-None-Match."}
            for operation in methods.values():
                operation.setdefault("security", [{}, {"Key": []}])
        return schema


def _answer_not_modified(run: View) -> View:
    @wraps(run)
    def answer(request: HttpRequest, **words: Any) -> HttpResponse:
        said = run(request, **words)
        is_kept = request.method in SAFE and said.status_code == 200 and "Cache-Control" not in said
        return unless_known(request, said) if is_kept else said

    return answer


def _protect_description(view: Any) -> Any:
    return csrf_exempt(require_safe(_answer_not_modified(view)))
