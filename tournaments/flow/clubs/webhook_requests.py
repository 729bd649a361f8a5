"""One message to one address outside: sent once, in five seconds at most, and never into a private network."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

TIMEOUT_SECONDS = 5.0
"""From the first packet to the answer's first line, in all."""
LOOK_UP_SECONDS = 3.0
"""How long a page waits until a name is found."""
MOST_ANSWER = 4096
"""Bytes of an answer's first line."""
_PLAIN = re.compile(r"[!-~]+")
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 behind a translator (RFC 6052)."""
_GIVEN = ipaddress.ip_network("2000::/3")
"""All that anybody has been given of IPv6 (RFC 4291, 2.4)."""


class PrivateAddress(OSError):
    """The host, or one of its addresses, is inside a private network."""


def post(url: str, headers: Mapping[str, str], body: bytes) -> str:
    """The answer's status, or in a word why there is none. Follows no redirection and enters no private network."""
    try:
        return asyncio.run(_post(urlsplit(require_plain(url)), headers, body))
    except (OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"[:100]


def require_plain(url: str) -> str:
    """An address of signs that may stand in a request, with a port that there is. Raises ValueError."""
    if not _PLAIN.fullmatch(url) or urlsplit(url).port == 0:
        raise ValueError("that is no address")
    return url


def is_private(host: str, port: int) -> bool:
    """Whether messages to this host would enter a private network, as far as its name can be looked up now.

    A name may lead elsewhere later, so this is asked again with each message (`post`).
    """
    try:
        asyncio.run(_find(host, port, LOOK_UP_SECONDS))
    except PrivateAddress:
        return True
    except (OSError, ValueError):  # nobody knows the name, or not in time, or it is none
        return False
    return False


async def _find(host: str, port: int, seconds: float) -> str:
    """An address of the host, within so many seconds. Raises OSError; PrivateAddress, which is one."""
    async with asyncio.timeout(seconds):
        return await _look_up(host, port)


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
    """As `_resolve`, in a thread that is left alone where nobody answers. Raises OSError."""
    aside = ThreadPoolExecutor(1)
    try:
        return await asyncio.get_running_loop().run_in_executor(aside, _resolve, host, port)
    finally:
        aside.shutdown(wait=False)


def _resolve(host: str, port: int) -> str:
    """An address of the host. Raises OSError; PrivateAddress where any of them is private."""
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not settings.WEBHOOKS_MAY_BE_LOCAL and not all(is_public(address) for address in found):
        raise PrivateAddress("that address is inside a private network")
    return found[0]


def _read_status(line: bytes) -> str:
    """The status in an answer's first line. Raises OSError."""
    found = _STATUS.match(line)
    if found is None:
        raise ConnectionError("no answer that can be understood")
    return found[1].decode()


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
