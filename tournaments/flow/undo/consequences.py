"""What has followed from a step since: it is then not taken back, or not done again, whatever its rows look like.

`putting_back` notices what rests on a row; here is what no row shows: tables that play, rounds that were released on
the ground of a draw, standings that are final.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from django.db.models import Q, QuerySet

from games.play.errors import Stale
from games.play.storage.table import OVER, PLAYING
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import entry_deadline
from tournaments.flow.entry.entry_deadline import next_round
from tournaments.flow.planning import phases, tournament_plan
from tournaments.flow.rounds import lifecycle, results, seat_swaps
from tournaments.flow.steps.kinds import KINDS, Kind, Need
from tournaments.flow.steps.recorder import Change, Taking, read_changes
from tournaments.flow.tables import deal_publishing, online_tables, seat_changes
from tournaments.models import Entrant, Penalty, Phase, Pod, PodSeat, Rest, Result, Round, Season, Step, Tournament

Close: TypeAlias = Callable[[QuerySet[Pod]], None]

CLOSED = (Phase.FINISHED, Phase.ARCHIVED, Phase.CALLED_OFF)
GROUND_OF_DRAWS = frozenset(one.kind for one in KINDS.values() if one.is_ground_of_draws)


class Reverting(NamedTuple):
    """What is taken back or done again. found: the step that is reverted; origin: the one that it is about."""

    step: Taking
    found: Step
    origin: Step
    changes: Sequence[Change]
    now: float

    @property
    def tournament(self) -> Tournament:
        """Whose step it is."""
        return self.step.tournament


def require_none(step: Taking, found: Step, origin: Step, *, is_undo: bool) -> None:
    """Before the rows are put back: everything that its kind needs. Raises Stale."""
    _require_not_over(step, origin)
    reverting, kind = Reverting(step, found, origin, read_changes(found), 0.0), KINDS[origin.kind]
    for need in (*kind.needs, *(kind.undo_needs if is_undo else ())):
        CHECKS[need](reverting)


def _require_whole(played: QuerySet[Round]) -> None:
    """A complete round has all its results."""
    try:
        for one in played.filter(status=Round.Status.COMPLETE):
            lifecycle.require_results(one)
    except Stale as error:
        raise Stale("The round is complete. Take that back first.") from error


def _may_decide(step: Taking, played: Iterable[Round]) -> bool:
    every = list(step.tournament.rounds.all())
    return all(results.may_decide(step.tournament, one, every) for one in played)


def clear_away(step: Taking, found: Step, origin: Step, *, is_undo: bool, close: Close) -> None:
    """What was opened on the ground of this step and never played goes before it, if there was nothing against it.

    close: takes the tables of these pods away.
    """
    if origin.kind in (Kind.TO_SCREENS, Kind.TO_TABLE):
        close(_pods_of(step, origin))
    elif is_undo and origin.kind in (Kind.RELEASE, Kind.OPEN_ARENA):
        played = _round_of(step, origin)
        close(Pod.objects.filter(round=played))
        if origin.kind == Kind.OPEN_ARENA:
            _unseat(step, played)
        _forget_time(step, played, found)


def require_sound(step: Taking, found: Step, origin: Step, *, is_undo: bool, now: float) -> None:
    """After the rows were put back: what is so again must be allowed now, too. Raises Stale."""
    changes = read_changes(found)
    _require_undrawn(changes)
    if {kind for kind, _, _, _ in changes} & {"Round", "Penalty"}:
        _require_counted(step)
    if {kind for kind, _, _, _ in changes} & {"Round", "Entrant", "Pod", "PodSeat"}:
        seat_changes.require_right(step.tournament)
    _require_seated_once(step)
    reverting, kind = Reverting(step, found, origin, changes, now), KINDS[origin.kind]
    for need in (*kind.leaves, *(() if is_undo else kind.redo_leaves)):
        CHECKS[need](reverting)
    if not is_undo:
        _join_now(step, changes)


def is_open_to(of: Tournament | Season, origin: Step) -> bool:
    """Whether a step of this kind may still change, as far as the phase says."""
    return of.phase not in CLOSED or KINDS[origin.kind].is_open_after_end


def _require_not_over(step: Taking, origin: Step) -> None:
    if is_open_to(step.tournament, origin):
        return
    entry_deadline.require_not_called_off(step.tournament)
    raise Stale("The tournament is over. Take its end back first.")


def _rounds_of(step: Taking, changes: Iterable[Change]) -> QuerySet[Round]:
    """The rounds, those still there, whose pods, seats and results these changes are about."""
    ids: dict[str, set[int]] = {kind: set() for kind in ("Round", "Pod", "PodSeat", "Result")}
    for kind, pk, before, after in changes:
        if kind in ids:
            ids[kind].add(pk)
            ids["Pod"] |= {pod for values in (before, after) if (pod := (values or {}).get("pod_id")) is not None}
    of_pods = Q(pods__in=ids["Pod"]) | Q(pods__seats__in=ids["PodSeat"]) | Q(pods__results__in=ids["Result"])
    return Round.objects.filter(Q(pk__in=ids["Round"]) | of_pods, tournament=step.tournament).distinct()


def _require_draft(reverting: Reverting) -> None:
    if _rounds_of(reverting.step, reverting.changes).exclude(status=Round.Status.DRAFT).exists():
        raise Stale("This round is no draft any more.")


def _require_in_play(reverting: Reverting) -> None:
    played = _rounds_of(reverting.step, reverting.changes)
    if played.filter(status=Round.Status.COMPLETE).exists():
        raise Stale("The round is complete. Take that back first.")
    if played.exclude(status=Round.Status.RELEASED).exists():
        raise Stale("This round is not being played: its results are fixed or still to come.")


def _require_decidable(reverting: Reverting) -> None:
    if not _may_decide(reverting.step, _rounds_of(reverting.step, reverting.changes)):
        _require_in_play(reverting)


def _require_bell_ahead(reverting: Reverting) -> None:
    if _rounds_of(reverting.step, reverting.changes).filter(has_rung=True).exists():
        raise Stale("The bell has rung already.")


def _require_seats_open(reverting: Reverting) -> None:
    seat_swaps.require_open(_seated_by(reverting.step, reverting.changes))


def _require_no_draw(reverting: Reverting) -> None:
    entry_deadline.require_no_draw(reverting.tournament)


def _require_no_draw_if_settled(reverting: Reverting) -> None:
    if _is_settled(reverting.tournament, reverting.changes):
        _require_no_draw(reverting)


def _require_movable(reverting: Reverting) -> None:
    for pod in _pods_of(reverting.step, reverting.origin):
        online_tables.require_movable(pod)


def _require_no_knockout(reverting: Reverting) -> None:
    if entry_deadline.list_stages(reverting.step).exists():
        raise Stale("A knockout has been drawn from these points. Take that back first.")


def _require_no_round(reverting: Reverting) -> None:
    if reverting.tournament.rounds.exists():
        raise Stale("A round is being drawn. Give that draw up first.")


def _require_season_open(reverting: Reverting) -> None:
    season = reverting.tournament.season
    if season is not None and season.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale(
            "It counts for “%(season)s”, which is over. Take the end of that season back first.", season=season.name
        )


def _require_unplayed(reverting: Reverting) -> None:
    played = _round_of(reverting.step, reverting.origin)
    if reverting.origin.kind == Kind.OPEN_ARENA and played.has_rung:
        raise Stale("The arena has closed: that stands. Finish the tournament instead.")
    kept = Result.objects.filter(pod__round=played).exclude(status=Result.Status.REJECTED).select_related("pod").first()
    if kept is not None:
        raise Stale("Table %(table)s has a result already. Take that back first.", table=kept.pod.number)
    begun = Pod.objects.filter(round=played, table__status__in=[PLAYING, OVER]).order_by("number").first()
    if begun is not None:
        raise Stale("At table %(table)s the game has begun.", table=begun.number)


def _require_last(reverting: Reverting) -> None:
    played = _round_of(reverting.step, reverting.origin)
    if Round.objects.filter(tournament=reverting.tournament, number__gt=played.number).exists():
        raise Stale("The next round has been drawn. Take that back first.")
    on_screens = Pod.objects.filter(round=played, is_online=True, trouble="").exclude(table__status=OVER)
    for pod in on_screens.select_related("round__tournament").order_by("number"):
        deal_publishing.require_unpublished(pod)


def _require_unpublished(reverting: Reverting) -> None:
    for pod in _pods_of(reverting.step, reverting.origin).filter(is_online=True):
        deal_publishing.require_unpublished(pod)


def _require_end_ahead(reverting: Reverting) -> None:
    lifecycle.require_ahead(_round_of(reverting.step, reverting.origin), now=reverting.now)


def _require_whole_results(reverting: Reverting) -> None:
    _require_whole(_rounds_of(reverting.step, reverting.changes))


def _require_results_in(reverting: Reverting) -> None:
    lifecycle.require_results(_round_of(reverting.step, reverting.origin))


def _require_all_played(reverting: Reverting) -> None:
    phases.require_played(reverting.step)


def _unseat(step: Taking, played: Round) -> None:
    """The tables that an arena has made since, none of which has begun."""
    for seat in PodSeat.objects.filter(pod__round=played):
        step.delete(seat)
    for pod in Pod.objects.filter(round=played):
        step.delete(pod)


def _forget_time(step: Taking, played: Round, found: Step) -> None:
    """A pause and a bell are no steps that can be taken back: they go with the release that they belong to."""
    later = Step.objects.filter(tournament=step.tournament, number__gt=found.number)
    if later.filter(kind__in=(Kind.PAUSE, Kind.RESUME, Kind.BELL)).exists():
        told = [after for kind, pk, _, after in read_changes(found) if (kind, pk) == ("Round", played.pk) and after]
        ends_at = next((after["ends_at"] for after in reversed(told) if "ends_at" in after), None)
        step.change(played, ends_at=ends_at, paused_at=None, has_rung=False)


def _pods_of(step: Taking, origin: Step) -> QuerySet[Pod]:
    ids = [pk for kind, pk, _, _ in read_changes(origin) if kind == "Pod"]
    return Pod.objects.select_related("round__tournament").filter(pk__in=ids, round__tournament=step.tournament)


def _seated_by(step: Taking, changes: Iterable[Change]) -> QuerySet[Pod]:
    ids = seat_swaps.list_reseated(changes)
    return Pod.objects.select_related("round").filter(pk__in=ids, round__tournament=step.tournament).order_by("number")


def _require_undrawn(changes: Iterable[Change]) -> None:
    """Nobody is not here yet who has been drawn."""
    ids = {pk for kind, pk, _, _ in changes if kind == "Entrant"}
    ids |= {pk for _, _, before, after in changes if (pk := ((before or {}) | (after or {})).get("entrant_id"))}
    drawn = Q(seats__isnull=False) | Q(pk__in=Rest.objects.filter(entrant__in=ids).values("entrant"))
    gone = Entrant.objects.filter(drawn, pk__in=ids, status=Entrant.Status.ENTERED).order_by("number").first()
    if gone is not None:
        raise Stale("%(name)s has been drawn already. Mark an absence instead.", name=gone.name)


def _require_counted(step: Taking) -> None:
    """No penalty is left for a round that is not there."""
    last = max(1, step.tournament.rounds.count())
    rows = Penalty.objects.filter(tournament=step.tournament, round_number__gt=last).select_related("entrant")
    for left in rows.order_by("pk")[:1]:
        raise Stale(
            "%(name)s has a penalty in round %(round)s, and without that round it would count nowhere. "
            "Take the penalty back first.",
            name=left.entrant.name, round=left.round_number,
        )  # fmt: skip


def _require_same(reverting: Reverting) -> None:
    """A draw is done again on the same ground: the rounds before are over as they were, the plan is what it was."""
    step, origin = reverting.step, reverting.origin
    rounds_before = Round.objects.filter(tournament=step.tournament, number__lt=_round_of(step, origin).number)
    if rounds_before.exclude(status=Round.Status.COMPLETE).exists():
        raise Stale("The round before is not complete: enter its results, or say what the missing ones count as.")
    later = Step.objects.filter(tournament=step.tournament, number__gt=origin.number)
    for one in later.filter(kind__in=GROUND_OF_DRAWS):
        if _stands(one) and (one.kind != Kind.REVISE or _is_settled(step.tournament, read_changes(one))):
            raise _no_longer_so()
    if _have_penalties_changed(later, _round_of(step, origin).number):
        raise _no_longer_so()


def _no_longer_so() -> Stale:
    return Stale(
        "The plan, a seed, a result, a penalty or where somebody plays is not what it was at this draw. Draw again."
    )


def _have_penalties_changed(later: QuerySet[Step], number: int) -> bool:
    """Whether these steps have left other penalties for the rounds before this one than there were before them."""
    was_there: dict[Any, bool] = {}
    for one in later.filter(kind__in=(Kind.PENALTY, Kind.UNDO)).order_by("number"):
        for kind, pk, before, after in read_changes(one):
            if kind == "Penalty" and (before or after or {}).get("round_number", number) < number:
                was_there.setdefault(pk, before is not None)
    there = set(Penalty.objects.filter(pk__in=was_there).values_list("pk", flat=True))
    return any((pk in there) != was for pk, was in was_there.items())


def _stands(step: Step) -> bool:
    """Whether a step has not been taken back, or has been done again."""
    later: Step | None = getattr(step, "reverted_by", None)
    return later is None or not _stands(later)


def _is_settled(tournament: Tournament, changes: Iterable[Change]) -> bool:
    """Whether this is about what is settled with the first draw."""
    settled = tournament_plan.list_settled(tournament)
    return any(settled.intersection(before or ()) for _, _, before, _ in changes)


def _require_seated_once(step: Taking) -> None:
    """A table whose result is taken back plays again: not with people who play elsewhere by now."""
    done = Result.objects.filter(pod__round__tournament=step.tournament, status=Result.Status.ACCEPTED).values("pod")
    released = Round.objects.filter(tournament=step.tournament, status=Round.Status.RELEASED)
    playing = PodSeat.objects.filter(pod__round__in=released).exclude(pod__in=done)
    entrants, players = set[int](), set[int | None]()
    for seat in playing.select_related("entrant", "substitute").order_by("entrant__number"):
        player = seat.player_id if seat.fate == PodSeat.Fate.PLAYS else None
        if seat.entrant_id in entrants or (player is not None and player in players):
            name = seat.substitute_name if seat.entrant_id not in entrants and seat.substitute_id else seat.entrant.name
            raise Stale("%(name)s plays at another table by now. Decide another result instead.", name=name)
        entrants.add(seat.entrant_id)
        players.add(player)


def _release_now(reverting: Reverting) -> None:
    """A round that is released again has all its time before it."""
    step, origin, now = reverting.step, reverting.origin, reverting.now
    played = _round_of(step, origin)
    if origin.kind == Kind.RELEASE and (played.trouble or not played.pods.exists()):
        raise Stale("There is no draw to release yet.")
    minutes = step.tournament.round_minutes
    step.change(played, released_at=now, ends_at=now + minutes * lifecycle.MINUTE if minutes else None)
    if origin.kind == Kind.RELEASE:
        drafts.require_allowed(played)
        lifecycle.pass_over(step, played)


def _join_now(step: Taking, changes: Iterable[Change]) -> None:
    """Whoever was taken out and is in again plays from the next round on."""
    ids = [pk for kind, pk, _, after in changes if kind == "Entrant" and after is None]
    for entrant in Entrant.objects.filter(pk__in=ids):
        step.change(entrant, joined_round=max(entrant.joined_round, next_round(step)))


def _round_of(step: Taking, origin: Step) -> Round:
    ids = [pk for kind, pk, _, _ in read_changes(origin) if kind == "Round"]
    return Round.objects.get(tournament=step.tournament, pk=ids[0])


CHECKS: Mapping[Need, Callable[[Reverting], None]] = {
    Need.DRAFT: _require_draft,
    Need.IN_PLAY: _require_in_play,
    Need.DECIDABLE: _require_decidable,
    Need.BELL_AHEAD: _require_bell_ahead,
    Need.SEATS_OPEN: _require_seats_open,
    Need.NO_DRAW: _require_no_draw,
    Need.NO_DRAW_IF_SETTLED: _require_no_draw_if_settled,
    Need.TABLES_MOVABLE: _require_movable,
    Need.NO_KNOCKOUT_DRAWN: _require_no_knockout,
    Need.UNPLAYED: _require_unplayed,
    Need.SEASON_OPEN: _require_season_open,
    Need.LAST_ROUND: _require_last,
    Need.NO_ROUND: _require_no_round,
    Need.DEALS_UNPUBLISHED: _require_unpublished,
    Need.END_AHEAD: _require_end_ahead,
    Need.RESULTS_WHOLE: _require_whole_results,
    Need.SAME_GROUND: _require_same,
    Need.RELEASE_NOW: _release_now,
    Need.RESULTS_IN: _require_results_in,
    Need.ALL_PLAYED: _require_all_played,
}
"""How each need is checked. Each raises Stale."""
