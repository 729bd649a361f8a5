"""`manage.py doctor`: what is misconfigured, in plain words."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.operation.doctor import examine


class Command(BaseCommand):
    """One line a finding: `ok`, `look` (worth a look) or `wrong`. Exit status 1 if something is wrong."""

    help = "Check this installation: say what is misconfigured or missing, and what to do."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Look at everything, whatever is wrong before."""
        wrong = 0
        for finding in examine(now=time.time()):
            self.stdout.write(f"{finding.level:<5}  {finding.words}")
            wrong += finding.level == "wrong"
        if wrong:
            raise CommandError(f"Problems to fix: {wrong}.")
        self.stdout.write("Nothing has to be fixed.")
