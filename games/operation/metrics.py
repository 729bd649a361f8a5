"""Prometheus metrics of this process. A hook in a hot path is one increment or one observation."""

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
DECISIONS = Gauge("menagerie_bot_decisions_waiting", "Decisions of bots that no process has begun (BOT_PROCESSES)")
BOT_DEATHS = Counter("menagerie_bot_process_deaths", "Processes that died while a bot thought in them")
OVERDUE = Gauge("menagerie_overdue_tables", "Tables where something should have happened more than a second ago")
TABLES = Gauge("menagerie_tables", "Tables by what they do", ["status"])
UNKNOWN = Gauge(
    "menagerie_unknown", "1 where this source did not answer: its numbers are NaN until it does", ["source"]
)
REQUESTS = Counter("menagerie_requests", "Answers to requests, by status", ["status"])
ROUTES = Histogram(
    "menagerie_request_seconds",
    "From a request's arrival to its answer, by the name of its route",
    ["route"],
    buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
GAMES = Counter("menagerie_games_finished", "Games that were played to their end on devices", ["game"])
DELIVERIES = Counter(
    "menagerie_deliveries", "Attempts to send a webhook, an email or a push message, by result", ["kind", "result"]
)
TASK_ERRORS = Counter("menagerie_task_errors", "Tasks that ended with an error nobody expected", ["task"])
CONNECTIONS = Gauge(
    "menagerie_database_connections", "Connections of this process to PostgreSQL; NaN with SQLite", ["state"]
)
MAX_CONNECTIONS = Gauge("menagerie_database_connections_max", "Connections this process may open (DATABASE_POOL)")
BACKUP_AGE = Gauge("menagerie_backup_age_seconds", "Age of the newest backup in DATA_DIR/backups; +Inf without one")
VERSION = Gauge("menagerie_version_info", "1, with the version that this process runs", ["version"])

KINDS, RESULTS = ("webhook", "email", "push"), ("sent", "failed")
for _kind in KINDS:
    for _result in RESULTS:
        DELIVERIES.labels(_kind, _result)  # known as 0 before the first: a rate needs two values


@cache
def _count_moves(status: int) -> Counter:
    return _MOVES.labels(str(status))


@cache
def _count_requests(status: int) -> Counter:
    return REQUESTS.labels(str(status))


def note_move(status: int, seconds: float) -> None:
    """Record the answer to a person's move or command, and the time that it took."""
    _count_moves(status).inc()
    LATENCY.observe(seconds)


def note_bot_move() -> None:
    """Count a bot's move."""
    _BOT_MOVES.inc()


@cache
def _time_route(name: str) -> Histogram:
    return ROUTES.labels(name)


def note_request(status: int, route: str, seconds: float) -> None:
    """Record the answer to a request, and the time that it took. route: the name of its view, never its address."""
    _count_requests(status).inc()
    _time_route(route).observe(seconds)


def note_delivery(kind: str, *, is_sent: bool, count: int = 1) -> None:
    """Count attempts to send something of a kind (one of KINDS), by result."""
    DELIVERIES.labels(kind, RESULTS[0] if is_sent else RESULTS[1]).inc(count)


def note_task_error(task: str) -> None:
    """Count a task of this name that ended with an error."""
    TASK_ERRORS.labels(task).inc()


def write() -> bytes:
    """All metrics in Prometheus's text format."""
    return generate_latest()
