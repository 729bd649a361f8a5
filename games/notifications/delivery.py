"""Sends what is due in the outbox: in batches, each message by one worker only, again where a service fails."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation

from games.models import Notice, PushDevice
from games.notifications import emails, push_client
from games.notifications.devices import find_lost_devices
from games.notifications.kinds import KINDS, Kind
from games.notifications.push_messages import PushMessage, Sealer
from games.operation import metrics
from games.play.storage import codec
from games.records import strict_json

BATCH = 200
"""Messages that are sealed, sent and recorded at once. Beside 10,000 of them the clocks of 50 tables were late by
195 ms at p99; with 500 by 261 ms, for a sixth less of the processor (`benchmarks.clubs.notifications`)."""
LEASE_SECONDS = 60.0
"""How long a worker that claimed a message has for it, before another one tries."""
WAITS = (30.0, 120.0, 600.0)
"""Seconds before each new attempt; after the last one a message is given up."""
MAIL = ""
"""The channel "email"; every other channel is the origin of a push service."""
GONE_STATUSES = frozenset({"404", "410"})
"""The browser no longer takes messages at this endpoint (RFC 8030, 7.3)."""
URGENT = frozenset({Kind.YOUR_TURN, Kind.TABLE_READY})


class DeliveryResult(NamedTuple):
    """The result of a batch. claimed: messages that were due; is_silent: the service did not answer."""

    claimed: int
    is_silent: bool = False


def list_origins(now: float) -> list[str]:
    """The push services for which something is due, and `MAIL` if an email is."""
    due = Notice.objects.filter(due_at__lte=now)
    return sorted({origin or MAIL for origin in due.values_list("device__origin", flat=True).distinct()})


def is_silent(origin: str) -> bool:
    """Whether this push service did not answer the last time, and a message waits to be tried again."""
    tried = Notice.objects.filter(device__origin=origin, due_at__isnull=False, attempts__gt=0)
    return tried.exclude(answer__regex=r"^\d").exists()


def deliver_batch(origin: str, *, now: float) -> DeliveryResult:
    """Send the next messages that are due to a push service, or by email."""
    claimed = _claim(origin, now)
    rows = _drop_unwanted(claimed, now=now)
    if not rows:
        return DeliveryResult(len(claimed))
    if origin == MAIL:
        answers = emails.send_all(rows)
    else:
        rows, messages = _seal(rows, now=now)
        answers = push_client.post_all(origin, messages)
        _count_answers(answers)
    _record(rows, answers, now=now)
    return DeliveryResult(len(claimed), any(not answer[:1].isdigit() for answer in answers) and origin != MAIL)


def _query_due(origin: str, now: float) -> QuerySet[Notice]:
    due = Notice.objects.filter(due_at__lte=now)
    return due.filter(device=None) if origin == MAIL else due.filter(device__origin=origin)


def _claim(origin: str, now: float) -> list[Notice]:
    """Messages that only this worker sends: it sets `due_at` to a random value after the lease, and reads back the rows
    that have it."""
    lease = now + LEASE_SECONDS + random.random()
    with transaction.atomic():
        ids = list(_query_due(origin, now).order_by("due_at", "pk").values_list("pk", flat=True)[:BATCH])
        Notice.objects.filter(pk__in=ids, due_at__lte=now).update(due_at=lease)
    return list(Notice.objects.filter(pk__in=ids, due_at=lease).select_related("device", "player").order_by("pk"))


def _drop_unwanted(rows: Sequence[Notice], *, now: float) -> list[Notice]:
    """The messages still worth sending, to browsers that are still signed in as their person."""
    late = [row.pk for row in rows if row.ends_at <= now]
    Notice.objects.filter(pk__in=late).update(due_at=None, answer="late")
    lost = find_lost_devices({row.device_id: row.device for row in rows if row.device is not None}.values())
    if lost:
        PushDevice.objects.filter(pk__in=lost).delete()
    return [row for row in rows if row.ends_at > now and row.device_id not in lost]


def _seal(rows: Sequence[Notice], *, now: float) -> tuple[list[Notice], list[PushMessage]]:
    """The encrypted messages and their rows. Browsers whose keys are not valid are deleted."""
    sealer = Sealer()
    kept: list[Notice] = []
    made: list[PushMessage] = []
    broken: list[int] = []
    by_language: dict[str, list[Notice]] = defaultdict(list)
    for row in rows:
        by_language[row.device.language if row.device else ""].append(row)
    for language, group in by_language.items():
        with translation.override(language or "en"):
            for row in group:
                assert row.device is not None  # noqa: S101 - the query selects by it
                kind = Kind(row.kind)
                try:
                    message = sealer.seal(
                        row.device, write_payload(row), tag=row.tag, ttl=row.ends_at - now, is_urgent=kind in URGENT
                    )
                except ValueError:
                    broken.append(row.device.pk)
                    continue
                kept.append(row)
                made.append(message)
    if broken:
        PushDevice.objects.filter(pk__in=broken).delete()
    return kept, made


def write_payload(notice: Notice) -> bytes:
    """What the service worker gets, in the present language: what to show, or what to close."""
    kind = Kind(notice.kind)
    details = codec.read(notice.details)
    message = KINDS[kind].write(details)
    return strict_json.write(
        {
            "tag": notice.tag,
            "title": message.title,
            "body": message.body,
            "path": notice.path,
            "is_gone": kind == Kind.GONE,
            "is_update": details.get("is_update", False),
            "language": translation.get_language(),
            **({"moment": message.moment._asdict()} if message.moment else {}),
        }
    ).encode()


def _record(rows: Sequence[Notice], answers: Sequence[str], *, now: float) -> None:
    """Store the answer to each message and when to try again, in few statements."""
    groups: dict[tuple[str, int, float | None], list[int]] = defaultdict(list)
    gone: list[int] = []
    for row, answer in zip(rows, answers, strict=True):
        if answer in GONE_STATUSES and row.device_id is not None:
            gone.append(row.device_id)
        else:
            tries = row.attempts + (answer != push_client.SILENT)
            groups[answer, tries, _find_next(row, answer, tries, now=now)].append(row.pk)
    accepted = [row.device_id for row, answer in zip(rows, answers, strict=True) if answer.startswith("2")]
    with transaction.atomic():
        if gone:
            PushDevice.objects.filter(pk__in=gone).delete()
        for (answer, tries, due_at), ids in groups.items():
            sent_at = {"sent_at": now} if answer.startswith("2") else {}
            Notice.objects.filter(pk__in=ids).update(attempts=tries, due_at=due_at, answer=answer[:100], **sent_at)
        PushDevice.objects.filter(pk__in=[device_id for device_id in accepted if device_id is not None]).update(
            used_at=now
        )


def _count_answers(answers: Sequence[str]) -> None:
    """Count the messages that were tried. A browser that is gone is no failure."""
    tried = [answer for answer in answers if answer != push_client.SILENT and answer not in GONE_STATUSES]
    sent = sum(answer.startswith("2") for answer in tried)
    metrics.note_delivery("push", is_sent=True, count=sent)
    metrics.note_delivery("push", is_sent=False, count=len(tried) - sent)


def _find_next(notice: Notice, answer: str, tries: int, *, now: float) -> float | None:
    """When to try again; None after success, a refusal, the last attempt, or when it would be too late."""
    is_refused = answer[:1] in ("2", "3", "4") and answer != "429"
    if is_refused or answer == "no address":
        return None
    wait = WAITS[max(0, tries - 1)] if tries <= len(WAITS) else None
    return now + wait if wait is not None and now + wait < notice.ends_at else None
