"""The random source of games: a specified generator over a 256-bit seed.

The bytes are stated in docs/fair-deals.md, with test vectors, so that another program in another
language can deal the same cards. Source: record-format.md, *Fair deals*.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

_DOMAIN = b"menagerie-chance/1"
_UNPACK = struct.Struct(">4Q").unpack  # the words of one block
_SPAN = 1 << 64


class NoChance(Exception):
    """A random value was needed, and there is neither a seed nor a supplied value. name: of its stream."""

    def __init__(self, name: str, count: int) -> None:
        super().__init__(f"this needs chance ({name} {count}), and the game has no seed")
        self.name = name


class Stream:
    """Numbers of one named, counted stream of a seed.

    Block i (from 0) is SHA-256(domain ‖ 0x00 ‖ seed ‖ name ‖ 0x00 ‖ count ‖ i), `count` and `i` as
    8 bytes big-endian; the blocks in a row are read as 8-byte big-endian words.
    """

    __slots__ = ("_words",)

    def __init__(self, seed: bytes, name: str, count: int) -> None:
        self._words = _read_words(_DOMAIN + b"\0" + seed + name.encode() + b"\0" + count.to_bytes(8, "big"))

    def below(self, n: int) -> int:
        """A uniform integer 0 … n−1: the first word under the largest multiple of n, modulo n."""
        word = next(self._words)
        if word >= _SPAN - n:  # only here can it be above the limit
            limit = _SPAN - _SPAN % n
            while word >= limit:
                word = next(self._words)
        return word % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A shuffled copy: for i from the last place down to 1, swap places i and below(i + 1)."""
        deck = list(items)
        below = self.below
        for i in range(len(deck) - 1, 0, -1):
            j = below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck


def _read_words(prefix: bytes) -> Iterator[int]:
    """The words of all blocks in a row."""
    for block in count():
        yield from _UNPACK(sha256(prefix + block.to_bytes(8, "big")).digest())


class Chance(NamedTuple):
    """A game's source of randomness: immutable, part of its state, never part of a view.

    seed: 32 bytes, or None for a game that must need nothing random.
    supplied: (name, value) pairs that win over the seed, in order (`random` events of a record).
    drawn: (name, value) pairs that were used since `drawn` was last emptied, to write explicit records.
    """

    seed: bytes | None = None
    supplied: tuple[tuple[str, Any], ...] = ()
    drawn: tuple[tuple[str, Any], ...] = ()

    def stream(self, name: str, count: int = 0) -> Stream:
        """The stream of this name and count. Raises NoChance without a seed."""
        if self.seed is None:
            raise NoChance(name, count)
        return Stream(self.seed, name, count)

    def is_supplied(self, name: str) -> bool:
        """Whether the next supplied value has this name."""
        return bool(self.supplied) and self.supplied[0][0] == name

    def take(self) -> tuple[Any, Chance]:
        """The next supplied value, and the source without it."""
        return self.supplied[0][1], self._replace(supplied=self.supplied[1:])

    def note(self, name: str, value: Any) -> Chance:
        """The source with one more drawn value noted."""
        return self._replace(drawn=(*self.drawn, (name, value)))

    def to_json(self) -> dict[str, Any]:
        """The seed and what is still supplied; `drawn` is for the moment only."""
        return {"seed": self.seed.hex() if self.seed else None, "supplied": [list(s) for s in self.supplied]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Chance:
        """The inverse of `to_json`."""
        seed = bytes.fromhex(data["seed"]) if data["seed"] else None
        return cls(seed, tuple((name, value) for name, value in data["supplied"]))
