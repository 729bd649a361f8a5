"""The report of a federation's Saturday, from the clients' measurements and the log."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import Any

from benchmarks.load import resources
from benchmarks.load.chair import spread
from benchmarks.load.federation.day import Day, Window
from benchmarks.load.federation.game_log import Log

MAX_WAIT_MS = 1000.0
"""Milliseconds until the answer to a move that one in twenty may take; more is a site that hangs."""
LOST_NOTHING = "every accepted move stands in the log once, no socket was lost, no turn of somebody who answers ran out"


def count(window: Window, log: Log) -> dict[str, float]:
    """How often things happened a second, by the units of the cost model (sockets: how many were open)."""
    seconds = window.use.seconds
    return {
        "clock": sum(_is_in(window, at) for at in log.clocks) / seconds,
        "socket": float(window.sockets),
        "move": sum(_is_in(window, at) for at in log.moves) / seconds,
        "bot move": sum(_is_in(window, at) for at, _ in log.bots) / seconds,
        "frame": window.frames / seconds,
        "page": window.pages / seconds,
        "round": window.rounds / seconds,
    }


def tell(day: Day, log: Log) -> dict[str, Any]:
    """Everything that is printed of a run; times in ms, of its last window where they belong to one."""
    window, notes, sights = day.windows[-1], day.notes, day.sights
    before = day.counts_before
    answers = spread([took for _, took in notes.answers[before.answers :]])
    limit = resources.find_limit(window.use, os.cpu_count() or 1) or find_wait(answers["p95"])
    faults = find_faults(day, log)
    return {
        "load": round(os.getloadavg()[0], 1),
        "tables": day.size.tables, "people": len(day.chairs), "bot_tables": day.size.bot_tables,
        "spectators": len(day.onlookers), "walls": len(day.walls), "clubs": day.size.clubs,
        "clock_tables": day.size.clock_tables,
        "a_second": _round(count(window, log)),
        "answers": answers,
        "screens": spread(_since(log, [(table, ply, now) for table, ply, now in notes.seen], window)),
        "spectators_screens": spread(_since(log, [(day.final, ply, now) for ply, now in sights.seen], window)),
        "bots": spread([took for at, took in log.bots if _is_in(window, at)]),
        "clocks_late": spread([late for at, late in log.late if _is_in(window, at)]),
        "pages": spread(sights.pages[before.pages :]), "walls_pages": spread(sights.walls[before.walls :]),
        "imports": spread(day.desks.imports), "draws": spread(day.desks.draws), "results": spread(day.desks.results),
        "queue": {"longest": day.queues.longest, "overdue_tables": day.queues.overdue, "asked": day.queues.asked,
                  "unknown": day.queues.unknown},
        "cores": _round(window.use.shares), "machine": round(window.use.machine, 2),
        "others": round(window.use.others, 2), "driver_late": spread(day.delays),
        "accepted": len(notes.accepted), "faults": faults, "limit": limit,
        "verdict": f"{limit or 'nothing was the limit'}; {'; '.join(faults) or LOST_NOTHING}",
        "windows": [{"brings": one.brings, "seconds": round(one.use.seconds, 1), "cores": _round(one.use.shares),
                     "machine": round(one.use.machine, 2), "a_second": _round(count(one, log))}
                    for one in day.windows],
    }  # fmt: skip


def find_wait(p95: float) -> str:
    """That people wait too long, as a sentence; empty if they do not. p95: of the answers to moves, in milliseconds."""
    return f"the limit is what people bear: p95 of answers is {p95:.0f} ms" if p95 > MAX_WAIT_MS else ""


def find_faults(day: Day, log: Log) -> list[str]:
    """Errors that may not happen at any load, a phrase each."""
    refused = Counter(status for status, _ in day.notes.answers if status != 200)
    waiting = sum(len(chair.sent) for chair in day.chairs)
    lost = len(day.notes.lost) + len(day.sights.lost)
    counts = (
        (log.count_not_once(day.notes.accepted), "accepted moves do not stand in the log exactly once"),
        (lost, "sockets were lost"),
        (log.run_out, "turns of people who answer ran out"),
        (refused.total(), f"moves were refused (number by status: {dict(refused)})"),
        (waiting, "moves were not answered"),
    )
    faults = [f"{number} {what}" for number, what in counts if number]
    return faults + day.trouble + day.sights.trouble[:5] + day.queues.trouble[:5]


def _since(log: Log, seen: Iterable[tuple[str, int, float]], window: Window) -> list[float]:
    """Seconds from each ply of a window until it was on a screen."""
    made = ((now, log.at.get((table, ply))) for table, ply, now in seen)
    return [now - at for now, at in made if at is not None and _is_in(window, at)]


def _is_in(window: Window, at: float) -> bool:
    return window.since <= at <= window.until


def _round(figures: dict[str, float]) -> dict[str, float]:
    return {name: round(figure, 3) for name, figure in figures.items()}
