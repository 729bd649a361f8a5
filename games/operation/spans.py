"""OpenTelemetry traces of a move: browser, web, database, worker, screens.

Without TRACES_URL there are none: nothing of OpenTelemetry is imported, and a span costs one comparison.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from games.memo import Memo

MAX_MARKED = 1024
"""Tables whose last change is remembered with its trace until it is shown."""
PARENT = "traceparent"
"""The W3C's name of what goes with a request or a message."""
_OFF: AbstractContextManager[Any] = nullcontext()
_tracer: Any = None
_marks: Memo[str, str] = Memo("traces of tables", MAX_MARKED)
"""Table id → the trace of its last change, until it is shown."""


def is_on() -> bool:
    """Whether traces are made."""
    return _tracer is not None


def start_tracing(url: str, *, version: str, exporter: Any = None) -> None:
    """Make spans and send them to this collector (OTLP over HTTP), or to an exporter of a test.

    Raises ImproperlyConfigured where the packages are missing.
    """
    global _tracer
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        if exporter is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            processor: Any = BatchSpanProcessor(OTLPSpanExporter(endpoint=url))
        else:
            processor = SimpleSpanProcessor(exporter)
    except ImportError as error:
        raise ImproperlyConfigured(
            "TRACES_URL needs packages that are not installed: pip install --require-hashes -r requirements/tracing.txt"
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "menagerie", "service.version": version}))
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("menagerie")


def stop_tracing() -> None:
    """Make no more spans."""
    global _tracer
    _tracer = None
    _marks.clear()


def span(name: str, *, parent: str = "", since: float | None = None, **attributes: Any) -> AbstractContextManager[Any]:
    """A span around a block, inside the present one, or inside that of `parent` (a `traceparent`).

    since: when it began, in seconds since 1970; without it now. attributes: numbers, ids of tables; never a person.
    """
    return _OFF if _tracer is None else _open(name, parent, since, attributes)


@contextmanager
def _open(name: str, parent: str, since: float | None, attributes: Mapping[str, Any]) -> Iterator[Any]:
    context = _read(parent) if parent else None
    began = None if since is None else int(since * 1e9)
    with _tracer.start_as_current_span(name, context=context, start_time=began, attributes=attributes) as opened:
        yield opened


def format_traceparent() -> str:
    """The present span as a `traceparent`, for what goes on elsewhere; empty without one."""
    if _tracer is None:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(PARENT, "")


def _read(parent: str) -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({PARENT: parent})


def mark(table_id: str, parent: str | None = None) -> None:
    """Remember which trace has changed this table: the present one, or that of another process's message."""
    if _tracer is None:
        return
    if found := format_traceparent() if parent is None else parent:
        _marks.put(table_id, found)


def show(table_id: str, **attributes: Any) -> AbstractContextManager[Any]:
    """A span around showing a table on screens, inside the trace that has changed it; none without one."""
    parent = _marks.get(table_id) if _tracer is not None else None
    if not parent:
        return _OFF
    _marks.drop(table_id)
    return span("screens", parent=parent, table=table_id, **attributes)


def browser(received: float, delay: float | None) -> AbstractContextManager[Any]:
    """The way from a browser to here: a span that began this network delay (seconds) before its message arrived."""
    if _tracer is None or delay is None:
        return _OFF
    return span("browser", since=received - min(delay, time.time()), measured_by="half a round trip")
