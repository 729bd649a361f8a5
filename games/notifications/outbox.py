"""The outbox: a row for each message to be sent, written once whatever is retried, and taken back when it is no longer
true. `delivery` sends what is due."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet

from games.models import Attention, Notice, PushDevice, SentAnnouncement
from games.notifications import wishes
from games.notifications.kinds import KINDS, Channel, Details, Kind
from games.notifications.wishes import DEFAULT_WISHES, Wishes
from games.play.storage import codec

KEPT_SECONDS = 7 * 24 * 3600.0
"""How long it is known what people were told."""
ROWS_PER_STATEMENT = 500


class Recipient(NamedTuple):
    """One person to tell. details: for the sentences of the kind; path: of the page that a press opens."""

    player_id: int
    details: Details
    path: str


def tell(
    kind: Kind,
    key: str,
    people: Sequence[Recipient],
    *,
    tag: str,
    now: float,
    wait: float = 0.0,
    is_update: bool = False,
) -> int:
    """Write the messages that these people wish for; returns how many. Nobody is told twice of the same key.

    tag: at most 32 characters; what is not sent yet under the same tag is replaced. wait: seconds before it is sent.
    is_update: it replaces what is still on a screen under the same tag, and is told to nobody else.
    """
    ids = [person.player_id for person in people]
    wishes_of = wishes.read_all(ids)
    wanted = {pk: wishes_of.get(pk, DEFAULT_WISHES) for pk in ids}
    devices = _list_devices([pk for pk in ids if wanted[pk].wants(kind, Channel.PUSH)])
    addresses = wishes.find_addresses([pk for pk in ids if wanted[pk].wants(kind, Channel.MAIL) and not is_update])
    rows: list[Notice] = []
    for recipient in people:
        if is_update:
            recipient = recipient._replace(details={**recipient.details, "is_update": True})
        targets: list[int | None] = [
            *devices.get(recipient.player_id, ()),
            *([None] if recipient.player_id in addresses else ()),
        ]
        rows += _build(kind, key, recipient, targets, wanted[recipient.player_id], tag=tag, now=now, wait=wait)
    if not rows:
        return 0
    with transaction.atomic():
        _replace(tag, [row.device_id for row in rows if row.device_id is not None], key, now=now)
        Notice.objects.bulk_create(rows, batch_size=ROWS_PER_STATEMENT, ignore_conflicts=True)
    return len(rows)


def tell_once(kind: Kind, key: str, people: Sequence[Recipient], *, tag: str, now: float) -> bool:
    """As `tell`, and note that this was announced; False if it was before."""
    with transaction.atomic():
        _row, is_new = SentAnnouncement.objects.get_or_create(key=key, defaults={"at": now})
        if not is_new:
            return False
        tell(kind, key, people, tag=tag, now=now)
    return True


def list_unannounced(keys: Collection[str]) -> set[str]:
    """The keys among these that were not announced yet."""
    return set(keys) - set(SentAnnouncement.objects.filter(key__in=keys).values_list("key", flat=True))


def _list_devices(player_ids: Collection[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    rows = PushDevice.objects.filter(player__in=player_ids).order_by("pk").values_list("player", "pk")
    for player_id, device_id in rows:
        found.setdefault(player_id, []).append(device_id)
    return found


def _build(
    kind: Kind,
    key: str,
    recipient: Recipient,
    targets: Sequence[int | None],
    wished: Wishes,
    *,
    tag: str,
    now: float,
    wait: float,
) -> Iterator[Notice]:
    """The rows of one person. What would only be sent after it has lost its sense is not written."""
    due_at, ends_at = wishes.find_wake(wished, now + wait), now + KINDS[kind].lasts
    ends_at = min(ends_at, float(recipient.details.get("moment") or ends_at))
    if due_at >= ends_at:
        return
    details = codec.write(dict(recipient.details))
    for device_id in targets:
        yield Notice(
            player_id=recipient.player_id, kind=kind, key=key, device_id=device_id, tag=tag, details=details,
            path=recipient.path, at=now, due_at=due_at, ends_at=ends_at,
        )  # fmt: skip


def _replace(tag: str, device_ids: Sequence[int], key: str, *, now: float) -> None:
    """What waits under the same tag is not sent any more."""
    waiting = Notice.objects.filter(tag=tag, due_at__isnull=False, device__in=device_ids).exclude(key=key)
    waiting.update(due_at=None, closed_at=now, answer="replaced")


def withdraw(notices: QuerySet[Notice], *, now: float) -> int:
    """Take these back: what waits is not sent, what was shown is closed. Returns how many were open.

    A device that cannot be reached is told for as long as it could have been told the notification.
    """
    with transaction.atomic():
        rows = list(notices.filter(closed_at=None).order_by("pk"))
        Notice.objects.filter(pk__in=[row.pk for row in rows]).update(closed_at=now, due_at=None)
        on_screens = [row for row in rows if row.sent_at is not None and row.device_id is not None]
        shown = {(row.device_id, row.tag): row for row in on_screens}.values()  # under a tag there is one
        closing = [
            Notice(
                player_id=row.player_id, kind=Kind.GONE, key=f"{row.key}/gone", device_id=row.device_id, tag=row.tag,
                details="{}", path=row.path, at=now, due_at=now, ends_at=max(row.ends_at, now + KINDS[Kind.GONE].lasts),
            )
            for row in shown
        ]  # fmt: skip
        Notice.objects.bulk_create(closing, batch_size=ROWS_PER_STATEMENT, ignore_conflicts=True)
    return len(rows)


def query_old(*, now: float) -> tuple[QuerySet[Any], ...]:
    """What is over: devices that signed out, notifications, what was announced, which page somebody has open."""
    return (
        PushDevice.objects.exclude(session__in=Session.objects.values("session_key")),
        Notice.objects.filter(at__lt=now - KEPT_SECONDS),
        SentAnnouncement.objects.filter(at__lt=now - 4 * KEPT_SECONDS),
        Attention.objects.filter(at__lt=now - 3600.0),
    )


def clear_old(*, now: float) -> None:
    """Forget what is over."""
    for rows in query_old(now=now):
        if rows.exists():  # to delete nothing, too, others would have to wait
            rows.delete()
