"""A round from its release to its end: release, pause, bell, more time, substitutes, completion."""

from __future__ import annotations

from functools import partial

from django.db.models import Exists, OuterRef, Q

from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from games.play.seats import arranged_tables
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import OVER, WAITING
from games.rules.day_pace import DAY_SECONDS
from tournaments.flow import duplicate_commitments
from tournaments.flow.drawing import drafts
from tournaments.flow.entry.entrant_names import LONGEST, clean_words, find_free, number_substitute
from tournaments.flow.names_in_club import name_in_club
from tournaments.flow.permissions import require_organiser, role_of
from tournaments.flow.planning.tournament_plan import DAY_MINUTES
from tournaments.flow.rounds import arena
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.rounds.results import accept_result, describe_result, find_seat
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tables import deal_publishing, online_tables, seat_changes
from tournaments.models import LAST_STAGES, Entrant, Pod, PodSeat, Rest, Result, Round, Tournament

VOID, SHARED = "void", "shared"
"""What a missing result may count as: for nobody, or as a first place shared by all."""
MINUTE = 60.0
MAX_EXTENSION = 240
"""Minutes by which one step can move the bell of a round."""
MAX_DAYS_EXTENSION = 30 * DAY_MINUTES
"""The same for the deadline of a round over days."""


def release(tournament: Tournament, actor: Player | None, number: int, *, now: float) -> None:
    """Publish the draw; the round is being played from now on. Idempotent. Raises NotAllowed, NotFound, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.RELEASE, actor=actor, now=now, round=number) as step:
        played = _find_round(step, number)
        if played.status in (Round.Status.RELEASED, Round.Status.COMPLETE):
            return
        drafts.require_drawn(played)
        minutes = step.tournament.round_minutes
        ends_at = now + minutes * MINUTE if minutes else None
        step.change(played, status=Round.Status.RELEASED, released_at=now, ends_at=ends_at)
        drafts.require_pair_rules(played)
        seat_changes.require_valid_seats(step.tournament)
        pass_over_undrawn(step, played)
    open_tables(tournament, number, now=now)


def pass_over_undrawn(step: TournamentStep, played: Round) -> None:
    """Within a release: entrants who came after the draw play from the next round on; returned ones are absent."""
    for entrant in list_undrawn(played):
        if entrant.joined_round == played.number:
            step.change(entrant, joined_round=played.number + 1)
        else:
            step.create(Rest(round=played, entrant=entrant, kind=Rest.Kind.ABSENT))


def list_undrawn(played: Round) -> list[Entrant]:
    """The entrants present who are not in a draft: they came since, and are in the next draw of any round."""
    here = Entrant.objects.filter(
        tournament=played.tournament_id, status=Entrant.Status.PRESENT, is_away=False, is_filler=False,
        joined_round__lte=played.number,
    )  # fmt: skip
    if played.stage in LAST_STAGES and played.number > 1:
        return []
    drawn = PodSeat.objects.filter(pod__round=played), Rest.objects.filter(round=played)
    here = here.exclude(pk__in=drawn[0].values("entrant")).exclude(pk__in=drawn[1].values("entrant"))
    return list(here.order_by("number"))


def list_returned(played: Round) -> list[Entrant]:
    """The entrants who were away when a draft was drawn, and are present now."""
    rows = Entrant.objects.filter(rests__round=played, rests__kind=Rest.Kind.ABSENT, status=Entrant.Status.PRESENT)
    return list(rows.filter(is_away=False).order_by("number")) if played.stage not in LAST_STAGES else []


def list_unavailable(played: Round) -> list[Entrant]:
    """The entrants who were drawn, but are away or have withdrawn since: others would wait for them."""
    drawn = Entrant.objects.filter(seats__pod__round=played, is_filler=False)
    return list(drawn.filter(Q(is_away=True) | Q(status=Entrant.Status.WITHDRAWN)).order_by("number"))


def open_tables(tournament: Tournament, number: int, *, now: float) -> None:
    """Open the online tables of a released round."""
    played = Round.objects.filter(tournament=tournament, number=number, status=Round.Status.RELEASED).first()
    if played is not None:
        online_tables.open_tables(played, now=now)


def complete(tournament: Tournament, actor: Player | None, number: int, *, missing: str = "", now: float) -> None:
    """Complete a round: its results are fixed, and standings follow. Idempotent.

    missing: what a missing result shall count as, "void" or "shared"; empty: none may be missing. Raises
    NotAllowed, Stale with the tables that are missing.
    """
    require_organiser(tournament.club, actor)
    if missing not in ("", VOID, SHARED):
        raise BadInput("Choose whether missing results count for nobody or as shared.")
    with take_step(tournament.pk, Kind.COMPLETE, actor=actor, now=now, round=number) as step:
        played = _find_round(step, number)
        if played.status == Round.Status.COMPLETE:
            return
        if played.status != Round.Status.RELEASED:
            raise Stale("This round has not been released yet.")
        open_pods = _open_pods(played)
        if not missing:
            require_results(played)
        settled = []
        for pod in open_pods:
            reported, is_void = ReportedResult((1,) * pod.seats.count()), missing == VOID
            accept_result(step, pod, reported, actor, is_void=is_void, now=now)
            settled.append({**describe_result(pod, reported), "void": is_void})
        step.details["missing"] = [pod.number for pod in open_pods]
        if open_pods:
            step.details |= {"as": missing, "settled": settled}
        step.change(played, status=Round.Status.COMPLETE, completed_at=now, paused_at=None)
    finish_round(tournament, number, now=now)


def complete_over_days(*, now: float) -> None:
    """Complete rounds over days whose results are all in: nobody has to be there for it. Each only once by itself, so
    that an organiser can undo it."""
    accepted = Result.objects.filter(pod=OuterRef("pk"), status=Result.Status.ACCEPTED)
    missing = Pod.objects.filter(~Exists(accepted), round=OuterRef("pk"))
    pods = Pod.objects.filter(round=OuterRef("pk"))
    released = Round.objects.filter(
        status=Round.Status.RELEASED, paused_at=None, tournament__turn_seconds__gte=DAY_SECONDS
    )
    for played in released.filter(Exists(pods), ~Exists(missing)).select_related("tournament"):
        with isolate_errors(f"round {played.pk}"):
            if not duplicate_commitments.was_completed(played.tournament, played.number):
                _complete_by_itself(played.tournament, played.number, now=now)


def _complete_by_itself(tournament: Tournament, number: int, *, now: float) -> None:
    with take_step(tournament.pk, Kind.COMPLETE, actor=None, now=now, round=number) as step:
        played = _find_round(step, number)
        if played.status != Round.Status.RELEASED or played.paused_at is not None or _open_pods(played):
            return
        step.details["missing"] = []
        step.change(played, status=Round.Status.COMPLETE, completed_at=now, paused_at=None)
    finish_round(tournament, number, now=now)


def finish_round(tournament: Tournament, number: int, *, now: float) -> None:
    """After a round was completed: close its tables and publish its deals."""
    for played in Round.objects.filter(tournament=tournament, number=number, status=Round.Status.COMPLETE):
        online_tables.finish_tables(played, now=now)
    deal_publishing.publish(tournament, number, now=now)


def require_results(played: Round) -> None:
    """Raises Stale with the tables of this round whose results are missing."""
    if open_pods := _open_pods(played):
        numbers = ", ".join(str(pod.number) for pod in open_pods)
        raise Stale("Results are missing: table %(tables)s. Enter them, or choose what they count as.", tables=numbers)


def _open_pods(played: Round) -> list[Pod]:
    return list(Pod.objects.filter(round=played).exclude(pk__in=online_tables.list_decided(played)).order_by("number"))


def pause(tournament: Tournament, actor: Player | None, number: int, *, now: float) -> None:
    """Pause all tables of the round. Idempotent. Raises NotAllowed, Stale."""
    require_organiser(tournament.club, actor)
    _ring_if_due(tournament, number, now=now)
    with take_step(tournament.pk, Kind.PAUSE, actor=actor, now=now, round=number) as step:
        played = _find_running(step, number)
        if played.paused_at is None:
            step.change(played, paused_at=now)
    for played in Round.objects.filter(tournament=tournament, number=number).exclude(paused_at=None):
        online_tables.pause_tables(played, now=now)


def resume(tournament: Tournament, actor: Player | None, number: int, *, now: float) -> None:
    """End the pause, clocks as they were; the bell moves by its length. Idempotent. Raises NotAllowed, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.RESUME, actor=actor, now=now, round=number) as step:
        played = _find_running(step, number)
        if played.paused_at is not None:
            ends_at = None if played.ends_at is None else played.ends_at + (now - played.paused_at)
            step.change(played, paused_at=None, ends_at=ends_at)
    for played in Round.objects.filter(tournament=tournament, number=number, paused_at=None):
        online_tables.resume_tables(played, now=now)


def extend(tournament: Tournament, actor: Player | None, number: int, minutes: int, *, key: str, now: float) -> None:
    """Give the round more minutes (or fewer) before its bell, or a bell where it has none.

    key: once only. Raises NotAllowed, Stale, BadInput.
    """
    require_organiser(tournament.club, actor)
    if tournament.is_over_days and (abs(minutes) > MAX_DAYS_EXTENSION or not minutes):
        raise BadInput("You can move the deadline of a round by at most 30 days.")
    if not tournament.is_over_days and (abs(minutes) > MAX_EXTENSION or not minutes):
        raise BadInput("You can make a round longer or shorter by at most 240 minutes.")
    _ring_if_due(tournament, number, now=now)
    with take_step(tournament.pk, Kind.EXTEND, actor=actor, now=now, key=key, round=number, minutes=minutes) as step:
        if step.is_repeat:
            return
        played = _find_running(step, number)
        if played.has_rung:
            raise Stale("The bell has already rung.")
        if played.ends_at is None:
            step.details["as"] = "first"
        elif step.tournament.is_over_days and not minutes % DAY_MINUTES:
            step.details |= {"as": "days", "days": abs(minutes) // DAY_MINUTES}
        step.change(played, ends_at=(played.ends_at or _clock(played, now)) + minutes * MINUTE)
        require_time_left(played, now=now)
    for played in Round.objects.select_related("tournament").filter(tournament=tournament, number=number):
        online_tables.sync_bell(played, now=now)


def require_time_left(played: Round, *, now: float) -> None:
    """Raises BadInput if the bell of this round, moved to where it is, would have rung already."""
    if played.ends_at is not None and played.ends_at <= _clock(played, now):
        raise BadInput("No time would be left. To end now, ring the bell or close the arena.")


def _clock(played: Round, now: float) -> float:
    """The present moment, or the start of the pause: time does not pass in it."""
    return now if played.paused_at is None else played.paused_at


def _ring_if_due(tournament: Tournament, number: int, *, now: float) -> None:
    """Ring a bell that is due before it is changed: tables may have heard it already."""
    due = Round.objects.filter(status=Round.Status.RELEASED, has_rung=False, paused_at=None, ends_at__lte=now)
    if due.filter(tournament=tournament, number=number).exists():
        ring_bell(tournament.pk, number, None, now=now)


def ring(tournament: Tournament, actor: Player | None, number: int, *, now: float) -> None:
    """An organiser rings the bell: each table finishes its deal. Idempotent. Raises NotAllowed, Stale."""
    require_organiser(tournament.club, actor)
    ring_bell(tournament.pk, number, actor, now=now)


def ring_bell(tournament_id: str, number: int, actor: Player | None, *, now: float) -> None:
    """Ring the bell, by an organiser or (actor None) by the clock, which rings only if it is still due."""
    with take_step(tournament_id, Kind.BELL, actor=actor, now=now, round=number) as step:
        played = _find_running(step, number)
        is_due = played.paused_at is None and played.ends_at is not None and played.ends_at <= now
        if not played.has_rung and (actor is not None or is_due):
            step.change(played, has_rung=True, ends_at=now if played.ends_at is None else min(now, played.ends_at))
    rung = Round.objects.select_related("tournament").filter(tournament_id=tournament_id, number=number, has_rung=True)
    for played in rung:
        ring_tables(played, now=now)


def ring_tables(played: Round, *, now: float) -> None:
    """Ring the bell at all tables of this round that play. Idempotent; repeated for games that begin after it.

    What is still to be played of a game over days then, stand-ins play.
    """
    if arena.rings_at_tables(played.tournament):
        online_tables.apply_to_tables(played, partial(arranged_tables.ring_bell, now=now))
        online_tables.apply_to_tables(played, partial(arranged_tables.play_out, now=now))


def begin_now(tournament: Tournament, actor: Player | None, number: int, *, now: float) -> None:
    """Begin at all waiting tables without the absent. Raises NotAllowed, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.BEGIN, actor=actor, now=now, round=number) as step:
        found = _find_running(step, number)
        step.is_always_logged = Pod.objects.filter(round=found, table__status=WAITING).exists()
    online_tables.begin_without_absent(found, now=now)


def substitute(
    tournament: Tournament,
    actor: Player | None,
    seat_id: int,
    *,
    player: Player | None = None,
    name: str = "",
    now: float,
) -> None:
    """Let somebody else play this round for an entrant; with neither player nor name the entrant plays again.

    Points stay with the entrant. A substitute without an account (name only) needs a real table. With a substitute
    the seat no longer counts as no-show or forfeited. Raises NotAllowed, NotFound, Stale, BadInput.
    """
    require_organiser(tournament.club, actor)
    name = _name_substitute(tournament, player) if player else clean_words(name)[:LONGEST]
    with take_step(tournament.pk, Kind.SUBSTITUTE if name else Kind.NO_SUBSTITUTE, actor=actor, now=now) as step:
        seat = find_seat(step.tournament, seat_id)
        if player is not None and role_of(step.tournament.club, player.pk) is None:
            raise _no_member(player, seat.pod)
        if name and player is None and seat.pod.is_online:
            raise seat_changes.build_no_device_error(seat.pod)
        _require_unplayed(seat.pod)
        if name and player is None:
            name = number_substitute(seat.pod.round, seat, name)
        step.details |= {"table": seat.pod.number, "name": seat.entrant.name, "by": name}
        fate = PodSeat.Fate.PLAYS if name else seat.fate
        step.change(seat, substitute_id=player.pk if player else None, substitute_name=name, fate=fate)
        seat_changes.require_valid_seats(step.tournament)
    seat_changes.sync_all_seats(tournament, now=now)


def _name_substitute(tournament: Tournament, player: Player) -> str:
    """What a member is called who plays for somebody: as in the list, or as in the club and unlike all in the list."""
    listed = Entrant.objects.filter(tournament=tournament, player=player).values_list("name", flat=True).first()
    if listed is not None:
        return listed
    return find_free(tournament, name_in_club(tournament.club_id, player), player.pk)


def _require_unplayed(pod: Pod) -> None:
    """Raises Stale if the game of the online table is over."""
    if pod.table is not None and pod.table.status == OVER:
        raise Stale("The game at this table is over.")


def _no_member(player: Player, pod: Pod) -> BadInput:
    if pod.is_online:
        return BadInput("%(name)s is not a member of this club.", name=player.name)
    return BadInput("%(name)s is not a member of this club. Enter the name instead.", name=player.name)


def _find_round(step: TournamentStep, number: int) -> Round:
    played = Round.objects.filter(tournament=step.tournament, number=number).first()
    if played is None:
        raise NotFound("This round does not exist.")
    return played


def _find_running(step: TournamentStep, number: int) -> Round:
    played = _find_round(step, number)
    if played.status != Round.Status.RELEASED:
        raise Stale("This round is not being played. Its results are fixed, or it has not been released.")
    return played
