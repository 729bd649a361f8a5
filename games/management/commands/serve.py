"""`manage.py serve`: the server, with worker and beat inside unless Redis is there for real ones."""

from __future__ import annotations

import re
import signal
import time
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games.operation import log_format, signing_keys
from games.operation.health import connectivity, readiness
from games.play.clocks import downtime
from games.play.errors import Refusal
from games.serving.listening import count_given
from games.serving.service_notification import notify_ready
from games.serving.single_server import lock_folder

HINT = "(Ctrl-C stops it. At the next start, games go on where they were.)"

ANY_ADDRESS = re.compile(r"http://(?:0\.0\.0\.0|\[::\])[:/]?")
"""A server that listens on every address of the machine."""


class Command(BaseCommand):
    """Serve Menagerie until Ctrl-C."""

    help = "Serve Menagerie in one process (with REDIS_URL: the sockets and pages only)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default 127.0.0.1)")
        parser.add_argument(
            "--reuse-port", action="store_true", help="share the port with other processes (needs Redis)"
        )
        parser.add_argument("--prepare", action="store_true", help="set up the database and add demo data first")
        parser.add_argument("--port", type=int, default=settings.PORT, help="port (default: PORT, or 8000)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the database, start the parts, serve, stop them."""
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have told a background job to ignore it
        given = count_given()
        from games.serving.embedded import EmbeddedWorker
        from games.serving.heartbeat_thread import HeartbeatThread
        from games.serving.preload import preload_files
        from games.serving.server import run_server

        if settings.STATIC_MANIFEST.exists() and not settings.HAS_BUILT_STATIC and not settings.DEBUG:
            self.stderr.write(
                "The built static files are older than their sources, so the sources are served. Run: make build"
            )
        if options["reuse_port"] and settings.IS_EMBEDDED:
            raise CommandError("--reuse-port is for several processes. They need REDIS_URL.")
        if settings.IS_EMBEDDED and not lock_folder(settings.DATA_DIR):
            raise CommandError(
                f"Another server already uses {settings.DATA_DIR}. Stop it, or set DATA_DIR to another folder. "
                "To run several processes, set REDIS_URL."
            )
        preload_files()
        log_format.catch_all()
        self._prepare_push()
        self._check_database(prepare=options["prepare"])
        worker = EmbeddedWorker() if settings.IS_EMBEDDED else None
        if worker is not None:
            worker.start()
        heartbeat = HeartbeatThread()
        heartbeat.start()
        try:
            is_served = run_server(
                host=options["host"],
                port=options["port"],
                on_ready=self.say_ready,
                given=given,
                is_shared=options["reuse_port"],
            )
        finally:
            heartbeat.stop()
            if worker is not None:
                worker.stop()
        if not is_served:
            raise CommandError(f"Cannot listen at {options['host']}:{options['port']}. Choose another port with PORT.")

    def _prepare_push(self) -> None:
        """Read the key that signs push messages; the first time it is made."""
        try:
            signing_keys.read_keys()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        except OSError as error:  # a data folder that nobody can write to: everything else works
            self.stderr.write(f"Push notifications are off: {error}. Set VAPID_PRIVATE_KEY.")

    def _check_database(self, *, prepare: bool) -> None:
        fault = connectivity.find_database_fault()
        if fault:
            raise CommandError(fault)
        try:
            is_behind = readiness.is_behind()
            if is_behind and prepare:
                call_command("migrate", interactive=False, verbosity=0)
                is_behind = False
            if not is_behind:
                # Before the first request: a move must not find its turn run out while nobody was there.
                # Where this is the one process nobody was; of several the others may have been there.
                downtime.compensate_downtime(now=time.time(), was_down=settings.IS_EMBEDDED)
            if prepare:
                call_command("demo")
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {error}") from error
        if is_behind:
            raise CommandError("The database is not set up for this version. Run: python manage.py migrate")

    def say_ready(self, address: str) -> None:
        """Say where people open the site: an address like 0.0.0.0 tells them nothing."""
        shown = settings.SITE_URL if settings.SITE_URL and ANY_ADDRESS.match(address) else address
        self.stdout.write(log_format.write_event(f"Menagerie is at {shown}/  {HINT}", now=time.time()))
        self.stdout.flush()
        notify_ready()
