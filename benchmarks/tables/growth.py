"""What a move costs as a game grows longer: decided, written and drawn for five seats, without sockets.

Run as a program over an installation's settings: writes to stdout, as JSON, the processor's milliseconds a
move in every hundred plies of a thousand, medians of several games.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.servers import Installation

GAMES = 5
PLIES = 1000
WINDOW = 100
"""Plies over which times are averaged."""
DEALS = 20
"""Enough for more than a thousand plies."""


def measure() -> list[float]:
    """Milliseconds a move in each hundred plies."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder))
        club.migrate()
        found: list[float] = json.loads(club.run_module("benchmarks.tables.growth"))
    return found


def main() -> None:
    """Play the games and write what was measured."""
    import django

    django.setup()
    from benchmarks.load.prepare_tables import prepare_group

    tables = prepare_group(GAMES, DEALS)["tables"]
    games = [_play(table, random.Random(number)) for number, table in enumerate(tables)]
    json.dump([round(statistics.median(costs), 3) for costs in zip(*games, strict=True)], sys.stdout)


def _play(table_id: str, rng: random.Random) -> list[float]:
    from games.live.tables.regions import RenderedTable, render_table
    from games.play.moves import submission
    from games.play.storage import store

    table = store.reload(table_id)
    shown: list[RenderedTable | None] = [None] * table.seat_count
    costs: list[float] = []
    while table.ply < PLIES:
        began = time.process_time()
        for _ in range(WINDOW):
            seat = table.rules.to_act(table.state)[0]
            place = table.place(seat)
            assert place is not None
            move = dict(rng.choice(table.rules.legal_moves(table.state, seat) or ()))
            now = time.time()
            table = submission.submit_move(
                table.id, place.player_id, move, ply=table.ply, key=str(table.ply), now=now
            ).table
            for viewer in range(table.seat_count):
                rendered = render_table(table, "en")
                rendered.render_update(shown[viewer], viewer, now=now)
                shown[viewer] = rendered
        costs.append((time.process_time() - began) * 1000 / WINDOW)
    return costs


if __name__ == "__main__":
    main()
