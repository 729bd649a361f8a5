"""`manage.py erase_person`: what *Delete me* does, for a person who cannot sign in and asks for it."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.play.errors import Refusal
from games.play.seats import player_changes
from tournaments.flow.archive.person_export import count_rows
from tournaments.management.person_lookup import add_person, describe_person, describe_rows, find_person


class Command(BaseCommand):
    """Takes a person's account and name from everything. Their games stay, as an anonymous person's."""

    help = "Delete a person's account and name everywhere. What they played with others stays, without their name."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and whether it is meant."""
        add_person(parser)
        meant = parser.add_mutually_exclusive_group(required=True)
        meant.add_argument("--dry-run", action="store_true", help="change nothing; only say what is stored about them")
        meant.add_argument("--yes", action="store_true", help="delete them; only a backup can bring them back")

    def handle(self, *_: Any, person: str, dry_run: bool, **__: Any) -> None:
        """Raises CommandError with a sentence."""
        player = find_person(person)
        who = describe_person(player)
        if player.user is not None and player.user.is_staff:
            raise CommandError(f"{who} is an administrator of this site. Remove their staff rights in the admin first.")
        if dry_run:
            self.stdout.write(
                f"Stored about {who}:\n{describe_rows(count_rows(player))}\n"
                "Nothing was changed. With --yes, their account and name are deleted everywhere. Games, results and "
                "tournaments stay, without their name."
            )
            return
        try:
            player_changes.delete_player(player.pk, now=time.time())
        except Refusal as refusal:
            raise CommandError(f"{refusal} Run the command again: it continues where it stopped.") from refusal
        self.stdout.write(
            f"Deleted: {who}. A running server follows within half a minute. Older backups contain the name until "
            "they are removed (backup --keep)."
        )
