"""`manage.py export_person`: everything that is stored about a person, as they could download it themselves."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.flow.archive.person_export import count_rows, export_person
from tournaments.management.person_lookup import add_person, describe_person, describe_rows, find_person


class Command(BaseCommand):
    """Writes a file of `menagerie-person/1` for its owner only."""

    help = "Write everything that is stored about a person into a file (docs/personal-data.md), or count it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, where to, and whether only to count."""
        add_person(parser)
        parser.add_argument("file", nargs="?", type=Path, help="default: menagerie-person-ID.json in this folder")
        parser.add_argument("--dry-run", action="store_true", help="write nothing; only count what is stored")

    def handle(self, *_: Any, person: str, file: Path | None, dry_run: bool, **__: Any) -> None:
        """Raises CommandError with a sentence."""
        player = find_person(person)
        if dry_run:
            self.stdout.write(f"Stored about {describe_person(player)}:\n{describe_rows(count_rows(player))}")
            return
        file = file or Path(f"menagerie-person-{player.pk}.json")
        try:
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                out.writelines(export_person(player))
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Everything that is stored about {describe_person(player)} is in {file}.")
