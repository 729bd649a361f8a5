"""The checks of an undo or redo beyond its rows: running games, rounds drawn from it, final standings.

`row_values` finds rows that changed since or that others refer to; here is what no row shows.
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
from tournaments.flow.steps.kinds import KINDS, Kind
from tournaments.flow.steps.recorder import Change, TournamentStep, read_changes
from tournaments.flow.steps.step_kind import Need
from tournaments.flow.tables import deal_publishing, online_tables, seat_changes
from tournaments.models import Entrant, Penalty, Phase, Pod, PodSeat, Rest, Result, Round, Season, Step, Tournament

Close: TypeAlias = Callable[[QuerySet[Pod]], None]

CLOSED = (Phase.FINISHED, Phase.ARCHIVED, Phase.CALLED_OFF)
BASIS_OF_DRAWS = frozenset(kind.kind for kind in KINDS.values() if kind.is_ground_of_draws)


class Reversal(NamedTuple):
    """An undo or redo. step: the new step; found: the one it reverts; origin: the one that the chain began with."""

    step: TournamentStep
    found: Step
    origin: Step
    changes: Sequence[Change]
    now: float

    @property
    def tournament(self) -> Tournament:
        """The tournament of the step."""
        return self.step.tournament


def check_before(step: TournamentStep, found: Step, origin: Step, *, is_undo: bool) -> None:
    """Before the rows are restored: check what the kind of the origin needs. Raises Stale."""
    _require_not_over(step, origin)
    reverting, kind = Reversal(step, found, origin, read_changes(found), 0.0), KINDS[origin.kind]
    for need in (*kind.needs, *(kind.undo_needs if is_undo else ())):
        CHECKS[need](reverting)


def _require_whole(played: QuerySet[Round]) -> None:
    """A complete round has all its results."""
    try:
        for row in played.filter(status=Round.Status.COMPLETE):
            lifecycle.require_results(row)
    except Stale as error:
        raise Stale("The round is complete. Undo that first.") from error


def _may_decide(step: TournamentStep, played: Iterable[Round]) -> bool:
    every = list(step.tournament.rounds.all())
    return all(results.may_decide(step.tournament, row, every) for row in played)


def clear_opened(step: TournamentStep, found: Step, origin: Step, *, is_undo: bool, close: Close) -> None:
    """After the checks, before the rows are restored: remove tables that this step opened and nobody has played at.

    close: removes the tables of these pods.
    """
    if origin.kind in (Kind.TO_SCREENS, Kind.TO_TABLE):
        close(_pods_of(step, origin))
    elif is_undo and origin.kind in (Kind.RELEASE, Kind.OPEN_ARENA):
        played = _round_of(step, origin)
        close(Pod.objects.filter(round=played))
        if origin.kind == Kind.OPEN_ARENA:
            _delete_arena_tables(step, played)
        _reset_clock(step, played, found)


def check_after(step: TournamentStep, found: Step, origin: Step, *, is_undo: bool, now: float) -> None:
    """After the rows were restored: check that this state is allowed now. Raises Stale."""
    changes = read_changes(found)
    _require_undrawn(changes)
    if {kind for kind, _, _, _ in changes} & {"Round", "Penalty"}:
        _require_counted(step)
    if {kind for kind, _, _, _ in changes} & {"Round", "Entrant", "Pod", "PodSeat"}:
        seat_changes.require_valid_seats(step.tournament)
    _require_seated_once(step)
    reverting, kind = Reversal(step, found, origin, changes, now), KINDS[origin.kind]
    for need in (*kind.leaves, *(() if is_undo else kind.redo_leaves)):
        CHECKS[need](reverting)
    if not is_undo:
        _move_to_next_round(step, changes)


def is_open_to(subject: Tournament | Season, origin: Step) -> bool:
    """Whether the phase allows this step to be undone or redone."""
    return subject.phase not in CLOSED or KINDS[origin.kind].is_open_after_end


def _require_not_over(step: TournamentStep, origin: Step) -> None:
    if is_open_to(step.tournament, origin):
        return
    entry_deadline.require_not_called_off(step.tournament)
    raise Stale("The tournament is finished. Undo that step first.")


def _rounds_of(step: TournamentStep, changes: Iterable[Change]) -> QuerySet[Round]:
    """The existing rounds whose rows, pods, seats or results these changes are about."""
    ids: dict[str, set[int]] = {kind: set() for kind in ("Round", "Pod", "PodSeat", "Result")}
    for kind, pk, before, after in changes:
        if kind in ids:
            ids[kind].add(pk)
            ids["Pod"] |= {pod for values in (before, after) if (pod := (values or {}).get("pod_id")) is not None}
    of_pods = Q(pods__in=ids["Pod"]) | Q(pods__seats__in=ids["PodSeat"]) | Q(pods__results__in=ids["Result"])
    return Round.objects.filter(Q(pk__in=ids["Round"]) | of_pods, tournament=step.tournament).distinct()


def _require_draft(reverting: Reversal) -> None:
    if _rounds_of(reverting.step, reverting.changes).exclude(status=Round.Status.DRAFT).exists():
        raise Stale("This round is no longer a draft.")


def _require_in_play(reverting: Reversal) -> None:
    played = _rounds_of(reverting.step, reverting.changes)
    if played.filter(status=Round.Status.COMPLETE).exists():
        raise Stale("The round is complete. Undo that first.")
    if played.exclude(status=Round.Status.RELEASED).exists():
        raise Stale("This round is not being played. Its results are fixed, or it has not been released.")


def _require_decidable(reverting: Reversal) -> None:
    if not _may_decide(reverting.step, _rounds_of(reverting.step, reverting.changes)):
        _require_in_play(reverting)


def _require_bell_ahead(reverting: Reversal) -> None:
    if _rounds_of(reverting.step, reverting.changes).filter(has_rung=True).exists():
        raise Stale("The bell has already rung.")


def _require_seats_open(reverting: Reversal) -> None:
    seat_swaps.require_open(_seated_by(reverting.step, reverting.changes))


def _require_no_draw(reverting: Reversal) -> None:
    entry_deadline.require_no_draw(reverting.tournament)


def _require_no_draw_if_settled(reverting: Reversal) -> None:
    if _is_settled(reverting.tournament, reverting.changes):
        _require_no_draw(reverting)


def _require_movable(reverting: Reversal) -> None:
    for pod in _pods_of(reverting.step, reverting.origin):
        online_tables.require_movable(pod)


def _require_no_knockout(reverting: Reversal) -> None:
    if entry_deadline.list_stages(reverting.step).exists():
        raise Stale("A knockout has been drawn from these points. Undo that draw first.")


def _require_no_round(reverting: Reversal) -> None:
    if reverting.tournament.rounds.exists():
        raise Stale("A round is being drawn. Cancel that draw first.")


def _require_season_open(reverting: Reversal) -> None:
    season = reverting.tournament.season
    if season is not None and season.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale(
            "This tournament counts for “%(season)s”, and that season is over. Undo the end of the season first.",
            season=season.name,
        )


def _require_unplayed(reverting: Reversal) -> None:
    played = _round_of(reverting.step, reverting.origin)
    if reverting.origin.kind == Kind.OPEN_ARENA and played.has_rung:
        raise Stale("The arena has closed and cannot open again. Finish the tournament instead.")
    kept = Result.objects.filter(pod__round=played).exclude(status=Result.Status.REJECTED).select_related("pod").first()
    if kept is not None:
        raise Stale("Table %(table)s already has a result. Undo that first.", table=kept.pod.number)
    begun = Pod.objects.filter(round=played, table__status__in=[PLAYING, OVER]).order_by("number").first()
    if begun is not None:
        raise Stale("The game at table %(table)s has begun.", table=begun.number)


def _require_last(reverting: Reversal) -> None:
    played = _round_of(reverting.step, reverting.origin)
    if Round.objects.filter(tournament=reverting.tournament, number__gt=played.number).exists():
        raise Stale("The next round has been drawn. Undo that draw first.")
    on_screens = Pod.objects.filter(round=played, is_online=True, trouble="").exclude(table__status=OVER)
    for pod in on_screens.select_related("round__tournament").order_by("number"):
        deal_publishing.require_unpublished(pod)


def _require_unpublished(reverting: Reversal) -> None:
    for pod in _pods_of(reverting.step, reverting.origin).filter(is_online=True):
        deal_publishing.require_unpublished(pod)


def _require_end_ahead(reverting: Reversal) -> None:
    lifecycle.require_time_left(_round_of(reverting.step, reverting.origin), now=reverting.now)


def _require_whole_results(reverting: Reversal) -> None:
    _require_whole(_rounds_of(reverting.step, reverting.changes))


def _require_results_in(reverting: Reversal) -> None:
    lifecycle.require_results(_round_of(reverting.step, reverting.origin))


def _require_all_played(reverting: Reversal) -> None:
    phases.require_played(reverting.step)


def _delete_arena_tables(step: TournamentStep, played: Round) -> None:
    """Delete the pods of an arena, none of which has begun."""
    for seat in PodSeat.objects.filter(pod__round=played):
        step.delete(seat)
    for pod in Pod.objects.filter(round=played):
        step.delete(pod)


def _reset_clock(step: TournamentStep, played: Round, found: Step) -> None:
    """Reset pause and bell of a round whose release is undone: their steps cannot be undone by themselves."""
    later = Step.objects.filter(tournament=step.tournament, number__gt=found.number)
    if later.filter(kind__in=(Kind.PAUSE, Kind.RESUME, Kind.BELL)).exists():
        changed = [after for kind, pk, _, after in read_changes(found) if (kind, pk) == ("Round", played.pk) and after]
        ends_at = next((after["ends_at"] for after in reversed(changed) if "ends_at" in after), None)
        step.change(played, ends_at=ends_at, paused_at=None, has_rung=False)


def _pods_of(step: TournamentStep, origin: Step) -> QuerySet[Pod]:
    ids = [pk for kind, pk, _, _ in read_changes(origin) if kind == "Pod"]
    return Pod.objects.select_related("round__tournament").filter(pk__in=ids, round__tournament=step.tournament)


def _seated_by(step: TournamentStep, changes: Iterable[Change]) -> QuerySet[Pod]:
    ids = seat_swaps.list_reseated(changes)
    return Pod.objects.select_related("round").filter(pk__in=ids, round__tournament=step.tournament).order_by("number")


def _require_undrawn(changes: Iterable[Change]) -> None:
    """Raises Stale if somebody who has been drawn would no longer be checked in."""
    ids = {pk for kind, pk, _, _ in changes if kind == "Entrant"}
    ids |= {pk for _, _, before, after in changes if (pk := ((before or {}) | (after or {})).get("entrant_id"))}
    drawn = Q(seats__isnull=False) | Q(pk__in=Rest.objects.filter(entrant__in=ids).values("entrant"))
    gone = Entrant.objects.filter(drawn, pk__in=ids, status=Entrant.Status.ENTERED).order_by("number").first()
    if gone is not None:
        raise Stale("%(name)s has already been drawn. Let them sit out instead.", name=gone.name)


def _require_counted(step: TournamentStep) -> None:
    """Raises Stale if a penalty would be left for a round that no longer exists."""
    last = max(1, step.tournament.rounds.count())
    rows = Penalty.objects.filter(tournament=step.tournament, round_number__gt=last).select_related("entrant")
    for left in rows.order_by("pk")[:1]:
        raise Stale(
            "%(name)s has a penalty in round %(round)s. Without that round it would not count. Undo the penalty first.",
            name=left.entrant.name, round=left.round_number,
        )  # fmt: skip


def _require_same(reverting: Reversal) -> None:
    """Raises Stale unless everything the draw was based on is unchanged: earlier rounds, plan, seeds, penalties."""
    step, origin = reverting.step, reverting.origin
    rounds_before = Round.objects.filter(tournament=step.tournament, number__lt=_round_of(step, origin).number)
    if rounds_before.exclude(status=Round.Status.COMPLETE).exists():
        raise Stale("The previous round is not complete. Enter its results, or choose what missing results count as.")
    later = Step.objects.filter(tournament=step.tournament, number__gt=origin.number)
    for step_row in later.filter(kind__in=BASIS_OF_DRAWS):
        if step_row.is_in_force and (
            step_row.kind != Kind.REVISE or _is_settled(step.tournament, read_changes(step_row))
        ):
            raise _no_longer_so()
    if _have_penalties_changed(later, _round_of(step, origin).number):
        raise _no_longer_so()


def _no_longer_so() -> Stale:
    return Stale("The plan, a seed, a result, a penalty or a place to play has changed since this draw. Draw again.")


def _have_penalties_changed(later: QuerySet[Step], number: int) -> bool:
    """Whether the penalties of rounds before this one differ from those before these steps."""
    was_there: dict[Any, bool] = {}
    for step in later.filter(kind__in=(Kind.PENALTY, Kind.UNDO)).order_by("number"):
        for kind, pk, before, after in read_changes(step):
            if kind == "Penalty" and (before or after or {}).get("round_number", number) < number:
                was_there.setdefault(pk, before is not None)
    left = set(Penalty.objects.filter(pk__in=was_there).values_list("pk", flat=True))
    return any((pk in left) != was for pk, was in was_there.items())


def _is_settled(tournament: Tournament, changes: Iterable[Change]) -> bool:
    """Whether these changes touch a field of the plan that is fixed by the first draw."""
    settled = tournament_plan.list_settled(tournament)
    return any(settled.intersection(before or ()) for _, _, before, _ in changes)


def _require_seated_once(step: TournamentStep) -> None:
    """Raises Stale if a table that plays again has people who sit at another table by now."""
    done = Result.objects.filter(pod__round__tournament=step.tournament, status=Result.Status.ACCEPTED).values("pod")
    released = Round.objects.filter(tournament=step.tournament, status=Round.Status.RELEASED)
    playing = PodSeat.objects.filter(pod__round__in=released).exclude(pod__in=done)
    entrants, players = set[int](), set[int | None]()
    for seat in playing.select_related("entrant", "substitute").order_by("entrant__number"):
        player = seat.player_id if seat.fate == PodSeat.Fate.PLAYS else None
        if seat.entrant_id in entrants or (player is not None and player in players):
            name = seat.substitute_name if seat.entrant_id not in entrants and seat.substitute_id else seat.entrant.name
            raise Stale("%(name)s now plays at another table. Decide another result instead.", name=name)
        entrants.add(seat.entrant_id)
        players.add(player)


def _release_now(reverting: Reversal) -> None:
    """Restart the clock of a round that is released again. Raises Stale, BadInput if it cannot be released."""
    step, origin, now = reverting.step, reverting.origin, reverting.now
    played = _round_of(step, origin)
    if origin.kind == Kind.RELEASE and (played.trouble or not played.pods.exists()):
        raise Stale("There is no draw to release yet.")
    minutes = step.tournament.round_minutes
    step.change(played, released_at=now, ends_at=now + minutes * lifecycle.MINUTE if minutes else None)
    if origin.kind == Kind.RELEASE:
        drafts.require_pair_rules(played)
        lifecycle.pass_over_undrawn(step, played)


def _move_to_next_round(step: TournamentStep, changes: Iterable[Change]) -> None:
    """Let entrants who are restored play from the next round on."""
    ids = [pk for kind, pk, _, after in changes if kind == "Entrant" and after is None]
    for entrant in Entrant.objects.filter(pk__in=ids):
        step.change(entrant, joined_round=max(entrant.joined_round, next_round(step)))


def _round_of(step: TournamentStep, origin: Step) -> Round:
    ids = [pk for kind, pk, _, _ in read_changes(origin) if kind == "Round"]
    return Round.objects.get(tournament=step.tournament, pk=ids[0])


CHECKS: Mapping[Need, Callable[[Reversal], None]] = {
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
"""Need → its check, which raises Stale."""
