"""Two clubs play the same night in one house: neither notices the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.models import Player, Table
from tests.cast import NOW
from tests.tournaments.cast import begin, decide_all, draw, enter, entrant
from tournaments.flow import phases, presence, results, reverting, rounds, rulings
from tournaments.models import Phase, Pod, PodSeat, Result, Round, Step, Tournament

Act = Callable[[Tournament, Player], object]


def undo(one: Tournament, owner: Player) -> None:
    reverting.revert(one, owner, Step.objects.filter(tournament=one).latest("number").number, now=NOW)


def forfeit(one: Tournament, owner: Player) -> None:
    chair = PodSeat.objects.get(pod__round__tournament=one, pod__round__number=1, pod__number=1, index=0)
    results.set_fate(one, owner, chair.pk, PodSeat.Fate.FORFEIT, now=NOW)


NIGHT: tuple[Act, ...] = (
    lambda one, owner: draw(owner, one, 1),
    undo,
    undo,
    lambda one, owner: rounds.release(one, owner, 1, now=NOW),
    undo,
    undo,
    lambda one, owner: rounds.begin_now(one, owner, 1, now=NOW),
    lambda one, owner: rounds.pause(one, owner, 1, now=NOW + 10),
    lambda one, owner: rounds.resume(one, owner, 1, now=NOW + 20),
    lambda one, owner: rounds.extend(one, owner, 1, 5, key="k", now=NOW + 20),
    forfeit,
    lambda one, owner: presence.set_away(one, owner, [entrant(one, "Gus").pk], away=True, now=NOW),
    lambda one, owner: rounds.ring(one, owner, 1, now=NOW + 30),
    lambda one, owner: decide_all(owner, one, 1),
    lambda one, owner: rounds.complete(one, owner, 1, now=NOW + 40),
    lambda one, owner: rulings.penalise(
        one, owner, entrant(one, "Ada").pk, points=84, reason="Late.", key="k", now=NOW
    ),
    lambda one, owner: draw(owner, one, 2),
    lambda one, owner: rounds.release(one, owner, 2, now=NOW + 50),
    lambda one, owner: decide_all(owner, one, 2),
    lambda one, owner: rounds.complete(one, owner, 2, now=NOW + 60),
    lambda one, owner: phases.move_on(one, owner, Phase.FINISHED, now=NOW + 70),
    undo,
)


def tell(one: Tournament) -> list[object]:
    """How it stands, whoever was drawn to whom."""
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
        said = tell(ahead[0])
        act(*behind)
        assert tell(ahead[0]) == said, number
        assert tell(behind[0]) == said, number
