"""Taking steps back, and taking that back, until something outside the house has followed from them."""

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
from tournaments.flow.steps.recorder import Taking, read_changes, take
from tournaments.flow.tables import online_tables, seat_changes
from tournaments.flow.undo import consequences
from tournaments.flow.undo.moved_bells import carry, list_pauses
from tournaments.flow.undo.row_values import put_back
from tournaments.models import Round, Season, Step, Tournament

FOR_GOOD = frozenset(one.kind for one in KINDS.values() if one.is_final)
"""Steps that cannot be taken back: what was played, what was heard, and what has its own way back."""
ACCEPTED = '"accepted":true'
"""In the details of a result that counted as soon as it was entered."""
LOOKED_THROUGH = 12
"""How many steps that stand are looked through for one that may be taken back."""


def list_steps(
    of: Tournament | Season,
    *,
    kinds: Collection[str] | None = None,
    before: int | None = None,
    limit: int = 200,
    with_changes: bool = False,
) -> list[Step]:
    """The audit log of a tournament or a season, newest first; of these kinds, before the step of this number.

    with_changes: with what each has changed, which may be long.
    """
    steps = of.steps.select_related("reverts", "reverted_by").order_by("-number")
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
    actor_id: int | None
    kind: str
    details: str
    about: tuple[str, str] | None = None


def list_told(of: Tournament | Season, *, kinds: Collection[str], limit: int) -> list[Told]:
    """The newest steps of these kinds, newest first, in two queries and as plain values.

    "undo": those that are about such steps, since a taking back tells what was done. "result": those with which one
    counted, and none that somebody has only said.
    """
    only_said = Q(kind=Kind.RESULT) & ~Q(details__contains=ACCEPTED)
    steps = of.steps.filter(kind__in=kinds).exclude(only_said).order_by("-number")
    rows = [Told(*row) for row in steps.values_list("at", "actor_name", "actor_id", "kind", "details")[:limit]]
    numbers = {row.details: msgspec.json.decode(row.details)["step"] for row in rows if row.kind == Kind.UNDO}
    if not numbers:
        return rows
    origins = of.steps.filter(number__in=set(numbers.values()))
    by_number = {number: (kind, details) for number, kind, details in origins.values_list("number", "kind", "details")}
    told = (row._replace(about=by_number.get(numbers[row.details])) if row.kind == Kind.UNDO else row for row in rows)
    return [row for row in told if row.kind != Kind.UNDO or (row.about is not None and _is_told(*row.about, kinds))]


def _is_told(kind: str, details: str, kinds: Collection[str]) -> bool:
    return kind in kinds and (kind != Kind.RESULT or ACCEPTED in details)


def is_reverted(step: Step) -> bool:
    """Whether a step has been taken back."""
    return hasattr(step, "reverted_by")


def is_candidate(step: Step, of: Tournament | Season) -> bool:
    """Whether this may be a step that can be taken back, by its kind and the phase alone."""
    origin = origin_of(step)
    return not is_reverted(step) and origin.kind not in FOR_GOOD and consequences.is_open_to(of, origin)


def find_last(of: Tournament | Season) -> Step | None:
    """The newest step that may be one to be taken back, however many were taken back since."""
    steps = of.steps.filter(reverted_by=None).exclude(kind__in=FOR_GOOD)
    steps = steps.exclude(kind=Kind.UNDO, details__contains='"redo":false').select_related("reverts")
    latest = steps.defer("changes", "reverts__changes").order_by("-number")[:LOOKED_THROUGH]
    return next((step for step in latest if is_candidate(step, of)), None)


def find_undone(of: Tournament | Season) -> Step | None:
    """The newest taking back that may be undone: one after the other, however many, as long as all that was done since
    are takings back, and doings again.
    """
    steps = of.steps.all()
    latest = steps.exclude(kind=Kind.UNDO).order_by("-number").values("number")[:1]
    undone = steps.filter(
        kind=Kind.UNDO, reverted_by=None, details__contains='"redo":false', number__gt=Subquery(latest)
    )
    known = undone.select_related("reverts").defer("changes", "reverts__changes").order_by("-number").first()
    return known if known is not None and is_candidate(known, of) else None


def can_offer(step: Step, tournament: Tournament, *, now: float) -> bool:
    """Whether this step would be taken back, or done again: it is tried out, and nothing stays of it."""
    if not is_candidate(step, tournament):
        return False
    try:
        with store.save_together(), take(tournament.pk, Kind.UNDO, actor=None, now=now) as taking:
            _revert(taking, step.number, close=online_tables.think_away, now=now)
            raise _Possible
    except _Possible:
        return True
    except Refusal:
        return False


def can_offer_all(steps: Sequence[Step], tournament: Tournament, *, now: float) -> bool:
    """Whether each of these steps would be taken back: all at one go, and nothing stays of it.

    For steps of entry before the first draw that have nothing to do with one another: what can be taken back together
    can be taken back alone, and nobody sits anywhere yet.
    """
    try:
        with store.save_together(), take(tournament.pk, Kind.UNDO, actor=None, now=now) as taking:
            for step in steps:
                consequences.require_none(taking, step, step, is_undo=True)
            put_back(taking, [change for step in steps for change in reversed(read_changes(step))])
            raise _Possible
    except _Possible:
        return True
    except Refusal:
        return False


class _Possible(Exception):
    """Nothing was said against it."""


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
    require_organiser(tournament.club, actor)
    with store.save_together(), take(tournament.pk, Kind.UNDO, actor=actor, now=now) as step:
        origin = _revert(step, number, close=partial(online_tables.close_tables, now=now), now=now)
    if origin is None:
        return
    _follow(tournament, now=now)
    if origin.kind == Kind.COMPLETE:
        lifecycle.wind_up(tournament, msgspec.json.decode(origin.details)["round"], now=now)


def _revert(step: Taking, number: int, *, close: consequences.Close, now: float) -> Step | None:
    """Within a step: put everything back. The step that it is about; None if it has been taken back already."""
    found = Step.objects.filter(tournament=step.tournament, number=number).first()
    if found is None:
        raise NotFound("There is no such step.")
    if is_reverted(found):
        return None
    origin = origin_of(found)
    if origin.kind in FOR_GOOD:
        raise Stale("This cannot be taken back: it is what was played. An organiser can decide a result instead.")
    is_undo = not is_redo(found)
    consequences.require_none(step, found, origin, is_undo=is_undo)
    consequences.clear_away(step, found, origin, is_undo=is_undo, close=close)
    pauses = list_pauses(found) if origin.kind == Kind.EXTEND else []
    put_back(step, [carry(change, pauses) for change in reversed(read_changes(found))])
    consequences.require_sound(step, found, origin, is_undo=is_undo, now=now)
    step.reverts = found
    step.details = {"kind": origin.kind, "redo": is_redo(found), "step": origin.number}
    return origin


def _follow(tournament: Tournament, *, now: float) -> None:
    """What a released round promises holds also when it was released again, somebody else plays, its bell was moved."""
    released = Round.objects.filter(tournament=tournament, status=Round.Status.RELEASED)
    for played in released.select_related("tournament"):
        lifecycle.open_tables(tournament, played.number, now=now)
        seat_changes.put_right(played, now=now)
        online_tables.keep_bell(played, now=now)
