"""Settings from the environment, each checked once, with a sentence for a bad value."""

from __future__ import annotations

import os
import re
import secrets
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}
_HOST = re.compile(r"\*|\.?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]", re.IGNORECASE)
_POST = "games.accounts.mail.PostBackend"
_POSTS = {
    "": "django.core.mail.backends.dummy.EmailBackend",
    "console": "django.core.mail.backends.console.EmailBackend",
}
"""Backends that need no mail server, by the scheme of EMAIL_URL."""
_SENDER = re.compile(r"[^@\s]+@[^@\s]+")


def read_text(name: str, default: str = "") -> str:
    """The variable's text, stripped; an empty one is as none. Raises ImproperlyConfigured for one in quotes.

    A shell and systemd take quotes away; where nobody does they would be a part of the value.
    """
    value = os.environ.get(name, "").strip() or default
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        raise ImproperlyConfigured(f"{name}={value!r} stands in quotes, which nobody takes away here. Leave them out.")
    return value


def read_flag(name: str, *, default: bool = False) -> bool:
    """A boolean. Raises ImproperlyConfigured for anything else."""
    value = read_text(name, "1" if default else "0").lower()
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is neither yes nor no. Set it to 1 or 0.")


def read_number(name: str, default: float, *, least: float, most: float) -> float:
    """A number in least … most. Raises ImproperlyConfigured for anything else."""
    value = read_text(name, str(default))
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise ImproperlyConfigured(f"{name}={value!r} is not a number from {least:g} to {most:g}.")
    return number


def read_count(name: str, default: int, *, least: int, most: int) -> int:
    """A whole number in least … most. Raises ImproperlyConfigured for anything else."""
    value = read_text(name, str(default))
    if not re.fullmatch(r"[0-9]{1,12}", value) or not least <= int(value) <= most:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number from {least} to {most}.")
    return int(value)


def read_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    """One of these words, in capitals. Raises ImproperlyConfigured for another."""
    value = read_text(name, default).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r} is none of {', '.join(choices)}.")
    return value


def read_zone(name: str, default: str) -> str:
    """The name of a time zone. Raises ImproperlyConfigured for another."""
    value = read_text(name, default)
    if value not in available_timezones():
        raise ImproperlyConfigured(f"{name}={value!r} is no time zone. It looks like Europe/Berlin.")
    return value


def _split_list(value: str) -> list[str]:
    return [item.strip() for item in value.split(",") if item.strip()]


def read_hosts(name: str, default: str) -> list[str]:
    """A comma-separated list of host names. Raises ImproperlyConfigured for anything else: it would let nobody in."""
    found = _split_list(read_text(name)) or _split_list(default)
    for host in found:
        if not _HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name}: {host!r} is no host name. It looks like cards.example.org, without https:// and port."
            )
    return found


def read_networks(name: str, default: str) -> list[str]:
    """A comma-separated list of network addresses; an empty one names none. Raises ImproperlyConfigured otherwise."""
    found = _split_list(read_text(name, "" if name in os.environ else default))
    for network in found:
        try:
            ip_network(network, strict=False)
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {network!r} is no network address like 10.0.0.0/8.") from error
    return found


def read_url(name: str, schemes: tuple[str, ...]) -> str:
    """A URL with one of these schemes, or the empty text. Raises ImproperlyConfigured for another."""
    value = read_text(name)
    if value and not value.startswith(tuple(f"{scheme}://" for scheme in schemes)):
        allowed = ", ".join(f"{scheme}://…" for scheme in schemes)
        raise ImproperlyConfigured(f"{name} must begin with one of {allowed}; it is {value.split(':')[0]!r}.")
    return value


def split_url(name: str, url: str) -> SplitResult:
    """Its parts. Raises ImproperlyConfigured where it has none, its port for one; it is not shown: passwords."""
    try:
        parts = urlsplit(url)
        _port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} cannot be read: {error}. Special signs in a password are percent-encoded (# is %23)."
        ) from error
    return parts


def read_site(name: str) -> str:
    """The address of a site, as a browser shows it; or the empty text. Raises ImproperlyConfigured for more or less."""
    value = read_url(name, ("http", "https")).rstrip("/")
    parts = split_url(name, value)
    host = parts.netloc.removesuffix(f":{parts.port}")
    if value and (host == "*" or not _HOST.fullmatch(host) or value != f"{parts.scheme}://{parts.netloc}"):
        raise ImproperlyConfigured(
            f"{name}={value!r} is no address of a site. It looks like https://cards.example.org, and has no path."
        )
    return value


def read_sign_in_provider(url: str, *, client: str, secret: str, name: str) -> dict[str, Any] | None:
    """The club's own sign-in (OpenID Connect), as allauth takes it; None without a `url` (OIDC_SERVER_URL).

    Raises ImproperlyConfigured for one that is not complete, or whose answers anybody on the way could change.
    """
    if not (url := url.rstrip("/")):
        return None
    parts = split_url("OIDC_SERVER_URL", url)
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ImproperlyConfigured("OIDC_SERVER_URL must begin with https:// unless it is on this machine.")
    if not client or not secret:
        raise ImproperlyConfigured("OIDC_SERVER_URL needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET. Set both.")
    return {
        "provider_id": "club", "name": name, "client_id": client, "secret": secret,
        "settings": {"server_url": url, "origin": f"{parts.scheme}://{parts.netloc}"},
    }  # fmt: skip


def read_sender(name: str, default: str) -> str:
    """The sender of emails. Raises ImproperlyConfigured for an invalid address, since every email would be refused."""
    value = read_text(name, default)
    if not value.isprintable() or not _SENDER.fullmatch(parseaddr(value)[1]):
        raise ImproperlyConfigured(f"{name}={value!r} is no sender. It looks like The Ark <club@example.org>.")
    return value


def read_mail(name: str) -> dict[str, Any]:
    """Django's mail settings from smtp://, smtp+tls:// (STARTTLS) or smtps://user:password@host:port.

    console:// writes letters to the server's output, for development; without a value none are sent.
    Raises ImproperlyConfigured for another, and for an address without a host.
    """
    parts = split_url(name, read_url(name, ("smtp", "smtps", "smtp+tls", "console")))
    backend = _POSTS.get(parts.scheme, _POST)
    if backend == _POST and not parts.hostname:
        raise ImproperlyConfigured(f"{name} names no host. It looks like smtp+tls://user:password@mail.example:587.")
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    return {
        "backend": backend,
        "host": parts.hostname or "",
        "port": parts.port or ports.get(parts.scheme, 25),
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "ssl": parts.scheme == "smtps",
        "tls": parts.scheme == "smtp+tls",
    }


def prepare_folder(folder: Path) -> Path:
    """The folder; created for its owner only if it is missing. Raises ImproperlyConfigured if that fails."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR={folder} cannot be used: {error.strerror}.") from error
    return folder


def read_secret(folder: Path) -> str:
    """SECRET_KEY, or the one kept in `folder` (drawn at the first start, readable by its owner only)."""
    given = os.environ.get("SECRET_KEY", "").strip()
    if given:
        return given
    file = prepare_folder(folder) / "secret-key"
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read_kept(file)
    except OSError as error:
        raise ImproperlyConfigured(
            f"A secret key cannot be kept in {file}: {error.strerror}. Set SECRET_KEY."
        ) from error
    with os.fdopen(handle, "w") as out:
        out.write(secrets.token_urlsafe(48))
    return _read_kept(file)


def _read_kept(file: Path) -> str:
    try:
        kept = file.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{file} cannot be read: {error.strerror}.") from error
    if len(kept) < 32:
        raise ImproperlyConfigured(f"{file} is no secret key (too short). Remove it, and a new one is drawn.")
    return kept
