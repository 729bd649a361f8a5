"""Races of clocks and people in a tournament or evening, each with the state that must follow."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from games.models import Ply, Seat, Table
from games.play.clocks.timers import run_clock
from games.play.storage import store
from games.play.storage.table import PLAYING
from tests.cast import come_to_table, finish, person, start_table
from tests.tournaments import cast
from tests.tournaments.racing import Race, Stage, is_so
from tests.tournaments.walk.night import check_pace
from tournaments.flow.entry import attendance
from tournaments.flow.evenings import sessions
from tournaments.flow.planning import phases
from tournaments.flow.rounds import arena, lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Membership, Phase, Result, Round, SessionTable, Step, TimedSession

MOMENT = 0.05
MINUTES = 30
BOTH = ("", "")
ONE_OF_TWO = [False, True]


class Timed(Stage):
    """A round of half an hour in which two tables play until its bell; it is a moment before that."""

    def __init__(self) -> None:
        super().__init__(released=True, game="animal-poker", options={}, venue="online", round_minutes=MINUTES)
        lifecycle.begin_now(self.one, self.olga, 1, now=self.now)
        self.tables = [pod.table_id or "" for pod in self.pods]
        sweeper.sweep(now=self.now)
        self.bell = self.now + MINUTES * 60
        self.before, self.after = self.bell - MOMENT, self.bell + MOMENT

    @property
    def round(self) -> Round:
        return Round.objects.get(tournament=self.one)

    def bells(self) -> list[int]:
        """How often each table has heard it."""
        return [Ply.objects.filter(table=pk, event__contains="time-up").count() for pk in self.tables]

    def extend(self) -> None:
        lifecycle.extend(self.one, self.olga, 1, 10, key="k", now=self.before)

    def ring(self) -> None:
        sweeper.sweep(now=self.after)


def extend_and_bell() -> Race:
    stage = Timed()

    def holds(answers: tuple[str, str]) -> None:
        heard = 1 if answers[0] else 0
        is_so((stage.bells(), stage.round.has_rung, answers[1]), ([heard, heard], bool(heard), ""))
        is_so(answers[0] in ("", "The bell has already rung."), True)

    return Race(stage, (stage.extend, stage.ring), holds)


def two_sweepers_at_the_bell() -> Race:
    stage = Timed()

    def holds(answers: tuple[str, str]) -> None:
        is_so((stage.bells(), stage.count("bell"), answers), ([1, 1], 1, BOTH))

    return Race(stage, (stage.ring, stage.ring), holds)


def the_clock_of_a_table_and_the_bell() -> Race:
    stage = Timed()

    def run() -> None:
        for pk in stage.tables:
            run_clock(pk, now=stage.after)

    def holds(answers: tuple[str, str]) -> None:
        is_so((stage.bells(), stage.count("bell"), answers), ([1, 1], 1, BOTH))

    return Race(stage, (run, stage.ring), holds)


def pause_and_bell() -> Race:
    stage = Timed()

    def holds(answers: tuple[str, str]) -> None:
        sweeper.sweep(now=stage.after + 1)
        heard = 1 if stage.round.has_rung else 0
        stands = [store.reload(pk).runtime.paused_at is not None for pk in stage.tables]
        is_so((stage.bells(), stands, answers), ([heard, heard], [True, True], BOTH))

    return Race(stage, (partial(lifecycle.pause, stage.one, stage.otto, 1, now=stage.before), stage.ring), holds)


def a_result_that_two_tell() -> Race:
    """The game is over: its own process records that, and so does the sweeper."""
    stage = Timed()
    lifecycle.ring(stage.one, stage.olga, 1, now=stage.now)
    over = finish(store.reload(stage.tables[0]), now=stage.now)
    Result.objects.filter(pod__in=stage.pods).delete()
    result_count = stage.count("table-result")

    def holds(answers: tuple[str, str]) -> None:
        is_so((stage.accepted(), stage.count("table-result"), answers), (1, result_count + 1, BOTH))

    sweep = partial(sweeper.sweep, now=stage.now)
    return Race(stage, (partial(results.record_table, over, now=stage.now), sweep), holds)


def undo_and_result() -> Race:
    stage = Stage(released=True)
    decide = partial(
        results.decide, stage.one, stage.otto, stage.pods[0].pk, ReportedResult((1, 2, 3, 4)), now=stage.now
    )

    def holds(answers: tuple[str, str]) -> None:
        wanted = (["released"], 1) if answers[0] else (["draft"], 0)
        is_so(((stage.status(), stage.accepted()), sorted(map(bool, answers))), (wanted, ONE_OF_TWO))

    return Race(stage, (stage.revert(stage.olga, "release"), decide), holds)


def finish_and_a_late_result() -> Race:
    """A round was completed without the result of a game that ends as the tournament does: it stands beside."""
    stage = Stage(released=True, venue="online", rounds_planned=1)
    table, comes = stage.wait_for_the_last()
    comes()
    stage.complete(stage.olga, "void")
    over = finish(store.refresh(table.id), now=stage.now)
    Result.objects.filter(source="table").delete()

    def holds(answers: tuple[str, str]) -> None:
        reported = list(Result.objects.filter(source="table").values_list("status", flat=True))
        is_so((stage.count("finish"), stage.accepted(), reported, answers), (1, 2, ["proposed"], BOTH))

    end = partial(phases.move_on, stage.one, stage.olga, Phase.FINISHED, now=stage.now)
    return Race(stage, (end, partial(results.record_table, over, now=stage.now)), holds)


def draw_and_check_in() -> Race:
    """An entrant who comes in as it is drawn plays in that round, or is among those who came after it."""
    stage = Stage()
    late = stage.one.entrants.get(player=stage.players[0])
    Entrant.objects.filter(pk=late.pk).update(status="entered")

    def holds(answers: tuple[str, str]) -> None:
        late.refresh_from_db()
        left = [one.pk for one in lifecycle.list_undrawn(Round.objects.get(tournament=stage.one))]
        is_so((late.seats.count() + len(left), stage.count("draw"), answers), (1, 1, BOTH))

    check_in = partial(attendance.check_in, stage.one, stage.otto, [late.pk], now=stage.now)
    return Race(stage, (partial(stage.draw, stage.olga), check_in), holds)


def two_sweepers_in_an_arena() -> Race:
    stage = Stage(format="arena", venue="online", round_minutes=MINUTES)
    stage.one.entrants.update(ready_at=stage.now)
    arena.open_arena(stage.one, stage.olga, now=stage.now)

    def sweep() -> None:
        sweeper.sweep(now=stage.now + 60)

    def holds(answers: tuple[str, str]) -> None:
        sitting = Seat.objects.filter(table__pod__round__tournament=stage.one).exclude(player=None)
        is_so((stage.count("seat"), sitting.count(), answers), (1, 8, BOTH))

    return Race(stage, (sweep, sweep), holds)


def undo_and_undo_of_it() -> Race:
    """One takes back, the other does it again: it is one thing after the other."""
    stage = Stage(released=True)
    stage.revert(stage.olga, "release")()
    again = partial(step_undo.revert, stage.one, stage.otto, Step.objects.latest("number").number, now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        is_so((stage.status(), sorted(map(bool, answers))[0]), (["released"], False))

    return Race(stage, (again, partial(stage.release, stage.olga)), holds)


class Evening:
    """An evening of half an hour with a table that plays and one that waits; it is a moment before its bell."""

    def __init__(self) -> None:
        self.now = time.time()
        self.olga, self.otto, self.mara = person("Olga"), person("Otto"), person("Mara")
        club = cast.found(self.olga)
        for one in (self.otto, self.mara):
            Membership.objects.create(club=club, player=one)
        plan = sessions.EveningPlan("Friday", "animal-poker", MINUTES)
        self.one = sessions.open_evening(club, self.olga, plan, now=self.now)
        self.playing = self.add(self.olga.pk)
        come_to_table(self.playing, self.olga.pk, now=self.now)
        sweeper.sweep(now=self.now)
        self.bell = self.now + MINUTES * 60
        self.before, self.after = self.bell - MOMENT, self.bell + MOMENT

    @property
    def version(self) -> int:
        return sessions.find(self.one.pk).version

    @property
    def is_over(self) -> bool:
        return sessions.find(self.one.pk).has_rung

    def add(self, *players: int) -> str:
        version = self.version
        number = sessions.add_table(self.one, self.olga, players, version=version, now=self.now)
        return SessionTable.objects.get(timed_session=self.one, number=number).table_id

    def count(self, kind: str) -> int:
        return Step.objects.filter(evening=self.one, kind=kind).count()

    def bells(self) -> int:
        return Ply.objects.filter(table=self.playing, event__contains="time-up").count()

    def ring(self) -> None:
        sweeper.sweep(now=self.after)

    def check(self) -> None:
        """Its tables keep its pace, and nobody sits at two of them."""
        evening = TimedSession.objects.get(pk=self.one.pk)
        there = Table.objects.filter(session_table__timed_session=evening)
        for pk in there.filter(status=PLAYING).values_list("pk", flat=True):
            check_pace(evening, store.reload(pk))
        chairs = Seat.objects.filter(table__in=there.exclude(status="over")).exclude(player=None)
        assert set(Counter(chairs.values_list("player", flat=True)).values()) <= {1}, "somebody sits at two tables"


def extend_and_the_bell_of_an_evening() -> Race:
    stage = Evening()
    extend = partial(sessions.extend, stage.one, stage.olga, 10, version=stage.version, now=stage.before)

    def holds(answers: tuple[str, str]) -> None:
        heard = 1 if answers[0] else 0
        is_so((stage.bells(), stage.is_over, stage.count("bell"), answers[1]), (heard, bool(heard), heard, ""))

    return Race(stage, (extend, stage.ring), holds)


def pause_and_the_bell_of_an_evening() -> Race:
    stage = Evening()

    def holds(answers: tuple[str, str]) -> None:
        heard = 1 if answers[0] else 0
        is_so((stage.bells(), stage.is_over, stage.count("bell"), answers[1]), (heard, bool(heard), heard, ""))

    return Race(stage, (partial(sessions.pause, stage.one, stage.olga, now=stage.before), stage.ring), holds)


def two_sweepers_at_the_bell_of_an_evening() -> Race:
    stage = Evening()
    return Race(
        stage, (stage.ring, stage.ring),
        lambda answers: is_so((stage.bells(), stage.count("bell"), answers), (1, 1, BOTH)),
    )  # fmt: skip


def one_person_for_two_tables() -> Race:
    stage = Evening()
    add = partial(sessions.add_table, stage.one, stage.olga, [stage.mara.pk], version=stage.version, now=stage.now)
    return Race(
        stage, (add, add), lambda answers: is_so((stage.count("table"), sorted(map(bool, answers))), (2, ONE_OF_TWO))
    )


def close_and_come() -> Race:
    stage = Evening()
    waiting = stage.add(stage.mara.pk)
    close = partial(sessions.close_table, stage.one, stage.olga, 2, now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        is_there = SessionTable.objects.filter(table=waiting).exists()
        is_so((is_there, Table.objects.get(pk=waiting).status), (True, "playing") if answers[0] else (False, "over"))

    return Race(stage, (close, partial(come_to_table, waiting, stage.mara.pk, now=stage.now)), holds)


def bring_and_end() -> Race:
    """A table that is brought along hears the end, or goes on without the evening."""
    stage = Evening()
    table = start_table(stage.otto, now=stage.now, game="animal-poker", options={"minutes": 60})
    bring = partial(sessions.bring_table, stage.one, stage.otto, table.id, version=stage.version, now=stage.now)
    end = partial(sessions.end, stage.one, stage.olga, now=stage.now + 60)

    def holds(answers: tuple[str, str]) -> None:
        is_there = SessionTable.objects.filter(table=table.id).exists()
        is_so((is_there, stage.is_over, answers[1]), (not answers[0], True, ""))

    return Race(stage, (bring, end), holds)


RACES: tuple[Callable[[], Race], ...] = (
    extend_and_bell, two_sweepers_at_the_bell, the_clock_of_a_table_and_the_bell, pause_and_bell,
    a_result_that_two_tell, undo_and_result, finish_and_a_late_result, draw_and_check_in, two_sweepers_in_an_arena,
    undo_and_undo_of_it, extend_and_the_bell_of_an_evening, pause_and_the_bell_of_an_evening,
    two_sweepers_at_the_bell_of_an_evening, one_person_for_two_tables, close_and_come, bring_and_end,
)  # fmt: skip
