"""Liveness, readiness and metrics, for monitoring. Never cached, and without a session."""

from __future__ import annotations

import hmac
import logging
import math
import time
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import TypeVar

from celery import current_app
from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.live.hub import find_hub
from games.live.version_sockets import find_watch
from games.models import Table
from games.operation import metrics
from games.operation.health import readiness
from games.operation.health.timeouts import SingleFlight
from games.play.errors import NotAllowed
from games.views.json_responses import JsonAnswer

logger = logging.getLogger(__name__)
T = TypeVar("T")

LATE_SECONDS = 1.0
"""Seconds after which a table that is due counts as overdue."""
ANSWER_SECONDS = 2.0
"""How long the numbers that others know are waited for; those of this process are told without them then."""


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers at all: restart it if it does not."""
    return _uncached_text(JsonAnswer({"status": "alive"}))


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 if this process can serve people; 503 with the failing parts, so that a proxy sends nobody here."""
    parts = readiness.check()
    is_ready = not any(part.is_missing for part in parts.values())
    states = {name: part.words for name, part in parts.items()}
    body = {"status": "ready" if is_ready else "not ready", "parts": states}
    return _uncached_text(JsonAnswer(body, status=200 if is_ready else 503))


@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:
    """The numbers of this process, for METRICS_TOKEN, or for addresses in METRICS_ALLOW. Raises NotAllowed."""
    if not _may_read(request):
        raise NotAllowed("You need METRICS_TOKEN, or an address in METRICS_ALLOW, to read the metrics of this server.")
    _gather()
    return _uncached_text(HttpResponse(metrics.write(), content_type=metrics.CONTENT_TYPE))


def _may_read(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return hmac.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    if "X-Forwarded-For" in request.headers:  # it came through a proxy: the address is not the asker's
        return False
    try:
        asker = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return any(asker in ip_network(allowed, strict=False) for allowed in settings.METRICS_ALLOW)


def _gather() -> None:
    """Update the metrics that are looked up on request. A value that cannot be found out is NaN, never 0."""
    metrics.SOCKETS.set(sum(sockets.sockets() for sockets in (find_hub(), find_watch()) if sockets is not None))
    counts, overdue = _query_source("database", _tables) or (dict.fromkeys(Table.Status.values, math.nan), math.nan)
    for status in Table.Status.values:
        metrics.TABLES.labels(status).set(counts.get(status, 0))
    metrics.OVERDUE.set(overdue)
    for queue, length in (_query_source("broker", _messages) or dict.fromkeys(_list_queues(), math.nan)).items():
        metrics.QUEUE.labels(queue).set(length)


def _query_source(source: str, question: SingleFlight[T]) -> T | None:
    """The answer, or None if there is none in time; `menagerie_unknown` says which of the two it is."""
    try:
        answer = question.ask(ANSWER_SECONDS)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one source, the other numbers are told
        logger.warning("the numbers of the %s are unknown: %s", source, str(error) or type(error).__name__)
        answer = None
    metrics.UNKNOWN.labels(source).set(answer is None)
    return answer


def _count_tables() -> tuple[Mapping[str, float], float]:
    """The number of tables by status, and of overdue ones. Raises DatabaseError."""
    going = Table.objects.filter(status__in=(Table.Status.WAITING, Table.Status.PLAYING))
    counts = dict(going.order_by().values_list("status").annotate(Count("pk")))
    counts[Table.Status.OVER] = Table.objects.count() - sum(counts.values())  # a bare count looks at no row
    return counts, Table.objects.filter(wake_at__lt=time.time() - LATE_SECONDS).count()


def _list_queues() -> list[str]:
    return [queue.name for queue in settings.CELERY_TASK_QUEUES]


def _count_messages() -> Mapping[str, float]:
    """The number of messages in each queue. Raises what the broker raises.

    Not a passive declaration: that asks Redis for the key without the prefix of ours, and finds nothing there.
    """
    with current_app.connection_or_acquire() as broker:
        return {name: float(broker.default_channel.queue_declare(name).message_count) for name in _list_queues()}


_tables, _messages = SingleFlight(_count_tables), SingleFlight(_count_messages)


def _uncached_text(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
