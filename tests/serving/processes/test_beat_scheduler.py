"""The beat keeps its pace when the computer's clock is set to another time."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from celery import Celery

from games.serving.beat_scheduler import SteadyScheduler

EVERY = 30.0


@pytest.mark.parametrize("jump", [-86_400, -40, 40])
def test_the_next_message_comes_after_its_time_and_no_later(monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    app = Celery("pace", broker="memory://", set_as_current=False)
    app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": EVERY}}
    beat = SteadyScheduler(app)
    assert EVERY - 2 < beat.tick() <= EVERY
    real, real_now = time.time, app.now
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    monkeypatch.setattr(Celery, "now", lambda _app: real_now() + timedelta(seconds=jump))
    assert EVERY - 2 < beat.tick() <= EVERY
