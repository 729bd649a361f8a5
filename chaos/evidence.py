"""Everything that clients sent and received, to be compared with the log and the records in the end."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

_HEX = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", re.IGNORECASE)
_INTERNAL_TEXT = ("Traceback (most recent call last)", '"standing_passes"', '"bot_due"')
"""Text that appears only inside the program: the page of an error, the row of a table."""


@dataclass(slots=True)
class Sent:
    """A move that a person sent, and the status of the last answer to it; 0 while there is none."""

    table: str
    seat: int
    key: str
    move: Mapping[str, Any]
    status: int = 0

    @property
    def name(self) -> str:
        """Its key in the log."""
        return f"{self.seat}:{self.key}"


class Seen(NamedTuple):
    """A view of a table: from which seat (None: a spectator), at which ply, and which hidden cards it showed.

    view: the digest of a view for programs; hand: the cards of a frame, sorted. One of the two is None.
    """

    seat: int | None
    ply: int
    view: str | None
    hand: tuple[str, ...] | None


@dataclass(slots=True)
class Evidence:
    """The evidence from one site, by table."""

    sent: list[Sent] = field(default_factory=list)
    looks: dict[str, set[Seen]] = field(default_factory=lambda: defaultdict(set))
    digits: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """64 hexadecimal digits that were seen before the table's game was over: neither seed nor secret may be there."""
    inside: list[str] = field(default_factory=list)
    """Pieces of the program's inside that were shown to anybody, and answers that nobody should get."""
    over: set[str] = field(default_factory=set)
    records: dict[str, str] = field(default_factory=dict)
    lost_sockets: int = 0
    retries: int = 0

    def send(self, table: str, seat: int, key: str, move: Mapping[str, Any]) -> Sent:
        """Note that a move is about to be sent."""
        sent = Sent(table, seat, key, move)
        self.sent.append(sent)
        return sent

    def see_text(self, table: str, text: bytes) -> None:
        """Search anything that a server sent."""
        if table not in self.over:
            self.digits[table] |= {found.decode().lower() for found in _HEX.findall(text)}
        self.inside += [f"table {table}: {word}" for word in _INTERNAL_TEXT if word.encode() in text]

    def see_view(self, table: str, seen: Mapping[str, Any]) -> None:
        """Note a view for programs."""
        if seen["view"] is not None:
            self.looks[table].add(Seen(seen["seat"], seen["ply"], digest(seen["view"]), None))

    def see_hand(self, table: str, seat: int | None, ply: int, hand: tuple[str, ...]) -> None:
        """Note the cards that a frame showed as the reader's own."""
        self.looks[table].add(Seen(seat, ply, None, hand))


def digest(view: object) -> str:
    """A short hash, the same for equal views."""
    return sha256(json.dumps(view, sort_keys=True, default=list).encode()).hexdigest()[:24]
