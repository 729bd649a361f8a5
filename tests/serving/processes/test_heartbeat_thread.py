"""A server is there as long as its heart beats, and notices when it was not."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from games import models
from games.management.commands.serve import Command
from games.play.storage import store
from games.serving.heartbeat_thread import HeartbeatThread
from tests.cast import start_table, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def await_truth(holds: Callable[[], bool]) -> None:
    """Wait until this holds."""
    last = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < last
        time.sleep(0.01)


def test_it_keeps_the_pulse_though_nobody_sweeps(ana: models.Player) -> None:
    table = start_table(ana, now=time.time())
    models.Pulse.objects.create(pk=1, at=time.time() - 3)
    before = store.reload(table.id).version
    heartbeat = HeartbeatThread(seconds=0.01)
    heartbeat.start()
    await_truth(lambda: models.Pulse.objects.get().at > time.time() - 1)
    heartbeat.stop()
    assert store.reload(table.id).version == before


def test_after_an_interruption_it_gives_the_time_back(ana: models.Player) -> None:
    then = time.time() - 3600
    table = wait_for(start_table(ana, turn_seconds=30, now=then), ana, now=then)
    models.Pulse.objects.create(pk=1, at=then)
    heartbeat, began = HeartbeatThread(seconds=0.01), time.time()
    heartbeat.start()
    await_truth(lambda: store.reload(table.id).version > table.version)
    heartbeat.stop()
    assert began + 30 <= store.reload(table.id).runtime.clocks[0].due <= time.time() + 30


@pytest.mark.parametrize("is_embedded", [True, False])
def test_only_the_one_process_knows_as_it_starts_that_nobody_was_there(
    ana: models.Player, settings: Any, is_embedded: bool
) -> None:
    settings.IS_EMBEDDED = is_embedded
    then = time.time() - 3
    table = wait_for(start_table(ana, turn_seconds=30, now=then - 1), ana, now=then - 1)
    models.Pulse.objects.create(pk=1, at=then)
    Command()._check_database(prepare=False)
    given = store.reload(table.id).runtime.clocks[0].due - table.runtime.clocks[0].due
    assert 3 <= given <= time.time() - then if is_embedded else given == 0


def test_it_ends_at_once_when_it_is_told_to() -> None:
    heartbeat = HeartbeatThread(seconds=600)
    heartbeat.start()
    began = time.monotonic()
    heartbeat.stop()
    assert time.monotonic() - began < 60
