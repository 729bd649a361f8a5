"""Which request a task's message comes from: the id goes with the message, and the worker's log lines carry it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun

from games.operation import spans, trace

HEADER = "menagerie_request"
PARENT_HEADER = "menagerie_traceparent"
"""Headers of a Celery message."""


@before_task_publish.connect
def name_origin(headers: dict[str, Any] | None = None, **_kwargs: Any) -> None:
    """Put the id of the present request, socket or task into the message's headers."""
    if headers is not None and (request := trace.request_id.get()):
        headers[HEADER] = request
    if headers is not None and (parent := spans.format_traceparent()):
        headers[PARENT_HEADER] = parent


@task_prerun.connect
def take_origin(task: Any = None, **_kwargs: Any) -> None:
    """Give a task's log lines the id of the request it comes from, or one of its own. Runs before the task."""
    trace.request_id.set(read_header(task, HEADER) or trace.new_id())
    trace.table_id.set("")

    if (parent := read_header(task, PARENT_HEADER)) and spans.is_on():
        task.request.span = stack = ExitStack()
        stack.enter_context(spans.span(f"worker {task.name}", parent=parent))


@task_postrun.connect
def close_span(task: Any = None, **_kwargs: Any) -> None:
    """End the task's span. Runs after the task."""
    if (stack := getattr(getattr(task, "request", None), "span", None)) is not None:
        stack.close()


def read_header(task: Any, name: str) -> str:
    """What the message of the task that runs carries under this name; empty without it."""
    request = getattr(task, "request", None)
    headers = getattr(request, "headers", None) or {}
    found = headers.get(name) or getattr(request, name, None)
    return found if isinstance(found, str) else ""
