"""Why these people sit together, as sentences a player can read; templates are translated where they are shown."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from itertools import combinations
from typing import Final, NamedTuple

from tournaments.draw.problem.instance import Instance
from tournaments.draw.problem.objective import ObjectiveValues
from tournaments.draw.problem.pod_sizes import count_byes, find_size_mix
from tournaments.draw.problem.solution import NOBODY_MET, Sentence

SAME_SCORE: Final = "same score: %(score)d"
CLOSE_SCORES: Final = "scores from %(low)d to %(high)d"
REPEATED: Final = "%(one)s and %(other)s meet again (before: %(times)d)"
REPEATED_BEST: Final = f"{REPEATED}: any draw without that costs at least as much elsewhere"
REPEATED_FOUND: Final = f"{REPEATED}: no better draw was found"
REPEATED_LOCKED: Final = f"{REPEATED}: they are locked together"
SAME_GROUP: Final = "%(one)s and %(other)s are of one group"
LOCKED: Final = "locked together: %(names)s"
ODD_SIZE: Final = "a pod of %(size)d, because the number present does not divide by %(wanted)d"
ODD_LOCK: Final = "a pod of %(size)d, because so many are locked together"
ODD_RULES: Final = (
    "a pod of %(size)d, because locks or forbidden pairs leave no sizes nearer to %(wanted)d "
    "without further or other byes"
)
ODD_FOUND: Final = "a pod of %(size)d: no draw with sizes nearer to %(wanted)d was found"
TEMPLATES: Final = (
    SAME_SCORE, CLOSE_SCORES, NOBODY_MET,
    REPEATED, REPEATED_BEST, REPEATED_FOUND, REPEATED_LOCKED, SAME_GROUP,
    LOCKED, ODD_SIZE, ODD_LOCK, ODD_RULES, ODD_FOUND,
)  # fmt: skip
"""Every template, for the translation catalogues."""


class PodTemplates(NamedTuple):
    """The templates that fit what is proven of the whole draw. size: for a pod of another size; repeat: for a repeated
    pair.
    """

    size: str
    repeat: str


def choose_templates(instance: Instance, values: ObjectiveValues, bounds: ObjectiveValues) -> PodTemplates:
    """For one round: a repeat is called necessary only where that is proven."""
    until_pairing = ObjectiveValues._fields.index("pairing") + 1
    is_best = values[:until_pairing] == bounds[:until_pairing]
    return PodTemplates(
        _choose_size_template(instance, values.byes, values.sizes, is_proven=values.sizes == bounds.sizes),
        REPEATED_BEST if is_best else REPEATED_FOUND,
    )


def choose_plan_templates(instance: Instance, pods: Sequence[Sequence[int]], byes: Sized) -> PodTemplates:
    """For one round of a plan: nothing is proven of a single round, neither its sizes nor its repeats."""
    deviation = sum(abs(len(pod) - instance.problem.wanted) for pod in pods)
    return PodTemplates(_choose_size_template(instance, len(byes), deviation, is_proven=False), REPEATED)


def _choose_size_template(instance: Instance, byes: int, deviation: int, *, is_proven: bool) -> str:
    """Why not all pods have the wanted size.

    deviation: sum of their distances from it. is_proven: it is minimal for these byes.
    """
    problem = instance.problem
    sizes = {"smallest": problem.min_size, "largest": problem.max_size}
    fewest = count_byes(instance.size, **sizes)
    mix = find_size_mix(instance.size - fewest, wanted=problem.wanted, **sizes)
    if mix is not None and (byes, deviation) == (fewest, mix.deviation):
        return ODD_SIZE
    return ODD_RULES if is_proven else ODD_FOUND


def explain_pod(instance: Instance, pod: Sequence[int], templates: PodTemplates) -> tuple[Sentence, ...]:
    """Sentences about closeness, meetings, locks and size, in this order."""
    return (
        *_explain_scores(instance, pod),
        *_explain_meetings(instance, pod, templates),
        *_explain_locks(instance, pod),
        *_explain_size(instance, pod, templates),
    )


def _explain_scores(instance: Instance, pod: Sequence[int]) -> list[Sentence]:
    if not instance.problem.swiss:
        return []
    scores = [int(instance.scores[member]) for member in pod]
    if min(scores) == max(scores):
        return [Sentence(SAME_SCORE, {"score": scores[0]})]
    return [Sentence(CLOSE_SCORES, {"low": min(scores), "high": max(scores)})]


def _explain_meetings(instance: Instance, pod: Sequence[int], templates: PodTemplates) -> list[Sentence]:
    found, kin, ids = [], [], instance.ids
    for one, other in combinations(pod, 2):
        pair = (min(one, other), max(one, other))
        if pair in instance.kin:
            kin.append(Sentence(SAME_GROUP, {"one": ids[one], "other": ids[other]}))
        if times := instance.met.get(pair, 0) - (pair in instance.kin):
            is_locked = any(one in lock and other in lock for lock in instance.locks)
            template = REPEATED_LOCKED if is_locked else templates.repeat
            found.append(Sentence(template, {"one": ids[one], "other": ids[other], "times": times}))
    return [*(found or [Sentence(NOBODY_MET)]), *kin]


def _explain_locks(instance: Instance, pod: Sequence[int]) -> list[Sentence]:
    inside = set(pod)
    return [
        Sentence(LOCKED, {"names": tuple(sorted(instance.ids[member] for member in lock))})
        for lock in instance.locks
        if lock[0] in inside
    ]


def _explain_size(instance: Instance, pod: Sequence[int], templates: PodTemplates) -> list[Sentence]:
    wanted = instance.problem.wanted
    if len(pod) == wanted:
        return []
    is_lock = len(pod) > wanted and any(sorted(pod) == sorted(lock) for lock in instance.locks)
    return [Sentence(ODD_LOCK if is_lock else templates.size, {"size": len(pod), "wanted": wanted})]
