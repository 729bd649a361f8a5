"""A club under fire: many tables at once, one fault after the other, until enough games are over."""

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
from chaos.deaf import Found
from chaos.evidence import Evidence
from chaos.faults import FAULTS, Scene
from chaos.parts import SETUPS, Club, keep_logs
from chaos.reading import Row, read
from chaos.tables import Book, Lane
from chaos.watch import Findings, Watch

CALM_SECONDS = 7.0
"""Between two faults: longer than a table may stand still."""
END_SECONDS = 120.0
"""What games that are under way at the end may still take: one lasts about a minute where many are played at once."""
RESTART_SECONDS = 1.0
SQL_PLIES = "SELECT table_id, number, event, key FROM games_ply ORDER BY table_id, number"
SQL_GAMES = "SELECT id, status, ply, seed, secret FROM games_table"


class Wish(NamedTuple):
    """games: how many, at so many tables at once; seconds: after which no new ones begin; faults: which, by name."""

    setup: str
    games: int
    tables: int
    seconds: float
    faults: Sequence[str]
    seed: int = 0
    logs: Path | None = None


@dataclass(slots=True)
class Campaign:
    """What came of it. struck: how often each fault; under_fire: games during which at least one struck."""

    wish: Wish
    evidence: Evidence = field(default_factory=Evidence)
    book: Book = field(default_factory=Book)
    findings: Findings = field(default_factory=Findings)
    struck: Counter[str] = field(default_factory=Counter)
    moments: list[float] = field(default_factory=list)
    notes: dict[str, object] = field(default_factory=dict)
    deaf: list[Found] = field(default_factory=list)
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


def run(wish: Wish) -> Campaign:
    """Start a club, play, strike, stop; everything that judging needs is in what is returned."""
    campaign = Campaign(wish)
    with tempfile.TemporaryDirectory(prefix="menagerie-chaos-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL's own user must come through
        with SETUPS[wish.setup](Path(folder)) as club:
            try:
                asyncio.run(_play(club, campaign))
                for name in [*club.names("web"), *club.names("worker")]:
                    club.parts[name].kill()  # two looks at what stands still
                campaign.plies, campaign.games = read(club.database, SQL_PLIES), read(club.database, SQL_GAMES)
            finally:
                if wish.logs is not None:
                    keep_logs(club, wish.logs / wish.setup)
    return campaign


async def _play(club: Club, campaign: Campaign) -> None:
    wish = campaign.wish
    watch = Watch(club, campaign.book)
    campaign.findings = watch.findings
    scene = Scene(club, watch, campaign.book, random.Random(wish.seed), campaign.notes, campaign.deaf)
    began = time.monotonic()
    helping = (watch.look_on(), _strike(scene, campaign), _look_after(scene))
    helpers = [asyncio.create_task(help_on) for help_on in helping]
    lanes = [asyncio.create_task(_fill(club, campaign, number, began)) for number in range(wish.tables)]
    try:
        await asyncio.wait_for(_finish(lanes), wish.seconds + END_SECONDS)
    except TimeoutError:
        campaign.notes["games that did not end"] = len(campaign.book.began) - len(campaign.book.ended)
    finally:
        for task in (*lanes, *helpers):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        campaign.seconds = time.monotonic() - began


async def _finish(lanes: Sequence[asyncio.Task[None]]) -> None:
    """Until all games are over."""
    await asyncio.gather(*lanes)


async def _fill(club: Club, campaign: Campaign, number: int, began: float) -> None:
    """One game after the other at one table, until enough were begun that something struck."""
    wish = campaign.wish
    lane = Lane(club.addresses, campaign.evidence, campaign.book, random.Random(f"{wish.seed} {number}"))
    while len(campaign.book.games) - campaign.calm < wish.games and time.monotonic() - began < wish.seconds:
        try:
            table = await lane.play()
            campaign.calm += not campaign.was_struck(table)
        except Exception as error:  # noqa: BLE001 - one table that cannot go on ends no run; it is a fault of it
            campaign.evidence.inside.append(f"a table could not be played on: {error!r}")


async def _strike(scene: Scene, campaign: Campaign) -> None:
    """One fault after the other, with calm in between, as long as games are played."""
    wish = campaign.wish
    names = list(wish.faults)
    if "clock" in names and not can_jump():
        names.remove("clock")
        campaign.left_out.append("clock: apt-get install gcc libc6-dev")
    last = time.monotonic() + wish.seconds
    for name in cycle(names):
        await asyncio.sleep(CALM_SECONDS * scene.rng.uniform(0.9, 1.2))
        if time.monotonic() > last or len(campaign.book.ended) - campaign.calm >= wish.games:
            return
        campaign.moments.append(time.monotonic())
        try:
            await FAULTS[wish.setup][name](scene)
            campaign.struck[name] += 1
        except (OSError, psycopg.Error, sqlite3.Error) as error:
            campaign.notes[f"{name} could not strike"] = repr(error)


async def _look_after(scene: Scene) -> None:
    """What a service manager does: whatever ends by itself is started again."""
    while True:
        await asyncio.sleep(RESTART_SECONDS)
        for part in scene.club.parts.values():
            if part.has_ended:
                async with scene.watch.during(f"{part.name} ended by itself"):
                    scene.notes[f"{part.name} ended by itself"] = "and was started again"
                    await asyncio.to_thread(part.kill)
                    await asyncio.to_thread(part.start)
