"""Sends push messages to one push service: many at a time over few connections, to its checked address."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence

import httpx

from games.notifications.push_messages import PushMessage
from games.work.outgoing_addresses import look_up

TIMEOUT_SECONDS = 5.0
"""Seconds for the head of an answer. More waits for slow services, and keeps a thread for as long."""
CONCURRENT_REQUESTS = 4
"""Messages under way at one service. More costs more of the processor for each: the pool looks at all connections."""
MAX_FAILURES = 3
"""Messages in a row without an answer after which no other is begun."""
SILENT = "silent"
"""The answer of messages that were not tried, because the service did not answer others."""
MAX_READ = 4096
"""Bytes of an answer's body that are read. A longer one ends the connection."""


def post_all(origin: str, messages: Sequence[PushMessage]) -> list[str]:
    """The status of each message, or in a word why there is none. All go to this origin (scheme, host and port).

    After `MAX_FAILURES` in a row without an answer no other is begun.
    """
    try:
        return asyncio.run(_post_all(httpx.URL(origin), messages))
    except (OSError, ValueError, httpx.InvalidURL) as error:
        return [_name_error(error), *[SILENT] * (len(messages) - 1)]


def _name_error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:100]


async def _post_all(origin: httpx.URL, messages: Sequence[PushMessage]) -> list[str]:
    host = origin.raw_host.decode()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        address = await look_up(host, origin.port or (443 if origin.scheme == "https" else 80))
    limits = httpx.Limits(max_connections=CONCURRENT_REQUESTS, max_keepalive_connections=CONCURRENT_REQUESTS)
    async with httpx.AsyncClient(
        verify=ssl.create_default_context(), trust_env=False, timeout=TIMEOUT_SECONDS, limits=limits
    ) as client:
        answers = [SILENT] * len(messages)
        waiting = iter(range(len(messages)))
        failures = 0

        async def work() -> None:
            nonlocal failures
            for index in waiting:
                answers[index] = await _post(client, address, host, messages[index])
                failures = 0 if answers[index][:1].isdigit() else failures + 1
                if failures >= MAX_FAILURES:
                    return

        await asyncio.gather(*(work() for _ in range(min(CONCURRENT_REQUESTS, len(messages)))))
        return answers


async def _post(client: httpx.AsyncClient, address: str, host: str, message: PushMessage) -> str:
    url = httpx.URL(message.endpoint)
    # The address that was checked is the one that is called; the certificate must be the host's.
    headers = {"Host": url.netloc.decode(), "User-Agent": "Menagerie", **message.headers}
    pinned, names = url.copy_with(host=address), {"sni_hostname": host}
    try:
        async with (
            asyncio.timeout(TIMEOUT_SECONDS),
            client.stream("POST", pinned, headers=headers, content=message.body, extensions=names) as answer,
        ):
            read = 0
            async for piece in answer.aiter_raw():  # after all of it the connection serves the next message
                read += len(piece)
                if read > MAX_READ:
                    break
            return str(answer.status_code)
    except (OSError, ValueError, httpx.HTTPError, httpx.InvalidURL) as error:
        return _name_error(error)
