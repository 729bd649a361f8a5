"""The channel layer, asked by everybody who has something to tell the other processes: never for long.

Whatever is not told is found in the database, by the others' next look (`lookout`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from channels.layers import get_channel_layer

from games.live.event_loops import OfLoop
from games.work import circuit_breaker

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE = 3.0
"""Seconds that anything may take once it is its turn; a loop that is busy is no Redis that hangs."""


class AwayError(Exception):
    """Redis does not answer, or did not a moment ago."""


class _Line:
    """The layer says one word after the other: how long the line is says nothing of Redis."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.turn = asyncio.Lock()


_line = OfLoop(_Line)


async def ask(work: Callable[[], Awaitable[T]]) -> T:
    """What this work with the channel layer gives. Raises AwayError."""
    async with _line.get().turn:
        if not circuit_breaker.redis.may_ask():
            raise AwayError("it is left alone for a moment")
        try:
            async with asyncio.timeout(PATIENCE):
                given = await work()
        except Exception as error:
            circuit_breaker.redis.note(has_answered=False)
            logger.warning("the other processes cannot be reached: %r", error)
            raise AwayError from error
        circuit_breaker.redis.note(has_answered=True)
        return given


async def send(group: str, word: dict[str, Any]) -> bool:
    """Tell whoever is in this group; whether that was possible."""
    layer = get_channel_layer()
    if layer is None:
        return False
    try:
        await ask(lambda: layer.group_send(group, word))
    except AwayError:
        return False
    return True
