"""People at the door of a tournament: `python -m benchmarks.clubs.door [--people N] [--json FILE]`.

A slow phone (a processor 4 times slower, a line of 1.6 Mbit/s with 150 ms of latency) has the door page open, and a
wall shows who is missing. Person after person is looked for by the first letters of their surname until they are the
first one found, and checked in with Enter: seconds from the first letter until the page says that they are here. The
letters are typed one each 80 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import expect

from benchmarks.load.probe import percentile
from benchmarks.load.slow_phone import hold_phone
from benchmarks.report import Claim, write_claims
from tests.browser.visitor import Visitor
from tests.servers import Installation

KEY_MS: Final = 80
MUST_SECONDS: Final = 3.0
AIM_SECONDS: Final = 1.5
FIRST: Final = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fatma", "Greta", "Henryk", "Ida", "Jörg")
LAST: Final = (
    "Adamska", "Bauer", "Çelik", "Dąbrowski", "Ebert", "Fischer", "Górska", "Hahn", "Ilić", "Jansen",
    "Kowalski", "Łukasik", "Müller", "Nowak", "Öztürk", "Pfeiffer", "Quast", "Richter", "Śliwa", "Tietz",
)  # fmt: skip


class Arrival(NamedTuple):
    """One person. letters: typed until they were the first one found; seconds: from the first letter to the answer."""

    letters: int
    seconds: float


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), {"GUESTS_PER_MINUTE": "1000"})
        club.migrate()
        with club.serve() as running, hold_phone(running.address) as phone:
            _call_oneself(phone)
            names = list(list_names(options.people))
            tournament = _prepare(club.folder / "menagerie.sqlite3", names)
            rows = measure(phone, tournament, names)
    seconds = [row.seconds for row in rows]
    p50, p95 = percentile(seconds, 0.5), percentile(seconds, 0.95)
    print(
        f"{len(rows)} people: p50 {p50:.2f} s, p95 {p95:.2f} s, worst {max(seconds):.2f} s each; "
        f"{sum(row.letters for row in rows) / len(rows):.1f} letters; in all {sum(seconds):.0f} s"
    )
    print("\n".join(write_claims([Claim("p95 of a check-in, s", p95, MUST_SECONDS, AIM_SECONDS, is_at_least=False)])))
    print(f"load of the machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} cores")
    if options.json:
        options.json.write_text(json.dumps([row._asdict() for row in rows], indent=2) + "\n")


def list_names(people: int) -> Iterator[str]:
    """Different names, of which many begin with the same letters."""
    for number in range(people):
        again, at = divmod(number, len(FIRST) * len(LAST))
        first, last = FIRST[at % len(FIRST)], LAST[at // len(FIRST)]
        yield f"{first} {last}{f' {again + 1}' if again else ''}"


def _call_oneself(phone: Visitor) -> None:
    phone.go("/me/")
    phone.at("#id_name").fill("Olga")
    phone.at(".animals input").first.check()
    phone.page.get_by_role("button", name="Save", exact=True).click()
    phone.page.wait_for_load_state()


def _prepare(database: Path, names: list[str]) -> str:
    """A tournament in its check-in that Olga leads, with these people on its list; its id."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.browser.server_state import run_with_database

    def make() -> str:
        from games.models import Player
        from tests.tournaments import cast
        from tournaments.flow.entry import sign_up
        from tournaments.flow.planning import phases
        from tournaments.models import Phase

        olga = Player.objects.get(name="Olga")
        one = cast.plan(olga, venue="real")
        phases.move_on(one, olga, Phase.ENTRY, now=time.time())
        for name in names:
            sign_up.add_walk_in(one, olga, name=name, now=time.time())
        one.refresh_from_db()
        phases.move_on(one, olga, Phase.CHECK_IN, now=time.time())
        return str(one.pk)

    return run_with_database(database, make)


def measure(phone: Visitor, tournament: str, names: list[str]) -> list[Arrival]:
    """Check everybody in at the door of this tournament."""
    wall = phone.context.new_page()
    wall.goto(f"{phone.address}/tournaments/{tournament}/hall/?show=missing")
    phone.page.bring_to_front()
    phone.go(f"/tournaments/{tournament}/door/")
    expect(phone.at("[data-count=missing]")).to_have_text(str(len(names)))
    rows = [_check_in(phone, name) for name in names]
    expect(phone.at("[data-count=missing]")).to_have_text("0")
    expect(wall.locator(".sheet:not([hidden])")).to_contain_text("Everybody is here.")
    return rows


def _check_in(phone: Visitor, name: str) -> Arrival:
    first, _, last = name.partition(" ")
    began, letters = time.monotonic(), 0
    for key in f"{last} {first}":
        phone.page.keyboard.type(key, delay=KEY_MS)
        letters += 1
        chosen: Any = phone.page.evaluate("document.querySelector('.door-names .chosen .name')?.textContent")
        if letters > 1 and chosen == name:
            break
    phone.page.keyboard.press("Enter")
    expect(phone.at(".door-said")).to_contain_text(f"{name} is here.")
    return Arrival(letters, time.monotonic() - began)


if __name__ == "__main__":
    main()
