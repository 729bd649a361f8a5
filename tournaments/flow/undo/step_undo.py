"""Undo and redo of tournament steps, as long as nothing outside the tournament has followed from them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from django.db.models import Q, Subquery

from games.models import Player
from games.play.errors import NotFound, Refusal, Stale
from games.play.storage import store
from tournaments.flow.permissions import require_organiser
from tournaments.flow.rounds import lifecycle
from tournaments.flow.steps.kinds import KINDS, Kind
from tournaments.flow.steps.recorder import TournamentStep, read_changes, take_step
from tournaments.flow.tables import online_tables, seat_changes
from tournaments.flow.undo import consequences
from tournaments.flow.undo.moved_bells import list_pauses, shift_change
from tournaments.flow.undo.row_values import restore_rows
from tournaments.models import Round, Season, Step, Tournament

FINAL_KINDS = frozenset(kind.kind for kind in KINDS.values() if kind.is_final)
"""Kinds of steps that cannot be undone: results of played games, bells, and what has a button of its own to reverse."""
ACCEPTED = '"accepted":true'
"""Part of the JSON details of a RESULT step whose result counted as soon as it was entered."""
MAX_CANDIDATES = 12
"""How many of the latest steps `find_last` examines. Bounds the query; few are skipped."""


def list_steps(
    subject: Tournament | Season,
    *,
    kinds: Collection[str] | None = None,
    numbers: Collection[int] | None = None,
    before: int | None = None,
    limit: int = 200,
    with_changes: bool = False,
) -> list[Step]:
    """The audit log of a tournament or a season, newest first; only these kinds, these numbers, before this number.

    with_changes: load the column `changes`, too, which may be long.
    """
    steps = subject.steps.select_related("reverts", "reverted_by").order_by("-number")
    if kinds is not None:
        steps = steps.filter(kind__in=kinds)
    if numbers is not None:
        steps = steps.filter(number__in=numbers)
    if before is not None:
        steps = steps.filter(number__lt=before)
    if not with_changes:
        steps = steps.defer("changes", "reverts__changes", "reverted_by__changes")
    return list(steps[:limit])


class LoggedStep(NamedTuple):
    """A step as plain values. details: JSON text; about: kind and details of the step that an undo reverts."""

    at: float
    actor_name: str
    actor_id: int | None
    kind: str
    details: str
    about: tuple[str, str] | None = None


def list_logged(subject: Tournament | Season, *, kinds: Collection[str], limit: int) -> list[LoggedStep]:
    """The newest steps of these kinds, newest first, in two queries and as plain values.

    Of undos only those of steps of these kinds; of results only those that counted at once.
    """
    uncounted = Q(kind=Kind.RESULT) & ~Q(details__contains=ACCEPTED)
    steps = subject.steps.filter(kind__in=kinds).exclude(uncounted).order_by("-number")
    rows = [LoggedStep(*row) for row in steps.values_list("at", "actor_name", "actor_id", "kind", "details")[:limit]]
    numbers = {row.details: msgspec.json.decode(row.details)["step"] for row in rows if row.kind == Kind.UNDO}
    if not numbers:
        return rows
    origins = subject.steps.filter(number__in=set(numbers.values()))
    by_number = {number: (kind, details) for number, kind, details in origins.values_list("number", "kind", "details")}
    found = (row._replace(about=by_number.get(numbers[row.details])) if row.kind == Kind.UNDO else row for row in rows)
    return [
        row for row in found if row.kind != Kind.UNDO or (row.about is not None and _is_of_kinds(*row.about, kinds))
    ]


def _is_of_kinds(kind: str, details: str, kinds: Collection[str]) -> bool:
    return kind in kinds and (kind != Kind.RESULT or ACCEPTED in details)


def is_reverted(step: Step) -> bool:
    """Whether a step has been undone (an undo: redone)."""
    return hasattr(step, "reverted_by")


def is_candidate(step: Step, subject: Tournament | Season) -> bool:
    """Whether a step can be undone as far as its kind and the phase say; its rows are not looked at."""
    origin = origin_of(step)
    return not is_reverted(step) and origin.kind not in FINAL_KINDS and consequences.is_open_to(subject, origin)


def find_last(subject: Tournament | Season) -> Step | None:
    """The newest step in force that is a candidate for undo; steps already undone are passed over."""
    steps = subject.steps.filter(reverted_by=None).exclude(kind__in=FINAL_KINDS)
    steps = steps.exclude(kind=Kind.UNDO, details__contains='"redo":false').select_related("reverts")
    latest = steps.defer("changes", "reverts__changes").order_by("-number")[:MAX_CANDIDATES]
    return next((step for step in latest if is_candidate(step, subject)), None)


def find_undone(subject: Tournament | Season) -> Step | None:
    """The newest undo that is a candidate for redo: only while nothing but undos and redos has followed it."""
    steps = subject.steps.all()
    latest = steps.exclude(kind=Kind.UNDO).order_by("-number").values("number")[:1]
    undone = steps.filter(
        kind=Kind.UNDO, reverted_by=None, details__contains='"redo":false', number__gt=Subquery(latest)
    )
    last_undo = undone.select_related("reverts").defer("changes", "reverts__changes").order_by("-number").first()
    return last_undo if last_undo is not None and is_candidate(last_undo, subject) else None


def can_offer(step: Step, tournament: Tournament, *, now: float) -> bool:
    """Whether this step could be undone (an undo: redone) now. It is tried in a transaction that is rolled back."""
    if not is_candidate(step, tournament):
        return False
    try:
        with store.save_together(), take_step(tournament.pk, Kind.UNDO, actor=None, now=now) as taking:
            _revert(taking, step.number, close=online_tables.detach_tables, now=now)
            raise _Possible
    except _Possible:
        return True
    except Refusal:
        return False


def can_offer_all(steps: Sequence[Step], tournament: Tournament, *, now: float) -> bool:
    """Whether each of these steps could be undone now: all are tried in one transaction that is rolled back.

    Only for independent entry steps before the first draw: if they can be undone together, each can be undone alone.
    """
    try:
        with store.save_together(), take_step(tournament.pk, Kind.UNDO, actor=None, now=now) as taking:
            for step in steps:
                consequences.check_before(taking, step, step, is_undo=True)
            restore_rows(taking, [change for step in steps for change in reversed(read_changes(step))])
            raise _Possible
    except _Possible:
        return True
    except Refusal:
        return False


class _Possible(Exception):
    """Rolls back a trial undo that succeeded."""


def origin_of(step: Step) -> Step:
    """The step that a chain of undos and redos began with; the step itself if it is none of these."""
    while step.reverts is not None:
        step = step.reverts
    return step


def is_redo(step: Step) -> bool:
    """Whether undoing this step redoes its origin: it is an odd number of undos away from it."""
    return _depth(step) % 2 == 1


def _depth(step: Step) -> int:
    depth = 0
    while step.reverts is not None:
        step, depth = step.reverts, depth + 1
    return depth


def revert(tournament: Tournament, actor: Player | None, number: int, *, now: float) -> None:
    """Undo a step; of an undo, redo what was undone. Idempotent.

    Raises NotAllowed, NotFound, Stale if later steps depend on it or tables have gone on from it.
    """
    require_organiser(tournament.club, actor)
    with store.save_together(), take_step(tournament.pk, Kind.UNDO, actor=actor, now=now) as step:
        origin = _revert(step, number, close=partial(online_tables.close_tables, now=now), now=now)
    if origin is None:
        return
    _apply_promises(tournament, now=now)
    if origin.kind == Kind.COMPLETE:
        lifecycle.finish_round(tournament, msgspec.json.decode(origin.details)["round"], now=now)


def _revert(step: TournamentStep, number: int, *, close: consequences.Close, now: float) -> Step | None:
    """Within a step: restore the rows. Returns the origin of the step; None if it was undone already."""
    found = Step.objects.filter(tournament=step.tournament, number=number).first()
    if found is None:
        raise NotFound("This step does not exist.")
    if is_reverted(found):
        return None
    origin = origin_of(found)
    if origin.kind in FINAL_KINDS:
        raise Stale("This step cannot be undone. If a result is wrong, an organiser can decide it again.")
    is_undo = not is_redo(found)
    consequences.check_before(step, found, origin, is_undo=is_undo)
    consequences.clear_opened(step, found, origin, is_undo=is_undo, close=close)
    pauses = list_pauses(found) if origin.kind == Kind.EXTEND else []
    restore_rows(step, [shift_change(change, pauses) for change in reversed(read_changes(found))])
    consequences.check_after(step, found, origin, is_undo=is_undo, now=now)
    step.reverts = found
    step.details = {"kind": origin.kind, "redo": is_redo(found), "step": origin.number}
    return origin


def _apply_promises(tournament: Tournament, *, now: float) -> None:
    """Bring the tables of released rounds in line with the restored rows: open, seated, with the right bell."""
    released = Round.objects.filter(tournament=tournament, status=Round.Status.RELEASED)
    for played in released.select_related("tournament"):
        lifecycle.open_tables(tournament, played.number, now=now)
        seat_changes.sync_seats(played, now=now)
        online_tables.sync_bell(played, now=now)
