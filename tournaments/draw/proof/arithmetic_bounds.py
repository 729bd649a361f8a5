"""Lower bounds for every draw of an instance, by arithmetic on sorted lists; all in integers."""

from __future__ import annotations

import highspy
import numpy as np

from tournaments.draw.problem.closeness import bound_closeness
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import ObjectiveValues
from tournaments.draw.problem.pod_sizes import bound_deviation, bound_pod_count, count_byes


def bound_by_arithmetic(instance: Instance, values: ObjectiveValues) -> ObjectiveValues:
    """Per line a lower bound, given the values of the lines before it."""
    problem = instance.problem
    single = instance.lock_of() < 0
    earlier = sorted(instance.byes[single].tolist())
    sizes = {"wanted": problem.wanted, "smallest": problem.min_size, "largest": problem.max_size}
    return ObjectiveValues(
        byes=count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size),
        repeat_byes=sum(earlier[: values.byes]),
        bye_scores=_bound_bye_scores(instance, values),
        sizes=bound_deviation(instance.size - values.byes, list(map(len, instance.locks)), **sizes),
        pods=_bound_pods(instance, values),
        thirds=0,
        pairing=bound_closeness(instance, values) if values.pairing else 0,
        odd_sizes=_bound_odd_sizes(instance, values),
        seats=_bound_seats(instance, values),
    )


def _bound_bye_scores(instance: Instance, values: ObjectiveValues) -> int:
    """The least sum of scores of so many people with so many earlier byes between them."""
    most, reach = values.repeat_byes, {(0, 0): 0}
    single = np.flatnonzero(instance.lock_of() < 0)[::-1].tolist()
    for earlier_byes in sorted({int(instance.byes[person]) for person in single}):
        low = [int(instance.scores[person]) for person in single if instance.byes[person] == earlier_byes][
            : values.byes
        ]
        sums = [sum(low[:count]) for count in range(len(low) + 1)]
        step: dict[tuple[int, int], int] = {}
        for (people, byes), score in reach.items():
            for count, more in enumerate(sums):
                key = (people + count, byes + count * earlier_byes)
                if key[0] <= values.byes and key[1] <= most:
                    step[key] = min(step.get(key, score + more), score + more)
        reach = step
    return reach[(values.byes, most)]


def _bound_pods(instance: Instance, values: ObjectiveValues) -> int:
    problem, people = instance.problem, instance.size - values.byes
    fewest = bound_pod_count(people, list(map(len, instance.locks)), problem.max_size)
    return max(fewest, -(-(people - values.sizes) // problem.wanted))


def _bound_seats(instance: Instance, values: ObjectiveValues) -> int:
    """Everybody in any seat, as long as no seat is taken more often than pods have it.

    A transport problem solved in floating point; its rounded prices are an integer bound by weak duality.
    """
    capacity = np.array(
        [_count_capacity(instance, values, seat) for seat in range(instance.problem.max_size)] + [values.byes]
    )
    patterns, people = np.unique(instance.seat_counts, axis=0, return_counts=True)
    patterns = np.hstack([patterns, np.zeros((len(patterns), 1), dtype=np.int64)])
    price = _price_seats(patterns, people, capacity)
    return max(0, int((patterns + price).min(axis=1) @ people - price @ capacity))


def _count_capacity(instance: Instance, values: ObjectiveValues, seat: int) -> int:
    """How many pods can have this seat."""
    problem = instance.problem
    over = (values.sizes + instance.size - values.byes - values.pods * problem.wanted) // 2
    return values.pods if seat < problem.wanted else min(values.pods, over // (seat + 1 - problem.wanted))


def _price_seats(patterns: Ints, people: Ints, capacity: Ints) -> Ints:
    """Per seat its price, ≥ 0."""
    count, seats = patterns.shape
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (("output_flag", False), ("threads", 1), ("random_seed", 1)):
        highs.setOptionValue(option, value)
    low, high = np.concatenate([people, np.zeros(seats)]), np.concatenate([people, capacity]).astype(float)
    empty = np.zeros(0, dtype=np.int32)
    highs.addRows(count + seats, low, high, 0, np.zeros(count + seats, dtype=np.int32), empty, np.zeros(0))
    places = np.stack([np.repeat(np.arange(count), seats), count + np.tile(np.arange(seats), count)], axis=1)
    total = count * seats
    ends, starts = np.full(total, highspy.kHighsInf), np.arange(0, 2 * total, 2, dtype=np.int32)
    indices = places.ravel().astype(np.int32)
    cost = patterns.ravel().astype(float)
    highs.addCols(total, cost, np.zeros(total), ends, 2 * total, starts, indices, np.ones(2 * total))
    highs.run()
    price = -np.nan_to_num(np.array(highs.getSolution().row_dual)[count:])
    return np.asarray(np.rint(np.clip(price, 0, 1 << 20)).astype(np.int64))


def _bound_odd_sizes(instance: Instance, values: ObjectiveValues) -> int:
    """The least number of people in pods of another size; those who had the fewest."""
    problem = instance.problem
    surplus = instance.size - values.byes - values.pods * problem.wanted
    over, under = (values.sizes + surplus) // 2, (values.sizes - surplus) // 2
    people = 0
    if over:
        people += -(-over // (problem.max_size - problem.wanted)) * problem.wanted + over
    if under:
        people += -(-under // (problem.wanted - problem.min_size)) * problem.wanted - under
    return int(sum(sorted(instance.odd_counts.tolist())[:people]))
