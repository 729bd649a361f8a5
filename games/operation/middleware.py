"""Middleware for request ids, which log lines and responses carry, and for ALLOWED_HOSTS, which probes may ignore."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.common import CommonMiddleware

from games.operation import metrics, spans, trace

logger = logging.getLogger("menagerie.request")


class TraceMiddleware:
    """Sets the id of the request (the proxy's, if there is one) and counts its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        name = trace.choose_id(request.headers.get("X-Request-ID", ""))
        trace.request_id.set(name)
        trace.table_id.set("")
        with spans.span(
            "web", parent=request.headers.get(spans.PARENT, ""), method=request.method, request=name
        ) as span:
            response = self.get_response(request)
            if span is not None:
                span.update_name(f"web {_name_route(request)}")
                span.set_attribute("status", response.status_code)
        response["X-Request-ID"] = name
        seconds = time.perf_counter() - began
        metrics.note_request(response.status_code, _name_route(request), seconds)
        if logger.isEnabledFor(logging.INFO):
            spent = round(1000 * seconds, 1)
            extra = {"status": response.status_code, "ms": spent}
            logger.info(
                "%s %s %s %s ms", request.method, trace.say_path(request.path), response.status_code, spent, extra=extra
            )
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Add the table of the request to the log context."""
        table = kwargs.get("table_id")
        if isinstance(table, str):
            trace.table_id.set(table)


def _name_route(request: HttpRequest) -> str:
    """The name of the view, which is the same for all people and tables; `none` for what leads nowhere."""
    match = request.resolver_match
    if match is None:
        return "static" if request.path.startswith(settings.STATIC_URL) else "none"
    return match.view_name or match.route


class HostMiddleware(CommonMiddleware):
    """Allows only hosts in ALLOWED_HOSTS; monitoring may ask a process at its own address."""

    def process_request(self, request: HttpRequest) -> Any:
        """Raises DisallowedHost."""
        is_probe = any(re.match(pattern, request.path.lstrip("/")) for pattern in settings.PROBES)
        return None if is_probe else super().process_request(request)
