"""Arenas by chance: people come, go and sit out, results come in and are taken back, the room stands still."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import msgspec
import pytest

from games import models
from games.play.errors import Refusal
from tests.cast import NOW
from tests.tournaments.flow.rounds.test_arena import END, opened
from tests.tournaments.scoring.test_oracle import Oracle
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import scheme_of
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Pod, PodSeat, Result, Round, Step, Tournament
from tournaments.scoring.results import PodResult, RoundResult


class Room:
    """An arena of three or four at real tables, and the time in it."""

    def __init__(self, owner: models.Player, seed: str) -> None:
        self.rng, self.owner, self.now = Random(seed), owner, NOW
        names = [f"P{number}" for number in range(self.rng.randint(2, 12))]
        self.one = opened(owner, *names, game="animals-on-board", options={}, least=3, wanted=4, most=4)

    @property
    def played(self) -> Round:
        """The one round, as it is."""
        return Round.objects.get(tournament=self.one)

    def open_pods(self) -> list[Pod]:
        """The tables without a result."""
        done = Result.objects.filter(status="accepted").values("pod")
        return list(Pod.objects.filter(round__tournament=self.one).exclude(pk__in=done).order_by("number"))

    def somebody(self) -> int:
        """Anybody on the list."""
        return self.rng.choice(list(Entrant.objects.filter(tournament=self.one).values_list("pk", flat=True)))

    def act(self) -> None:
        """One thing that happens, if it may."""
        self.now += self.rng.choice((1.0, 5.0, 11.0, 31.0))
        deeds = (self.end_game,) * 5 + (self.come, self.go, self.sit_out, self.be_back, self.return_, self.stay_away)
        with suppress(Refusal):
            self.rng.choice((*deeds, self.pause, self.take_back, self.take_back))()
        before = {pod.pk for pod in self.open_pods()}
        was = self.played
        sweeper.sweep(now=self.now)
        self.check({pod.pk for pod in self.open_pods()} - before, was)

    def end_game(self) -> None:
        """A result comes in; now and then it counts for nobody."""
        pod, seats = (found := self.rng.choice(self.open_pods() or [None])), found.seats.count() if found else 0
        if pod is not None:
            places = tuple(
                1 + sum(other < one for other in placed) for placed in [self.draw_places(seats)] for one in placed
            )
            is_void = self.rng.random() < 0.1
            results.decide(self.one, self.owner, pod.pk, ReportedResult(places), is_void=is_void, now=self.now)

    def draw_places(self, seats: int) -> list[int]:
        """Some of them shared."""
        return [self.rng.randint(1, 3) for _ in range(seats)]

    def come(self) -> None:
        sign_up.add_walk_in(self.one, self.owner, name=f"P{Entrant.objects.count()}", now=self.now)

    def go(self) -> None:
        attendance.withdraw(self.one, self.owner, [self.somebody()], now=self.now)

    def return_(self) -> None:
        attendance.bring_back(self.one, self.owner, [self.somebody()], now=self.now)

    def sit_out(self) -> None:
        attendance.set_away(self.one, self.owner, [self.somebody()], away=True, now=self.now)

    def be_back(self) -> None:
        attendance.set_away(self.one, self.owner, [self.somebody()], away=False, now=self.now)

    def stay_away(self) -> None:
        for pod in self.open_pods()[:1]:
            seat = self.rng.choice(list(pod.seats.all()))
            results.set_fate(self.one, self.owner, seat.pk, PodSeat.Fate.NO_SHOW, now=self.now)

    def pause(self) -> None:
        (lifecycle.resume if self.played.paused_at else lifecycle.pause)(self.one, self.owner, 1, now=self.now)

    def take_back(self) -> None:
        """One of the last steps."""
        step = self.rng.choice(list(Step.objects.filter(tournament=self.one).order_by("-number")[:6]))
        step_undo.revert(self.one, self.owner, step.number, now=self.now)

    def check(self, new: set[int], was: Round) -> None:
        """Nobody sits twice; the free alone are seated, and only while the arena is open; the table is right."""
        sitting = Counter(pk for pod in self.open_pods() for pk in pod.seats.values_list("entrant", flat=True))
        assert max(sitting.values(), default=0) <= 1
        made = PodSeat.objects.filter(pod__in=new).exclude(pod__seated_at__lt=self.now).select_related("entrant")
        assert all(seat.entrant.status == "present" and not seat.entrant.is_away for seat in made)
        assert all(Pod.objects.get(pk=pk).seats.count() in (3, 4) for pk in new)
        if was.has_rung or was.paused_at is not None:
            assert not made
        tables = Counter(pod.real_table for pod in self.open_pods())
        assert max(tables.values(), default=0) <= 1
        book = open_book(Tournament.objects.get(pk=self.one.pk))
        games = [RoundResult((self.read(pod),)) for pod in find_games(book).over]
        for after in {None, len(games) // 2, len(games)}:
            lines = ranking.rank(book, after)
            games_so_far = games[:after]
            people = sorted(line.entrant for line in lines)
            assert {one for game in games_so_far for one in game.pods[0].entrants} <= {*people}
            oracle = Oracle(people, games_so_far, scheme_of(self.one))
            assert [(line.entrant, line.place, [line.points, *line.values]) for line in lines] == oracle.order()

    def read(self, pod: Pod) -> PodResult:
        """A result, straight from the rows."""
        seats = list(pod.seats.order_by("index").values_list("entrant__number", "fate"))
        result = Result.objects.get(pod=pod, status="accepted")
        entrants, fates = zip(*((str(number), fate) for number, fate in seats), strict=True)
        return PodResult(entrants, tuple(msgspec.json.decode(result.places)), None, fates, result.is_void)


@pytest.mark.parametrize("seed", range(2))
def test_an_arena(ana: models.Player, seed: int) -> None:
    room = Room(ana, f"arena {seed}")
    for _ in range(25):
        room.act()
    room.now = END + 3600
    sweeper.sweep(now=room.now)
    assert room.played.has_rung or room.played.paused_at is not None
    for _ in range(4):
        room.act()
