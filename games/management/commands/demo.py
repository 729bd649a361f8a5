"""`manage.py demo`: tables to look at on a new site. Run again, it adds only what is missing."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand

from games.accounts.animal_pictures import AVATARS
from games.models import Table
from games.play.moves import submission
from games.play.seats import opening
from games.play.storage.table import PLAYING, LoadedTable

LIVE = opening.TableRequest(game="karriere-poker", seats=5, options={"deals": 20}, bot_level="steady")
PLAYED = opening.TableRequest(game="animal-poker", seats=6, options={"sessions": 3}, bot_level="steady")
MOVE_SECONDS = 3.0


class Command(BaseCommand):
    """Demo data: a game of bots that is under way, and one that is over."""

    help = "Add demo data: a live game between bots to watch, and a finished one to look at."

    def handle(self, *args: Any, **options: Any) -> None:
        """Add what is missing."""
        of_bots = Table.objects.filter(host__isnull=True)
        if not of_bots.filter(status=Table.Status.OVER).exists():
            self._play_to_the_end(opening.open_exhibition(PLAYED, avatars=AVATARS, now=time.time() - 3600))
        if not of_bots.filter(status=Table.Status.PLAYING).exists():
            opening.open_exhibition(LIVE, avatars=AVATARS, now=time.time())

    def _play_to_the_end(self, table: LoadedTable) -> None:
        now = time.time() - 3600
        while table.status == PLAYING:
            now += MOVE_SECONDS
            played = submission.play_bot(table.id, ply=table.ply, now=now)
            if played is None:
                return
            table = played
