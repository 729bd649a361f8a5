"""One row that whoever counts locks, so that results are counted one after the other; and who computes all again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from django.db import transaction
from django.db.models import F, Q

from tournaments.models import Ledger

T = TypeVar("T")

BUSY_SECONDS: Final = 300.0
"""After so long without a sign of life a computation has died."""
BEAT_SECONDS: Final = 5.0
"""How often a computation gives one."""


class Overtaken(Exception):
    """A computation gave no sign of life for so long that others have gone on without it."""


def turn() -> int:
    """How often it has been locked: as long as that stays the same, nobody changes what is counted."""
    return Ledger.objects.filter(pk=1).values_list("turn", flat=True).first() or 0


def lock() -> int:
    """Keep everybody else from counting until the end of the transaction; whose turn it is (see `turn`) now."""
    if not _next_turn(Q()):
        Ledger.objects.get_or_create(pk=1)
        _next_turn(Q())
    return turn()


def in_turns(compare: Callable[[], list[T]], write: Callable[[list[T]], None], *, most: int) -> Iterator[int]:
    """Compare while nobody waits, then write what is wrong, so many at a time, each time locked: yields how many.

    Whoever has come in between may have changed what was compared; then it is compared again, and all wait for that.
    """
    known = turn()
    wrong = compare()
    while wrong:
        with transaction.atomic():
            now = lock()
            if now != known + 1:
                wrong = compare()
            part, wrong, known = wrong[:most], wrong[most:], now
            write(part)
        yield len(part)


def take(*, now: float) -> bool:
    """Lock it unless everything is being computed again; whether it is locked."""
    Ledger.objects.get_or_create(pk=1)
    return _next_turn(Q(busy_since=None) | Q(busy_since__lt=now - BUSY_SECONDS))


def _next_turn(condition: Q) -> bool:
    return Ledger.objects.filter(condition, pk=1).update(turn=F("turn") + 1) == 1


def next_number() -> int:
    """The number of the next counted table. The ledger is locked."""
    Ledger.objects.filter(pk=1).update(last=F("last") + 1)
    return Ledger.objects.values_list("last", flat=True).get(pk=1)


def ask_again(*, since: float | None = None) -> None:
    """Have ratings and boards computed again soon, from the tables that ended then on. since: None for all tables."""
    with transaction.atomic():
        lock()
        row = Ledger.objects.get(pk=1)
        if row.is_stale and since is not None:
            since = None if row.stale_since is None else min(since, row.stale_since)
        Ledger.objects.filter(pk=1).update(is_stale=True, stale_since=since)


class Claim:
    """The right to compute, while nobody counts. It holds as long as `beat` is called every few minutes."""

    def __init__(self, *, now: float, since: float | None) -> None:
        self.since = since
        self._began, self._now = time.monotonic(), now
        self._said = now

    def beat(self) -> None:
        """Still alive. Raises Overtaken."""
        now = self._now + time.monotonic() - self._began
        if now - self._said >= BEAT_SECONDS:
            if not Ledger.objects.filter(pk=1, busy_since=self._said).update(busy_since=now):
                raise Overtaken(
                    "The computation stood still for too long; others have counted meanwhile. Start it again."
                )
            self._said = now

    def release(self) -> None:
        """Others may count again."""
        Ledger.objects.filter(pk=1, busy_since=self._said).update(busy_since=None)


def claim(*, now: float, is_whole: bool) -> Claim | None:
    """Begin to compute; None if somebody does already. is_whole: from the first table on, not where it is asked."""
    with transaction.atomic():
        if not take(now=now):
            return None
        row = Ledger.objects.get(pk=1)
        since = row.stale_since if row.is_stale and not is_whole else None
        Ledger.objects.filter(pk=1).update(busy_since=now, is_stale=False, stale_since=None)
        return Claim(now=now, since=since)
