"""Objects that exist once per process, on its event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class LoopBound(Protocol):
    """An object that belongs to the loop on which it was created."""

    loop: asyncio.AbstractEventLoop


Kind = TypeVar("Kind", bound=LoopBound)


class LoopSingleton(Generic[Kind]):
    """The single instance of a class in this process, created on first use."""

    def __init__(self, make: Callable[[], Kind]) -> None:
        self._make = make
        self._made: Kind | None = None

    def get(self) -> Kind:
        """The instance of the running loop; created on the first call."""
        if self._made is None or self._made.loop is not asyncio.get_running_loop():
            self._made = self._make()
        return self._made

    def find(self) -> Kind | None:
        """The instance of this process, or None if there is none (from any thread)."""
        return self._made if self._made is not None and not self._made.loop.is_closed() else None
