"""The arena: open for an agreed time; people are seated again as soon as they are free.

An arena is one long round whose pods are created as it goes on. The sweeper seats people: it draws without a lock, and
then takes one step that fails unless everybody drawn is still free. So two sweepers seat nobody twice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from django.db.models import Q, QuerySet

from games.models import Player
from games.play.errors import Stale
from games.play.seats import arranged_tables
from games.play.storage import store
from games.play.storage.table import OVER, WAITING
from tournaments import draw, formats
from tournaments.flow.drawing import bot_places, recent_opponents
from tournaments.flow.permissions import require_organiser
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.rounds.results import accept_result
from tournaments.flow.standings import book_cache, ranking
from tournaments.flow.standings.arena_games import find_games, find_last_ends
from tournaments.flow.standings.book import Book
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tables import deal_publishing, online_tables
from tournaments.flow.tokens import make_seed
from tournaments.models import (
    Entrant,
    PairRule,
    Phase,
    Pod,
    PodSeat,
    Result,
    Round,
    Stage,
    Step,
    Tournament,
)
from tournaments.scoring.arena import (
    MAX_GROUP,
    NextSeating,
    Sizes,
    WaitingPlayer,
    choose,
    list_seatable,
    predict_seating,
)

logger = logging.getLogger(__name__)

MINUTE = 60.0
TIME_LIMIT = 1.0
"""Seconds the solver may search in one draw; short, because people are waiting to play."""
ROUND_NUMBER = 1
"""The number of the single round of an arena."""


def open_arena(tournament: Tournament, actor: Player | None, *, now: float) -> None:
    """Open the arena: from now on free people are seated. Idempotent. Raises NotAllowed, Stale."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.OPEN_ARENA, actor=actor, now=now, round=ROUND_NUMBER) as step:
        if formats.of(step.tournament).has_rounds:
            raise Stale("This is no longer possible because the tournament has moved on. Reload the page.")
        if Round.objects.filter(tournament=step.tournament).exists():
            return
        if step.tournament.phase != Phase.CHECK_IN:
            raise Stale("Start the check-in before you open the arena.")
        step.create(
            Round(
                tournament=step.tournament, number=ROUND_NUMBER, stage=Stage.ARENA, status=Round.Status.RELEASED,
                seed=make_seed(), released_at=now, ends_at=now + (step.tournament.round_minutes or 0) * MINUTE,
            )
        )  # fmt: skip
        step.change(step.tournament, phase=Phase.RUNNING)


@dataclass(frozen=True)
class Pool:
    """Who waits in an arena. playing: how many people sit at tables; outlook: when the next ones are seated."""

    waiting: tuple[WaitingPlayer, ...]
    playing: int
    outlook: NextSeating
    sizes: Sizes

    def since(self, key: str) -> float | None:
        """Since when this entrant waits (seconds since 1970); None if they do not. key: their number, as text."""
        return next((waiting.since for waiting in self.waiting if waiting.entrant == key), None)


def build_pool(book: Book, played: Round) -> Pool:
    """The present pool of an arena."""
    last = find_last_ends(book)
    chairs = [seat for pod in find_games(book).playing for seat in book.seats.get(pod.id, ())]
    sitting, instead = (
        {seat.entrant_id for seat in chairs},
        {seat.substitute_id for seat in chairs if seat.fate == PodSeat.Fate.PLAYS},
    )
    points = {line.entrant: line.points for line in ranking.rank(book)}
    opened = played.released_at or 0.0
    waiting = tuple(
        WaitingPlayer(
            str(entrant.number),
            max(opened, entrant.ready_at or 0.0, last.get(entrant.pk, 0.0)),
            points.get(str(entrant.number), 0),
            bool(entrant.bot),
        )
        for entrant in book.entrants.values()
        if is_free(entrant)
        and entrant.pk not in sitting
        and (entrant.player_id is None or entrant.player_id not in instead)
    )
    sizes = Sizes(book.tournament.wanted, book.tournament.least, book.tournament.most)
    people = sum(not book.entrants[pk].bot for pk in sitting)
    return Pool(waiting, people, predict_seating(waiting, sizes, playing=people), sizes)


def is_free(entrant: Entrant) -> bool:
    """Whether this entrant is checked in and not paused."""
    return entrant.status == Entrant.Status.PRESENT and not entrant.is_away


def sweep_arena(played: Round, *, now: float) -> None:
    """Seat those who are due; after the end void games that never began, and complete the round at last."""
    if played.has_rung:
        _void_unbegun(played, now=now)
        _complete(played, now=now)
    elif played.paused_at is None and _has_enough(played):
        seat_free(played, now=now)


def _has_enough(played: Round) -> bool:
    """Whether enough people are free to fill a table; a cheap check before the whole tournament is read."""
    free = Entrant.objects.filter(
        tournament=played.tournament_id, status=Entrant.Status.PRESENT, is_away=False
    ).exclude(pk__in=_list_busy(played).values("pk"))
    return free.count() >= played.tournament.least


def list_busy_seats(played: Round) -> QuerySet[PodSeat]:
    """The seats of this round whose tables have no result yet."""
    return PodSeat.objects.filter(pod__round=played).exclude(pod__in=online_tables.list_decided(played))


def _list_busy(played: Round) -> QuerySet[Entrant]:
    """The entrants who sit on these seats, or play there as substitutes."""
    chairs = list_busy_seats(played)
    instead = chairs.filter(fate=PodSeat.Fate.PLAYS).exclude(substitute=None)
    is_busy = Q(pk__in=chairs.values("entrant")) | Q(player__in=instead.values("substitute"))
    return Entrant.objects.filter(is_busy, tournament=played.tournament_id)


def seat_free(played: Round, *, now: float) -> int:
    """Seat those who are due. Returns the number of new tables; 0 if nobody is due yet."""
    book = book_cache.read(played.tournament)
    pool = build_pool(book, played)
    if pool.outlook.due is None or pool.outlook.due > now:
        return 0
    made = sum(_seat_group(played, group, now=now) for group in choose(pool.waiting, pool.sizes, now=now))
    if not made:  # pair rules keep these apart: try again with people who came later
        made = _seat_group(played, list_seatable(pool.waiting, now=now)[:MAX_GROUP], now=now)
    if made:
        online_tables.open_tables(Round.objects.select_related("tournament__club").get(pk=played.pk), now=now)
    return made


def _seat_group(played: Round, group: Sequence[WaitingPlayer], *, now: float) -> int:
    book = book_cache.read(Tournament.objects.get(pk=played.tournament_id))
    wave = 1 + max((pod.wave for pod in book.pods.get(played.pk, ())), default=0)
    solution = _draw(book, played, group, wave)
    return 0 if solution is None else _seat(played, book, solution, wave, now=now)


def _draw(book: Book, played: Round, group: Sequence[WaitingPlayer], wave: int) -> draw.Solution | None:
    """Draw the tables of a group; None if pair rules allow none."""
    names = {str(entrant.number): entrant.name for entrant in book.entrants.values()}
    people = [names[waiting.entrant] for waiting in group]
    by_id = {pk: one.name for pk, one in book.entrants.items()}
    rules = PairRule.objects.filter(tournament=book.tournament, kind=PairRule.Kind.APART).order_by("pk")
    problem = draw.Problem(
        entrants=tuple(draw.Entrant(names[waiting.entrant], waiting.score) for waiting in group),
        wanted=book.tournament.wanted,
        min_size=book.tournament.least,
        max_size=book.tournament.most,
        seed=sha256(f"{played.seed}/{wave}".encode()).hexdigest(),
        time_limit=TIME_LIMIT,
        repeat_worth=book.tournament.repeat_worth,
        history=recent_opponents.list_recent_rounds(book, played, people),
        forbidden=(
            *((by_id[rule.first_id], by_id[rule.second_id]) for rule in rules),
            *bot_places.keep_apart(book.tournament, [book.by_key[waiting.entrant] for waiting in group]),
        ),
    )
    try:
        return draw.solve(problem)
    except draw.DrawError as error:
        logger.info("arena %s: nobody can be seated: %s", played.tournament_id, error)
        return None


def _seat(played: Round, book: Book, solution: draw.Solution, wave: int, *, now: float) -> int:
    """Within one step: create these tables if everybody at them is still free. Returns how many were created."""
    by_name = {entrant.name: entrant.pk for entrant in book.entrants.values()}
    made = 0
    try:
        with take_step(played.tournament_id, Kind.SEAT, actor=None, now=now) as step:
            current = _require_open(step, played)
            if current.pods.filter(wave=wave).exists():
                raise Stale("Somebody else has just done this. Reload the page.")
            fresh = Entrant.objects.in_bulk([by_name[name] for pod in solution.pods for name in pod.seats])
            taken = set(_list_busy(current).values_list("pk", flat=True))
            number = current.pods.order_by("-number").values_list("number", flat=True).first() or 0
            for pod in solution.pods:
                people = [fresh[by_name[name]] for name in pod.seats]
                if any(not is_free(entrant) or entrant.pk in taken for entrant in people) or all(
                    person.bot for person in people
                ):
                    continue
                made += 1
                _create_pod(step, current, pod, people, number + made, wave, now=now)
            step.details |= {"count": made, "tables": list(range(number + 1, number + made + 1))}
    except Stale:
        return 0
    return made


def _require_open(step: TournamentStep, played: Round) -> Round:
    current = Round.objects.filter(pk=played.pk, status=Round.Status.RELEASED, has_rung=False, paused_at=None).first()
    if current is None or step.tournament.phase != Phase.RUNNING:
        raise Stale("This round is not being played. Its results are fixed, or it has not been released.")
    return current


def _create_pod(
    step: TournamentStep, played: Round, pod: draw.Pod, people: Sequence[Entrant], number: int, wave: int, *, now: float
) -> None:
    is_online = online_tables.is_online(step.tournament, people)
    row = step.create(
        Pod(
            round=played, number=number, wave=wave, seated_at=now, is_online=is_online,
            real_table=None if is_online else _free_table(played),
            reason=msgspec.json.encode(recent_opponents.describe_reasons(pod.reason)).decode(),
        )
    )  # fmt: skip
    step.create_all([PodSeat(pod=row, index=index, entrant=one) for index, one in enumerate(people)])


def _free_table(played: Round) -> int:
    """The lowest number of an unoccupied real table."""
    rows = Pod.objects.filter(round=played, is_online=False).exclude(pk__in=online_tables.list_decided(played))
    used = set(rows.values_list("real_table", flat=True))
    return next(number for number in range(1, len(used) + 2) if number not in used)


def _void_unbegun(played: Round, *, now: float) -> None:
    """Close tables that have not begun when the arena closes; their games count for nobody."""
    waiting = Pod.objects.filter(round=played, table__status__in=[WAITING, OVER])
    for pod in waiting.exclude(pk__in=online_tables.list_decided(played)).order_by("number"):
        if pod.table_id is None:
            continue
        try:
            closed = (
                arranged_tables.close(pod.table_id, now=now) if store.refresh(pod.table_id).status == WAITING else None
            )
        except Stale:  # it has begun a moment ago, and is played
            continue
        if (closed or store.refresh(pod.table_id)).outcome is None:
            with take_step(played.tournament_id, Kind.DROPPED, actor=None, now=now, table=pod.number) as step:
                if not Result.objects.filter(pod=pod, status=Result.Status.ACCEPTED).exists():
                    accept_result(step, pod, ReportedResult((1,) * pod.seats.count()), None, is_void=True, now=now)


def _complete(played: Round, *, now: float) -> None:
    """Complete the round once all results are in. Only the first time: after an undo an organiser completes it."""
    if (
        list_busy_seats(played).exists()
        or Step.objects.filter(tournament=played.tournament_id, kind=Step.Kind.COMPLETE).exists()
    ):
        return
    with take_step(played.tournament_id, Kind.COMPLETE, actor=None, now=now, round=played.number) as step:
        current = Round.objects.filter(pk=played.pk, status=Round.Status.RELEASED, has_rung=True).first()
        completions = Step.objects.filter(tournament=played.tournament_id, kind=Step.Kind.COMPLETE)
        if current is None or list_busy_seats(current).exists() or completions.exists():
            return
        step.details["missing"] = []
        step.change(current, status=Round.Status.COMPLETE, completed_at=now, paused_at=None)
    deal_publishing.publish(played.tournament, played.number, now=now)


def rings_at_tables(tournament: Tournament) -> bool:
    """Whether the bell of a round ends games under way: always, except in arenas that let them finish."""
    return formats.of(tournament).rings_at_tables(tournament)
