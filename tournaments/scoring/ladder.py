"""The ladder: numbered tables, the top one first; after each stretch the best move one table up, the last one down.

Everybody has a rung, from 0 at the top. A table sits on rungs that follow one another; who sits a stretch out keeps
their rung, and newcomers begin at the bottom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import Standing


def order_by_place(rungs: Sequence[str], played: RoundResult) -> tuple[str, ...]:
    """The rungs after a stretch, before anybody changes tables: each table in the order of its places.

    Tied players stay in the order of the rungs; a void table stays as it was.
    """
    order = _with_newcomers(rungs, played)
    rung = _number_rungs(order)
    tables = [_rank(rung, pod) for pod in played.pods]
    return _fill(order, [entrant for table in tables for entrant in table])


def move(rungs: Sequence[str], played: RoundResult) -> tuple[str, ...]:
    """The rungs for the next stretch: the last of each table has swapped with the best of the table below.

    Nobody moves to or from a void table, or one where all are tied.
    """
    order = _with_newcomers(rungs, played)
    rung = _number_rungs(order)
    tables = [_rank(rung, pod) for pod in played.pods]
    moved = [list(table) for table in tables]
    for upper in range(len(tables) - 1):
        if _has_order(played.pods[upper]) and _has_order(played.pods[upper + 1]):
            moved[upper][-1], moved[upper + 1][0] = tables[upper + 1][0], tables[upper][-1]
    return _fill(order, [entrant for table in moved for entrant in table])


def preview(rungs: Sequence[str], pods: Sequence[PodResult | None]) -> dict[str, int]:
    """Who moves where at the end of a stretch, as far as it is certain: 1 up, -1 down, 0 for those who stay.

    pods: all tables from the top; None where the result is still missing.
    """
    rung = _number_rungs(dict.fromkeys([*rungs, *(entrant for pod in pods if pod for entrant in pod.entrants)]))
    found: dict[str, int] = {}
    for index, pod in enumerate(pods):
        if pod is None:
            continue
        order = _rank(rung, pod)
        above, below = _swaps_with(pods, index - 1), _swaps_with(pods, index + 1)
        for place, entrant in enumerate(order):
            is_edge = (place == 0 and index > 0) or (place == len(order) - 1 and index + 1 < len(pods))
            if not is_edge or not _has_order(pod):
                found[entrant] = 0
        if _has_order(pod) and above is not None:
            found[order[0]] = 1 if above else 0
        if _has_order(pod) and below is not None and len(order) > 1:
            found[order[-1]] = -1 if below else 0
    return found


def _swaps_with(pods: Sequence[PodResult | None], index: int) -> bool | None:
    """Whether a table swaps people with its neighbour; None if that is not known yet, or there is none."""
    if not 0 <= index < len(pods):
        return None
    pod = pods[index]
    return None if pod is None else _has_order(pod)


def cut(
    rungs: Sequence[str], sizes: Sequence[int], rested: Sequence[str] = ()
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The tables of a stretch from the top, and the byes: as many as the sizes leave over.

    rested: one entry for each earlier bye. Byes go to those with the fewest, among them to the lowest.
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
    played_here = [*(entrant for pod in played.pods for entrant in pod.entrants), *played.byes, *played.absent]
    return tuple(dict.fromkeys([*rungs, *played_here]))


def _has_order(pod: PodResult) -> bool:
    """Whether the table has a best and a last player."""
    return not pod.is_void and len(set(pod.ranks())) > 1


def _number_rungs(rungs: Iterable[str]) -> dict[str, int]:
    return {entrant: index for index, entrant in enumerate(rungs)}


def _rank(rung: Mapping[str, int], pod: PodResult) -> list[str]:
    ranks = pod.ranks() if _has_order(pod) else (0,) * len(pod.entrants)
    pairs = sorted(zip(ranks, pod.entrants, strict=True), key=lambda pair: (pair[0], rung[pair[1]]))
    return [entrant for _, entrant in pairs]


def _fill(rungs: Sequence[str], seated: Sequence[str]) -> tuple[str, ...]:
    """The seated in this order on the rungs that they hold together; everybody else stays."""
    waiting, members = iter(seated), set(seated)
    return tuple(next(waiting) if entrant in members else entrant for entrant in rungs)


def rank_ladder(
    lines: Sequence[Standing],
    rungs: tuple[str, ...],
    stretches: Sequence[RoundResult],
    fillers: Collection[str] = (),
) -> tuple[Standing, ...]:
    """The standings: by table from the top, within a table by place in the last stretch. fillers rank last."""
    for played in stretches[:-1]:
        rungs = move(rungs, played)
    by_key = {line.entrant: line for line in lines}
    order = [key for key in order_by_place(rungs, stretches[-1]) if key in by_key]
    order = sorted(dict.fromkeys([*order, *by_key]), key=lambda key: key in fillers)
    return tuple(by_key[key]._replace(place=place) for place, key in enumerate(order, start=1))
