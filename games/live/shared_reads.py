"""One database read shared by all callers that ask for the same at about the same time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class Reading(NamedTuple, Generic[Value]):
    """A read under way or done, and when it began (monotonic seconds)."""

    at: float
    task: asyncio.Future[Value]


class SharedReads(Generic[Value]):
    """Reads by key. seconds: how long after its beginning a read is shared."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._readings: dict[Hashable, Reading[Value]] = {}

    async def ask(self, key: Hashable, read: Callable[[], Awaitable[Value]]) -> Value:
        """What `read` gives now, or gave a moment ago. Raises what it raises."""
        now = time.monotonic()
        reading = self._readings.get(key)
        if reading is None or reading.at <= now - self._seconds:
            self._readings = {key: one for key, one in self._readings.items() if one.at > now - self._seconds}
            reading = self._readings[key] = Reading(now, asyncio.ensure_future(read()))
        return await asyncio.shield(reading.task)  # one who goes away takes it from nobody

    def forget(self) -> None:
        """Forget all reads: the data has changed."""
        self._readings.clear()
