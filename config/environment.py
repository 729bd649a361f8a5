"""Settings from the environment, each checked once, with a sentence for a bad value."""

from __future__ import annotations

import os
import secrets
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


def read_text(name: str, default: str = "") -> str:
    """The variable's text, stripped."""
    return os.environ.get(name, default).strip()


def read_flag(name: str, *, default: bool = False) -> bool:
    """A yes or no. Raises ImproperlyConfigured for anything else."""
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


def read_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    """One of these words, in capitals. Raises ImproperlyConfigured for another."""
    value = read_text(name, default).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r} is none of {', '.join(choices)}.")
    return value


def read_zone(name: str, default: str) -> str:
    """The name of a time zone. Raises ImproperlyConfigured for another."""
    value = read_text(name) or default
    if value not in available_timezones():
        raise ImproperlyConfigured(f"{name}={value!r} is no time zone. It looks like Europe/Berlin.")
    return value


def read_list(name: str, default: str = "") -> list[str]:
    """A comma-separated list without empty items."""
    return [item.strip() for item in read_text(name, default).split(",") if item.strip()]


def read_networks(name: str, default: str) -> list[str]:
    """A comma-separated list of network addresses. Raises ImproperlyConfigured for anything else."""
    found = read_list(name, default)
    for network in found:
        try:
            ip_network(network, strict=False)
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {network!r} is no network address like 10.0.0.0/8.") from error
    return found


def read_url(name: str, schemes: tuple[str, ...]) -> str:
    """A URL with one of these schemes, or the empty text. Raises ImproperlyConfigured for another."""
    value = read_text(name)
    if value and urlsplit(value).scheme not in schemes:
        known = ", ".join(f"{scheme}://…" for scheme in schemes)
        raise ImproperlyConfigured(f"{name} must begin with one of {known}; it is {value.split(':')[0]!r}.")
    return value


def read_mail(url: str) -> dict[str, Any]:
    """Django's mail settings from smtp://, smtp+tls:// (STARTTLS) or smtps://user:password@host:port; or the console.

    Raises ImproperlyConfigured for an address without a host.
    """
    parts = urlsplit(url)
    is_console = parts.scheme in ("", "console")
    if not is_console and not parts.hostname:
        raise ImproperlyConfigured("EMAIL_URL names no host. It looks like smtp+tls://user:password@mail.example:587.")
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    return {
        "backend": f"django.core.mail.backends.{'console' if is_console else 'smtp'}.EmailBackend",
        "host": parts.hostname or "",
        "port": parts.port or ports.get(parts.scheme, 25),
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "ssl": parts.scheme == "smtps",
        "tls": parts.scheme == "smtp+tls",
    }


def prepare_folder(folder: Path) -> Path:
    """The folder; if it is missing, made for its owner only. Raises ImproperlyConfigured where that cannot be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR={folder} cannot be used: {error.strerror}.") from error
    return folder


def read_secret(folder: Path) -> str:
    """SECRET_KEY, or the one kept in `folder` (drawn at the first start, readable by its owner only)."""
    given = read_text("SECRET_KEY")
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
