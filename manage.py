#!/usr/bin/env python3
"""Menagerie's commands: `python manage.py help` lists them."""

import gc
import os
import secrets
import sys

PURE_COMMANDS = {"verify_record", "simulate", "draw"}
"""Commands that need no database, no data folder and no kept secret."""
GC_THRESHOLD = 50_000
"""New objects before Python looks for garbage: loading makes many that stay, and looking took a fifth of the start."""


def main() -> None:
    """Run one command. Ctrl-C ends it without a word, whatever it was about."""
    try:
        run()
    except KeyboardInterrupt:
        sys.exit(130)


def run() -> None:
    """Run one command; a setting that is wrong, or a database that is away, is said in a sentence."""
    gc.set_threshold(GC_THRESHOLD)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if len(sys.argv) > 1 and sys.argv[1] in PURE_COMMANDS:
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(48))
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Menagerie cannot start: {error}")
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        from games.operation.health import connectivity

        sys.exit(connectivity.find_database_fault() or f"The database cannot be used: {error}. (More: --traceback)")


if __name__ == "__main__":
    main()
