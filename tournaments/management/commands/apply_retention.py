"""`manage.py apply_retention`: forget at once what this site forgets bit by bit while it runs, or count it."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db.models import QuerySet

from games.accounts import session
from games.notifications import outbox
from games.play.records import filing, retention
from games.play.seats import table_limits
from tournaments.flow.archive import background_jobs
from tournaments.flow.clubs import club_picture, webhooks
from tournaments.flow.rounds import result_photos

ALL = 1_000_000
"""A number of tables that no site has."""


class Rule(NamedTuple):
    """One kind of thing that is not kept for ever: what and after how long, how many are due, and forgetting them."""

    words: str
    count: Callable[[float], int]
    apply: Callable[[float], object]


class Command(BaseCommand):
    """One line a rule: how many are due, or were forgotten."""

    help = (
        "Delete what is no longer kept: old tables, notifications, messages, photos, sessions, address hashes and "
        "files of background jobs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One switch."""
        parser.add_argument("--dry-run", action="store_true", help="change nothing; only count")

    def handle(self, *_: Any, dry_run: bool, **__: Any) -> None:
        """Rule after rule, each until nothing is left of it."""
        now = time.time()
        for rule in list_rules():
            due = rule.count(now)
            if due and not dry_run:
                rule.apply(now)
            done = due if dry_run else due - rule.count(now)
            self.stdout.write(f"{done:>9}  {rule.words}")
        self.stdout.write("Nothing was changed." if dry_run else "Done.")


def list_rules() -> list[Rule]:
    """Everything that is kept for a time only; docs/personal-data.md names the times."""
    return [
        Rule(
            f"casual tables left for {settings.CLOSE_STANDING_DAYS} days (CLOSE_STANDING_DAYS): closed",
            lambda now: len(retention.list_abandoned(now=now, most=ALL)),
            _tidy_tables,
        ),
        Rule(f"finished games to files ({_say_days()})", _count_games, _tidy_tables),
        Rule("address hashes of finished tables", lambda now: table_limits.query_openers().count(), _forget_openers),
        Rule("sessions of browsers that did not come back", _count_sessions, _end_sessions),
        Rule(
            "notifications of more than a week, and devices that signed out",
            lambda now: _count_all(outbox.query_old(now=now)),
            lambda now: outbox.clear_old(now=now),
        ),
        Rule(
            "webhook messages that ended a month ago",
            lambda now: webhooks.query_old(now=now).count(),
            lambda now: webhooks.clear_old(now=now),
        ),
        Rule(
            "photos of results that were added two months ago, or removed a day ago",
            lambda now: result_photos.query_old(now=now).count(),
            lambda now: result_photos.clear_old(now=now),
        ),
        Rule(
            "former pictures of clubs that were replaced or removed a month ago",
            lambda now: club_picture.query_old(now=now).count(),
            lambda now: club_picture.clear_old(now=now),
        ),
        Rule(
            "background jobs that ended long ago, with their files",
            lambda now: background_jobs.query_old(now=now).count(),
            lambda now: background_jobs.clear_old(now=now),
        ),
    ]  # fmt: skip


def _say_days() -> str:
    days = settings.KEEP_GAMES_DAYS
    return f"after {days} days, KEEP_GAMES_DAYS" if days else "KEEP_GAMES_DAYS is 0: they stay"


def _count_games(now: float) -> int:
    days = settings.KEEP_GAMES_DAYS
    return len(filing.list_old(before=now - days * retention.DAY, most=ALL)) if days else 0


def _tidy_tables(now: float) -> None:
    while any(retention.tidy_tables(now=now)):
        pass


def _forget_openers(now: float) -> None:
    while table_limits.forget_openers():
        pass


def _count_sessions(now: float) -> int:
    return session.query_expired(now=now).count()


def _end_sessions(now: float) -> None:
    while session.clear_expired(now=now):
        pass


def _count_all(queries: tuple[QuerySet[Any], ...]) -> int:
    return sum(query.count() for query in queries)
