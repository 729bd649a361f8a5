"""Lower bounds that hold for every draw of an instance, by arithmetic on sorted lists; all in integers."""

from __future__ import annotations

from tournaments.draw.closeness import bound_closeness
from tournaments.draw.instance import Instance
from tournaments.draw.lines import Values
from tournaments.draw.mixes import count_byes, find_mix


def bound_simply(instance: Instance, values: Values) -> Values:
    """Per line a bound given the values of the lines before it."""
    problem = instance.problem
    single = instance.group_of() < 0
    earlier = sorted(instance.byes[single].tolist())
    mix = find_mix(
        instance.size - values.byes, wanted=problem.wanted, smallest=problem.min_size, largest=problem.max_size
    )
    return Values(
        byes=count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size),
        repeat_byes=sum(earlier[: values.byes]),
        bye_scores=_bound_bye_scores(instance, values),
        sizes=0 if mix is None else mix.deviation,
        pods=_bound_pods(instance, values),
        thirds=0,
        pairing=bound_closeness(instance, values) if values.pairing else 0,
        odd_sizes=_bound_odd_sizes(instance, values),
        seats=_bound_seats(instance, values),
    )


def _bound_bye_scores(instance: Instance, values: Values) -> int:
    """The least sum of scores of exactly so many people with exactly so many byes between them."""
    most, reach = values.repeat_byes, {(0, 0): 0}
    single = [one for one in range(instance.size - 1, -1, -1) if instance.group_of()[one] < 0]
    for had in sorted({int(instance.byes[one]) for one in single}):
        low = [int(instance.scores[one]) for one in single if instance.byes[one] == had][: values.byes]
        sums = [sum(low[:count]) for count in range(len(low) + 1)]
        step: dict[tuple[int, int], int] = {}
        for (people, byes), score in reach.items():
            for count, more in enumerate(sums):
                key = (people + count, byes + count * had)
                if key[0] <= values.byes and key[1] <= most:
                    step[key] = min(step.get(key, score + more), score + more)
        reach = step
    return reach[(values.byes, most)]


def _bound_pods(instance: Instance, values: Values) -> int:
    problem, people = instance.problem, instance.size - values.byes
    fewest = -(-people // problem.max_size)
    return max(fewest, -(-(people - values.sizes) // problem.wanted))


def _bound_seats(instance: Instance, values: Values) -> int:
    """Everybody in the seat that is best for him; those with a bye are the ones who would cost most."""
    each = sorted(instance.sat.min(axis=1).tolist())
    return int(sum(each[: instance.size - values.byes]))


def _bound_odd_sizes(instance: Instance, values: Values) -> int:
    """So many at least sit in pods of another size; those who did so least."""
    problem = instance.problem
    surplus = instance.size - values.byes - values.pods * problem.wanted
    over, under = (values.sizes + surplus) // 2, (values.sizes - surplus) // 2
    people = 0
    if over:
        people += -(-over // (problem.max_size - problem.wanted)) * problem.wanted + over
    if under:
        people += -(-under // (problem.wanted - problem.min_size)) * problem.wanted - under
    return int(sum(sorted(instance.odd.tolist())[:people]))
