"""What a process remembers of late, for all its threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Recent(Generic[K, T]):
    """At most so many things; what was laid down or asked for longest ago goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[K, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> T | None:
        """What lies under this key, if it is still there."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
            return self._things.get(key)

    def put(self, key: K, thing: T) -> None:
        """Lay something there."""
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            while len(self._things) > self._most:
                self._things.popitem(last=False)

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._things.clear()
