"""Push messages as a push service takes them: encrypted for one browser (RFC 8291), signed by this site (RFC 8292)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parseaddr
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlsplit

import jwt
from django.conf import settings
from pydantic import AnyHttpUrl
from webpush import VAPID, WebPush, WebPushSubscription
from webpush.types import WebPushKeys

from games.models import PushDevice
from games.notifications.devices import find_origin
from games.operation.signing_keys import SigningKeys, encode, read_keys

TOKEN_SECONDS = 6 * 3600
"""How long a signature holds; a push service takes at most a day (RFC 8292, 2)."""
MAX_BYTES = 3800
"""Bytes of a message before encryption; a push service takes 4096 bytes in all."""


class PushMessage(NamedTuple):
    """One request to a push service."""

    endpoint: str
    headers: Mapping[str, str]
    body: bytes


class Signature(VAPID):  # type: ignore[misc]
    """The Authorization header, signed once for each push service and not for each message."""

    def __init__(self, keys: SigningKeys) -> None:
        super().__init__(private_key=keys.private_pem, public_key=keys.public_pem)
        self._public = keys.public
        self._signed: dict[str, str] = {}

    def get_authorization_header(self, endpoint: AnyHttpUrl, subscriber: str, expiration: int) -> str:
        """As the library's, with the port in the audience where there is one (RFC 8292, 2)."""
        origin = find_origin(str(endpoint))
        if origin not in self._signed:
            claims = {"aud": origin, "exp": int(time.time()) + expiration, "sub": f"mailto:{subscriber}"}
            token = jwt.encode(claims, self.private_key, algorithm="ES256")
            self._signed[origin] = f"vapid t={token}, k={self._public}"
        return self._signed[origin]


class Sealer:
    """Makes push messages. One for a batch: its signatures are not renewed."""

    def __init__(self) -> None:
        keys = read_keys()
        self._push = WebPush(keys.private_pem, keys.public_pem, find_contact(), expiration=TOKEN_SECONDS)
        self._push.vapid = Signature(keys)

    def seal(self, device: PushDevice, text: bytes, *, tag: str, ttl: float, is_urgent: bool) -> PushMessage:
        """The request with this text for a device. ttl: seconds for which the push service keeps it.

        A message that the push service still keeps under the same tag is replaced. Raises ValueError for keys that are
        none, or a text of more than `MAX_BYTES`.
        """
        if len(text) > MAX_BYTES:
            raise ValueError(f"a push message of {len(text)} bytes")
        keys = WebPushKeys(auth=device.auth, p256dh=device.p256dh)
        made = self._push.get(text, WebPushSubscription(endpoint=AnyHttpUrl(device.endpoint), keys=keys))
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": made.headers["authorization"],
            "TTL": str(max(0, int(ttl))),
            "Topic": encode(sha256(tag.encode()).digest()[:24]),
            "Urgency": "high" if is_urgent else "normal",
        }
        return PushMessage(device.endpoint, headers, made.encrypted)


def find_contact() -> str:
    """The contact for push services about this site: EMAIL_FROM, or a plain address at SITE_URL's host."""
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    host = urlsplit(settings.SITE_URL).hostname
    return f"webmaster@{host}" if sender.endswith("@localhost") and host else sender
