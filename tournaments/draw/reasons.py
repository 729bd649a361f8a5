"""Why these people sit together, in sentences a player can read; the wording is left to whoever shows them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from tournaments.draw.instance import Instance
from tournaments.draw.solution import Sentence

SAME_SCORE: Final = "same score: %(score)d"
CLOSE_SCORES: Final = "scores from %(low)d to %(high)d"
NOBODY_MET: Final = "nobody here has met before"
REPEATED: Final = "%(one)s and %(other)s meet again (before: %(times)d)"
LOCKED: Final = "locked together: %(names)s"
ODD_SIZE: Final = "a pod of %(size)d, because the number present does not divide by %(wanted)d"
TEMPLATES: Final = (SAME_SCORE, CLOSE_SCORES, NOBODY_MET, REPEATED, LOCKED, ODD_SIZE)
"""Every template there is, for translators."""


def explain_pod(instance: Instance, pod: Sequence[int]) -> tuple[Sentence, ...]:
    """Closeness, meetings, locks and size, in this order."""
    return (
        *_explain_scores(instance, pod),
        *_explain_meetings(instance, pod),
        *_explain_locks(instance, pod),
        *_explain_size(instance, pod),
    )


def _explain_scores(instance: Instance, pod: Sequence[int]) -> list[Sentence]:
    if not instance.problem.swiss:
        return []
    scores = [int(instance.scores[one]) for one in pod]
    if min(scores) == max(scores):
        return [Sentence(SAME_SCORE, {"score": scores[0]})]
    return [Sentence(CLOSE_SCORES, {"low": min(scores), "high": max(scores)})]


def _explain_meetings(instance: Instance, pod: Sequence[int]) -> list[Sentence]:
    found = []
    for one, other in combinations(pod, 2):
        if times := instance.met.get((min(one, other), max(one, other)), 0):
            found.append(Sentence(REPEATED, {"one": instance.ids[one], "other": instance.ids[other], "times": times}))
    return found or [Sentence(NOBODY_MET)]


def _explain_locks(instance: Instance, pod: Sequence[int]) -> list[Sentence]:
    inside = set(pod)
    return [
        Sentence(LOCKED, {"names": tuple(sorted(instance.ids[one] for one in group))})
        for group in instance.groups
        if group[0] in inside
    ]


def _explain_size(instance: Instance, pod: Sequence[int]) -> list[Sentence]:
    wanted = instance.problem.wanted
    return [] if len(pod) == wanted else [Sentence(ODD_SIZE, {"size": len(pod), "wanted": wanted})]
