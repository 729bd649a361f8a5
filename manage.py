#!/usr/bin/env python3
"""Menagerie's commands: `python manage.py help` lists them."""

import os
import sys


def main() -> None:
    """Run one command; a setting that is wrong is said in a sentence, not in a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Menagerie cannot start: {error}")


if __name__ == "__main__":
    main()
