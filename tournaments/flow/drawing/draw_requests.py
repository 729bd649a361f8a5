"""The draw of a round: requested, computed in the request or by a worker, and stored once as a draft.

While it is computed the round has the status `drawing` and a random name in `Round.drawing`. Only a result with this
name is stored. So a lost draw is computed again, and one that finishes twice or too late changes nothing.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from django.core.cache import cache

from games.bots import list_bot_levels
from games.models import Player
from games.play.errors import Refusal, Stale
from tournaments import draw, formats
from tournaments.flow.drawing import drafts, pairing
from tournaments.flow.drawing.draw_input import RoundDraw
from tournaments.flow.drawing.table_numbers import number_tables
from tournaments.flow.permissions import require_organiser
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, lock_tournament, take_step
from tournaments.flow.tables import online_tables
from tournaments.flow.tokens import make_token
from tournaments.models import LAST_STAGES, Entrant, Phase, Pod, PodSeat, Rest, Round, Tournament

MAX_INLINE_PEOPLE = 24
"""People up to which a draw is computed in the organiser's request; larger draws are queued."""
MAX_TRIES = 5
"""How often a draw is repeated if entrants leave or move while it is computed; then the sweeper starts it again."""
LOST_AFTER_SECONDS = 120.0
"""Seconds without a result after which the sweeper starts a draw again; several times the time limit of a draw."""
FILLER_NAMES = ("Bruno", "Cleo", "Dago", "Emil", "Frida", "Gustav", "Hela")


def request_draw(
    tournament: Tournament, actor: Player | None, number: int, *, again: bool, instead: str = "", now: float
) -> Round | None:
    """Request the draw of a round. Returns the round to be drawn, or None if there is nothing to do. Idempotent.

    again: replace the draft by a new draw; instead: the seed of the draft to be replaced, another one is kept.
    Raises NotAllowed, Stale: not the next round, a result is missing, too few people, nothing left to play.
    """
    require_organiser(tournament.club, actor)
    with lock_tournament(tournament.pk) as fresh:
        played = Round.objects.filter(tournament=fresh, number=number).first()
        if played is None:
            _require_next(fresh, number)
            return Round.objects.create(
                tournament=fresh, number=number, status=Round.Status.DRAWING, drawing=make_token(), drawing_since=now
            )
        if played.status != Round.Status.DRAFT or not again or played.seed != (instead or played.seed):
            return None
        draft = Round.objects.filter(pk=played.pk, status=Round.Status.DRAFT)
        draft.update(status=Round.Status.DRAWING, drawing=make_token(), drawing_since=now)
        return Round.objects.get(pk=played.pk)


def _require_next(tournament: Tournament, number: int) -> None:
    if not formats.of(tournament).has_rounds:
        raise Stale("This format has no rounds to draw.")
    if tournament.phase not in (Phase.CHECK_IN, Phase.RUNNING):
        raise Stale("Start the check-in before you draw the first round.")
    book = open_book(tournament)
    if any(played.status != Round.Status.COMPLETE for played in book.rounds):
        raise Stale("The previous round is not complete. Enter its results, or choose what missing results count as.")
    if number != len(book.rounds) + 1:
        raise Stale("This is no longer possible because the tournament has moved on. Reload the page.")
    pairing.require_enough_players(book, pairing.require_stage(book), number)


def is_quick(tournament: Tournament) -> bool:
    """Whether a draw is computed in the request of the organiser; a plan of all rounds takes too long for that."""
    return not formats.of(tournament).plans_ahead and count_present(tournament) <= MAX_INLINE_PEOPLE


def count_present(tournament: Tournament) -> int:
    """How many people would be drawn."""
    return Entrant.objects.filter(
        tournament=tournament, status=Entrant.Status.PRESENT, is_away=False, is_filler=False
    ).count()


def run_draw(round_id: int, name: str, actor: Player | None, *, now: float) -> None:
    """Compute the draw that was requested under this name, and store it. May run twice, late or never."""
    for _ in range(MAX_TRIES):
        played = Round.objects.select_related("tournament").filter(pk=round_id, drawing=name).first()
        if played is None or played.status != Round.Status.DRAWING or _run_once(played, actor, now=now):
            return


def _run_once(played: Round, actor: Player | None, *, now: float) -> bool:
    """Compute and store a draw; False if an entrant left or moved meanwhile."""
    try:
        _update_fillers(played, now=now)
        book = open_book(played.tournament).before(played.number)
        drawn = _compute_draw(book, played, seed=_seed_of(played))
    except (draw.DrawError, Refusal) as trouble:
        return _store_draw(played, actor, None, [trouble.template, trouble.values], now=now)
    return _store_draw(played, actor, drawn, None, checked_in=_list_checked_in(book, played), now=now)


def _seed_of(played: Round) -> str:
    """The seed of a draw, derived from the name of its request: a repeated draw gives the same result."""
    return sha256(played.drawing.encode()).hexdigest()


def _list_checked_in(book: Book, played: Round) -> frozenset[int]:
    """The ids of entrants who are checked in before the draw, paused ones included; later ones are not absent."""
    present = (entrant for entrant in book.entrants.values() if entrant.status == Entrant.Status.PRESENT)
    return frozenset(entrant.pk for entrant in present if entrant.joined_round <= played.number)


def _compute_draw(book: Book, played: Round, *, seed: str) -> RoundDraw:
    pairing.require_stage(book)
    kept = Pod.objects.filter(round=played, is_locked=True).order_by("number")
    locked = [list(pod.seats.order_by("index").values_list("entrant_id", flat=True)) for pod in kept]
    return pairing.pair_round(
        book, played.number, seed=seed, locked=locked, report=partial(note_progress, played.drawing)
    )


def note_progress(name: str, percent: int) -> None:
    """Cache the progress of a draw, in percent; only shown, never stored."""
    cache.set(f"draw:{name}", percent, timeout=LOST_AFTER_SECONDS)


def find_progress(played: Round) -> int | None:
    """The share of its time limit that a draw has used, in percent; None before it has begun."""
    percent = cache.get(f"draw:{played.drawing}") if played.drawing else None
    return percent if isinstance(percent, int) else None


def _update_fillers(played: Round, *, now: float) -> None:
    """Enter as many filler bots as this round needs; those it does not need sit out."""
    if not played.tournament.bots_fill and not played.tournament.entrants.filter(is_filler=True).exists():
        return
    with take_step(played.tournament_id, Kind.FILLERS, actor=None, now=now) as step:
        book = open_book(step.tournament).before(played.number)
        needed = pairing.count_fillers(book, played.number) if step.tournament.bots_fill else 0
        fillers = [entrant for entrant in book.entrants.values() if entrant.is_filler]
        for index, one in enumerate(fillers):
            step.change(one, is_away=index >= needed, status=Entrant.Status.PRESENT)
        number = max((entrant.number for entrant in book.entrants.values()), default=0)
        names = {entrant.name for entrant in book.entrants.values()}
        free = [name for name in (*FILLER_NAMES, *(f"{name} 2" for name in FILLER_NAMES)) if name not in names]
        level = step.tournament.bot_level
        for index in range(needed - len(fillers)):
            step.create(
                Entrant(
                    tournament=step.tournament,
                    number=number + 1 + index,
                    name=free[index],
                    avatar="bear",
                    bot=level,
                    status=Entrant.Status.PRESENT,
                    is_filler=True,
                    is_on_device=True,
                    joined_round=played.number,
                    claim_token=make_token(),
                )
            )
        step.details["count"] = needed


def _store_draw(
    played: Round,
    actor: Player | None,
    drawn: RoundDraw | None,
    trouble: list[Any] | None,
    *,
    checked_in: frozenset[int] = frozenset(),
    now: float,
) -> bool:
    """Store a draw as the draft of its round, if it is still requested; False if an entrant has left or moved."""
    with take_step(played.tournament_id, Kind.DRAW, actor=actor, now=now, round=played.number) as step:
        if drawn is not None and _has_changed(drawn):
            return False
        requested = Round.objects.filter(pk=played.pk, status=Round.Status.DRAWING, drawing=played.drawing)
        if not requested.update(status=Round.Status.DRAFT, drawing="", drawing_since=None):
            return True
        fields = _build_columns(drawn, trouble, seed=_seed_of(played))
        played = Round.objects.get(pk=played.pk)
        is_new = not played.solution and not played.trouble
        _clear(step, played, but_kept=drawn is None)
        if is_new:
            Round.objects.filter(pk=played.pk).update(**fields)
            step.note_created(Round.objects.get(pk=played.pk))
        else:
            step.change(played, **fields)
        if drawn is not None:
            create_pods(step, played, drawn, checked_in)
        else:
            step.details["failed"] = True
        step.change(step.tournament, phase=Phase.RUNNING)
    return True


def _has_changed(drawn: RoundDraw) -> bool:
    """Whether somebody who was drawn is no longer present, or has moved between device and room."""
    placed = {entrant.pk: entrant.is_on_device for seats, _ in drawn.pods for entrant in seats}
    placed |= {entrant.pk: entrant.is_on_device for entrant in drawn.byes}
    present = Entrant.objects.filter(pk__in=placed, status=Entrant.Status.PRESENT, is_away=False)
    return dict(present.values_list("pk", "is_on_device")) != placed


def _clear(step: TournamentStep, played: Round, *, but_kept: bool) -> None:
    """Delete pods, seats and byes of a draft. but_kept: not the locked pods, for the next draw."""
    pods = Pod.objects.filter(round=played).order_by("number")
    pods = pods.filter(is_locked=False) if but_kept else pods
    for seat in PodSeat.objects.filter(pod__in=pods).order_by("pk"):
        step.delete(seat)
    for pod in pods:
        step.delete(pod)
    for rest in Rest.objects.filter(round=played).order_by("pk"):
        step.delete(rest)


def _build_columns(drawn: RoundDraw | None, trouble: list[Any] | None, *, seed: str) -> dict[str, Any]:
    if drawn is None:
        return {"trouble": msgspec.json.encode(trouble).decode(), "solution": "", "seed": seed}
    return {
        "stage": drawn.stage, "solution": msgspec.json.encode(drawn.solution).decode(), "trouble": "", "seed": seed,
    }  # fmt: skip


def create_pods(step: TournamentStep, played: Round, drawn: RoundDraw, checked_in: frozenset[int]) -> None:
    """Store pods, seats, byes and absences of a draw. checked_in: ids of the entrants checked in at the draw."""
    places = [online_tables.is_online(step.tournament, seats) for seats, _ in drawn.pods]
    numbers = number_tables([seats for seats, _ in drawn.pods], places, is_free=drawn.stage in drafts.PAIR_RULE_STAGES)
    pods = step.create_all(
        [
            Pod(
                round=played, number=number, real_table=real_table, is_online=is_online,
                is_locked=False, reason=msgspec.json.encode(reason).decode(),
            )
            for (_, reason), is_online, (number, real_table) in zip(drawn.pods, places, numbers, strict=True)
        ]
    )  # fmt: skip
    step.create_all(
        [
            PodSeat(pod=pod, index=index, entrant=entrant)
            for pod, (seats, _) in zip(pods, drawn.pods, strict=True)
            for index, entrant in enumerate(seats)
        ]
    )
    rests = [Rest(round=played, entrant=entrant, kind=Rest.Kind.BYE) for entrant in drawn.byes]
    step.create_all([*rests, *_list_absent(played, drawn, checked_in)])


def _list_absent(played: Round, drawn: RoundDraw, checked_in: frozenset[int]) -> list[Rest]:
    placed = {entrant.pk for seats, _ in drawn.pods for entrant in seats} | {entrant.pk for entrant in drawn.byes}
    if drawn.stage in LAST_STAGES:
        return []
    others = Entrant.objects.filter(pk__in=checked_in - placed, status=Entrant.Status.PRESENT, is_filler=False)
    return [Rest(round=played, entrant=entrant, kind=Rest.Kind.ABSENT) for entrant in others]


def cancel_draw(tournament: Tournament, actor: Player | None, number: int) -> None:
    """Cancel a draw that is being computed; the draft before it stays. Raises NotAllowed."""
    require_organiser(tournament.club, actor)
    with lock_tournament(tournament.pk) as fresh:
        drawing = Round.objects.filter(tournament=fresh, number=number, status=Round.Status.DRAWING)
        for played in drawing:
            if played.solution or played.trouble:
                drawing.update(status=Round.Status.DRAFT, drawing="", drawing_since=None)
            else:
                played.delete()


def list_levels(game: str) -> tuple[str, ...]:
    """The levels of the bots of a game."""
    return list_bot_levels(game)
