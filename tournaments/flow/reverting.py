"""Taking steps back, and taking that back, until something outside the house has followed from them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from games.models import Player
from games.play import store
from games.play.errors import NotFound, Stale
from tournaments.flow import rounds, tables
from tournaments.flow.permissions import require_role
from tournaments.flow.steps import Taking, put_back, read_changes, take
from tournaments.models import Phase, Pod, PodSeat, Result, Role, Round, Step, Tournament

FOR_GOOD = frozenset({"plan", "table-result", "fillers", "bell", "pause", "resume", "seat", "dropped"})
"""Steps that cannot be taken back: what was played, what was heard, and what has its own way back."""
SEASON = frozenset({"count", "uncount", "league-name"})
"""Steps that a season takes as long as it is not over."""
SHOWN = 12
"""How many steps are looked through for one that can be taken back."""


def list_steps(
    tournament: Tournament,
    *,
    kinds: Collection[str] | None = None,
    before: int | None = None,
    limit: int = 200,
    with_changes: bool = False,
) -> list[Step]:
    """The audit log, newest first; of these kinds, before the step of this number.

    with_changes: with what each has changed, which may be long.
    """
    steps = Step.objects.filter(tournament=tournament).select_related("reverts", "reverted_by").order_by("-number")
    if kinds is not None:
        steps = steps.filter(kind__in=kinds)
    if before is not None:
        steps = steps.filter(number__lt=before)
    if not with_changes:
        steps = steps.defer("changes", "reverts__changes", "reverted_by__changes")
    return list(steps[:limit])


class Told(NamedTuple):
    """A step as it is told. details: JSON text; about: the step that an undo is about, as kind and details."""

    at: float
    actor_name: str
    kind: str
    details: str
    about: tuple[str, str] | None = None


def list_told(tournament: Tournament, *, kinds: Collection[str], limit: int) -> list[Told]:
    """The newest steps of these kinds, newest first, in two queries and as plain values."""
    steps = Step.objects.filter(tournament=tournament, kind__in=kinds).order_by("-number")
    rows = [Told(*row) for row in steps.values_list("at", "actor_name", "kind", "details")[:limit]]
    numbers = {row.details: msgspec.json.decode(row.details)["step"] for row in rows if row.kind == "undo"}
    if not numbers:
        return rows
    origins = Step.objects.filter(tournament=tournament, number__in=set(numbers.values()))
    by_number = {number: (kind, details) for number, kind, details in origins.values_list("number", "kind", "details")}
    return [row._replace(about=by_number.get(numbers[row.details])) if row.kind == "undo" else row for row in rows]


def is_reverted(step: Step) -> bool:
    """Whether a step has been taken back."""
    return hasattr(step, "reverted_by")


def can_offer(step: Step) -> bool:
    """Whether it makes sense to offer taking this step back."""
    return not is_reverted(step) and step.kind not in FOR_GOOD and origin_of(step).kind not in FOR_GOOD


def origin_of(step: Step) -> Step:
    """The step that this one, directly or over several undos, is about."""
    while step.reverts is not None:
        step = step.reverts
    return step


def is_redo(step: Step) -> bool:
    """Whether taking this step back would do again what was undone."""
    return _depth(step) % 2 == 1


def _depth(step: Step) -> int:
    depth = 0
    while step.reverts is not None:
        step, depth = step.reverts, depth + 1
    return depth


def revert(tournament: Tournament, actor: Player | None, number: int, *, now: float) -> None:
    """Take one step back. Of an undo: do again what was undone. Twice is once.

    Raises NotAllowed, NotFound, Stale if something rests on it or has followed from it outside.
    """
    require_role(tournament.club, actor.pk if actor else None, Role.ORGANISER)
    with store.together(), take(tournament.pk, "undo", actor=actor, now=now) as step:
        found = Step.objects.filter(tournament=step.tournament, number=number).first()
        if found is None:
            raise NotFound("There is no such step.")
        if is_reverted(found):
            return
        if not can_offer(found):
            raise Stale("This cannot be taken back: it is what was played. An organiser can decide a result instead.")
        origin = origin_of(found)
        _check(step, origin, is_undo=not is_redo(found), now=now)
        for change in reversed(read_changes(found)):
            put_back(step, change)
        step.reverts = found
        step.details = {"kind": origin.kind, "redo": is_redo(found), "step": origin.number}
    _follow(tournament, now=now)


def _check(step: Taking, origin: Step, *, is_undo: bool, now: float) -> None:
    if origin.kind in SEASON and step.tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale("This season is over. Take its end back first.")
    if origin.kind in ("to-screens", "to-table"):
        _unmove(step, origin, now=now)
    if not is_undo:
        return
    if origin.kind == "release":
        _unrelease(step, origin, now=now)
    elif origin.kind == "open-arena":
        _unrelease(step, origin, now=now)
        _unseat(step, origin)
    elif origin.kind == "complete":
        _require_last(step, origin)
    elif origin.kind in ("result", "confirm", "reject", "decide", "fate", "substitute", "no-substitute"):
        _require_round_open(origin)


def _unrelease(step: Taking, origin: Step, *, now: float) -> None:
    played = _round_of(step, origin)
    kept = Result.objects.filter(pod__round=played).exclude(status=Result.Status.REJECTED).select_related("pod").first()
    if kept is not None:
        raise Stale("Table %(table)s has a result already. Take that back first.", table=kept.pod.number)
    for pod in Pod.objects.filter(round=played).exclude(table=None):
        if tables.has_begun(pod):
            raise Stale("At table %(table)s the game has begun.", table=pod.number)
    tables.close_tables(played, now=now)


def _unseat(step: Taking, origin: Step) -> None:
    """The tables that an arena has made since, none of which has begun."""
    for seat in PodSeat.objects.filter(pod__round=_round_of(step, origin)):
        step.delete(seat)
    for pod in Pod.objects.filter(round=_round_of(step, origin)):
        step.delete(pod)


def _unmove(step: Taking, origin: Step, *, now: float) -> None:
    """The table that was opened meanwhile, whose game has not begun."""
    ids = [pk for kind, pk, _, _ in read_changes(origin) if kind == "Pod"]
    for pod in Pod.objects.select_related("round").filter(pk__in=ids, round__tournament=step.tournament):
        tables.require_movable(pod)
        tables.close_table(pod, now=now)


def _require_last(step: Taking, origin: Step) -> None:
    played = _round_of(step, origin)
    if Round.objects.filter(tournament=step.tournament, number__gt=played.number).exists():
        raise Stale("The next round has been drawn. Take that back first.")


def _round_of(step: Taking, origin: Step) -> Round:
    ids = [pk for kind, pk, _, _ in read_changes(origin) if kind == "Round"]
    return Round.objects.get(tournament=step.tournament, pk=ids[0])


def _require_round_open(origin: Step) -> None:
    ids = [pk for kind, pk, _, _ in read_changes(origin) if kind == "Result"]
    pods = Pod.objects.filter(results__in=ids) if ids else Pod.objects.none()
    if pods.filter(round__status=Round.Status.COMPLETE).exists():
        raise Stale("The round is complete. Take that back first.")


def _follow(tournament: Tournament, *, now: float) -> None:
    """What a released round promises holds also when it was released again."""
    for played in Round.objects.filter(tournament=tournament, status=Round.Status.RELEASED):
        rounds.open_tables(tournament, played.number, now=now)
