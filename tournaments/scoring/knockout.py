"""Knockout stages: seeding, winners, and the final order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tournaments.scoring.points import MAX_SEATS
from tournaments.scoring.results import PLAYS, PodResult, RoundResult
from tournaments.scoring.standings import Standing, as_listed

_ON, _GONE, _PLAYING, _OUT = range(4)
"""How a stage has ended for somebody, or not yet."""


def mix_sizes(count: int, *, wanted: int, least: int, most: int) -> tuple[int, ...]:
    """Pod sizes that add up to `count`, nearest to the wanted one, larger first; empty if there are none."""
    options: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for total in range(1, count + 1):
        found = [
            (cost + abs(size - wanted), tuple(sorted((*sizes, size), reverse=True)))
            for size in range(least, most + 1)
            if total - size in options
            for cost, sizes in [options[total - size]]
        ]
        if found:
            options[total] = min(found, key=lambda option: (option[0], len(option[1]), option[1]))
    return options[count][1] if count in options else ()


def seed_stage(
    ranked: Sequence[str], *, wanted: int, least: int, most: int
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The pods of a stage and its byes, from the seeding, best first. ValueError if no pod is possible.

    One final table as soon as everybody fits. Otherwise serpentine: the first seeds are spread over the tables. Where
    no combination of sizes fits, the best seeds get byes, as few as possible.
    """
    if len(ranked) <= most:
        return (tuple(ranked),), ()
    for byes in range(len(ranked)):
        sizes = mix_sizes(len(ranked) - byes, wanted=wanted, least=least, most=most)
        if sizes:
            return _serpentine(ranked[byes:], sizes), tuple(ranked[:byes])
    raise ValueError("no pod is possible")


def _serpentine(ranked: Sequence[str], sizes: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    pods: list[list[str]] = [[] for _ in sizes]
    waiting, forward = list(ranked), True
    while waiting:
        order = range(len(sizes)) if forward else range(len(sizes) - 1, -1, -1)
        for index in order:
            if waiting and len(pods[index]) < sizes[index]:
                pods[index].append(waiting.pop(0))
        forward = not forward
    return tuple(tuple(pod) for pod in pods)


def find_winners(
    played: RoundResult, *, advance: int, ranked: Sequence[str], fillers: Collection[str] = ()
) -> tuple[str, ...]:
    """The entrants who advance: the best of each pod and those with a bye, in the order of their seeding.

    Where places are tied at the edge, the better seed advances; from a pod without a result, the best seeds. No-shows
    and forfeits are out, and a filler takes nobody's place: the next of the others advances.
    """
    seed = {entrant: index for index, entrant in enumerate(ranked)}
    through = set(played.byes)
    for pod in played.pods:
        best = [entrant for _, entrant in _list_best([pod], ranked) if entrant not in fillers]
        through |= set(best[: min(advance, max(1, len(set(pod.entrants) - set(fillers)) - 1))])
    return tuple(sorted(through, key=lambda entrant: seed[entrant]))


def fill_up(
    through: Sequence[str], played: RoundResult, *, least: int, present: Collection[str], ranked: Sequence[str]
) -> tuple[str, ...]:
    """The entrants who advance, and the best of the others where there are too few for a table of the game.

    least: seats of the smallest table. A single entrant has won and needs nobody.
    """
    missing = least - len(through) if len(through) > 1 else 0
    best = _list_best(played.pods, ranked, through)
    others = [one for _, one in best if one in present and one not in through]
    seed = {entrant: index for index, entrant in enumerate(ranked)}
    return tuple(sorted([*through, *others[: max(0, missing)]], key=lambda entrant: seed[entrant]))


def _list_best(
    pods: Iterable[PodResult], ranked: Sequence[str], through: Collection[str] = ()
) -> list[tuple[int, str]]:
    """Everybody who played in these pods, with their place, best first; tied ones by seed."""
    seed = {entrant: index for index, entrant in enumerate(ranked)}
    places = [
        (rank, entrant)
        for pod in pods
        for seat, (rank, entrant) in enumerate(zip(_ranks(pod, through), pod.entrants, strict=True))
        if pod.fate(seat) == PLAYS
    ]
    return sorted(places, key=lambda placed: (placed[0], seed[placed[1]]))


def is_final(played: RoundResult) -> bool:
    """Whether this was the final table."""
    return len(played.pods) == 1 and not played.byes


def rank_knockout(
    before: Sequence[Standing],
    stages: Sequence[RoundResult],
    *,
    through: Sequence[Collection[str]] = (),
    playing: Collection[str] = (),
    gone: Collection[str] = (),
    fillers: Collection[str] = (),
) -> tuple[Standing, ...]:
    """The final order: by stage reached, then by place at the last table, then by the standings before the knockout.

    through: who advances from each stage; they rank above those who are out, even before the next stage. playing:
    entrants whose table of the last stage has no result yet; they rank in between. gone: who left after the last stage,
    so that the one who remained has won. fillers: rank last.
    """
    reached: dict[str, tuple[int, int, int]] = {}
    for number, stage in enumerate(stages, start=1):
        on = through[number - 1] if through else ()
        reached |= dict.fromkeys(stage.byes, (-number, _ON, 0))
        for pod in stage.pods:
            for entrant, rank in zip(pod.entrants, _ranks(pod, on), strict=True):
                reached[entrant] = (-number, _ON if entrant in on else _OUT, rank)
    reached |= {entrant: (reached[entrant][0], _GONE, reached[entrant][2]) for entrant in gone}
    reached |= dict.fromkeys(playing, (-len(stages), _PLAYING, 0))
    reached |= dict.fromkeys(fillers, (0, 0, 0))
    keys = {line.entrant: (*reached.get(line.entrant, (0, 0, 0)), line.place) for line in before}
    ordered = sorted(before, key=lambda line: (keys[line.entrant], as_listed(line.entrant)))
    places: dict[tuple[int, int, int, int], int] = {}
    for index, line in enumerate(ordered, start=1):
        places.setdefault(keys[line.entrant], index)
    return tuple(line._replace(place=places[keys[line.entrant]]) for line in ordered)


def _ranks(pod: PodResult, through: Collection[str] = ()) -> tuple[int, ...]:
    """Places. In a void pod the entrants who advance share the first, the others the next.

    No-shows and forfeits rank behind those of every table.
    """
    ranks = tuple(int(entrant not in through) for entrant in pod.entrants) if pod.is_void else pod.ranks()
    return tuple(
        sorted(ranks).index(rank) + 1 if pod.fate(seat) == PLAYS else MAX_SEATS + 1 for seat, rank in enumerate(ranks)
    )
