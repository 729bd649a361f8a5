"""The site's key pair for push messages (VAPID, RFC 8292): from VAPID_PRIVATE_KEY, or made once in DATA_DIR."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

KEY_BYTES = 32


class SigningKeys(NamedTuple):
    """private_pem, public_pem: PEM; public: what browsers subscribe with (uncompressed point, base64url)."""

    private_pem: bytes
    public_pem: bytes
    public: str


def find_file() -> Path:
    """The file of the key, if it is not in the environment."""
    file: Path = settings.DATA_DIR / "vapid-key"
    return file


def read_keys() -> SigningKeys:
    """The pair; the first time it is made. Raises ImproperlyConfigured for a key that is none."""
    return _derive(settings.VAPID_PRIVATE_KEY or _read_or_make())


@cache
def _derive(private: str) -> SigningKeys:
    try:
        number = int.from_bytes(decode(private, KEY_BYTES), "big")
        key = ec.derive_private_key(number, ec.SECP256R1())
    except ValueError as error:
        source = "VAPID_PRIVATE_KEY" if settings.VAPID_PRIVATE_KEY else str(find_file())
        raise ImproperlyConfigured(f"{source} is no key for push messages: 32 bytes, base64url.") from error
    public = key.public_key()
    return SigningKeys(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        encode(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)),
    )


def _read_or_make() -> str:
    """The stored key, created if there is none: two processes that start together get the same one."""
    file = find_file()
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        draft.touch(mode=0o600)
        draft.write_text(encode(number.to_bytes(KEY_BYTES, "big")))
        with suppress(FileExistsError):
            file.hardlink_to(draft)
        draft.unlink()
    return file.read_text().strip()


def encode(raw: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str, length: int) -> bytes:
    """The bytes of base64url text. Raises ValueError unless there are so many."""
    if not text.isascii() or len(text) > 2 * length:
        raise ValueError("that is no base64url")
    raw = urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    if len(raw) != length:
        raise ValueError(f"{len(raw)} bytes instead of {length}")
    return raw
