"""What there is once a process, on its event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Living(Protocol):
    """Something that lives on the loop it was made on."""

    loop: asyncio.AbstractEventLoop


Kind = TypeVar("Kind", bound=Living)


class OfLoop(Generic[Kind]):
    """The one of its kind in this process."""

    def __init__(self, make: Callable[[], Kind]) -> None:
        self._make = make
        self._made: Kind | None = None

    def get(self) -> Kind:
        """That of the running loop (called on it), made at the first socket."""
        if self._made is None or self._made.loop is not asyncio.get_running_loop():
            self._made = self._make()
        return self._made

    def find(self) -> Kind | None:
        """That of this process, if it has had sockets at all."""
        return self._made if self._made is not None and not self._made.loop.is_closed() else None
