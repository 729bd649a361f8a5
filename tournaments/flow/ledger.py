"""One row that whoever counts locks, so that results are counted one after the other."""

from __future__ import annotations

from django.db.models import F, Q

from tournaments.models import Ledger

BUSY_SECONDS = 3600.0
"""After so long a computation that has not said that it is done has died."""


def lock() -> None:
    """Keep everybody else from counting until the end of the transaction."""
    Ledger.objects.get_or_create(pk=1)
    Ledger.objects.filter(pk=1).update(last=F("last"))


def take(*, now: float) -> bool:
    """Lock it unless everything is being computed again; whether it is locked."""
    Ledger.objects.get_or_create(pk=1)
    is_free = Q(busy_since=None) | Q(busy_since__lt=now - BUSY_SECONDS)
    return Ledger.objects.filter(is_free, pk=1).update(last=F("last")) == 1


def next_number() -> int:
    """The number of the next counted table. The ledger is locked."""
    Ledger.objects.filter(pk=1).update(last=F("last") + 1)
    return Ledger.objects.values_list("last", flat=True).get(pk=1)


def ask_again() -> None:
    """Have everything computed again soon."""
    Ledger.objects.get_or_create(pk=1)
    Ledger.objects.filter(pk=1).update(is_stale=True)
