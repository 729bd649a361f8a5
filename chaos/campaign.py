"""A site under faults: many tables at once, one fault after the other, until enough games are over."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import psycopg

from chaos.clock import can_jump
from chaos.evidence import Evidence
from chaos.faults import FAULTS, Scene
from chaos.parts import SETUPS, Club, keep_logs
from chaos.reading import Row, read
from chaos.silent_sockets import SilentSockets
from chaos.tables import GameTimes, TableLoop
from chaos.watch import Findings, Watch

CALM_SECONDS = 7.0
"""Between two faults: longer than a table may stand still."""
END_SECONDS = 120.0
"""For how long games under way may still be played in the end: one lasts about a minute where many are played."""
RESTART_SECONDS = 1.0
"""How often processes that ended by themselves are looked for."""
SQL_PLIES = "SELECT table_id, number, event, key FROM games_ply ORDER BY table_id, number"
SQL_GAMES = "SELECT id, status, ply, seed, secret FROM games_table"


class CampaignOptions(NamedTuple):
    """games: how many, at so many tables at once; seconds: after which no new ones begin; faults: by name.

    made: of what the site is set up already, as `chaos.parts` has it.
    """

    setup: str
    games: int
    tables: int
    seconds: float
    faults: Sequence[str]
    seed: int = 0
    logs: Path | None = None
    made: Path | None = None


@dataclass(slots=True)
class Campaign:
    """The result of a campaign. struck: how often each fault occurred; calm: games that were over before any fault."""

    options: CampaignOptions
    evidence: Evidence = field(default_factory=Evidence)
    book: GameTimes = field(default_factory=GameTimes)
    findings: Findings = field(default_factory=Findings)
    struck: Counter[str] = field(default_factory=Counter)
    moments: list[float] = field(default_factory=list)
    notes: dict[str, object] = field(default_factory=dict)
    silent: list[SilentSockets] = field(default_factory=list)
    plies: list[Row] = field(default_factory=list)
    games: list[Row] = field(default_factory=list)
    seconds: float = 0.0
    calm: int = 0
    """Games that were over before any fault struck."""
    left_out: list[str] = field(default_factory=list)

    def under_fire(self) -> int:
        """Games that were played to their end while at least one fault struck."""
        return sum(self.was_struck(table) for table in self.book.ended)

    def was_struck(self, table: str) -> bool:
        """Whether anything failed while this game, which is over, was played."""
        return any(self.book.began[table] <= moment <= self.book.ended[table] for moment in self.moments)


def run(options: CampaignOptions) -> Campaign:
    """Start a site, play, inject faults, stop; the result holds everything that the verdict needs."""
    campaign = Campaign(options)
    with tempfile.TemporaryDirectory(prefix="menagerie-chaos-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL's own user must come through
        with SETUPS[options.setup](Path(folder), options.made) as club:
            try:
                asyncio.run(_play(club, campaign))
                for name in [*club.names("web"), *club.names("worker")]:
                    club.parts[name].kill()  # two looks at what stands still
                campaign.plies, campaign.games = read(club.database, SQL_PLIES), read(club.database, SQL_GAMES)
            finally:
                if options.logs is not None:
                    keep_logs(club, options.logs / options.setup)
    return campaign


async def _play(club: Club, campaign: Campaign) -> None:
    options = campaign.options
    watch = Watch(club, campaign.book)
    campaign.findings = watch.findings
    scene = Scene(club, watch, campaign.book, random.Random(options.seed), campaign.notes, campaign.silent)
    began = time.monotonic()
    helper_coroutines = (watch.look_on(), _inject_faults(scene, campaign), _restart_parts(scene))
    helpers = [asyncio.create_task(coroutine) for coroutine in helper_coroutines]
    table_loops = [
        asyncio.create_task(_play_at_table(club, campaign, number, began)) for number in range(options.tables)
    ]
    try:
        await asyncio.wait_for(_finish(table_loops), options.seconds + END_SECONDS)
    except TimeoutError:
        campaign.notes["games that did not end"] = len(campaign.book.began) - len(campaign.book.ended)
    finally:
        for task in (*table_loops, *helpers):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        campaign.seconds = time.monotonic() - began


async def _finish(table_loops: Sequence[asyncio.Task[None]]) -> None:
    """Wait until all games are over."""
    await asyncio.gather(*table_loops)


async def _play_at_table(club: Club, campaign: Campaign, number: int, began: float) -> None:
    """One game after the other at one table, until enough games were hit by a fault."""
    options = campaign.options
    table_loop = TableLoop(club.addresses, campaign.evidence, campaign.book, random.Random(f"{options.seed} {number}"))
    while len(campaign.book.games) - campaign.calm < options.games and time.monotonic() - began < options.seconds:
        try:
            table = await table_loop.play()
            campaign.calm += not campaign.was_struck(table)
        except Exception as error:  # noqa: BLE001 - one table that cannot go on ends no run; it is a fault of it
            campaign.evidence.inside.append(f"a table could not be played on: {error!r}")


async def _inject_faults(scene: Scene, campaign: Campaign) -> None:
    """One fault after the other, with pauses, as long as games are played."""
    options = campaign.options
    names = list(options.faults)
    if "clock" in names and not can_jump():
        names.remove("clock")
        campaign.left_out.append("clock: apt-get install gcc libc6-dev")
    last = time.monotonic() + options.seconds
    for name in cycle(names):
        await asyncio.sleep(CALM_SECONDS * scene.rng.uniform(0.9, 1.2))
        if time.monotonic() > last or len(campaign.book.ended) - campaign.calm >= options.games:
            return
        campaign.moments.append(time.monotonic())
        try:
            await FAULTS[options.setup][name](scene)
            campaign.struck[name] += 1
        except (OSError, psycopg.Error, sqlite3.Error) as error:
            campaign.notes[f"{name} could not strike"] = repr(error)


async def _restart_parts(scene: Scene) -> None:
    """Restart processes that ended by themselves, as a service manager does."""
    while True:
        await asyncio.sleep(RESTART_SECONDS)
        for part in scene.club.parts.values():
            if part.has_ended:
                async with scene.watch.during(f"{part.name} ended by itself"):
                    scene.notes[f"{part.name} ended by itself"] = "and was started again"
                    await asyncio.to_thread(part.kill)
                    await asyncio.to_thread(part.start)
