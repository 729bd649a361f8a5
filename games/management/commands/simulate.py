"""`simulate`: whole games between bots; same arguments, same games."""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.management.streams import writing
from games.records.document import read_object
from games.records.faults import Fault
from games.records.simulate import SimulatedGame, SimulationPlan, play_games
from games.records.simulation_report import total_games, write_report
from games.records.writer import to_text
from games.rules import registry
from games.rules.base import BadSetup, Config

_HEX: Final = re.compile(r"[0-9a-f]{1,128}")


class Command(BaseCommand):
    """Prints games, moves, moves/s and places by bot; with --records writes explicit records."""

    help = "Play games between bots, and measure how fast. The same arguments give the same games."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """--game, --players, --games, --seed, --bots, --options, --records."""
        parser.add_argument("--game", required=True, metavar="SLUG", help=f"one of: {', '.join(registry.slugs())}")
        parser.add_argument("--players", required=True, type=int, metavar="N", help="seats at the table")
        parser.add_argument("--games", required=True, type=int, metavar="K", help="how many games")
        parser.add_argument("--seed", default="1", metavar="HEX", help="1 to 128 hexadecimal digits; default: 1")
        parser.add_argument(
            "--bots", default="steady", metavar="LEVEL[,LEVEL…]", help="dealt to the seats in turn; default: steady"
        )
        parser.add_argument("--options", default="{}", metavar="JSON", help='the game\'s options, e.g. {"deals": 5}')
        parser.add_argument("--records", type=Path, metavar="DIR", help="write every game there as a record")

    def handle(self, *_: Any, games: int, records: Path | None, **options: Any) -> None:
        """Raises CommandError with one sentence for arguments that cannot be."""
        if games < 1:
            raise CommandError("--games must be at least 1.")
        plan = _read_plan(**options)
        folder = None if records is None else _Folder(records, plan, games)
        stopwatch = _Stopwatch(play_games(plan, games, bots.choose, stays_silent=bots.stays_silent))
        with writing(self.stdout):
            try:
                tally = total_games(_write_records(stopwatch, folder))
            except (BadSetup, Fault) as error:
                raise CommandError(str(error)) from error
            except KeyboardInterrupt:
                raise CommandError("Stopped before the end.", returncode=130) from None
            for line in write_report(tally, seats=plan.config.seats, seconds=stopwatch.seconds):
                self.stdout.write(line)


class _Stopwatch:
    """Passes games on and measures how long they took to play, not what is done with them."""

    def __init__(self, games: Iterator[SimulatedGame]) -> None:
        self._games = games
        self.seconds = 0.0

    def __iter__(self) -> Iterator[SimulatedGame]:
        return self

    def __next__(self) -> SimulatedGame:
        began = time.perf_counter()
        try:
            return next(self._games)
        finally:
            self.seconds += time.perf_counter() - began


class _Folder:
    """Where the records go, and what they are called."""

    def __init__(self, path: Path, plan: SimulationPlan, games: int) -> None:
        self._path = path
        self._stem = f"{plan.rules.slug}-{plan.config.seats}p"
        self._digits = max(4, len(str(games)))
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"The folder {path} cannot be created: {error.strerror}.") from error

    def write(self, game: SimulatedGame) -> None:
        file = self._path / f"{self._stem}-{game.number + 1:0{self._digits}d}.json"
        try:
            file.write_text(to_text(game.record), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error


def _write_records(games: _Stopwatch, folder: _Folder | None) -> Iterator[SimulatedGame]:
    for game in games:
        if folder is not None:
            folder.write(game)
        yield game


def _read_plan(*, game: str, players: int, seed: str, options: str, **rest: Any) -> SimulationPlan:
    try:
        rules = registry.find(game)
        chosen = read_object(options)
        rules.check_options(players, chosen)
    except BadSetup as error:
        raise CommandError(str(error)) from error
    except Fault as fault:
        raise CommandError(f"--options: {fault}") from fault
    return SimulationPlan(rules, Config(players, chosen), _read_seed(seed), _read_levels(rules.slug, rest["bots"]))


def _read_seed(digits: str) -> bytes:
    digits = digits.lower()
    if not _HEX.fullmatch(digits):
        raise CommandError("--seed must be 1 to 128 hexadecimal digits.")
    return digits.encode()


def _read_levels(slug: str, text: str) -> tuple[str, ...]:
    levels = tuple(text.split(","))
    offered = bots.list_bot_levels(slug)
    for level in levels:
        if level not in offered:
            raise CommandError(f"There is no bot of level “{level}” for {slug}. Choose from: {', '.join(offered)}.")
    return levels
