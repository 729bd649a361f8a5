"""One table from its opening to its record, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from chaos.evidence import Evidence
from chaos.people import AbsentPlayer, Person, Poller, SocketPlayer

TURN_SECONDS = 5
MAX_TRIES = 20
BELL_AT = 60
"""The ply at which the host ends a game that has no agreed length."""


class TableKind(NamedTuple):
    """A kind of table. people: the persons at it; other seats are bots'."""

    game: str
    people: tuple[type[Person], ...]
    fields: Mapping[str, object]
    has_bell: bool = False
    weight: int = 1


THREE, FOUR, FIVE = {"seats": 3}, {"seats": 4}, {"seats": 5}
TABLE_KINDS = (
    TableKind("animal-poker", (SocketPlayer,), {**FOUR, "bots": 3, "sessions": 1}, weight=8),
    TableKind("animal-poker", (SocketPlayer, Poller), {**FOUR, "bots": 2, "sessions": 1}, weight=3),
    TableKind("animal-poker", (SocketPlayer, SocketPlayer, AbsentPlayer), {**FOUR, "bots": 1, "sessions": 1}, weight=3),
    TableKind(
        "animal-poker",
        (SocketPlayer, SocketPlayer, SocketPlayer, SocketPlayer),
        {**FIVE, "bots": 1, "sessions": 1},
        weight=2,
    ),
    TableKind("karriere-poker", (SocketPlayer, Poller), {**FOUR, "bots": 2, "deals": 1}, weight=2),
    TableKind("animals-on-board", (SocketPlayer, Poller), {**THREE, "bots": 1}, weight=2),
    TableKind("fancy-animals", (SocketPlayer,), {**FOUR, "bots": 3}, has_bell=True, weight=1),
    TableKind(
        "super-zwierzaki", (SocketPlayer, SocketPlayer, AbsentPlayer), {**FIVE, "bots": 2}, has_bell=True, weight=1
    ),
)
"""Small tables whose games are short, so that many are hit by many faults, and people move."""


@dataclass(slots=True)
class GameTimes:
    """The games that were opened, and when they were played (monotonic seconds)."""

    games: dict[str, str] = field(default_factory=dict)
    began: dict[str, float] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    absent: dict[str, frozenset[int]] = field(default_factory=dict)
    """Seats of people who have gone, by table."""


class TableLoop:
    """The people who play at one table after the other."""

    def __init__(self, addresses: Sequence[str], evidence: Evidence, book: GameTimes, rng: random.Random) -> None:
        self._evidence = evidence
        self._book = book
        self._rng = rng
        self._people: dict[tuple[type[Person], int], Person] = {}
        self._addresses = addresses

    async def play(self) -> str:
        """One game, chosen at random. Returns its table."""
        plan = self._rng.choices(TABLE_KINDS, [plan.weight for plan in TABLE_KINDS])[0]
        people = [self._find(kind, number) for number, kind in enumerate(plan.people)]
        for person in people:
            await person.come_in()
        table = await self._open(plan, people)
        await self._play(plan, people, table)
        self._book.ended[table] = asyncio.get_running_loop().time()
        record = await people[0].insist("GET", f"/tables/{table}/record.json")
        self._evidence.records[table] = record.text
        return table

    def _find(self, kind: type[Person], number: int) -> Person:
        """The people of one loop use different servers first."""
        if (kind, number) not in self._people:
            turned = [*self._addresses[number % len(self._addresses) :], *self._addresses]
            self._people[kind, number] = kind(turned[: len(self._addresses)], self._evidence, self._rng)
        return self._people[kind, number]

    async def _open(self, plan: TableKind, people: Sequence[Person]) -> str:
        host = people[0]
        host.sit_down("", plan.game)
        form = {"bot_level": "steady", "turn_seconds": TURN_SECONDS, "is_timed": "on", "is_public": "on", **plan.fields}
        answer = await host.insist("POST", f"/games/{plan.game}/new/", **form)
        if answer.status != 302:
            raise RuntimeError(f"no table was opened: {answer.status} {answer.text[:200]}")
        table = answer.location.strip("/").rpartition("/")[2]
        self._book.games[table] = plan.game
        for person in people:
            person.sit_down(table, plan.game)
            await self._sit(person, table)
        return table

    async def _sit(self, person: Person, table: str) -> None:
        """Take a chair, and contribute to the deal as a browser does by itself."""
        for _ in range(MAX_TRIES):
            seen = await person.look()
            if seen["seat"] is not None:
                sent = {"commitment": seen["commitment"], "entropy": f"{self._rng.getrandbits(128):032x}"}
                await person.insist("POST", f"/tables/{table}/contribute/", **sent)
                return
            await person.insist("POST", f"/tables/{table}/sit/")
        raise RuntimeError(f"table {table}: who sat down has no seat")

    async def _play(self, plan: TableKind, people: Sequence[Person], table: str) -> None:
        watchers = [self._find(SocketPlayer, len(people))] if self._rng.random() < 0.2 else []
        for watcher in watchers:
            watcher.sit_down(table, plan.game)
        async with asyncio.TaskGroup() as playing:
            for person in (*people, *watchers):  # they are there when it begins, as people are
                playing.create_task(person.play())
            await self._start(people[0])
            self._book.absent[table] = await self._find_absent(people)
            self._book.began[table] = asyncio.get_running_loop().time()
            if plan.has_bell:
                playing.create_task(self._ring(people[0]))

    async def _start(self, host: Person) -> None:
        while (await host.look())["status"] == "waiting":
            await host.insist("POST", f"/tables/{host.table}/start/")

    async def _find_absent(self, people: Sequence[Person]) -> frozenset[int]:
        """Their seats, which are drawn when the game starts."""
        seats = [(await person.look())["seat"] for person in people if isinstance(person, AbsentPlayer)]
        return frozenset(seat for seat in seats if seat is not None)

    async def _ring(self, host: Person) -> None:
        while host.ply < BELL_AT and host.table not in self._evidence.over:
            await asyncio.sleep(0.5)
        while host.table not in self._evidence.over:
            answer = await host.insist("POST", f"/tables/{host.table}/bell/")
            if answer.status in (302, 409):
                return
