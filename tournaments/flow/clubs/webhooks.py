"""Webhooks: events of tournaments sent to a club's addresses; signed, retried until they arrive, once for each step.

A message is written down with the step it tells of (`messages`); a task sends it. The signature is the HMAC-SHA256 of
the time, a full stop and the body, by the webhook's secret, so that nobody can make one up or send an old one again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from games.models import Player
from games.operation import metrics
from games.play.errors import BadInput, NotFound
from games.records import strict_json
from tournaments.flow.clubs import webhook_requests
from tournaments.flow.permissions import require_role
from tournaments.flow.steps import webhook_events
from tournaments.flow.tokens import make_seed, make_token
from tournaments.models import Club, Delivery, Role, Webhook

MAX_HOOKS = 10
"""Webhooks of one club."""
WAITS = (10, 60, 300, 1800, 7200, 21600, 43200)
"""Seconds before each new attempt; after the last one a message is given up."""
MAX_SECONDS = sum(WAITS) + 3600.0
"""How old a message may be to be tried once more."""
LEASE_SECONDS = 60.0
"""Seconds for which one worker has a message to itself; then another may send it."""
OLD_SECONDS = 24 * 3600.0
"""Seconds for which a replaced secret signs beside the new one."""
KEPT_SECONDS = 30 * 24 * 3600.0
"""How long a message can be looked at and sent again."""
OFF_SECONDS = 20 * 3600.0
"""Seconds without a successful attempt after which the next failure turns a webhook off."""
TEST = "test"
"""The event of a test message."""
MAX_PER_TURN = 50
"""Messages that one task sends to one address before it gives the others a turn."""
TURN_SECONDS = 5.0
"""How long messages go to one address before it is the next one's turn."""


def add(club: Club, player: Player | None, url: str) -> Webhook:
    """Add a webhook. Raises NotAllowed, BadInput."""
    require_role(club, player.pk if player else None, Role.OWNER)
    no_address = BadInput("This is not a valid address. Enter one that begins with https:// and names a server.")
    try:
        parts = urlsplit(webhook_requests.require_plain(url))
    except ValueError as error:
        raise no_address from error
    if parts.scheme not in ("https", "http") or not parts.hostname or "@" in parts.netloc or len(url) > 300:
        raise no_address
    if parts.scheme == "http" and not settings.WEBHOOKS_MAY_BE_LOCAL:
        raise BadInput("A webhook needs an address that begins with https://.")
    if Webhook.objects.filter(club=club).count() >= MAX_HOOKS:
        raise BadInput("A club has at most %(most)s webhooks.", most=MAX_HOOKS)
    if webhook_requests.is_private(parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)):
        raise BadInput("This address is in a private network. Enter an address on the public internet.")
    return Webhook.objects.create(club=club, url=url, secret=make_seed())


def choose_events(club: Club, player: Player | None, webhook_id: int, events: Sequence[str]) -> None:
    """Choose the events that a webhook receives. Raises NotAllowed, NotFound, BadInput."""
    require_role(club, player.pk if player else None, Role.OWNER)
    chosen = [event for event in webhook_events.CHOICES if event in events]
    if not chosen:
        raise BadInput("Choose at least one event for the webhook.")
    if not Webhook.objects.filter(club=club, pk=webhook_id).update(events=" ".join(chosen)):
        raise NotFound("This webhook does not exist.")


def send_test(club: Club, player: Player | None, webhook_id: int, *, now: float) -> int:
    """Store a test message that is sent now. Returns the webhook. Raises NotAllowed, NotFound, BadInput."""
    require_role(club, player.pk if player else None, Role.OWNER)
    hook = Webhook.objects.filter(club=club, pk=webhook_id).first()
    if hook is None:
        raise NotFound("This webhook does not exist.")
    if not hook.is_active:
        raise BadInput("This webhook is turned off. Turn it on first.")
    key = f"test/{make_token()}"
    message = {"event": TEST, "id": key, "at": round(now, 3), "club": club.slug, "tournament": None, "details": {}}
    Delivery.objects.create(webhook=hook, event=TEST, key=key, body=strict_json.write(message), due_at=now, at=now)
    return hook.pk


def turn_on(club: Club, player: Player | None, webhook_id: int, *, now: float) -> int:
    """Turn on a webhook that had been turned off because it failed. Returns it. Raises NotAllowed, NotFound."""
    require_role(club, player.pk if player else None, Role.OWNER)
    hooks = Webhook.objects.filter(club=club, pk=webhook_id, turned_off_at__isnull=False)
    if not hooks.update(is_active=True, turned_off_at=None, failing_since=None):
        raise NotFound("This webhook does not exist.")
    Delivery.objects.filter(webhook=webhook_id, due_at__isnull=False).update(due_at=now)
    return webhook_id


def remove(club: Club, player: Player | None, webhook_id: int) -> None:
    """Delete a webhook with its waiting messages. Raises NotAllowed, NotFound."""
    require_role(club, player.pk if player else None, Role.OWNER)
    if not Webhook.objects.filter(club=club, pk=webhook_id).delete()[0]:
        raise NotFound("This webhook does not exist.")


def renew_secret(club: Club, player: Player | None, webhook_id: int, *, now: float) -> None:
    """Exchange the secret; for a day the old one signs, too. Raises NotAllowed, NotFound."""
    require_role(club, player.pk if player else None, Role.OWNER)
    hooks = Webhook.objects.filter(club=club, pk=webhook_id)
    if not hooks.update(old_secret=F("secret"), old_until=now + OLD_SECONDS, secret=make_seed()):
        raise NotFound("This webhook does not exist.")


def send_again(club: Club, player: Player | None, delivery_id: int, *, now: float) -> int:
    """Begin anew with a message that arrived or was given up; one that is still tried is tried now.

    Whatever waited because nobody answered at its address is tried now, too. Returns the webhook. Raises NotAllowed,
    NotFound.
    """
    require_role(club, player.pk if player else None, Role.OWNER)
    delivery = Delivery.objects.filter(webhook__club=club, pk=delivery_id).first()
    if delivery is None:
        raise NotFound("This message no longer exists.")
    later = Delivery.objects.filter(webhook=delivery.webhook_id, due_at__gt=now + LEASE_SECONDS)
    later.exclude(answer__regex=r"^\d").update(due_at=now)
    Delivery.objects.filter(pk=delivery_id).update(due_at=now, attempts=0)
    return delivery.webhook_id


def query_old(*, now: float) -> QuerySet[Delivery]:
    """Messages that were delivered or given up a month ago."""
    return Delivery.objects.filter(due_at=None, at__lt=now - KEPT_SECONDS)


def clear_old(*, now: float) -> None:
    """Delete messages that were delivered or given up a month ago."""
    old = query_old(now=now)
    if old.exists():  # to delete nothing, too, others would have to wait
        old.delete()


def list_due(now: float, webhook_id: int | None = None) -> list[int]:
    """Deliveries whose time has come, to one address or to any that is not silenced, the oldest first."""
    due = Delivery.objects.filter(due_at__lte=now, webhook__is_active=True)
    if webhook_id is not None:
        due = due.filter(webhook=webhook_id)
    return list(due.order_by("due_at", "pk").values_list("pk", flat=True)[:MAX_PER_TURN])


def list_calling(now: float) -> list[int]:
    """The webhooks with due messages."""
    due = Delivery.objects.filter(due_at__lte=now, webhook__is_active=True)
    return sorted(due.values_list("webhook", flat=True).distinct())


def deliver(delivery_id: int, *, now: float) -> bool:
    """Send one message if it is due and nobody else is sending it. Whether it has arrived.

    Where nobody answers, whatever else is to go there waits until this one is tried again.
    """
    with transaction.atomic():
        claimed = Delivery.objects.filter(pk=delivery_id, due_at__lte=now).update(due_at=now + LEASE_SECONDS)
    if not claimed:
        return False
    delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
    hook = delivery.webhook
    back_at = _find_back(delivery, now=now)
    if back_at is not None:
        waiting = Delivery.objects.filter(webhook=hook, due_at__lt=back_at)
        (waiting | Delivery.objects.filter(pk=delivery_id)).update(due_at=back_at)
        return False
    secrets = (hook.secret, hook.old_secret) if hook.old_secret and now < hook.old_until else (hook.secret,)
    answer = send(hook.url, secrets, delivery.event, delivery.body, now=now)
    attempts = delivery.attempts + 1
    is_over = answer.startswith("2") or attempts > len(WAITS) or now > delivery.at + MAX_SECONDS
    due_at = None if is_over else now + WAITS[attempts - 1]
    Delivery.objects.filter(pk=delivery_id).update(attempts=attempts, due_at=due_at, answer=answer[:100])
    has_arrived = answer.startswith("2")
    _note_attempt(hook, has_arrived=has_arrived, now=now)
    return has_arrived


def _note_attempt(hook: Webhook, *, has_arrived: bool, now: float) -> None:
    """Store since when the webhook fails, and turn it off after too long; its club's page says so."""
    metrics.note_delivery("webhook", is_sent=has_arrived)
    hooks = Webhook.objects.filter(pk=hook.pk)
    if has_arrived:
        if hook.failing_since is not None:
            hooks.update(failing_since=None)
    elif hook.failing_since is None:
        hooks.update(failing_since=now)
    elif now - hook.failing_since >= OFF_SECONDS:
        hooks.filter(is_active=True).update(is_active=False, turned_off_at=now)


def is_silent(webhook_id: int) -> bool:
    """Whether nobody answered the last message that was tried at this address."""
    tried = Delivery.objects.filter(webhook=webhook_id, attempts__gt=0).order_by("-at", "-pk")
    answer = tried.values_list("answer", flat=True).first()
    return answer is not None and not answer[:1].isdigit()


def _find_back(delivery: Delivery, *, now: float) -> float | None:
    """Where nobody answered another message: when that one is tried again. The rest waits for it."""
    others = Delivery.objects.filter(webhook=delivery.webhook_id).exclude(pk=delivery.pk)
    silent = others.filter(due_at__gt=now, attempts__gt=0).exclude(answer__regex=r"^\d")
    return silent.order_by("due_at").values_list("due_at", flat=True).first()


def sign(secret: str, at: int, body: str) -> str:
    """The signature of a message, hexadecimal."""
    return hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()


def send(url: str, secrets: Sequence[str], event: str, body: str, *, now: float) -> str:
    """The status of the answer, or a word for the failure (`webhook_requests.post`). secrets: each one signs."""
    at = int(now)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Menagerie",
        "X-Menagerie-Event": event,
        "X-Menagerie-Signature": ",".join((f"t={at}", *(f"v1={sign(secret, at, body)}" for secret in secrets))),
    }
    return webhook_requests.post(url, headers, body.encode())
