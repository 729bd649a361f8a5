"""A drag of a card across a table of forty cards on a phone, as a film strip.

`python -m benchmarks.tables.film_strip FOLDER`

Writes one picture for each step of the finger, from the hand of a player of Fancy Animals to a meld at the top of the
table, and one of the table after it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Final

import django

from benchmarks.load.slow_phone import hold_phone
from tests.browser.fingers import drag_by_finger
from tests.browser.visitor import Visitor
from tests.servers import Installation

STEPS: Final = 10


def main() -> None:
    """Set the table, drag, and write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), {"BOT_DELAY": "0.9"})
        club.migrate()
        with club.serve() as running, hold_phone(running.address, slower=1) as person:
            person.page.emulate_media(color_scheme="dark" if options.dark else "light")
            _lay_table(person, Path(folder))
            _film(person, options.folder)


def _lay_table(person: Visitor, folder: Path) -> None:
    # Models can be imported once the settings are known
    from tests.browser.games.test_fancy_animals import begin
    from tests.browser.games.test_fancy_animals_phone import begin_with, list_setup
    from tests.browser.server_state import run_with_database, set_up_game

    begin(person)
    file = folder / "menagerie.sqlite3"
    begin_with(lambda table, setup: run_with_database(file, lambda: set_up_game(table, setup)), person, list_setup())


def _film(person: Visitor, folder: Path) -> None:
    shots = iter(range(STEPS))

    def take_picture(_: tuple[float, float]) -> None:
        person.page.screenshot(path=folder / f"drag-{next(shots):02d}.png")

    drag_by_finger(person.at("#hand .t").first, person.at("#melds .meld").first, steps=STEPS, watch=take_picture)
    person.page.wait_for_timeout(400)
    person.page.screenshot(path=folder / "dropped.png")


if __name__ == "__main__":
    main()
