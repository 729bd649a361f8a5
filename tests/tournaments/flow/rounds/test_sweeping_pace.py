"""While nothing is under way, tournaments are looked after more rarely; as soon as something is, every second."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from games import models
from tests.cast import NOW
from tests.tournaments.cast import begin, decide_all, found, release
from tournaments.flow.rounds import sweeper
from tournaments.models import Round, TimedSession
from tournaments.work import tasks

pytestmark = pytest.mark.django_db


class Clock:
    """Seconds as the task reads them, and the moments of its sweeps."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.sweeps: list[float] = []

    def run(self, seconds: int) -> list[float]:
        """What was swept when the task ran every second for so long: seconds from the first run."""
        began, self.sweeps = self.at, []
        for _ in range(seconds):
            tasks.run_due()
            self.at += 1
        return [at - began for at in self.sweeps]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the task, which has not run yet."""
    made = Clock()
    monkeypatch.setattr(tasks, "time", SimpleNamespace(time=lambda: NOW, monotonic=lambda: made.at))
    monkeypatch.setattr(tasks, "_last_swept", float("-inf"))
    monkeypatch.setattr(tasks, "_last_under_way", float("-inf"))
    monkeypatch.setattr(sweeper, "sweep", lambda now: made.sweeps.append(made.at))
    return made


def test_without_a_tournament_only_what_was_interrupted_is_looked_for(clock: Clock) -> None:
    assert clock.run(61) == [0, 20, 40, 60]


def test_a_round_is_looked_after_every_second_and_for_a_while_when_it_is_over(ana: models.Player, clock: Clock) -> None:
    tournament = begin(ana)
    clock.run(5)
    release(ana, tournament, 1)
    assert clock.run(30) == list(range(30))
    decide_all(ana, tournament, 1)
    Round.objects.update(status=Round.Status.COMPLETE)
    assert clock.run(600) == list(range(600))
    assert len(clock.run(100)) == 5


def test_an_evening_is_looked_after_every_second_from_a_day_before_it_begins(ana: models.Player, clock: Clock) -> None:
    evening = TimedSession.objects.create(
        id="e", club=found(ana), name="Friday", starts_at=NOW + 2 * 86_400, ends_at=NOW + 3 * 86_400
    )
    assert len(clock.run(60)) == 3
    TimedSession.objects.filter(pk=evening.pk).update(starts_at=NOW + 80_000)
    assert clock.run(30) == list(range(30))
    TimedSession.objects.filter(pk=evening.pk).update(ended_at=NOW)
    clock.run(600)
    assert len(clock.run(100)) == 5
