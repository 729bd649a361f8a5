"""`verify_record`: replays game records and says whether they hold. No database, no server."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, OutputWrapper

from games.management.streams import read_input, writing
from games.records import strict_json
from games.records.document import MAX_BYTES
from games.records.explicit import write_explicit
from games.records.faults import Fault
from games.records.format import parse_record
from games.records.replay import verify


class Command(BaseCommand):
    """One line a file, `ok` or `FAIL`; exit status 0 only if all hold."""

    help = "Replay game records and check their commitment, seed, deal and every move."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE… and --explicit."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="a game record; - is standard input")
        parser.add_argument(
            "--explicit",
            action="store_true",
            help="write each record instead, one a line, without seed, with a complete setup and all random events",
        )

    def handle(self, *_: Any, files: list[str], explicit: bool, **__: Any) -> None:
        """Exits with status 1 if a record does not hold, or the output cannot be written."""
        check = self._rewrite if explicit else self._verify
        with writing(self.stdout):
            results = [check(name) for name in files]
        if not all(results):
            sys.exit(1)

    def _verify(self, name: str) -> bool:
        try:
            verdict = verify(_read(name))
        except Fault as fault:
            return self._fail(self.stdout, name, fault)
        if verdict.fault is not None:
            return self._fail(self.stdout, name, verdict.fault)
        _print_line(self.stdout, f"ok  {name}  {verdict.events} events")
        return True

    def _rewrite(self, name: str) -> bool:
        try:
            document = write_explicit(parse_record(_read(name)))
        except Fault as fault:
            return self._fail(self.stderr, name, fault)
        self.stdout.write(strict_json.write(document))
        return True

    def _fail(self, stream: OutputWrapper, name: str, fault: Fault) -> bool:
        _print_line(stream, f"FAIL  {name}  {fault}")
        return False


def _read(name: str) -> bytes:
    """Read at most one byte more than a record may have. Raises Fault."""
    try:
        return read_input(name, most=MAX_BYTES)
    except (OSError, ValueError) as error:
        raise Fault("cannot be read: %(why)s", {"why": getattr(error, "strerror", None) or error}) from error


def _print_line(stream: OutputWrapper, line: str) -> None:
    """Write one line whatever is in it: what does not print, or cannot be encoded, is escaped."""
    shown = "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in line)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(shown.encode(encoding, "backslashreplace").decode(encoding), lambda text: text)
