"""The browsers to which push messages go. Each belongs to one person and one browser session, and goes with it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest

from games.accounts.middleware import find_lost
from games.accounts.session import session_ended
from games.accounts.sign_in.browser_names import describe_agent
from games.models import Player, PushDevice
from games.operation.signing_keys import decode
from games.play.errors import BadInput, NotFound
from games.work import outgoing_addresses

MAX_DEVICES = 10
"""Devices of one person. The one that was added longest ago goes first."""
SESSION_MARK = "push"
"""Key in the browser session for the id of its device."""


class Keys(msgspec.Struct, forbid_unknown_fields=False):
    """The browser's keys, base64url."""

    p256dh: str
    auth: str


class Subscription(msgspec.Struct, forbid_unknown_fields=False):
    """What a browser says of its subscription (`PushSubscription.toJSON`)."""

    endpoint: str
    keys: Keys


_DECODER = msgspec.json.Decoder(Subscription)


def read_subscription(body: bytes) -> Subscription:
    """The subscription in a request. Raises BadInput; BadInput for an address that is not public HTTPS."""
    try:
        given = _DECODER.decode(body)
        point = decode(given.keys.p256dh, 65)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        decode(given.keys.auth, 16)
        parts = urlsplit(outgoing_addresses.require_plain(given.endpoint))
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadInput("Your browser sent no valid subscription. Reload the page and try again.") from error
    is_local = settings.WEBHOOKS_MAY_BE_LOCAL
    if len(given.endpoint) > 1000 or not parts.hostname or "@" in parts.netloc:
        raise BadInput("Your browser sent no valid subscription. Reload the page and try again.")
    if parts.scheme != "https" and not (is_local and parts.scheme == "http"):
        raise BadInput("The push service of your browser must have an address that begins with https://.")
    if outgoing_addresses.is_private(parts.hostname, parts.port or 443):
        raise BadInput("The push service of your browser is in a private network. It cannot be used.")
    return given


def add(player: Player, given: Subscription, *, session_key: str, agent: str, language: str, now: float) -> PushDevice:
    """This browser's device, now of this person. What was still to be sent to it for somebody else is not."""
    digest = find_digest(given.endpoint)
    with transaction.atomic():
        PushDevice.objects.filter(digest=digest).exclude(player=player).delete()
        values: dict[str, Any] = {
            "player": player, "endpoint": given.endpoint, "origin": find_origin(given.endpoint),
            "p256dh": given.keys.p256dh, "auth": given.keys.auth, "name": describe_agent(agent),
            "session": session_key, "language": language,
        }  # fmt: skip
        device, _is_new = PushDevice.objects.update_or_create(
            digest=digest, defaults=values, create_defaults={**values, "made_at": now}
        )
        kept = PushDevice.objects.filter(player=player).order_by("-made_at", "-pk").values_list("pk", flat=True)
        PushDevice.objects.filter(pk__in=list(kept[MAX_DEVICES:])).delete()
    return device


def remove(player: Player, device_id: int) -> None:
    """Send nothing to this device any more. Raises NotFound."""
    if not PushDevice.objects.filter(player=player, pk=device_id).delete()[0]:
        raise NotFound("This device is no longer on the list.")


def remove_endpoint(player: Player, endpoint: str) -> None:
    """Send nothing to the device with this endpoint any more, if it is this person's."""
    PushDevice.objects.filter(player=player, digest=find_digest(endpoint)).delete()


def find_digest(endpoint: str) -> str:
    """The digest by which an endpoint is found."""
    return sha256(endpoint.encode()).hexdigest()


def find_origin(endpoint: str) -> str:
    """Scheme, host and port of an address, without the scheme's usual port (RFC 6454, 6.2)."""
    parts = urlsplit(endpoint)
    usual = {"https": 443, "http": 80}.get(parts.scheme)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port not in (None, usual) else "")


def find_lost_devices(devices: Iterable[PushDevice]) -> set[int]:
    """Ids of those whose browser is no longer signed in as their person: nothing may be shown there."""
    held = {device.pk: (device.session, device.player_id) for device in devices}
    lost = find_lost(held.values())
    return {pk for pk, one in held.items() if one in lost}


@receiver(session_ended)
def forget_session(key: str, **_kwargs: Any) -> None:
    """Stop sending to a browser when it signs out."""
    PushDevice.objects.filter(session=key).delete()


@receiver(user_logged_in)
def follow_sign_in(request: HttpRequest | None, **_kwargs: Any) -> None:
    """A session that has a new key after signing in keeps its device, if it is still the same person's."""
    session = getattr(request, "session", None)
    device_id = session.get(SESSION_MARK) if session is not None else None
    if session is not None and isinstance(device_id, int):
        PushDevice.objects.filter(pk=device_id).update(session=session.session_key or "")
