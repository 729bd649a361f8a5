"""Sends one webhook message: one attempt, within five seconds, and never into a private network."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping

import httpx

from games.work.outgoing_addresses import is_private, is_public, look_up, require_plain

__all__ = ["TIMEOUT_SECONDS", "is_private", "is_public", "post", "require_plain"]

TIMEOUT_SECONDS = 5.0
"""Seconds for looking up the name, connecting, and the head of the answer, in all."""


def post(url: str, headers: Mapping[str, str], body: bytes) -> str:
    """The status of the answer, or a word that says why there is none. Follows no redirects to other addresses."""
    try:
        return asyncio.run(_post(httpx.URL(require_plain(url)), headers, body))
    except (OSError, ValueError, httpx.HTTPError, httpx.InvalidURL) as error:
        return f"{type(error).__name__}: {error}"[:100]


async def _post(url: httpx.URL, headers: Mapping[str, str], body: bytes) -> str:
    """The answer's status. The answer's head has at most 100 kB (h11), its body is not read.

    Raises OSError; TimeoutError, which is one, however slowly the other side says whatever it says; httpx.HTTPError.
    """
    host = url.raw_host.decode()
    context = ssl.create_default_context()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        address = await look_up(host, url.port or (443 if url.scheme == "https" else 80))
        # The address that was checked is the one that is called; the certificate must be the host's.
        pinned, names = url.copy_with(host=address), {"sni_hostname": host}
        request_headers = {"Host": url.netloc.decode(), "Connection": "close", **headers}
        async with (
            httpx.AsyncClient(verify=context, trust_env=False, timeout=TIMEOUT_SECONDS) as client,
            client.stream("POST", pinned, headers=request_headers, content=body, extensions=names) as answer,
        ):
            return str(answer.status_code)
