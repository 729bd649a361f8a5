"""Messages to workers may come late, twice, in any order: afterwards all is as if each had come at once, and once."""

from __future__ import annotations

import random
from typing import Any

import pytest
from celery import Task

from games.models import Player, Table
from tests.cast import NOW, finish, start_table
from tests.tournaments.cast import NAMES, begin, decide_all, release
from tests.tournaments.flow.clubs.test_webhooks import _local
from tests.tournaments.flow.counting.test_finished_tables import everything
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.clubs import webhooks
from tournaments.flow.counting import recomputing
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle
from tournaments.models import CountedTable, Delivery, Phase
from tournaments.work import tasks

__all__ = ["_local"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(2))
def test_late_twice_and_in_any_order(ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    waiting: list[tuple[Any, tuple[Any, ...]]] = []
    collected: list[str] = []

    def answer(_url: str, _secrets: Any, _event: str, body: str, **_words: Any) -> str:
        collected.append(body)
        return "200"

    monkeypatch.setattr(Task, "apply_async", lambda task, args=(), **_words: waiting.append((task, tuple(args))))
    monkeypatch.setattr(webhooks, "send", answer)
    tournament = begin(ana, NAMES[:4], least=4, most=4, rounds_planned=1)
    webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    release(ana, tournament, 1)
    decide_all(ana, tournament, 1)
    for game, options in (("animal-poker", {"sessions": 2}), ("animals-on-board", {})):
        finish(start_table(ana, ben, game=game, options=options))
    lifecycle.complete(tournament, ana, 1, now=NOW)
    undo(ana, tournament, "complete")
    lifecycle.complete(tournament, ana, 1, now=NOW)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    assert CountedTable.objects.count() == 0
    Delivery.objects.update(due_at=0)
    rng = random.Random(seed)
    messages = [*waiting, *waiting]
    rng.shuffle(messages)
    for task, args in messages:
        task.run(*args)
    assert len(collected) == len(set(collected)) == Delivery.objects.filter(due_at=None, attempts=1).count() == 3
    assert Table.objects.filter(status="over").count() == 2
    tasks.sweep_results()
    before = everything()
    changed = recomputing.recompute(now=NOW)
    assert changed is not None
    assert (changed[1:], everything()) == ((0, 0, 0, 0), before)
    assert len({name for name, _args in waiting}) > 3
