"""The first minutes on a slow phone.

`python -m benchmarks.tables.first_minutes [--games SLUG …] [--turns N] [--json FILE]`

For each game, in a browser with an empty cache, a processor that is 4 times slower, and a line of 1.6 Mbit/s with
150 ms of latency (the line of web sockets is not throttled: Chromium cannot):

- seconds from opening the front page to my cards, to my first turn, and until my first move is on the screen;
- seconds from the front page to the end of the lesson if every hint is followed at once, and the time that reading
  its texts takes at 200 words a minute;
- LCP and CLS of the front page; LCP, CLS and INP of the table's page over so many turns by touch.

The deals are always the same. What else the machine does counts: its load is printed, too.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import expect

from benchmarks.load.slow_phone import Vitals, hold_phone, press_empty_page, read_vitals
from benchmarks.load.touches import TURNS, play_turns
from benchmarks.report import Claim, write_claims
from tests.browser.playing import await_turn, tap
from tests.browser.visitor import Visitor, wait_until
from tests.servers import Installation

WORDS_A_SECOND: Final = 200 / 60
CARDS: Final = "#hand .s, #hand .t, #hand .k, #choice .t"
MAX_PRESSES: Final = 12
"""Of one step of a lesson."""
MIN_REST_MS: Final = 400
"""A page takes no press at once when something new has come."""
MUST_INP_MS: Final = 200
GOOD_LCP_MS: Final = 2500
GOOD_CLS: Final = 0.1


class FirstMinutes(NamedTuple):
    """One game. Seconds from opening the front page; reading: seconds for the lesson's texts; vitals of both pages."""

    game: str
    to_cards: float
    to_turn: float
    to_move: float
    lesson: float
    reading: float
    steps: int
    front: Vitals
    table: Vitals
    turns: int
    empty: Vitals
    """A page that does nothing, pressed in the same minute."""


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(TURNS), choices=list(TURNS))
    parser.add_argument("--turns", type=int, default=6, help="turns of the game by touch (default 6)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), {"BOT_DELAY": "0.9", "GUESTS_PER_MINUTE": "1000"})
        club.migrate()
        club.deal_by("first minutes")
        with club.serve() as running:
            _warm_up(running.address)
            for game in options.games:
                rows.append(measure(running.address, game, turns=options.turns))
                print(write_row(rows[-1]), flush=True)
    print("\n".join(write_claims(list_claims(rows))))
    print(f"load of the machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} cores")
    if options.json:
        options.json.write_text(json.dumps([_dump(row) for row in rows], indent=2) + "\n")


def _warm_up(address: str) -> None:
    """Let the server read what it reads once."""
    with hold_phone(address, slower=1) as person:
        person.go("/")


def measure(address: str, game: str, *, turns: int) -> FirstMinutes:
    """All figures of a game, on the server at this address."""
    with hold_phone(address) as person:
        began = time.monotonic()
        front = _open_game(person, game)
        to_cards = time.monotonic() - began
        await_turn(person)
        to_turn = time.monotonic() - began
        played = play_turns(person, game, 1)
        to_move = time.monotonic() - began
        played += play_turns(person, game, turns - 1)
        table = read_vitals(person.page)
        empty = press_empty_page(person)
    with hold_phone(address) as learner:
        began = time.monotonic()
        steps, words = do_lesson(learner, game)
        lesson = time.monotonic() - began
    return FirstMinutes(
        game, to_cards, to_turn, to_move, lesson, words / WORDS_A_SECOND, steps, front, table, played, empty
    )


def _open_game(person: Visitor, game: str) -> Vitals:
    """From the front page to my cards by one tap; returns what the front page has cost."""
    person.page.goto(f"{person.address}/", wait_until="commit")
    button = person.at(f"form[action='/games/{game}/play-now/'] button").first
    expect(button).to_be_visible()
    person.page.wait_for_load_state()
    front = read_vitals(person.page)
    tap(button)
    expect(person.at(CARDS).first).to_be_visible()
    person.page.wait_for_load_state()  # its scripts run
    return front


def do_lesson(learner: Visitor, game: str) -> tuple[int, int]:
    """The whole lesson from the front page, as its hints show it. Returns the number of its steps and of its words."""
    learner.page.goto(f"{learner.address}/", wait_until="commit")
    tap(learner.at(f".to-lesson a[href='/lessons/{game}/']"))
    expect(learner.at("#lesson")).to_be_visible()
    learner.page.wait_for_load_state()
    steps = words = 0
    while not learner.at("#finished").is_visible():
        slug = learner.at("#lesson").get_attribute("data-slug")
        words += len(learner.at("#lesson").inner_text().split())
        _do_step(learner)
        steps += 1
        words += len(learner.at("#lesson").inner_text().split())
        tap(learner.at("#next"))
        wait_until(lambda past=slug: _has_gone_on(learner, past), learner.page, what="the next step")  # type: ignore[misc]
    return steps, words


def _has_gone_on(learner: Visitor, slug: str | None) -> bool:
    return learner.at("#finished").is_visible() or learner.at("#lesson").get_attribute("data-slug") != slug


def _do_step(learner: Visitor) -> None:
    """Press the hint, and then what it points at, until the step is done."""
    learner.page.wait_for_timeout(MIN_REST_MS)
    tap(learner.at("#hint"))
    for _ in range(MAX_PRESSES):
        expect(learner.at(".pointed, #next").first).to_be_visible()
        if learner.at("#next").count():
            return
        before = learner.page.evaluate(SHOWN)
        tap(learner.at(".pointed"))
        wait_until(lambda seen=before: learner.page.evaluate(SHOWN) != seen, learner.page, what="an effect")  # type: ignore[misc]


SHOWN: Final = """() => {
  const pointed = document.querySelector(".pointed"), next = document.querySelector("#next");
  return [document.getElementById("lesson").dataset.slug, next !== null, pointed?.outerHTML].join(" ");
}"""
"""A script: what changes with each press of a lesson."""


def write_row(row: FirstMinutes) -> str:
    """The figures of a game in one line."""
    front, table = row.front, row.table
    return (
        f"{row.game}: cards {row.to_cards:.1f} s, my turn {row.to_turn:.1f} s, my move {row.to_move:.1f} s; lesson "
        f"{row.lesson:.0f} s + {row.reading:.0f} s reading ({row.steps} steps); front LCP {front.lcp_ms:.0f} ms, CLS "
        f"{front.cls:.3f}; table LCP {table.lcp_ms:.0f} ms, "
        f"scripts {table.ready_ms:.0f} ms, CLS {table.cls:.3f}, INP p75 {table.inp_p75_ms:.0f} ms, "
        f"worst {table.inp_worst_ms:.0f} ms ({table.slowest}) of {table.interactions} in {row.turns} turns; "
        f"an empty page: INP p75 {row.empty.inp_p75_ms:.0f} ms"
    )


def list_claims(rows: list[FirstMinutes]) -> list[Claim]:
    """What the pages must keep, by the worst game."""
    pages = [page for row in rows for page in (row.front, row.table)]
    return [
        Claim("INP p75 of a table, ms", max(row.table.inp_p75_ms for row in rows), MUST_INP_MS, 100, False),
        Claim("LCP of a page, ms", max(page.lcp_ms for page in pages), GOOD_LCP_MS, 1800, False),
        Claim("CLS of a page", max(page.cls for page in pages), GOOD_CLS, 0.02, False),
    ]


def _dump(row: FirstMinutes) -> dict[str, Any]:
    pages = {"front": row.front, "table": row.table, "empty": row.empty}
    return {**row._asdict(), **{name: page._asdict() for name, page in pages.items()}}


if __name__ == "__main__":
    main()
