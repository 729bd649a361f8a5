"""The ladder: numbered tables, the top one first; after each stretch the best move one table up, the last one down.

Everybody has a rung, from 0 at the top. A table sits on rungs that follow one another; who sits a stretch out keeps
his rung, and newcomers begin at the bottom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import Standing


def order_by_place(rungs: Sequence[str], played: RoundResult) -> tuple[str, ...]:
    """The rungs after a stretch before anybody changes tables: each table in the order of its places.

    Who shares a place stays in the order of the rungs; a table that counts for nobody stays as it was.
    """
    known = _with_newcomers(rungs, played)
    rung = _number(known)
    tables = [_rank(rung, pod) for pod in played.pods]
    return _fill(known, [entrant for table in tables for entrant in table])


def move(rungs: Sequence[str], played: RoundResult) -> tuple[str, ...]:
    """The rungs for the next stretch: the last of each table has changed places with the best of the one below.

    Where a table counts for nobody, or all of it share one place, nobody leaves it and nobody comes.
    """
    known = _with_newcomers(rungs, played)
    rung = _number(known)
    tables = [_rank(rung, pod) for pod in played.pods]
    moved = [list(table) for table in tables]
    for upper in range(len(tables) - 1):
        if _tells(played.pods[upper]) and _tells(played.pods[upper + 1]):
            moved[upper][-1], moved[upper + 1][0] = tables[upper + 1][0], tables[upper][-1]
    return _fill(known, [entrant for table in moved for entrant in table])


def preview(rungs: Sequence[str], pods: Sequence[PodResult | None]) -> dict[str, int]:
    """Who goes where at the end of a stretch, as far as it is certain: 1 up, -1 down, 0 for those who stay.

    pods: of all tables, the top one first, None where the result is still to come.
    """
    rung = _number(dict.fromkeys([*rungs, *(entrant for pod in pods if pod for entrant in pod.entrants)]))
    found: dict[str, int] = {}
    for index, pod in enumerate(pods):
        if pod is None:
            continue
        order = _rank(rung, pod)
        above, below = _meets(pods, index - 1), _meets(pods, index + 1)
        for place, entrant in enumerate(order):
            is_edge = (place == 0 and index > 0) or (place == len(order) - 1 and index + 1 < len(pods))
            if not is_edge or not _tells(pod):
                found[entrant] = 0
        if _tells(pod) and above is not None:
            found[order[0]] = 1 if above else 0
        if _tells(pod) and below is not None and len(order) > 1:
            found[order[-1]] = -1 if below else 0
    return found


def _meets(pods: Sequence[PodResult | None], index: int) -> bool | None:
    """Whether a table changes people with its neighbour; None if that is not known, or there is none."""
    if not 0 <= index < len(pods):
        return None
    pod = pods[index]
    return None if pod is None else _tells(pod)


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


def _number(rungs: Iterable[str]) -> dict[str, int]:
    return {entrant: index for index, entrant in enumerate(rungs)}


def _rank(rung: Mapping[str, int], pod: PodResult) -> list[str]:
    ranks = pod.ranks() if _tells(pod) else (0,) * len(pod.entrants)
    pairs = sorted(zip(ranks, pod.entrants, strict=True), key=lambda pair: (pair[0], rung[pair[1]]))
    return [entrant for _, entrant in pairs]


def _fill(rungs: Sequence[str], seated: Sequence[str]) -> tuple[str, ...]:
    """The seated in this order on the rungs that they hold together; everybody else stays where he is."""
    waiting, here = iter(seated), set(seated)
    return tuple(next(waiting) if entrant in here else entrant for entrant in rungs)


def rank_ladder(
    lines: Sequence[Standing],
    rungs: tuple[str, ...],
    stretches: Sequence[RoundResult],
    fillers: Collection[str] = (),
) -> tuple[Standing, ...]:
    """Who sits higher is ahead, at one table the better place in the last stretch. fillers: behind everybody."""
    for played in stretches[:-1]:
        rungs = move(rungs, played)
    by_key = {line.entrant: line for line in lines}
    order = [key for key in order_by_place(rungs, stretches[-1]) if key in by_key]
    order = sorted(dict.fromkeys([*order, *by_key]), key=lambda key: key in fillers)
    return tuple(by_key[key]._replace(place=place) for place, key in enumerate(order, start=1))
