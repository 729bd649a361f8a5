"""The ladder: numbered tables, the top one first; after each stretch the best move one table up, the last one down.

Everybody has a rung, from 0 at the top. A table sits on rungs that follow one another; who sits a stretch out keeps
his rung, and newcomers begin at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.scoring.results import PodResult, RoundResult


def order_by_place(rungs: Sequence[str], played: RoundResult) -> tuple[str, ...]:
    """The rungs after a stretch before anybody changes tables: each table in the order of its places.

    Who shares a place stays in the order of the rungs; a table that counts for nobody stays as it was.
    """
    known = _with_newcomers(rungs, played)
    tables = [_rank(known, pod) for pod in played.pods]
    return _fill(known, [entrant for table in tables for entrant in table])


def move(rungs: Sequence[str], played: RoundResult) -> tuple[str, ...]:
    """The rungs for the next stretch: the last of each table has changed places with the best of the one below.

    Where a table counts for nobody, or all of it share one place, nobody leaves it and nobody comes.
    """
    known = _with_newcomers(rungs, played)
    tables = [_rank(known, pod) for pod in played.pods]
    moved = [list(table) for table in tables]
    for upper in range(len(tables) - 1):
        if _tells(played.pods[upper]) and _tells(played.pods[upper + 1]):
            moved[upper][-1], moved[upper + 1][0] = tables[upper + 1][0], tables[upper][-1]
    return _fill(known, [entrant for table in moved for entrant in table])


def cut(
    rungs: Sequence[str], sizes: Sequence[int], rested: Sequence[str] = ()
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The tables of a stretch, the top one first, and who sits it out: as many as the sizes leave over.

    rested: everybody who has sat out before, once for each time. Those who have the fewest times sit out, of these
    the lowest.
    """
    over = len(rungs) - sum(sizes)
    turn = sorted(range(len(rungs)), key=lambda rung: (rested.count(rungs[rung]), -rung))[:over]
    byes = {rungs[rung] for rung in turn}
    playing = [entrant for entrant in rungs if entrant not in byes]
    tables, start = [], 0
    for size in sizes:
        tables.append(tuple(playing[start : start + size]))
        start += size
    return tuple(tables), tuple(entrant for entrant in rungs if entrant in byes)


def _with_newcomers(rungs: Sequence[str], played: RoundResult) -> tuple[str, ...]:
    there = [*(entrant for pod in played.pods for entrant in pod.entrants), *played.byes, *played.absent]
    return tuple(dict.fromkeys([*rungs, *there]))


def _tells(pod: PodResult) -> bool:
    """Whether somebody is best and somebody last."""
    return not pod.is_void and len(set(pod.ranks())) > 1


def _rank(rungs: Sequence[str], pod: PodResult) -> list[str]:
    rung = {entrant: index for index, entrant in enumerate(rungs)}
    ranks = pod.ranks() if _tells(pod) else (0,) * len(pod.entrants)
    pairs = sorted(zip(ranks, pod.entrants, strict=True), key=lambda pair: (pair[0], rung[pair[1]]))
    return [entrant for _, entrant in pairs]


def _fill(rungs: Sequence[str], seated: Sequence[str]) -> tuple[str, ...]:
    """The seated in this order on the rungs that they hold together; everybody else stays where he is."""
    waiting, here = iter(seated), set(seated)
    return tuple(next(waiting) if entrant in here else entrant for entrant in rungs)
