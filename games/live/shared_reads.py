"""One database read shared by all callers that ask for the same at about the same time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

from games.memo import Memo

Value = TypeVar("Value")


class Reading(NamedTuple, Generic[Value]):
    """A read under way or done, and when it began (monotonic seconds)."""

    at: float
    task: asyncio.Future[Value]


class SharedReads(Generic[Value]):
    """Reads by key. memo: where they are kept; seconds: how long after its beginning a read is shared."""

    def __init__(self, memo: Memo[Hashable, Reading[Value]], seconds: float) -> None:
        self._memo = memo
        self._seconds = seconds

    async def ask(self, key: Hashable, read: Callable[[], Awaitable[Value]]) -> Value:
        """What `read` gives now, or gave a moment ago. Raises what it raises."""
        now, key = time.monotonic(), (asyncio.get_running_loop(), key)  # a read is awaited on its own loop only
        reading = self._memo.get(key)
        if reading is None or reading.at <= now - self._seconds:
            reading = self._memo.put(key, Reading(now, asyncio.ensure_future(read())))
        return await asyncio.shield(reading.task)  # a caller that is cancelled does not cancel it for the others

    def forget(self) -> None:
        """Forget all reads: the data has changed."""
        self._memo.clear()
