"""`analyse`: says of finished games, from their records, what each decision was worth. No database, no server."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.analysis.labels import GOOD
from games.analysis.report import Analysis, analyse, write_analysis
from games.management.streams import read_input, writing
from games.records import strict_json
from games.records.document import MAX_BYTES
from games.records.faults import Fault
from games.records.format import parse_record


class Command(BaseCommand):
    """A summary for each seat, and the decisions that cost something; exit status 0 only if all can be analysed."""

    help = "Analyse game records: what each decision was worth, from what its seat could know."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE…, --json, --progress, --nice and --bots."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="a game record; - is standard input")
        parser.add_argument("--json", action="store_true", help="write each analysis as JSON, one a line")
        parser.add_argument("--progress", action="store_true", help="report progress on standard error")
        parser.add_argument("--nice", type=int, default=0, help="lower the priority of the process by this much")
        parser.add_argument("--bots", action="store_true", help="judge the decisions of bots, too")

    def handle(self, *_: Any, files: list[str], json: bool, bots: bool, progress: bool, nice: int, **__: Any) -> None:
        """Exits with status 1 if a record cannot be analysed."""
        is_done = True
        os.nice(nice)
        say = self._say_progress if progress else _ignore_progress
        with writing(self.stdout):
            for name in files:
                try:
                    record = parse_record(read_input(name, most=MAX_BYTES))
                    found = analyse(record, progress=say, judges_bots=bots)
                except (Fault, OSError, ValueError) as error:
                    self.stderr.write(f"FAIL  {name}  {error}")
                    is_done = False
                    continue
                self.stdout.write(strict_json.write(write_analysis(found)) if json else _format_analysis(name, found))
        if not is_done:
            sys.exit(1)

    def _say_progress(self, done: int, of: int) -> None:
        self.stderr.write(f"progress {done} {of}")
        self.stderr.flush()


def _ignore_progress(done: int, of: int) -> None:
    """Report no progress."""


def _format_analysis(name: str, found: Analysis) -> str:
    lines = [f"{name}  {found.game}  {found.plies} plies  {len(found.decisions)} decisions"]
    for seat in found.seats:
        if seat.average_loss is not None:
            counts = ", ".join(f"{label} {count}" for label, count in seat.labels.items())
            luck = "" if seat.luck is None else f", luck {seat.luck:+.3f}"
            lines.append(f"  seat {seat.seat} {seat.name}: loss per decision {seat.average_loss:.3f}{luck}; {counts}")
    for judged in found.decisions:
        if judged.decision.loss > 0 and judged.label != GOOD:
            moves = [strict_json.write(dict(move)) for move in (judged.decision.move, judged.decision.best)]
            lines.append(
                f"  ply {judged.ply} seat {judged.seat} {judged.label} -{judged.decision.loss:.3f}: {moves[0]}, "
                f"better {moves[1]}: {judged.decision.reason}"
            )
    return "\n".join(lines)
