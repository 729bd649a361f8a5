"""Which table is which: numbers by the order of the draw, and people with a fixed table at theirs."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.models import Entrant


def number_tables(
    pods: Sequence[Sequence[Entrant]], is_online: Sequence[bool], *, is_free: bool
) -> list[tuple[int, int | None]]:
    """The number of each pod, and the number of its real table where that is another one.

    A pod at a real table with somebody who has a fixed table gets that number, and the pod that had it gets the other;
    beyond the tables of this round only the real table has it. Of two who want one table the first pod gets it, and of
    two in one pod the one who entered first. is_free: whether the numbers of tables say nothing of the people there.
    """
    numbers = list(range(1, len(pods) + 1))
    real: list[int | None] = [None] * len(pods)
    taken: set[int] = set()
    for at, seats in enumerate(pods):
        fixed = (
            [entrant for entrant in sorted(seats, key=lambda entrant: entrant.number) if entrant.fixed_table]
            if is_free
            else []
        )
        wanted = next((entrant.fixed_table for entrant in fixed if entrant.fixed_table not in taken), None)
        if wanted is None or is_online[at]:
            continue
        taken.add(wanted)
        if wanted > len(pods):
            real[at] = wanted
        else:
            other = numbers.index(wanted)
            numbers[at], numbers[other] = numbers[other], numbers[at]
    return list(zip(numbers, real, strict=True))
