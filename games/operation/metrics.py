"""What this process has done, in numbers, for Prometheus. A hook in a hot path is one increment or one observation."""

from __future__ import annotations

from functools import cache

from prometheus_client import Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_MOVES = Counter("menagerie_moves", "Moves and commands of people, by answer", ["status"])
_BOT_MOVES = Counter("menagerie_bot_moves", "Moves that bots made")
LATENCY = Histogram(
    "menagerie_move_seconds",
    "From a move's arrival to its answer, durable and told",
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
LATENESS = Histogram(
    "menagerie_timer_late_seconds",
    "How long after its time a clock ran out (0.1 s of it are left to answers on their way)",
    buckets=(0.25, 0.3, 0.4, 0.5, 0.75, 1, 2, 5, 10, 60),
)
SOCKETS = Gauge("menagerie_sockets", "Open sockets of this process")
QUEUE = Gauge("menagerie_queue_length", "Messages that no worker has taken, by queue", ["queue"])
BACKLOG = Gauge("menagerie_worker_backlog", "Messages that this worker has taken and not begun")
OVERDUE = Gauge("menagerie_overdue_tables", "Tables where something should have happened more than a second ago")
TABLES = Gauge("menagerie_tables", "Tables by what they do", ["status"])
UNKNOWN = Gauge(
    "menagerie_unknown", "1 where this source did not answer: its numbers are NaN until it does", ["source"]
)
REQUESTS = Counter("menagerie_requests", "Answers to requests, by status", ["status"])


@cache
def _moves(status: int) -> Counter:
    return _MOVES.labels(str(status))


@cache
def _requests(status: int) -> Counter:
    return REQUESTS.labels(str(status))


def note_move(status: int, seconds: float) -> None:
    """A person's move or command was answered so, after this time."""
    _moves(status).inc()
    LATENCY.observe(seconds)


def note_bot_move() -> None:
    """A bot has moved."""
    _BOT_MOVES.inc()


def note_request(status: int) -> None:
    """A request was answered so."""
    _requests(status).inc()


def write() -> bytes:
    """Everything, in Prometheus's text format."""
    return generate_latest()
