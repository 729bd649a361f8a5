"""For programs that look after this one: alive, ready, numbers. Never cached, and without a session."""

from __future__ import annotations

import hmac
import logging
import math
import time
from collections.abc import Mapping
from ipaddress import ip_address, ip_network

from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from kombu.exceptions import ChannelError

from games import metrics
from games.answers import JsonAnswer
from games.live.following import find_watch
from games.live.hub import find_hub
from games.models import Table
from games.operation import readiness
from games.operation.asking import Question
from games.play.errors import NotAllowed

logger = logging.getLogger(__name__)

LATE_SECONDS = 1.0
ANSWER_SECONDS = 2.0
"""How long the numbers that others know are waited for; those of this process are told without them then."""


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers at all: restart it if it does not."""
    return _plain(JsonAnswer({"status": "alive"}))


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 if this process can serve people, 503 with the parts that are missing: send nobody here then."""
    parts = readiness.check()
    is_ready = not any(part.is_missing for part in parts.values())
    said = {name: part.words for name, part in parts.items()}
    body = {"status": "ready" if is_ready else "not ready", "parts": said}
    return _plain(JsonAnswer(body, status=200 if is_ready else 503))


@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:
    """The numbers of this process, for METRICS_TOKEN, or for addresses in METRICS_ALLOW. Raises NotAllowed."""
    if not _may_read(request):
        raise NotAllowed("The numbers of this server are for its operators: METRICS_TOKEN, METRICS_ALLOW.")
    _gather()
    return _plain(HttpResponse(metrics.write(), content_type=metrics.CONTENT_TYPE))


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
    """Bring up to date what is not counted where it happens. What nobody says in time is no number."""
    metrics.SOCKETS.set(sum(sockets.sockets() for sockets in (find_hub(), find_watch()) if sockets is not None))
    try:
        counts, overdue = _tables.ask(ANSWER_SECONDS)
    except (DatabaseError, TimeoutError):
        logger.warning("the tables cannot be counted now")
        counts, overdue = dict.fromkeys(Table.Status.values, math.nan), math.nan
    for status in Table.Status.values:
        metrics.TABLES.labels(status).set(counts.get(status, 0))
    metrics.OVERDUE.set(overdue)
    try:
        metrics.QUEUE.set(_messages.ask(ANSWER_SECONDS))
    except Exception:  # noqa: BLE001 - whatever the broker says, the other numbers are told
        metrics.QUEUE.set(math.nan)


def _count_tables() -> tuple[Mapping[str, float], float]:
    """How many there are by status, and how many are overdue. Raises DatabaseError."""
    going = Table.objects.filter(status__in=(Table.Status.WAITING, Table.Status.PLAYING))
    counts = dict(going.order_by().values_list("status").annotate(Count("pk")))
    counts[Table.Status.OVER] = Table.objects.count() - sum(counts.values())  # a bare count looks at no row
    return counts, Table.objects.filter(wake_at__lt=time.time() - LATE_SECONDS).count()


def _count_messages() -> float:
    """How many messages wait. Raises whatever the broker raises."""
    try:
        with current_app.connection_or_acquire() as broker:
            return float(broker.default_channel.queue_declare("celery", passive=True).message_count)
    except ChannelError:  # an empty queue is none
        return 0.0


_tables, _messages = Question(_count_tables), Question(_count_messages)


def _plain(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
