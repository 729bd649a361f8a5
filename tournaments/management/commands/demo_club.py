"""`manage.py demo_club`: create a demo club, and an account that owns it."""

from __future__ import annotations

import secrets
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import Player, User
from tournaments.flow import demo_club
from tournaments.models import Club

ACCOUNT = "olga"


class Command(BaseCommand):
    """Create a demo club in an installation without clubs."""

    help = (
        "Create a made-up club to look around in: people, past club nights, one under way and one to come, an evening "
        "and careers. This needs an installation without clubs. It cannot be undone."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError if there is a club already, or an account of this name."""
        if Club.objects.exists() or User.objects.filter(username=ACCOUNT).exists():
            raise CommandError(
                "There is already a club here. Set DATA_DIR to an empty folder to get one to look around in."
            )
        password = secrets.token_urlsafe(9)
        user = User.objects.create_user(ACCOUNT, password=password)
        owner = Player.objects.create(user=user, name=demo_club.NAMES[0], avatar="owl")
        began = timezone.now()
        club = demo_club.make_up(owner, now=time.time(), report=lambda what: self.stderr.write(f"  {what}"))
        seconds = (timezone.now() - began).total_seconds()
        self.stdout.write(
            f"{club.name} was created in {seconds:.0f} s. Sign in as {ACCOUNT} with the password {password} to run it."
        )
