"""A lock for counting: one row, locked by every writer of results, ratings and leaderboards, and by recomputations."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from django.db import transaction
from django.db.models import F, Q

from tournaments.models import Ledger

T = TypeVar("T")

BUSY_SECONDS: Final = 300.0
"""Seconds without a heartbeat after which a recomputation counts as dead; 60 heartbeats."""
BEAT_SECONDS: Final = 5.0
"""Seconds between two heartbeats of a recomputation."""


class ClaimLost(Exception):
    """A recomputation sent no heartbeat for `BUSY_SECONDS`, and others have counted since."""


def turn() -> int:
    """How often the ledger has been locked; while this stays the same, nothing that is counted changes."""
    return Ledger.objects.filter(pk=1).values_list("turn", flat=True).first() or 0


def lock() -> int:
    """Lock the ledger until the end of the transaction. Returns the new `turn`."""
    if not _next_turn(Q()):
        Ledger.objects.get_or_create(pk=1)
        _next_turn(Q())
    return turn()


def compare_in_batches(compare: Callable[[], list[T]], write: Callable[[list[T]], None], *, most: int) -> Iterator[int]:
    """Compare without the lock, then write the differences with it, at most so many at a time; yields how many.

    If somebody else has locked the ledger in between, the comparison is repeated with the lock.
    """
    turn_before = turn()
    wrong = compare()
    while wrong:
        with transaction.atomic():
            now = lock()
            if now != turn_before + 1:
                wrong = compare()
            part, wrong, turn_before = wrong[:most], wrong[most:], now
            write(part)
        yield len(part)


def take(*, now: float) -> bool:
    """Lock the ledger until the end of the transaction, unless a recomputation runs. Returns whether it is locked."""
    Ledger.objects.get_or_create(pk=1)
    return _next_turn(Q(busy_since=None) | Q(busy_since__lt=now - BUSY_SECONDS))


def _next_turn(condition: Q) -> bool:
    return Ledger.objects.filter(condition, pk=1).update(turn=F("turn") + 1) == 1


def next_number() -> int:
    """The number of the next counted table. The ledger is locked."""
    Ledger.objects.filter(pk=1).update(last=F("last") + 1)
    return Ledger.objects.values_list("last", flat=True).get(pk=1)


def read_compared_with() -> float:
    """The moment since which leaderboards show how places have changed, in seconds since 1970; 0: not at all yet."""
    return Ledger.objects.filter(pk=1).values_list("compared_with", flat=True).first() or 0.0


def request_recount(*, since: float | None = None) -> None:
    """Request a recomputation of ratings and leaderboards. since: from tables that ended then on; None for all."""
    with transaction.atomic():
        lock()
        row = Ledger.objects.get(pk=1)
        if row.is_stale and since is not None:
            since = None if row.stale_since is None else min(since, row.stale_since)
        Ledger.objects.filter(pk=1).update(is_stale=True, stale_since=since)


class RecomputeClaim:
    """The right to recompute, while nobody counts. It is lost if `send_heartbeat` is not called for `BUSY_SECONDS`."""

    def __init__(self, *, now: float, since: float | None) -> None:
        self.since = since
        self._began, self._now = time.monotonic(), now
        self._beat_at = now

    def send_heartbeat(self) -> None:
        """Send a heartbeat, at most every `BEAT_SECONDS`. Raises ClaimLost if the right was lost."""
        now = self._now + time.monotonic() - self._began
        if now - self._beat_at >= BEAT_SECONDS:
            if not Ledger.objects.filter(pk=1, busy_since=self._beat_at).update(busy_since=now):
                raise ClaimLost(
                    "The computation stood still for too long; others have counted meanwhile. Start it again."
                )
            self._beat_at = now

    def release(self) -> None:
        """Let others count again."""
        Ledger.objects.filter(pk=1, busy_since=self._beat_at).update(busy_since=None)


def claim(*, now: float, is_whole: bool) -> RecomputeClaim | None:
    """Begin a recomputation; None if one runs already. is_whole: of all tables, not only as far as requested."""
    with transaction.atomic():
        if not take(now=now):
            return None
        row = Ledger.objects.get(pk=1)
        since = row.stale_since if row.is_stale and not is_whole else None
        Ledger.objects.filter(pk=1).update(busy_since=now, is_stale=False, stale_since=None)
        return RecomputeClaim(now=now, since=since)
