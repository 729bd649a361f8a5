"""Figures from the log of games of a federation's Saturday: duplicate moves, expired turns, lateness of clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.timers import TURN_SECONDS

Row = tuple[str, int, str, str | None, float]
"""A ply: its table, number, what it was (person, bot, clock for a turn that ran out, window), its key, its moment."""


@dataclass(slots=True)
class Log:
    """Read from rows in the order of tables and plies.

    clocks: moments at which time decided something at the tables where nobody answers. late, bots: moment and seconds
    of turns that ran out there and of bots' moves. A turn counts as long as nothing but turns came before it: once
    somebody has a stand-in, turns have other lengths.
    """

    at: dict[tuple[str, int], float] = field(default_factory=dict)
    keys: Counter[tuple[str, str]] = field(default_factory=Counter)
    moves: list[float] = field(default_factory=list)
    bots: list[tuple[float, float]] = field(default_factory=list)
    late: list[tuple[float, float]] = field(default_factory=list)
    clocks: list[float] = field(default_factory=list)
    run_out: int = 0

    def count_not_once(self, accepted: Iterable[tuple[str, str]]) -> int:
        """Of the moves that were accepted (table and key), those that do not stand in the log exactly once."""
        return sum(self.keys[one] != 1 for one in accepted)


def read(rows: Iterable[Row], ours: Sequence[str]) -> Log:
    """The log. ours: tables whose people answer; at all others every turn runs out."""
    log, answering, mixed = Log(), set(ours), set[str]()
    for table, number, kind, key, at in rows:
        log.at[table, number] = at
        before = log.at.get((table, number - 1))
        if key is not None:
            log.keys[table, key] += 1
            log.moves.append(at)
        elif table in answering:
            log.run_out += kind == "clock"
            if kind == "bot" and before is not None:
                log.bots.append((at, at - before))
        else:
            log.clocks += [at] if kind != "bot" else []
            if kind != "clock":
                mixed.add(table)
            elif before is not None and table not in mixed:
                log.late.append((at, at - before - TURN_SECONDS))
    return log
