"""What this process remembers of rows of the database, so that it need not read or work them out again.

Every such memory is a `Memo` at module level, beside what fills it. Each is bounded: what was used longest ago goes
first. None is ever the truth: its key or its value says what it was made of (a version, a seed, a stamp), and who asks
compares that. `forget_all` empties them all. Pure functions need none of this; they use `functools.lru_cache`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import is_
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from cachetools import Cache, LRUCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")

_memos: WeakValueDictionary[str, Memo[Any, Any]] = WeakValueDictionary()
"""All memos of this process, by name."""


class Memo(Generic[K, V]):
    """At most `maxsize` values under their keys, for all threads of this process. A value is never None.

    name: unique in this process, else ValueError. version_of: of values that follow one another under a key, which
    number says how new one is: an older value then never replaces a newer one.
    """

    def __init__(self, name: str, maxsize: int, *, version_of: Callable[[V], int] | None = None) -> None:
        if name in _memos:
            raise ValueError(f"there is a memo called {name!r} already")
        self.name = name
        self._version_of = version_of
        self._values: LRUCache[K, V] = LRUCache(maxsize)
        self._lock = Lock()
        _memos[name] = self

    def get(self, key: K) -> V | None:
        """The value under this key, if it is still remembered."""
        with self._lock:
            try:  # most are: half the time of asking first
                return self._values[key]
            except KeyError:
                return None

    def put(self, key: K, value: V) -> V:
        """Remember this value, unless a newer one is remembered. Returns the one that is remembered now."""
        with self._lock:
            if self._version_of is not None:
                present = self._values.get(key)
                if present is not None and self._version_of(present) > self._version_of(value):
                    return present
            self._values[key] = value
        return value

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """The value under this key; made now if there is none. Two threads that ask at once may both make it.

        Raises what `make` raises, and then remembers nothing.
        """
        present = self.get(key)
        return self.put(key, make()) if present is None else present

    def drop(self, key: K) -> None:
        """Remember nothing under this key."""
        with self._lock:
            self._values.pop(key, None)

    def clear(self) -> None:
        """Remember nothing."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)


def forget_all() -> None:
    """Empty every memo of this process: between tests, or after the database was exchanged for another one."""
    for memo in tuple(_memos.values()):
        memo.clear()


class DerivedValues:
    """What was worked out of the rows of one thing (a tournament, a season), each as long as its rows are the same.

    It belongs to the object that holds those rows, is handed on to the next reading of them, and goes with it. Rows are
    compared by identity: a new reading takes over the very objects that have not changed. For all threads.
    """

    MAXSIZE = 50_000
    """Values of one thing. A tournament of a thousand people over ten rounds needs some six for each table."""

    def __init__(self) -> None:
        self._values: Cache[Hashable, tuple[tuple[object, ...], Any]] = Cache(self.MAXSIZE)
        self._lock = Lock()

    def get(self, key: Hashable, made_of: tuple[object, ...], make: Callable[[], T]) -> T:
        """The value under this key, if it was made of these very objects; else it is made now."""
        present = self._values.get(key)
        if present is not None and len(present[0]) == len(made_of) and all(map(is_, present[0], made_of)):
            value: T = present[1]
            return value
        value = make()
        self.put(key, made_of, value)
        return value

    def peek(self, key: Hashable) -> tuple[tuple[object, ...], Any] | None:
        """The value under this key, after what it was made of."""
        return self._values.get(key)

    def put(self, key: Hashable, made_of: tuple[object, ...], value: object) -> None:
        """Remember this value."""
        with self._lock:
            self._values[key] = made_of, value
