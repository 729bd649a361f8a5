"""Which request a task's message comes from: the id goes with the message, and the worker's log lines carry it."""

from __future__ import annotations

from typing import Any

from celery.signals import before_task_publish, task_prerun

from games.operation import trace

HEADER = "menagerie_request"
"""Of a Celery message."""


@before_task_publish.connect
def name_origin(headers: dict[str, Any] | None = None, **_kwargs: Any) -> None:
    """Put the id of the present request, socket or task into the message's headers."""
    if headers is not None and (request := trace.request_id.get()):
        headers[HEADER] = request


@task_prerun.connect
def take_origin(task: Any = None, **_kwargs: Any) -> None:
    """Before a task runs: its lines have the id of the request it comes from, or one of its own; no table yet."""
    trace.request_id.set(read_origin(task) or trace.new_id())
    trace.table_id.set("")


def read_origin(task: Any) -> str:
    """The id in the message of the task that runs; empty without one."""
    request = getattr(task, "request", None)
    headers = getattr(request, "headers", None) or {}
    origin = headers.get(HEADER) or getattr(request, HEADER, None)
    return origin if isinstance(origin, str) else ""
