"""Disputed results of real tables: who rejected which report, shown to the person who entered it."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q

from tournaments.flow.rounds.seat_swaps import list_reseated
from tournaments.flow.steps.recorder import decode_changes
from tournaments.models import Pod, Result, Step


class Objection(NamedTuple):
    """A rejected result. by: the name of who rejected it; empty if it is no longer known."""

    result: Result
    by: str


def list_objections(pod: Pod) -> list[Objection]:
    """The latest reports of each person in a pod that others have rejected; none once a result is accepted."""
    results = list(Result.objects.filter(pod=pod).select_related("entered_by").order_by("pk"))
    if any(result.status == Result.Status.ACCEPTED for result in results):
        return []
    last = {result.entered_by_id: result for result in results}
    rejected = {result.pk: result for result in last.values() if result.status == Result.Status.REJECTED}
    if not rejected:
        return []
    steps = Step.objects.filter(tournament=pod.round.tournament_id, kind=Step.Kind.REJECT).order_by("number")
    called = {change[1]: step for step in steps for change in decode_changes(step.changes) if change[0] == "Result"}
    since = _find_reseated(pod)
    return [
        Objection(one, called[pk].actor_name)
        for pk, one in sorted(rejected.items())
        if pk in called and called[pk].actor_id != one.entered_by_id and called[pk].number > since
    ]


def _find_reseated(pod: Pod) -> int:
    """The number of the last step that changed who sits in this pod since its release; 0 for none."""
    steps = Step.objects.filter(tournament=pod.round.tournament_id)
    steps = steps.filter(
        Q(kind=Step.Kind.RESEAT) | Q(kind=Step.Kind.UNDO, details__contains='"kind":"reseat"')
    ).order_by("-number")
    return next((step.number for step in steps if pod.pk in list_reseated(decode_changes(step.changes))), 0)
