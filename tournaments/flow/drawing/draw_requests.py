"""The draw of a round: asked for, worked out by whoever has the time, kept once as a draft.

While it is worked out the round says `drawing` with a name of its own; only the answer that bears this name is
kept, so a draw that was lost is simply done again, and one that comes twice or too late changes nothing.
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
from tournaments.flow.drawing import pairing
from tournaments.flow.drawing.draw_input import Drawn
from tournaments.flow.permissions import require_organiser
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, lock_tournament, take_step
from tournaments.flow.tables import online_tables
from tournaments.flow.tokens import make_token
from tournaments.models import LAST_STAGES, Entrant, Phase, Pod, PodSeat, Rest, Round, Tournament

AT_ONCE = 24
"""Up to so many people a draw is done while the organiser waits."""
MOST_TRIES = 5
"""As long as people leave while it is worked out, so often; then it counts as lost."""
LOST_AFTER = 120.0
"""Seconds after which a draw that has not answered is done again."""
FILLERS = ("Bruno", "Cleo", "Dago", "Emil", "Frida", "Gustav", "Hela")


def request_draw(
    tournament: Tournament, actor: Player | None, number: int, *, again: bool, instead: str = "", now: float
) -> Round | None:
    """Ask for the draw of a round; the round to be drawn, or None if there is nothing to do.

    again: a new draw in place of the draft; instead: the seed of the one that is meant. Asked twice it is one draw.
    Raises NotAllowed, Stale: not the next round, a result is missing, too few people, nothing left to play.
    """
    require_organiser(tournament.club, actor)
    with lock_tournament(tournament.pk) as fresh:
        known = Round.objects.filter(tournament=fresh, number=number).first()
        if known is None:
            _require_next(fresh, number)
            return Round.objects.create(
                tournament=fresh, number=number, status=Round.Status.DRAWING, drawing=make_token(), drawing_since=now
            )
        if known.status != Round.Status.DRAFT or not again or known.seed != (instead or known.seed):
            return None
        draft = Round.objects.filter(pk=known.pk, status=Round.Status.DRAFT)
        draft.update(status=Round.Status.DRAWING, drawing=make_token(), drawing_since=now)
        return Round.objects.get(pk=known.pk)


def _require_next(tournament: Tournament, number: int) -> None:
    if not formats.of(tournament).has_rounds:
        raise Stale("This format has no rounds to draw.")
    if tournament.phase not in (Phase.CHECK_IN, Phase.RUNNING):
        raise Stale("The first draw follows the check-in.")
    book = open_book(tournament)
    if any(played.status != Round.Status.COMPLETE for played in book.rounds):
        raise Stale("The round before is not complete: enter its results, or say what the missing ones count as.")
    if number != len(book.rounds) + 1:
        raise Stale("That does not come next: the tournament has moved on. Look again.")
    pairing.require_enough(book, pairing.require_stage(book), number)


def is_quick(tournament: Tournament) -> bool:
    """Whether a draw is done while the organiser waits; a plan of all rounds takes its time."""
    return not formats.of(tournament).plans_ahead and count_present(tournament) <= AT_ONCE


def count_present(tournament: Tournament) -> int:
    """How many people a draw would be about."""
    return Entrant.objects.filter(
        tournament=tournament, status=Entrant.Status.PRESENT, is_away=False, is_filler=False
    ).count()


def run_draw(round_id: int, name: str, actor: Player | None, *, now: float) -> None:
    """Work out the draw that was asked for under this name, and keep it. Any number of times, late or never."""
    for _ in range(MOST_TRIES):
        played = Round.objects.select_related("tournament").filter(pk=round_id, drawing=name).first()
        if played is None or played.status != Round.Status.DRAWING or _run_once(played, actor, now=now):
            return


def _run_once(played: Round, actor: Player | None, *, now: float) -> bool:
    """Work it out; False if somebody left meanwhile."""
    try:
        _seat_fillers(played, now=now)
        book = open_book(played.tournament).before(played.number)
        drawn = _work_out(book, played, seed=_seed_of(played))
    except (draw.DrawError, Refusal) as trouble:
        return _keep(played, actor, None, [trouble.template, trouble.values], now=now)
    return _keep(played, actor, drawn, None, there=_list_there(book, played), now=now)


def _seed_of(played: Round) -> str:
    """What a draw rests on follows from the name under which it was asked for: done again it comes out the same."""
    return sha256(played.drawing.encode()).hexdigest()


def _list_there(book: Book, played: Round) -> frozenset[int]:
    """Who is in the tournament as it is drawn, also if he sits out: whoever comes meanwhile is not absent."""
    here = (one for one in book.entrants.values() if one.status == Entrant.Status.PRESENT)
    return frozenset(one.pk for one in here if one.joined_round <= played.number)


def _work_out(book: Book, played: Round, *, seed: str) -> Drawn:
    pairing.require_stage(book)
    kept = Pod.objects.filter(round=played, is_locked=True).order_by("number")
    locked = [list(pod.seats.order_by("index").values_list("entrant_id", flat=True)) for pod in kept]
    return pairing.pair(book, played.number, seed=seed, locked=locked, tell=partial(note_progress, played.drawing))


def note_progress(name: str, percent: int) -> None:
    """How far a draw is; for nothing but the eye, so it is written down nowhere that lasts."""
    cache.set(f"draw:{name}", percent, timeout=LOST_AFTER)


def find_progress(played: Round) -> int | None:
    """How much of the work that a draw may cost is done, in percent; None before it has begun. It may end at any."""
    known = cache.get(f"draw:{played.drawing}") if played.drawing else None
    return known if isinstance(known, int) else None


def _seat_fillers(played: Round, *, now: float) -> None:
    """As many bots on empty chairs as this round needs; the others wait."""
    if not played.tournament.bots_fill and not played.tournament.entrants.filter(is_filler=True).exists():
        return
    with take_step(played.tournament_id, Kind.FILLERS, actor=None, now=now) as step:
        book = open_book(step.tournament).before(played.number)
        needed = pairing.count_fillers(book, played.number) if step.tournament.bots_fill else 0
        known = [one for one in book.entrants.values() if one.is_filler]
        for index, one in enumerate(known):
            step.change(one, is_away=index >= needed, status=Entrant.Status.PRESENT)
        number = max((one.number for one in book.entrants.values()), default=0)
        names = {one.name for one in book.entrants.values()}
        free = [name for name in (*FILLERS, *(f"{name} 2" for name in FILLERS)) if name not in names]
        level = step.tournament.bot_level
        for index in range(needed - len(known)):
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


def _keep(
    played: Round,
    actor: Player | None,
    drawn: Drawn | None,
    trouble: list[Any] | None,
    *,
    there: frozenset[int] = frozenset(),
    now: float,
) -> bool:
    """Make the answer the round's draft, if it is still waited for; False if somebody in it has left or moved."""
    with take_step(played.tournament_id, Kind.DRAW, actor=actor, now=now, round=played.number) as step:
        if drawn is not None and _has_changed(drawn):
            return False
        waited_for = Round.objects.filter(pk=played.pk, status=Round.Status.DRAWING, drawing=played.drawing)
        if not waited_for.update(status=Round.Status.DRAFT, drawing="", drawing_since=None):
            return True
        fields = _fields(drawn, trouble, seed=_seed_of(played))
        played = Round.objects.get(pk=played.pk)
        is_new = not played.solution and not played.trouble
        _clear(step, played, but_kept=drawn is None)
        if is_new:
            Round.objects.filter(pk=played.pk).update(**fields)
            step.note_created(Round.objects.get(pk=played.pk))
        else:
            step.change(played, **fields)
        if drawn is not None:
            lay_out(step, played, drawn, there)
        step.change(step.tournament, phase=Phase.RUNNING)
    return True


def _has_changed(drawn: Drawn) -> bool:
    """Whether somebody who was drawn is not here any more, or plays elsewhere: on a device, or in the room."""
    placed = {one.pk: one.is_on_device for seats, _ in drawn.pods for one in seats}
    placed |= {one.pk: one.is_on_device for one in drawn.byes}
    here = Entrant.objects.filter(pk__in=placed, status=Entrant.Status.PRESENT, is_away=False)
    return dict(here.values_list("pk", "is_on_device")) != placed


def _clear(step: TournamentStep, played: Round, *, but_kept: bool) -> None:
    """but_kept: after a draw that failed, for the next one, or until the organiser lets go of them."""
    pods = Pod.objects.filter(round=played).order_by("number")
    pods = pods.filter(is_locked=False) if but_kept else pods
    for seat in PodSeat.objects.filter(pod__in=pods).order_by("pk"):
        step.delete(seat)
    for pod in pods:
        step.delete(pod)
    for rest in Rest.objects.filter(round=played).order_by("pk"):
        step.delete(rest)


def _fields(drawn: Drawn | None, trouble: list[Any] | None, *, seed: str) -> dict[str, Any]:
    if drawn is None:
        return {"trouble": msgspec.json.encode(trouble).decode(), "solution": "", "seed": seed}
    return {
        "stage": drawn.stage, "solution": msgspec.json.encode(drawn.solution).decode(), "trouble": "", "seed": seed,
    }  # fmt: skip


def lay_out(step: TournamentStep, played: Round, drawn: Drawn, there: frozenset[int]) -> None:
    """The pods, their seats, and who sits out, as rows. there: ids of those who were in the tournament at the draw."""
    pods = step.create_all(
        [
            Pod(
                round=played, number=number, is_online=online_tables.is_online(step.tournament, seats),
                is_locked=False, reason=msgspec.json.encode(reason).decode(),
            )
            for number, (seats, reason) in enumerate(drawn.pods, start=1)
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
    step.create_all([*rests, *_absent(played, drawn, there)])


def _absent(played: Round, drawn: Drawn, there: frozenset[int]) -> list[Rest]:
    placed = {entrant.pk for seats, _ in drawn.pods for entrant in seats} | {entrant.pk for entrant in drawn.byes}
    if drawn.stage in LAST_STAGES:
        return []
    others = Entrant.objects.filter(pk__in=there - placed, status=Entrant.Status.PRESENT, is_filler=False)
    return [Rest(round=played, entrant=entrant, kind=Rest.Kind.ABSENT) for entrant in others]


def cancel_draw(tournament: Tournament, actor: Player | None, number: int) -> None:
    """Give up a draw that is being worked out. Raises NotAllowed."""
    require_organiser(tournament.club, actor)
    with lock_tournament(tournament.pk) as fresh:
        drawing = Round.objects.filter(tournament=fresh, number=number, status=Round.Status.DRAWING)
        for played in drawing:
            if played.solution or played.trouble:
                drawing.update(status=Round.Status.DRAFT, drawing="", drawing_since=None)
            else:
                played.delete()


def list_levels(game: str) -> tuple[str, ...]:
    """The bots of a game, by level; a season of all games has none."""
    return list_bot_levels(game)
