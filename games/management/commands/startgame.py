"""`manage.py startgame NAME [FOLDER]`: a minimal, playable, tested game as a package of its own."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template import Context, Engine

SCAFFOLD = Path(__file__).resolve().parent.parent / "scaffold"
SUFFIX = "-tpl"


class Command(BaseCommand):
    """Writes the scaffold of a game with its names filled in."""

    help = "Create a package with a minimal game that can be played and has tests. Next steps: docs/adding-a-game.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The game's name as people read it, and where to write it."""
        parser.add_argument("name", help='the name of the game, e.g. "Pig Dice"')
        parser.add_argument("folder", nargs="?", type=Path, help="a new folder; default: the name in the current one")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError for a name without letters, or a folder that exists."""
        name = " ".join(options["name"].split())
        words = re.findall(r"[a-z][a-z0-9]*", name.lower())
        if not words or len(name) > 60 or '"' in name:
            raise CommandError("Give a name of up to 60 characters that begins with a letter a to z.")
        names = {
            "name": name,
            "slug": "-".join(words),
            "package": "_".join(words),
            "class_name": "".join(word.capitalize() for word in words),
        }
        folder = options["folder"] or Path.cwd() / names["slug"]
        if folder.exists():
            raise CommandError(f"{folder} already exists. Choose a new folder.")
        engine, context = Engine(autoescape=False), Context(names, autoescape=False)
        for source in sorted(SCAFFOLD.rglob(f"*{SUFFIX}")):
            path = source.relative_to(SCAFFOLD).as_posix().removesuffix(SUFFIX)
            path = path.replace("package/", f"{names['package']}/").replace("/slug/", f"/{names['slug']}/")
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(engine.from_string(source.read_text()).render(context))
        self.stdout.write(f"{name} is in {folder}. Its README.md says how to install and test it.")
