"""The online tables of a round: opened, begun without the absent, paused, resumed, rung and closed.

A step only changes rows of the tournament; its effects on tables (a released round has tables, those of a paused one
are paused) are applied here after it, each pod in its own transaction. `rounds.sweeper` repeats what was interrupted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.urls import reverse

from games import models as play_models
from games.play.errors import NotFound, Refusal, Stale, Unreadable
from games.play.permissions import FREE_TALK, PHRASES_ONLY
from games.play.seats import arranged_tables
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, LoadedTable
from games.records.fair import derive_seed
from games.rules import registry
from tournaments import formats
from tournaments.flow import duplicate_commitments
from tournaments.flow.steps import happenings
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.pauses import measure_pauses
from tournaments.flow.steps.recorder import take_step
from tournaments.models import (
    Entrant,
    NoShow,
    Pod,
    PodSeat,
    Result,
    Round,
    RoundDeals,
    Stage,
    Step,
    Tournament,
    Venue,
)
from tournaments.models.rounds import NO_TABLE

logger = logging.getLogger(__name__)


def open_tables(played: Round, *, now: float) -> int:
    """Open the missing tables of a released round. Returns how many; a refusal is stored in `Pod.trouble`."""
    waiting = Pod.objects.filter(NO_TABLE, round=played, is_online=True, trouble="").order_by("number")
    waiting = waiting.exclude(pk__in=list_decided(played))
    opened = 0
    for pod_id in list(waiting.values_list("pk", flat=True)):
        try:
            opened += open_table(pod_id, now=now)
        except Refusal as refusal:
            if refusal.status == 503:
                raise
            Pod.objects.filter(pk=pod_id, table=None).update(
                trouble=msgspec.json.encode([refusal.template, refusal.values], enc_hook=str).decode()
            )
    return opened


def list_decided(played: Round) -> QuerySet[Result, Any]:
    """The ids of pods of this round with an accepted result, as a subquery."""
    return Result.objects.filter(pod__round=played, status=Result.Status.ACCEPTED).values("pod")


class _AlreadyOpened(Exception):
    """Rolls back a table: its pod got one elsewhere, or the round is no longer released."""


def open_table(pod_id: int, *, now: float) -> bool:
    """Open the table of a pod; False if it has one, or its round is not being played. Raises BadInput, Busy."""
    try:
        with store.save_together():
            pod = Pod.objects.select_related("round__tournament__club").get(pk=pod_id)
            if pod.table_id is not None or pod.round.status != Round.Status.RELEASED:
                return False
            table = arranged_tables.arrange(plan_table(pod), now=now)
            released = Round.objects.select_for_update().filter(pk=pod.round_id, status=Round.Status.RELEASED)
            claimed = Pod.objects.filter(pk=pod_id, table=None, is_online=True)
            if not released.exists() or not claimed.update(table_id=table.id):
                store.forget(table.id)
                raise _AlreadyOpened
            pod.table_id = table.id
            happenings.tell_table_ready(pod, now=now)
    except _AlreadyOpened:
        return False
    return True


def is_online(tournament: Tournament, seats: Sequence[Entrant]) -> bool:
    """Whether a pod of these entrants plays online: in mixed venues, if everybody in it plays on a device."""
    if tournament.venue in (Venue.ONLINE, Venue.REAL):
        return tournament.venue == Venue.ONLINE
    return all(plays_on_device(entrant) for entrant in seats)


def plays_on_device(entrant: Entrant) -> bool:
    """Whether somebody can play at online tables: they chose so and have an account, or are a bot."""
    return bool(entrant.bot) or (entrant.is_on_device and entrant.player_id is not None)


def plan_table(pod: Pod) -> arranged_tables.TablePlan:
    """The plan of the table of this pod: its people by seat, options, clocks, and the deals if they are duplicate."""
    tournament = pod.round.tournament
    seats = list(pod.seats.select_related("entrant", "substitute").order_by("index"))
    deals = (
        duplicate_commitments.find(tournament, duplicate_commitments.DealKey(pod.round.number, pod.wave))
        if tournament.duplicate
        else None
    )
    return arranged_tables.TablePlan(
        game=tournament.game,
        guests=[guest_of(seat) for seat in seats],
        options=_options(tournament),
        turn_seconds=tournament.turn_seconds,
        is_public=tournament.is_public and not tournament.duplicate,
        deal_seed=_find_seed(pod, deals, len(seats)) if tournament.duplicate else "",
        shared_deal=None if deals is None else deals.deal_id,
        is_sealed=tournament.duplicate,
        home=reverse("tournaments:tournament", args=[tournament.pk]),
        talk=FREE_TALK if tournament.club.can_talk else PHRASES_ONLY,
        is_rated=tournament.is_rated,
    )


def _options(tournament: Tournament) -> dict[str, Any]:
    """The options of the game at each table."""
    options: dict[str, Any] = msgspec.json.decode(tournament.options)
    if tournament.round_minutes is not None and lasts_until_bell(tournament):
        options["minutes"] = tournament.round_minutes
    return options


def lasts_until_bell(tournament: Tournament) -> bool:
    """Whether games last until the bell of their round: no number of deals is agreed, and they end by the clock."""
    if tournament.is_over_days or msgspec.json.decode(tournament.options).keys() & {"deals", "sessions"}:
        return False
    return formats.of(tournament).plays_until_bell or (
        registry.is_installed(tournament.game) and registry.find(tournament.game).ends_by_clock
    )


def guest_of(seat: PodSeat) -> arranged_tables.SeatAssignment:
    """Who plays on this seat: the entrant or their substitute; a bot if they have no account or do not play."""
    entrant = seat.entrant
    if seat.substitute is not None and seat.fate == PodSeat.Fate.PLAYS:
        name = seat.substitute_name or seat.substitute.name
        return arranged_tables.SeatAssignment(name, seat.substitute.avatar, seat.substitute.pk)
    if seat.substitute_name and seat.fate == PodSeat.Fate.PLAYS:
        return arranged_tables.SeatAssignment(seat.substitute_name, entrant.avatar, bot="steady")
    if entrant.bot or entrant.player_id is None or seat.fate != PodSeat.Fate.PLAYS:
        return arranged_tables.SeatAssignment(entrant.name, entrant.avatar, bot=entrant.bot or "steady")
    return arranged_tables.SeatAssignment(entrant.name, entrant.avatar, entrant.player_id)


def _find_seed(pod: Pod, deals: RoundDeals | None, seats: int) -> str:
    """The seed of all duplicate tables of this size in a round, or in a seating of an arena; hexadecimal."""
    if deals is not None:
        return duplicate_commitments.derive_seed(deals, seats)
    name = f"{pod.round.tournament_id}/{pod.round.number}/{seats}" + (f"/{pod.wave}" if pod.wave else "")
    return derive_seed(bytes.fromhex(pod.round.deal_secret), name[:64], ()).hex()  # a round without commitments


def begin_without_absent(played: Round, *, now: float, grace: float = 0.0) -> None:
    """Begin at tables that have waited for `grace` seconds: stand-ins play for the absent, or they forfeit, as agreed.

    In games over days nobody is absent: their turns begin. Pods with an accepted result are left out.
    """
    done = set(list_decided(played).values_list("pod", flat=True))
    for pod, table in _tables(played, WAITING, opened_before=now - grace):
        if (
            pod.pk in done
            or now - table.created_at - table.runtime.lost - _measure_pauses(played, table.created_at) < grace
        ):
            continue
        gone = frozenset(table.missing())
        if played.tournament.no_show == NoShow.FORFEIT and gone and not table.is_over_days:
            _forfeit(played.tournament, pod, gone, now=now)
            arranged_tables.start_without_absent(table.id, now=now, without=gone)
        else:
            arranged_tables.start_without_absent(table.id, now=now)


def _measure_pauses(played: Round, since: float) -> float:
    """For how many seconds since then the round has been paused: nobody is late in that time."""
    return measure_pauses(Step.objects.filter(tournament=played.tournament_id), since=since, round=played.number)


def _forfeit(tournament: Tournament, pod: Pod, chairs: frozenset[int], *, now: float) -> None:
    with take_step(tournament.pk, Kind.NO_SHOW, actor=None, now=now, table=pod.number) as step:
        if pod.results.filter(status=Result.Status.ACCEPTED).exists():  # it has come in a moment ago
            return
        seats = pod.seats.select_related("entrant").filter(index__in=chairs, fate=PodSeat.Fate.PLAYS)
        names = [seat.entrant.name for seat in seats if step.change(seat, fate=PodSeat.Fate.NO_SHOW)]
        step.details["name"] = ", ".join(names)


def apply_to_tables(played: Round, act: Callable[[str], object], *, status: str = PLAYING) -> None:
    """Do something at every table of this round whose game is under way. What one table refuses stops no other."""
    for _, table in _tables(played, status):
        try:
            act(table.id)
        except Refusal as refusal:
            logger.warning("table %s: %s", table.id, refusal)


def pause_tables(played: Round, *, now: float) -> None:
    """Pause every table of this round; at waiting tables no game begins."""
    for status in (WAITING, PLAYING):
        apply_to_tables(played, partial(arranged_tables.pause, now=now), status=status)


def resume_tables(played: Round, *, now: float) -> None:
    """Resume every table of this round; a waiting one begins if everybody has come during the pause."""
    for status in (WAITING, PLAYING):
        apply_to_tables(played, partial(arranged_tables.resume, now=now), status=status)


def sync_bell(played: Round, *, now: float) -> None:
    """Set the end of games that last until the bell of their round to its present time."""
    if played.ends_at is None or played.has_rung or played.paused_at is not None:
        return
    if lasts_until_bell(played.tournament):
        apply_to_tables(played, partial(arranged_tables.set_bell, at=played.ends_at, now=now))


def _tables(played: Round, status: str, *, opened_before: float | None = None) -> Iterator[tuple[Pod, LoadedTable]]:
    rows = Pod.objects.filter(round=played, table__status=status).select_related("round")
    if opened_before is not None:
        rows = rows.filter(table__created_at__lte=opened_before)
    for pod in rows:
        if pod.table_id is None:
            continue
        try:
            table = store.refresh(pod.table_id)
        except (NotFound, Unreadable) as refusal:
            logger.warning("table %s: %s", pod.table_id, refusal)
        else:
            if table.status == status:
                yield pod, table


def close_tables(pods: QuerySet[Pod], *, now: float) -> None:
    """Close the tables of these pods. Raises Stale if a game has begun."""
    for pod in pods.exclude(table=None, trouble="").order_by("number"):
        close_table(pod, now=now)


def detach_tables(pods: QuerySet[Pod]) -> None:
    """Detach pods from their tables without closing these, within a trial step that is rolled back."""
    pods.update(table=None, trouble="")


def close_table(pod: Pod, *, now: float) -> None:
    """Close the table of a pod, if it has one. Raises Stale if its game has begun."""
    if pod.table_id is not None:
        arranged_tables.close(pod.table_id, now=now)
    Pod.objects.filter(pk=pod.pk).update(table=None, trouble="")


def require_movable(pod: Pod) -> None:
    """Raises Stale if a pod cannot move between screens and room: its game has begun, it has a result, or its round is
    over."""
    if pod.round.status not in (Round.Status.DRAFT, Round.Status.RELEASED) or pod.round.stage == Stage.ARENA:
        raise Stale("This round is not being played. Its results are fixed, or it has not been released.")
    if has_begun(pod):
        raise Stale("The game at table %(table)s has begun.", table=pod.number)
    if pod.results.exclude(status=Result.Status.REJECTED).exists():
        raise Stale("Table %(table)s already has a result. Undo that first.", table=pod.number)


def has_begun(pod: Pod) -> bool:
    """Whether the game of this pod's table is under way or over."""
    if pod.table_id is None:
        return False
    return play_models.Table.objects.filter(pk=pod.table_id, status__in=[PLAYING, OVER]).exists()


def finish_tables(played: Round, *, now: float) -> None:
    """After a round was completed: close waiting tables and resume paused games. Idempotent.

    Games under way are played to their end, although their results no longer count.
    """
    apply_to_tables(played, partial(arranged_tables.resume, now=now))
    _close_waiting(Pod.objects.filter(round=played), now=now)


def close_decided(played: Round, *, now: float) -> None:
    """Close waiting tables of pods with an accepted result; if the result is undone, another table is opened."""
    _close_waiting(Pod.objects.filter(round=played, pk__in=list_decided(played)), now=now)


def _close_waiting(pods: QuerySet[Pod], *, now: float) -> None:
    for pod in pods.filter(table__status=WAITING).order_by("number"):
        try:
            close_table(pod, now=now)
        except Stale as refusal:
            logger.warning("table %s: %s", pod.table_id, refusal)
