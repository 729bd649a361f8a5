"""Two clubs play the same night on one site: neither notices the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.models import Player, Table
from games.play.records import voiding
from games.play.storage import store
from tests.cast import NOW, open_table, person
from tests.tournaments.cast import begin, decide_all, draw, enter, entrant, found
from tournaments.flow.entry import attendance, organiser_decisions
from tournaments.flow.evenings import evening_sweeper, sessions
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.undo import evening_undo, step_undo
from tournaments.models import (
    Membership,
    Phase,
    Pod,
    PodSeat,
    Result,
    Round,
    SessionTable,
    Step,
    TimedSession,
    Tournament,
)

Act = Callable[[Tournament, Player], object]


def undo(one: Tournament, owner: Player) -> None:
    step_undo.revert(one, owner, Step.objects.filter(tournament=one).latest("number").number, now=NOW)


def forfeit(one: Tournament, owner: Player) -> None:
    chair = PodSeat.objects.get(pod__round__tournament=one, pod__round__number=1, pod__number=1, index=0)
    results.set_fate(one, owner, chair.pk, PodSeat.Fate.FORFEIT, now=NOW)


NIGHT: tuple[Act, ...] = (
    lambda one, owner: draw(owner, one, 1),
    undo,
    undo,
    lambda one, owner: lifecycle.release(one, owner, 1, now=NOW),
    undo,
    undo,
    lambda one, owner: lifecycle.begin_now(one, owner, 1, now=NOW),
    lambda one, owner: lifecycle.pause(one, owner, 1, now=NOW + 10),
    lambda one, owner: lifecycle.resume(one, owner, 1, now=NOW + 20),
    lambda one, owner: lifecycle.extend(one, owner, 1, 5, key="k", now=NOW + 20),
    forfeit,
    lambda one, owner: attendance.set_away(one, owner, [entrant(one, "Gus").pk], away=True, now=NOW),
    lambda one, owner: lifecycle.ring(one, owner, 1, now=NOW + 30),
    lambda one, owner: decide_all(owner, one, 1),
    lambda one, owner: lifecycle.complete(one, owner, 1, now=NOW + 40),
    lambda one, owner: organiser_decisions.penalise(
        one, owner, entrant(one, "Ada").pk, points=84, reason="Late.", key="k", now=NOW
    ),
    lambda one, owner: draw(owner, one, 2),
    lambda one, owner: lifecycle.release(one, owner, 2, now=NOW + 50),
    lambda one, owner: decide_all(owner, one, 2),
    lambda one, owner: lifecycle.complete(one, owner, 2, now=NOW + 60),
    lambda one, owner: phases.move_on(one, owner, Phase.FINISHED, now=NOW + 70),
    undo,
)


def describe(one: Tournament) -> list[object]:
    """The standings, independent of the pairings."""
    tables = Table.objects.filter(pod__round__tournament=one)
    return [
        Tournament.objects.get(pk=one.pk).phase,
        list(
            Round.objects.filter(tournament=one)
            .order_by("number")
            .values_list("number", "status", "has_rung", "paused_at", "ends_at", "released_at", "completed_at")
        ),
        list(one.entrants.order_by("number").values_list("name", "status", "is_away", "joined_round")),
        list(Pod.objects.filter(round__tournament=one).order_by("pk").values_list("number", "is_online", "trouble")),
        sorted(tables.values_list("pod__round__number", "pod__number", "status")),
        sorted(PodSeat.objects.filter(pod__round__tournament=one).values_list("pod__number", "index", "fate")),
        sorted(Result.objects.filter(pod__round__tournament=one).values_list("pod__number", "status", "places")),
        list(Step.objects.filter(tournament=one).order_by("number").values_list("kind", flat=True)),
    ]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_night_beside_another_one(ana: Player, eva: Player, is_first: bool) -> None:
    nights = []
    for owner in (ana, eva):
        one = begin(owner, [], venue="online", least=4, most=4, round_minutes=30, rounds_planned=2)
        enter(one, "Ada", "Bea", "Cem", "Dan", "Eli", "Fay", "Gus", "Hal")
        nights.append((one, owner))
    ahead, behind = nights if is_first else reversed(nights)
    for number, act in enumerate(NIGHT):
        act(*ahead)
        described = describe(ahead[0])
        act(*behind)
        assert describe(ahead[0]) == described, number
        assert describe(behind[0]) == described, number


def open_evening(owner: Player) -> TimedSession:
    """An evening of a club of this owner; a member has brought a table whose game has not begun."""
    plan, club, friend = (
        sessions.EveningPlan("Friday", "animal-poker", 30),
        found(owner),
        person(f"Friend of {owner.name}"),
    )
    Membership.objects.create(club=club, player=friend)
    one = sessions.open_evening(club, owner, plan, now=NOW)
    sessions.bring_table(one, friend, open_table(friend, game="animal-poker").id, version=0, now=NOW)
    return one


def seat_owner(one: TimedSession, owner: Player) -> None:
    version = sessions.find(one.pk).version
    sessions.add_table(one, owner, [owner.pk], version=version, now=NOW)


def extend(one: TimedSession, owner: Player) -> None:
    sessions.extend(one, owner, 15, version=sessions.find(one.pk).version, now=NOW)


def take_back(one: TimedSession, owner: Player) -> None:
    evening_undo.revert(one, owner, evening_undo.list_steps(one)[0].number, now=NOW + 40)


def strike(one: TimedSession, owner: Player) -> None:
    """Its last table is over."""
    voiding.void(SessionTable.objects.get(timed_session=one).table_id, reason="Fire alarm", now=NOW + 70)
    evening_sweeper.sync_tables(one.pk, now=NOW + 70)


EVENING: tuple[Callable[[TimedSession, Player], object], ...] = (
    seat_owner,
    lambda one, owner: sessions.close_table(one, owner, 2, now=NOW),
    take_back,
    extend,
    take_back,
    lambda one, owner: sessions.end(one, owner, now=NOW + 10),
    take_back,
    lambda one, owner: sessions.begin_table(one, owner, 2, now=NOW + 20),
    lambda one, owner: sessions.pause(one, owner, now=NOW + 30),
    lambda one, owner: sessions.resume(one, owner, now=NOW + 50),
    lambda one, owner: sessions.end(one, owner, now=NOW + 60),
    strike,
)


def describe_evening(one: TimedSession) -> list[object]:
    """How it stands."""
    rows = SessionTable.objects.filter(timed_session=one).order_by("number")
    tables = [(row.number, store.reload(row.table_id)) for row in rows]
    return [
        list(
            TimedSession.objects.filter(pk=one.pk).values_list(
                "version", "ends_at", "paused_at", "has_rung", "ended_at"
            )
        ),
        [(number, table.status, table.runtime.paused_at, table.ply, table.version) for number, table in tables],
        list(Step.objects.filter(evening=one).order_by("number").values_list("kind", flat=True)),
    ]


@pytest.mark.parametrize("is_first", [True, False])
def test_an_evening_beside_another_one(ana: Player, eva: Player, is_first: bool) -> None:
    nights = [(open_evening(owner), owner) for owner in (ana, eva)]
    ahead, behind = nights if is_first else reversed(nights)
    for number, act in enumerate(EVENING):
        before = describe_evening(behind[0])
        act(*ahead)
        assert describe_evening(behind[0]) == before, number
        described = describe_evening(ahead[0])
        act(*behind)
        assert describe_evening(ahead[0]) == described, number
        assert describe_evening(behind[0]) == described, number
