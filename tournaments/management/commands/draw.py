"""`draw`: reads one problem, prints one solution, JSON both. No database, no server."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.streams import read_input, writing
from games.records import strict_json
from tournaments.draw import BadProblem, DrawError, parse, solve
from tournaments.draw.problem.parse import MAX_BYTES


class Command(BaseCommand):
    """Exit status 1 and one sentence on standard error if there is no draw."""

    help = "Draw one round, or plan a round robin, from a menagerie-draw/1 problem. The same input gives the same draw."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE, or - for standard input."""
        parser.add_argument("file", metavar="FILE", help="a problem in menagerie-draw/1; - is standard input")

    def handle(self, *_: Any, file: str, **__: Any) -> None:
        """Raises CommandError with one sentence."""
        with writing(self.stdout):
            try:
                solution = solve(parse(_read(file)))
            except DrawError as error:
                raise CommandError(str(error)) from error
            except KeyboardInterrupt:
                raise CommandError("Stopped before the end.", returncode=130) from None
            self.stdout.write(strict_json.write(solution.to_json(), indent=1))


def _read(name: str) -> bytes:
    """The bytes of a file or of standard input, read up to one byte over the limit. Raises BadProblem."""
    try:
        return read_input(name, most=MAX_BYTES)
    except (OSError, ValueError) as error:
        raise BadProblem("%(file)s cannot be read: %(why)s", {"file": name, "why": error}) from error
