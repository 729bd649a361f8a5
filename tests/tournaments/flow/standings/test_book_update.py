"""A book that was read on, and the sums that are kept with it, against everything read and added up anew.

The same after any sequence of results, corrections, steps taken back and done again, penalties, people who come,
go and are replaced: whatever an evening brings.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from games import models
from games.memo import DerivedValues
from games.play.errors import NotFound, Refusal
from tests.cast import NOW, person
from tests.tournaments.cast import NAMES, begin, decide_all, draw, enter, entrant, play_round, release
from tests.tournaments.flow.standings.test_book import describe
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.people import deletion, merging
from tournaments.flow.rounds import arena, lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.arena_games import build_round_result, find_games
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.formats import knockout
from tournaments.models import Entrant, Pod, PodSeat, Round, Step, Tournament
from tournaments.scoring.standings import rank
from tournaments.views.standings import table_views, tournament_view

STEPS = 14
BEFORE_A_LOOK = (1, 1, 1, 2, 4)
"""How many things happen between two readings."""

Doing = Callable[[Tournament, models.Player, random.Random, float], object]


def running(tournament: Tournament) -> Round | None:
    return Round.objects.filter(tournament=tournament, status=Round.Status.RELEASED).first()


def some_pod(tournament: Tournament, rng: random.Random) -> Pod:
    """A pod of the round that is played, with a result or without."""
    pods = list(Pod.objects.filter(round__tournament=tournament, round__status="released").order_by("pk"))
    if not pods:
        raise NotFound("Nothing is played now.")
    return rng.choice(pods)


def some_entrant(tournament: Tournament, rng: random.Random) -> Entrant:
    return rng.choice(list(tournament.entrants.order_by("pk")))


def decide(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    """A result, or another one than before; now and then it counts for nobody."""
    pod = some_pod(tournament, rng)
    places = [rng.randint(1, pod.seats.count()) for _ in range(pod.seats.count())]
    ranks = tuple(1 + sum(other < place for other in places) for place in places)
    scores = tuple(rng.randint(0, 30) for _ in places) if rng.random() < 0.5 else None
    results.decide(tournament, owner, pod.pk, ReportedResult(ranks, scores), is_void=rng.random() < 0.1, now=now)


def note_fate(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    seat = rng.choice(list(PodSeat.objects.filter(pod=some_pod(tournament, rng)).order_by("pk")))
    results.set_fate(tournament, owner, seat.pk, rng.choice(list(PodSeat.Fate)), now=now)


def substitute(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    seat = rng.choice(list(PodSeat.objects.filter(pod=some_pod(tournament, rng)).order_by("pk")))
    lifecycle.substitute(tournament, owner, seat.pk, name=rng.choice(("", "Zoe", "Yan")), now=now)


def penalise(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    points = rng.choice((-420, 420, 840))
    one = some_entrant(tournament, rng).pk
    organiser_decisions.penalise(tournament, owner, one, points=points, reason="late", key=f"k{now}", now=now)


def withdraw(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    one = some_entrant(tournament, rng)
    act = attendance.bring_back if one.status == Entrant.Status.WITHDRAWN else attendance.withdraw
    act(tournament, owner, [one.pk], now=now)


def sit_out(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    one = some_entrant(tournament, rng)
    attendance.set_away(tournament, owner, [one.pk], away=not one.is_away, now=now)


def walk_in(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    sign_up.add_walk_in(tournament, owner, name=f"Late {now:.0f}", now=now)


def rename(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    organiser_decisions.rename(tournament, owner, some_entrant(tournament, rng).pk, f"Name {now:.0f}", now=now)


def take_back(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    """One of the last steps, which may be an undo itself."""
    newest = list(Step.objects.filter(tournament=tournament).order_by("-number")[:4])
    step_undo.revert(tournament, owner, rng.choice(newest).number, now=now)


def advance(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    """What comes next: the round is completed, the next one drawn, or released."""
    last = tournament.rounds.order_by("-number").first()
    assert last is not None
    if last.status == Round.Status.RELEASED:
        decide_all(owner, tournament, last.number)
        lifecycle.complete(tournament, owner, last.number, now=now)
    elif last.status == Round.Status.COMPLETE:
        draw(owner, tournament, last.number + 1)
    else:
        lifecycle.release(tournament, owner, last.number, now=now)


def pause(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    played = running(tournament)
    if played is not None:
        (lifecycle.pause if played.paused_at is None else lifecycle.resume)(tournament, owner, played.number, now=now)


def seat(tournament: Tournament, owner: models.Player, rng: random.Random, now: float) -> None:
    """An arena seats everybody who is free."""
    arena.seat_free(Round.objects.select_related("tournament__club").get(tournament=tournament), now=now)


ALWAYS: tuple[Doing, ...] = (
    decide, decide, decide, decide, note_fate, substitute, penalise, withdraw, sit_out, walk_in, rename, take_back,
    take_back, pause,
)  # fmt: skip


def rank_anew(book: Book, after: int | None, *, live: bool) -> Any:
    """The standings from raw results alone: nothing that was kept takes part."""
    scheme = book.scheme
    if book.tournament.format == "arena":
        played = build_round_result(book, after)
        is_past = after is not None and after < len(find_games(book).over)
        seated = tuple({key: None for pod in played.pods for key in pod.entrants})
        return rank(seated if is_past else ranking.find_keys(book, ()), [played], scheme)
    counted = ranking.list_counted(book, after, live=live)
    keys, lines = ranking.find_keys(book, counted), [book._build_round(one) for one in counted]
    if book.tournament.format == "knockout":
        bare = replace(book, derived=DerivedValues())
        return knockout.FORMAT.rank(ranking.PlayedRounds(bare, counted, keys))
    return rank(keys, lines, scheme)


def compare(book: Book, tournament: Tournament) -> None:
    """The book read on says what the book read anew says: rows, standings after every round, tables as they are
    shown."""
    fresh = open_book(Tournament.objects.select_related("club").get(pk=tournament.pk))
    assert describe(book) == describe(fresh)
    for after in (None, *range(len(book.rounds) + 1)):
        for live in (False, True):
            assert ranking.rank(book, after, live=live) == rank_anew(fresh, after, live=live)
    for mine, other in zip(book.rounds, fresh.rounds, strict=True):
        assert table_views.list_pods(book, mine, {}, None) == table_views.list_pods(fresh, other, {}, None)


def live_through(tournament: Tournament, owner: models.Player, doings: Sequence[Doing], seed: int) -> None:
    """So many things happen by chance; what the program refuses does not happen."""
    rng, now = random.Random(seed), NOW + 60.0
    book = open_book(Tournament.objects.get(pk=tournament.pk))
    for _ in range(STEPS):
        for _ in range(rng.choice(BEFORE_A_LOOK)):
            now += 60.0
            with suppress(Refusal):
                rng.choice(doings)(tournament, owner, rng, now)
        tournament = Tournament.objects.select_related("club").get(pk=tournament.pk)
        book = open_book(tournament, earlier=book)
        compare(book, tournament)


PLANS: Mapping[str, Mapping[str, Any]] = {
    "swiss": {},
    "ratio": {"points": "table", "tie_breaks": ["ratio", "best", "lot"]},
    "knockout": {"format": "knockout", "advance": 2},
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", PLANS)
def test_an_evening_read_on(ana: models.Player, kind: str, seed: int) -> None:
    plan_fields: Any = {"least": 4, "most": 6, "venue": "real", "rounds_planned": 4, **PLANS[kind]}
    tournament = begin(ana, NAMES[:11], **plan_fields)
    if kind == "swiss":
        play_round(ana, tournament, 1)
    release(ana, tournament, tournament.rounds.count() + 1)
    live_through(tournament, ana, (*ALWAYS, advance, advance), seed)


@pytest.mark.parametrize("seed", range(3))
def test_an_arena_read_on(ana: models.Player, seed: int) -> None:
    tournament = begin(ana, NAMES[:14], format="arena", round_minutes=300, venue="real", least=4, most=5)
    arena.open_arena(tournament, ana, now=NOW)
    live_through(tournament, ana, (*ALWAYS, seat, seat, seat, seat), seed)


def test_the_same_lines_as_long_as_nothing_changes_them(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], least=4, most=4, venue="real")
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    tournament.refresh_from_db()
    earlier = open_book(tournament)
    first, live = ranking.rank(earlier), ranking.rank(earlier, live=True)
    decide(tournament, ana, random.Random(1), NOW)
    tournament.refresh_from_db()
    book = open_book(tournament, earlier=earlier)
    assert (ranking.rank(book) is first, ranking.rank(book, live=True) is live) == (True, False)
    assert book.entrants is earlier.entrants
    kept = [book.results[pod.pk] is earlier.results.get(pod.pk) for pod in book.pods[book.rounds[0].pk]]
    assert kept == [True, True]


def test_who_goes_for_good_leaves_the_pages_at_once(ana: models.Player) -> None:
    """Neither that nor a guest who turns out to be known is a step; both are read."""
    tournament = begin(ana, NAMES[:3], venue="real")
    tom, guest = enter(tournament, "Tom", "Guest 7")
    release(ana, tournament, 1)
    earlier = tournament_view.read_book(tournament, "1")
    models.Player.objects.filter(pk=tom.pk).update(left_at=datetime.fromtimestamp(NOW, tz=UTC))
    known_person = person("Gina")
    deletion.forget(tom.pk)
    merging.merge(guest.pk, known_person.pk)
    tournament = Tournament.objects.get(pk=tournament.pk)
    book = tournament_view.read_book(tournament, "2")
    assert describe(book) == describe(open_book(tournament))
    assert book is not earlier
    assert entrant(tournament, "Guest 7").player == known_person
    assert "Tom" not in {one.name for one in book.entrants.values()}
