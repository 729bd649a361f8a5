#!/usr/bin/env python3
"""Menagerie's commands: `python manage.py help` lists them."""

import os
import secrets
import sys

PURE_COMMANDS = {"verify_record", "simulate", "draw"}
"""Commands that need no database, no data folder and no kept secret."""


def main() -> None:
    """Run one command; a setting that is wrong is said in a sentence, not in a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if len(sys.argv) > 1 and sys.argv[1] in PURE_COMMANDS:
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(48))
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Menagerie cannot start: {error}")


if __name__ == "__main__":
    main()
