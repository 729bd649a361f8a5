"""An arena of hundreds beside the other work of a site: `python -m benchmarks.clubs.arena`.

Everybody looks at the arena's page on their phone: a socket says when it is out of date, and then the whole page is
fetched again, as the page's script does. They play at real tables; a game lasts half a minute, half more or
less, then the organiser enters its result, and its players are seated again. So results and seatings follow one
another all the time. Beside them run tables of Super Zwierzaki at which nobody answers: the lateness of their timers
is what other players notice. Also measured: pages per second and how long they take, the processor's time
of the server, how long after a change a page shows it to the players who are seated and to the others, and how
long people waited for a table.

    python -m benchmarks.clubs.arena [--people N] [--tables N] [--seconds S] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.load.throng import Crowd, spread
from tests.servers import Installation

MUST_MS = 250.0
SETTINGS = {"MOVES_PER_SECOND": "10000", "LOG_LEVEL": "ERROR", "SOCKETS_PER_ADDRESS": "100000"}


def main() -> None:
    """Prepare, serve, play, read what happened when, print and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--tables", type=int, default=50, help="of Super Zwierzaki, beside it (default 50)")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--since", type=float, default=0.0, help=argparse.SUPPRESS)
    parser.add_argument("--inside", choices=["prepare", "measure"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        import django

        django.setup()
        print(
            json.dumps(
                prepare(options.people, options.tables) if options.inside == "prepare" else measure(options.since)
            )
        )
        return
    found = run(options)
    print(format_figures(options, found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def format_figures(options: argparse.Namespace, found: dict[str, Any]) -> str:
    """The figures, in lines."""
    timers, pages = found["timers"], found["pages"]
    verdict = "ok" if timers["p99"] < MUST_MS else "MISSED"
    return "\n".join(
        (
            f"{options.people} people in an arena, {options.tables} other tables, {options.seconds:.0f} s, embedded",
            f"results {found['results']}, seatings {found['seatings']}, server {found['cpu']:.0%} of a core",
            f"timers of the others late by, ms: {_line(timers)}  {verdict}",
            f"pages {found['pages_s']:.1f} a second, ms: {_line(pages)}",
            f"a page shows a player their table after, s: {_line(found['told'])}",
            f"a page of the others is behind by, s: {_line(found['behind'])}",
            f"people wait for a table, s: {_line(found['waits'])}",
        )
    )


def _line(row: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:.3g}" for name, value in row.items())


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The figures of one run on fresh data."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        ready = _inside(club, "prepare", options)
        with club.serve() as server:
            crowd = Crowd(server.address, ready, club.folder / "menagerie.sqlite3")
            found = asyncio.run(crowd.play(options.seconds, server.process.pid))
        inside = _inside(club, "measure", options, since=found.pop("since"))
    return found | {"timers": spread(inside["late"]), "waits": spread(inside["waits"]), "seatings": inside["seatings"]}


def _inside(club: Installation, what: str, options: argparse.Namespace, *, since: float = 0.0) -> Any:
    args = ["--people", str(options.people), "--tables", str(options.tables), "--since", str(since)]
    return json.loads(club.run_module("benchmarks.clubs.arena", "--inside", what, *args))


def prepare(people: int, tables: int) -> dict[str, Any]:
    """A public arena that is open, everybody in it, and the other tables."""
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import transaction

    from benchmarks import timers
    from games.accounts.session import PLAYER
    from games.models import Player
    from tests.tournaments.cast import plan
    from tournaments.flow.entry import attendance, sign_up
    from tournaments.flow.planning import phases
    from tournaments.flow.rounds import arena
    from tournaments.models import Phase

    def session_of(player: Player) -> str:
        session = SessionStore()
        session[PLAYER] = player.pk
        session.create()
        return str(session.session_key)

    now = time.time()
    with transaction.atomic():
        owner = Player.objects.create(name="Olga", avatar="fox")
        plan_fields: Any = {"format": "arena", "venue": "real", "least": 4, "most": 5, "round_minutes": 240}
        tournament = plan(owner, **plan_fields)
        for phase in (Phase.ENTRY, Phase.CHECK_IN):
            phases.move_on(tournament, owner, phase, now=now)
            tournament.refresh_from_db()
        players = [Player.objects.create(name=f"Person {number}", avatar="fox") for number in range(people)]
        for player in players:
            sign_up.enter(tournament, player, now=now)
        attendance.check_in(tournament, owner, list(tournament.entrants.values_list("pk", flat=True)), now=now)
        arena.open_arena(tournament, owner, now=now)
        sessions = [session_of(player) for player in players]
        organiser = session_of(owner)
    timers.prepare(tables)
    return {"tournament": tournament.pk, "people": sessions, "organiser": organiser}


def measure(since: float) -> dict[str, Any]:
    """How late timers were, in ms; how long people waited between two games, in s; how many seatings there were."""
    from benchmarks import timers
    from tournaments.models import Pod, PodSeat, Step

    ended = dict(Pod.objects.filter(results__status="accepted").values_list("pk", "results__at"))
    last: dict[int, float] = {}
    waits = []
    rows = PodSeat.objects.order_by("pod__seated_at").values_list("entrant", "pod", "pod__seated_at")
    for entrant, pod, seated_at in rows:
        if seated_at is None:
            continue
        if entrant in last and seated_at >= since:
            waits.append(seated_at - last[entrant])
        last[entrant] = ended.get(pod, seated_at)
    seatings = Step.objects.filter(kind="seat", at__gte=since).count()
    return {"late": timers.measure(since), "waits": waits, "seatings": seatings}


if __name__ == "__main__":
    main()
