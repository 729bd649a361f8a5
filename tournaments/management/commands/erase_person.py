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
        meant.add_argument("--dry-run", action="store_true", help="change nothing: say what is stored about them")
        meant.add_argument("--yes", action="store_true", help="erase them; nothing brings them back but a backup")

    def handle(self, *_: Any, person: str, dry_run: bool, **__: Any) -> None:
        """Raises CommandError with a sentence."""
        player = find_person(person)
        who = describe_person(player)
        if player.user is not None and player.user.is_staff:
            raise CommandError(f"{who} may look after this site. Take their staff rights away in the admin first.")
        if dry_run:
            self.stdout.write(
                f"Stored about {who}:\n{describe_rows(count_rows(player))}\n"
                "With --yes their account and name go everywhere; games, results and tournaments stay without them. "
                "Nothing was changed."
            )
            return
        try:
            player_changes.delete_player(player.pk, now=time.time())
        except Refusal as refusal:
            raise CommandError(f"{refusal} Run the command again: it goes on where it was.") from refusal
        self.stdout.write(
            f"Erased: {who}. What a running server still does follows within half a minute. Backups that were made "
            "before still hold the name, until they are removed (backup --keep)."
        )
