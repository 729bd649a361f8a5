"""What happens in tournaments, told to the addresses a club has named: signed, again until it arrives, once a step.

A message is written down with the step it tells of (`messages`); a task sends it. The signature is the HMAC-SHA256 of
the time, a full stop and the body, by the webhook's secret, so that nobody can make one up or send an old one again.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F

from games.models import Player
from games.play.errors import BadInput, NotFound
from tournaments.flow.permissions import require_role
from tournaments.flow.tokens import draw_seed
from tournaments.models import Club, Delivery, Role, Webhook

MOST_HOOKS = 10
WAITS = (10, 60, 300, 1800, 7200, 21600, 43200)
"""Seconds before each new attempt; after the last one a message is given up."""
MOST_SECONDS = sum(WAITS) + 3600.0
"""How old a message may be to be tried once more."""
TIMEOUT_SECONDS = 5.0
"""From the first packet to the answer's first line, in all."""
MOST_ANSWER = 4096
"""Bytes of an answer's first line."""
LEASE_SECONDS = 60.0
OLD_SECONDS = 24 * 3600.0
"""For so long a secret that was exchanged signs beside the new one."""
KEPT_SECONDS = 30 * 24 * 3600.0
"""How long a message can be looked at and sent again."""
MOST_A_TURN = 50
TURN_SECONDS = 5.0
"""How long messages go to one address before it is the next one's turn."""
_PLAIN = re.compile(r"[!-~]+")
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 behind a translator (RFC 6052)."""
_GIVEN = ipaddress.ip_network("2000::/3")
"""All that anybody has been given of IPv6 (RFC 4291, 2.4)."""


def add(club: Club, player: Player | None, url: str) -> Webhook:
    """Name an address. Raises NotAllowed, BadInput."""
    require_role(club, player.pk if player else None, Role.OWNER)
    no_address = BadInput("That is no address of a program: it begins with https:// and names a host.")
    try:
        parts = urlsplit(_require_plain(url))
    except ValueError as error:
        raise no_address from error
    if parts.scheme not in ("https", "http") or not parts.hostname or "@" in parts.netloc or len(url) > 300:
        raise no_address
    if parts.scheme == "http" and not settings.WEBHOOKS_MAY_BE_LOCAL:
        raise BadInput("Messages go to addresses with https:// only.")
    if Webhook.objects.filter(club=club).count() >= MOST_HOOKS:
        raise BadInput("A club has at most %(most)s webhooks.", most=MOST_HOOKS)
    return Webhook.objects.create(club=club, url=url, secret=draw_seed())


def remove(club: Club, player: Player | None, webhook_id: int) -> None:
    """Forget an address and what was still to be sent there. Raises NotAllowed, NotFound."""
    require_role(club, player.pk if player else None, Role.OWNER)
    if not Webhook.objects.filter(club=club, pk=webhook_id).delete()[0]:
        raise NotFound("There is no such webhook.")


def renew_secret(club: Club, player: Player | None, webhook_id: int, *, now: float) -> None:
    """Another secret; for a day the old one signs, too. Raises NotAllowed, NotFound."""
    require_role(club, player.pk if player else None, Role.OWNER)
    known = Webhook.objects.filter(club=club, pk=webhook_id)
    if not known.update(old_secret=F("secret"), old_until=now + OLD_SECONDS, secret=draw_seed()):
        raise NotFound("There is no such webhook.")


def send_again(club: Club, player: Player | None, delivery_id: int, *, now: float) -> int:
    """Begin anew with a message that arrived or was given up; one that is still tried is tried now.

    Whatever waited because nobody answered at its address is tried now, too. Returns the webhook. Raises NotAllowed,
    NotFound.
    """
    require_role(club, player.pk if player else None, Role.OWNER)
    delivery = Delivery.objects.filter(webhook__club=club, pk=delivery_id).first()
    if delivery is None:
        raise NotFound("This message is not known here any more.")
    later = Delivery.objects.filter(webhook=delivery.webhook_id, due_at__gt=now + LEASE_SECONDS)
    later.exclude(answer__regex=r"^\d").update(due_at=now)
    Delivery.objects.filter(pk=delivery_id).update(due_at=now, attempts=0)
    return delivery.webhook_id


def clear_old(*, now: float) -> None:
    """Messages that arrived or were given up a month ago are forgotten."""
    old = Delivery.objects.filter(due_at=None, at__lt=now - KEPT_SECONDS)
    if old.exists():  # to delete nothing, too, others would have to wait
        old.delete()


def list_due(now: float, webhook_id: int | None = None) -> list[int]:
    """Deliveries whose time has come, to one address or to any that is not silenced, the oldest first."""
    due = Delivery.objects.filter(due_at__lte=now, webhook__is_active=True)
    if webhook_id is not None:
        due = due.filter(webhook=webhook_id)
    return list(due.order_by("due_at", "pk").values_list("pk", flat=True)[:MOST_A_TURN])


def list_calling(now: float) -> list[int]:
    """The addresses for which something is due."""
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
    is_over = answer.startswith("2") or attempts > len(WAITS) or now > delivery.at + MOST_SECONDS
    due_at = None if is_over else now + WAITS[attempts - 1]
    Delivery.objects.filter(pk=delivery_id).update(attempts=attempts, due_at=due_at, answer=answer[:100])
    return answer.startswith("2")


def _find_back(delivery: Delivery, *, now: float) -> float | None:
    """Where nobody answered another message: when that one is tried again. The rest waits for it."""
    others = Delivery.objects.filter(webhook=delivery.webhook_id).exclude(pk=delivery.pk)
    silent = others.filter(due_at__gt=now, attempts__gt=0).exclude(answer__regex=r"^\d")
    return silent.order_by("due_at").values_list("due_at", flat=True).first()


def sign(secret: str, at: int, body: str) -> str:
    """The signature of a message, hexadecimal."""
    return hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()


def send(url: str, secrets: Sequence[str], event: str, body: str, *, now: float) -> str:
    """The answer's status, or in a word why there is none. Follows no redirection and enters no private network.

    secrets: each signs.
    """
    at = int(now)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Menagerie",
        "X-Menagerie-Event": event,
        "X-Menagerie-Signature": ",".join((f"t={at}", *(f"v1={sign(secret, at, body)}" for secret in secrets))),
    }
    try:
        return asyncio.run(_post(urlsplit(_require_plain(url)), headers, body.encode()))
    except (OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"[:100]


async def _post(to: SplitResult, headers: Mapping[str, str], body: bytes) -> str:
    """Raises OSError; TimeoutError, which is one, however slowly the other side says whatever it says."""
    port = to.port or (443 if to.scheme == "https" else 80)
    context = ssl.create_default_context() if to.scheme == "https" else None
    # The address that was looked at is the one that is asked; the certificate must bear the host's name.
    bears = to.hostname if context else None
    async with asyncio.timeout(TIMEOUT_SECONDS):
        address = await _look_up(to.hostname or "", port)
        reader, writer = await asyncio.open_connection(
            address, port, ssl=context, server_hostname=bears, limit=MOST_ANSWER
        )
        try:
            target = (to.path or "/") + (f"?{to.query}" if to.query else "")
            lines = {"Host": to.netloc, **headers, "Content-Length": str(len(body)), "Connection": "close"}
            head = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items()), "", ""]
            writer.write("\r\n".join(head).encode() + body)
            return _read_status(await reader.readline())
        finally:
            writer.transport.abort()


async def _look_up(host: str, port: int) -> str:
    """As `_resolve`; whoever waits for a name that nobody knows waits no longer than for the rest. Raises OSError."""
    aside = ThreadPoolExecutor(1)
    try:
        return await asyncio.get_running_loop().run_in_executor(aside, _resolve, host, port)
    finally:
        aside.shutdown(wait=False)


def _read_status(line: bytes) -> str:
    """The status in an answer's first line. Raises OSError."""
    found = _STATUS.match(line)
    if found is None:
        raise ConnectionError("no answer that can be understood")
    return found[1].decode()


def _require_plain(url: str) -> str:
    """An address of signs that may stand in a request, with a port that there is. Raises ValueError."""
    if not _PLAIN.fullmatch(url) or urlsplit(url).port == 0:
        raise ValueError("that is no address")
    return url


def _resolve(host: str, port: int) -> str:
    """An address of the host that is no private one. Raises OSError."""
    for *_rest, found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        address = str(found[0])
        if settings.WEBHOOKS_MAY_BE_LOCAL or is_public(address):
            return address
    raise OSError("that address is inside a private network")


def is_public(address: str) -> bool:
    """Whether this network address is anybody's on the Internet, also the one that is wrapped in another."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if ip in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        if not (ip in _GIVEN if inner is None else is_public(str(inner))):
            return False
    return ip.is_global and not ip.is_multicast
