"""Calls of the channel layer, with a timeout and the circuit breaker for Redis.

A message that is lost does no harm: the other processes find the change in the database (`staleness_check`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from channels.layers import get_channel_layer

from games.live.event_loops import LoopSingleton
from games.work import circuit_breaker

logger = logging.getLogger(__name__)

T = TypeVar("T")

ANSWER_SECONDS = 3.0
"""Timeout in seconds of one call: long, so that a busy event loop does not look like an outage of Redis."""


class UnavailableError(Exception):
    """Redis does not answer, or the circuit breaker is open."""


class _CallQueue:
    """Runs calls one after the other, so that waiting in the queue does not count as a slow Redis."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.turn = asyncio.Lock()


_call_queue = LoopSingleton(_CallQueue)


async def call(work: Callable[[], Awaitable[T]]) -> T:
    """Run one call of the channel layer and return its result. Raises UnavailableError."""
    async with _call_queue.get().turn:
        if not circuit_breaker.redis.may_ask():
            raise UnavailableError("it is left alone for a moment")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                given = await work()
        except Exception as error:
            circuit_breaker.redis.note(has_answered=False)
            logger.warning("the other processes cannot be reached: %r", error)
            raise UnavailableError from error
        circuit_breaker.redis.note(has_answered=True)
        return given


async def send(group: str, message: dict[str, Any]) -> bool:
    """Send a message to a group of the channel layer; returns whether that worked."""
    layer = get_channel_layer()
    if layer is None:
        return False
    try:
        await call(lambda: layer.group_send(group, message))
    except UnavailableError:
        return False
    return True
