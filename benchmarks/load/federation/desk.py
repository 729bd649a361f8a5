"""An organiser's program: a tournament by the API, from the import of its entrants to the last result of a round."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load.federation.preparation import PreparedClub
from benchmarks.load.http_requests import call

ENTRANTS = 50
RESULT_PAUSE = 0.5
"""Seconds between two results that are entered."""
DRAWN_SECONDS, ASK_AGAIN_SECONDS = 90.0, 0.5
PLAN = {
    "game": "karriere-poker", "options": {"deals": 1}, "venue": "real", "wanted": 4, "least": 4, "most": 5,
    "rounds_planned": 3,
}  # fmt: skip


@dataclass(slots=True)
class Desks:
    """What all organisers' programs took, in seconds; rounds: those that were played to their last result."""

    imports: list[float] = field(default_factory=list)
    draws: list[float] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    rounds: int = 0


class Desk:
    """One club's organiser."""

    def __init__(self, address: str, club: PreparedClub, desks: Desks) -> None:
        self.address, self.club, self.desks = address, club, desks
        self.tournament = ""
        self._keys = itertools.count(1)

    async def open(self) -> None:
        """Plan a tournament and open its entry."""
        planned = await self._post(f"/clubs/{self.club['slug']}/tournaments", **PLAN, name="Saturday")
        self.tournament = planned["id"]
        await self._post(f"{self._base}/phase", phase="entry")

    async def play_round(self) -> None:
        """Import everybody, check them in, draw the first round, release it, enter its results, complete it."""
        names = "\n".join(f"Entrant {number},{self.club['slug']}" for number in range(1, ENTRANTS + 1))
        began = time.perf_counter()
        await self._post(f"{self._base}/import", csv=f"name,club\n{names}")
        self.desks.imports.append(time.perf_counter() - began)
        await self._post(f"{self._base}/phase", phase="check-in")
        await self._post(f"{self._base}/attendance", entrants=list(range(1, ENTRANTS + 1)), mark="present")
        here, began = f"{self._base}/rounds/1", time.perf_counter()
        drawn = await self._wait_for_draw(here, await self._post(f"{here}/draw"))
        self.desks.draws.append(time.perf_counter() - began)
        await self._post(f"{here}/release")
        for table in drawn["tables"]:
            await asyncio.sleep(RESULT_PAUSE)
            began = time.perf_counter()
            places = list(range(1, len(table["seats"]) + 1))
            await self._post(f"{here}/tables/{table['number']}/result", places=places)
            self.desks.results.append(time.perf_counter() - began)
        await self._post(f"{here}/complete")
        self.desks.rounds += 1

    async def _wait_for_draw(self, here: str, drawn: Any) -> Any:
        """Until the draft is there. Raises TimeoutError, RuntimeError if there is none."""
        async with asyncio.timeout(DRAWN_SECONDS):
            while drawn["status"] == "drawing":
                await asyncio.sleep(ASK_AGAIN_SECONDS)
                drawn = await call(self.address, here, self.club["token"])
        if not drawn["tables"]:
            raise RuntimeError(f"no round was drawn: {drawn}")
        return drawn

    async def _post(self, path: str, **body: Any) -> Any:
        return await call(self.address, path, self.club["token"], {**body, "key": f"bench-{next(self._keys)}"})

    @property
    def _base(self) -> str:
        return f"/tournaments/{self.tournament}"
