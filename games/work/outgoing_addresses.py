"""Checks addresses that this site calls (webhooks, push): only public ones, resolved once and then called by number.

A name that leads elsewhere a moment later (DNS rebinding) leads nowhere: callers use the address found here.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from django.conf import settings

LOOK_UP_SECONDS = 3.0
"""How long a page waits until a name is found."""
_PLAIN = re.compile(r"[!-~]+")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 behind a translator (RFC 6052)."""
_GIVEN = ipaddress.ip_network("2000::/3")
"""All that anybody has been given of IPv6 (RFC 4291, 2.4)."""


class PrivateAddress(OSError):
    """The host, or one of its addresses, is inside a private network."""


def require_plain(url: str) -> str:
    """An address of signs that may stand in a request, with a port that there is. Raises ValueError."""
    if not _PLAIN.fullmatch(url) or urlsplit(url).port == 0:
        raise ValueError("that is no address")
    return url


def is_private(host: str, port: int) -> bool:
    """Whether messages to this host would enter a private network, as far as its name can be looked up now.

    A name may lead elsewhere later, so this is asked again with each message (`look_up`).
    """
    try:
        asyncio.run(_find_address(host, port, LOOK_UP_SECONDS))
    except PrivateAddress:
        return True
    except (OSError, ValueError):  # nobody knows the name, or not in time, or it is none
        return False
    return False


async def _find_address(host: str, port: int, seconds: float) -> str:
    """An address of the host, within so many seconds. Raises OSError; PrivateAddress, which is one."""
    async with asyncio.timeout(seconds):
        return await look_up(host, port)


async def look_up(host: str, port: int) -> str:
    """As `_resolve`, in a thread that is left alone where nobody answers. Raises OSError."""
    thread = ThreadPoolExecutor(1)
    try:
        return await asyncio.get_running_loop().run_in_executor(thread, _resolve, host, port)
    finally:
        thread.shutdown(wait=False)


def _resolve(host: str, port: int) -> str:
    """An address of the host. Raises OSError; PrivateAddress where any of them is private."""
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not settings.WEBHOOKS_MAY_BE_LOCAL and not all(is_public(address) for address in found):
        raise PrivateAddress("that address is inside a private network")
    return found[0]


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
