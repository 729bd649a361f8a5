"""Decisions that a process makes: asked for once, played once, dropped when the table has gone on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from prometheus_client import REGISTRY

from games import bots, models
from games.play.moves import submission
from games.play.storage import codec, store
from games.play.storage.table import LoadedTable
from games.rules.base import Move
from games.work import bot_thinking, tasks
from games.work.thinking_process import ComputationFailed, ServerEnded
from tests.cast import start_table, to_move
from tests.work.test_thinking_process import await_that


class Processes:
    """In the place of the processes: computes when it is told to."""

    def __init__(self) -> None:
        self.jobs: list[tuple[bots.Question, Future[Move]]] = []

    def submit(self, work: object, question: bots.Question) -> Future[Move]:
        """Note what is to be computed."""
        assert work is bots.answer
        self.jobs.append((question, Future()))
        return self.jobs[-1][1]

    def compute(self, at: int = -1) -> Move:
        """Compute one job."""
        question, done = self.jobs[at]
        move = bots.answer(question)
        done.set_result(move)
        return move

    def close(self) -> None:
        """There is nothing to end."""


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    made = Processes()
    monkeypatch.setattr(bot_thinking, "_processes", made)
    yield made
    bot_thinking.stop()


@pytest.fixture
def sent_turns(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The turns of bots that were sent."""
    messages: list[Any] = []
    monkeypatch.setattr(tasks.bot_turn, "apply_async", lambda args, **_how: messages.append(args))
    return messages


def sharp_turn(ana: models.Player, **overrides: Any) -> LoadedTable:
    """A table at which a bot of `sharp` is to move, and has a choice."""
    table = start_table(ana, now=time.time(), **overrides)
    models.Seat.objects.filter(table_id=table.id, bot="random").update(bot="sharp")
    store.forget(table.id)
    table = store.fetch(table.id)
    while (
        table.bot_level(to_move(table)) is None or len(table.rules.legal_moves(table.state, to_move(table)) or ()) < 2
    ):
        move = (table.rules.legal_moves(table.state, to_move(table)) or ())[0]
        table = submission._apply_move(table, to_move(table), dict(move), key=None, now=time.time())
    return table


def test_a_move_is_decided_in_a_process_and_made_once(
    ana: models.Player, processes: Processes, sent_turns: list[Any]
) -> None:
    table = sharp_turn(ana)
    for _ in range(3):
        tasks.bot_turn(table.id, table.ply)
    assert (store.reload(table.id).ply, len(processes.jobs)) == (table.ply, 1)
    question, _ = processes.jobs[0]
    assert question.view == table.rules.view(table.state, to_move(table))
    sent_turns.clear()
    move = processes.compute()
    assert sent_turns == [(table.id, table.ply)]
    for _ in range(3):
        tasks.bot_turn(table.id, table.ply)
    assert (store.reload(table.id).ply, len(processes.jobs)) == (table.ply + 1, 1)
    stored = models.Ply.objects.get(table_id=table.id, number=table.ply + 1)
    assert f'"move":{codec.write(dict(move))}' in stored.event


def test_what_takes_no_time_is_decided_at_once(ana: models.Player, processes: Processes) -> None:
    table = start_table(ana, now=time.time())
    tasks.bot_turn(table.id, table.ply)
    sharp = sharp_turn(ana, game="super-zwierzaki", options={})
    tasks.bot_turn(sharp.id, sharp.ply)
    assert store.reload(sharp.id).ply == sharp.ply + 1
    assert processes.jobs == []


def test_an_overtaken_decision_is_dropped(
    ana: models.Player, processes: Processes, sent_turns: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    table = sharp_turn(ana)
    tasks.bot_turn(table.id, table.ply)
    other = (table.rules.legal_moves(table.state, to_move(table)) or ())[0]
    with django_capture_on_commit_callbacks(execute=True):
        submission._apply_move(table, to_move(table), dict(other), key=None, now=time.time())
    assert processes.jobs[0][1].cancelled()
    sent_turns.clear()
    tasks.bot_turn(table.id, table.ply)
    assert (store.reload(table.id).ply, len(processes.jobs), sent_turns) == (table.ply + 1, 1, [])


def test_a_decision_that_failed_is_made_again(ana: models.Player, processes: Processes) -> None:
    table = sharp_turn(ana)
    tasks.bot_turn(table.id, table.ply)
    processes.jobs[0][1].set_exception(ComputationFailed("a fault of the bot"))
    with pytest.raises(ComputationFailed, match="a fault of the bot"):
        tasks.bot_turn(table.id, table.ply)
    tasks.bot_turn(table.id, table.ply)
    processes.compute()
    tasks.bot_turn(table.id, table.ply)
    assert (store.reload(table.id).ply, len(processes.jobs)) == (table.ply + 1, 2)


def test_while_the_server_ends_no_decision_is_asked_for(
    ana: models.Player, processes: Processes, sent_turns: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sharp_turn(ana)
    tasks.bot_turn(table.id, table.ply)
    sent_turns.clear()
    processes.jobs[0][1].set_exception(ServerEnded())
    assert sent_turns == []
    bot_thinking.drop_overtaken(table._replace(ply=table.ply + 1))

    def refuse(*_asked: object) -> None:
        raise ServerEnded

    monkeypatch.setattr(processes, "submit", refuse)
    tasks.bot_turn(table.id, table.ply)
    assert store.reload(table.id).ply == table.ply


def test_decisions_that_no_process_has_begun_are_counted() -> None:
    bot_thinking.start(1)
    try:
        assert bot_thinking._processes is not None
        for _ in range(3):
            bot_thinking._processes.submit(time.sleep, 60)
        await_that(lambda: REGISTRY.get_sample_value("menagerie_bot_decisions_waiting") == 2)
    finally:
        bot_thinking.stop()


def test_without_processes_bots_think_in_the_server(ana: models.Player) -> None:
    bot_thinking.start(0)
    table = sharp_turn(ana)
    tasks.bot_turn(table.id, table.ply)
    assert store.reload(table.id).ply == table.ply + 1
    assert bot_thinking.compute(len, "four") == 4
