"""Watches in the database that every game goes on while people play and parts fail."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from chaos.parts import Club
from chaos.reading import TableReader, Waiting
from chaos.tables import GameTimes

LOOK_SECONDS = 0.25
MAX_STUCK = 5.0
"""Seconds that a table may stand still, counted from when the parts are back."""


@dataclass(slots=True)
class Findings:
    """stuck: the longest that a table stood still whose players were there; late: the most that a deadline was over.

    Both in seconds, without the time in which parts were missing; after: by what had failed last, with what the
    table waited for. faults: tables beyond the limit, a line each.
    """

    stuck: float = 0.0
    late: float = 0.0
    after: dict[str, tuple[float, str]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    looks: int = 0


class Watch:
    """Of one club. It is told when parts fail and when they are back."""

    def __init__(self, club: Club, book: GameTimes) -> None:
        self.findings = Findings()
        self._club = club
        self._book = book
        self._since: dict[str, tuple[int, float]] = {}
        """Table → its ply, and when it was first seen at it."""
        self._broken = 0
        self._back_at = time.monotonic()
        self._last_fault = "nothing"

    @asynccontextmanager
    async def during(self, fault: str) -> AsyncIterator[None]:
        """Parts are missing; at its end all of them are back."""
        self._broken += 1
        try:
            yield
        finally:
            self._broken -= 1
            self._back_at, self._last_fault = time.monotonic(), fault

    async def look_on(self) -> None:
        """Look until cancelled."""
        table_reader = TableReader(self._club.database)
        while True:
            began = time.monotonic()
            try:
                waiting = await asyncio.to_thread(table_reader.list_waiting)
            except OSError:
                waiting = []
            if time.monotonic() - began < LOOK_SECONDS * 4:  # what was read long ago says nothing of now
                self.judge(waiting, now=time.monotonic(), wall=self._club.clock.now())
            await asyncio.sleep(LOOK_SECONDS)

    def judge(self, waiting: list[Waiting], *, now: float, wall: float) -> None:
        """Compare with the last look. now: monotonic seconds; wall: the club's time, in seconds since 1970."""
        self._since = {table.table: self._note(table, now) for table in waiting}
        if self._broken:
            return
        self.findings.looks += 1
        for table in waiting:
            still = now - max(self._since[table.table][1], self._back_at)
            late = min(still, wall - table.wake_at) if table.wake_at is not None else 0.0
            gone = self._book.absent.get(table.table, frozenset())
            is_for_clock = not table.has_bots and (table.may_rest or table.seats <= gone)
            self._find(table, late if is_for_clock else still, late)

    def _note(self, table: Waiting, now: float) -> tuple[int, float]:
        ply, since = self._since.get(table.table, (-1, now))
        return (ply, since) if ply == table.ply else (table.ply, now)

    def _find(self, table: Waiting, stuck: float, late: float) -> None:
        found = self.findings
        found.stuck, found.late = max(found.stuck, stuck), max(found.late, late)
        game = self._book.games.get(table.table, "a table")
        awaited = f"waited for {sorted(table.seats)}, bots {table.has_bots}, due {late:.1f} s ago"
        found.after[self._last_fault] = max(
            found.after.get(self._last_fault, (0.0, "")), (stuck, f"{game} at ply {table.ply} {awaited}")
        )
        if max(stuck, late) > MAX_STUCK:
            stood = f"{game} {table.table} stood still for {stuck:.1f} s"
            found.faults[table.table] = f"{stood} at ply {table.ply} after {self._last_fault}; {awaited}"
