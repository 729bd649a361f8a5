"""What is counted beside moves and clocks: backups, deliveries, errors of tasks, routes, games, versions."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db import connections
from django.test import Client, override_settings
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from games import models
from games.accounts import mail
from games.notifications import delivery, push_client
from games.operation import metrics, process_metrics
from games.operation.version import DIGITS, find_version, read_commit
from games.play.moves import submission
from games.play.storage import store
from games.rules.base import Outcome
from games.work.task_threads import TaskQueue
from tests.cast import NOW, browser, legal, start_table, wait_for
from tests.servers import ROOT
from tournaments.flow.clubs import webhooks
from tournaments.models import Club, Delivery, Webhook


def read(name: str, **labels: str) -> float:
    """A sample of this process; 0 before it was first counted."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_the_newest_backup_has_an_age_and_none_is_infinitely_old(tmp_path: Path) -> None:
    with override_settings(DATA_DIR=tmp_path):
        assert read("menagerie_backup_age_seconds") == math.inf
        (tmp_path / "backups").mkdir()
        for name, age in (("menagerie-20260101-000000.jsonl.gz", 90_000), ("menagerie-20260102-000000.jsonl.gz", 600)):
            file = tmp_path / "backups" / name
            file.touch()
            os.utime(file, (time.time() - age,) * 2)
        (tmp_path / "backups" / "menagerie-20260103-000000.jsonl.gz.part").touch()
        assert read("menagerie_backup_age_seconds") == pytest.approx(600, abs=30)


def test_the_version_is_the_commit_that_is_checked_out(tmp_path: Path) -> None:
    commit = read_commit(ROOT)
    if (ROOT / ".git").exists():
        assert find_version().endswith(f"+{commit[:DIGITS]}")
    assert read("menagerie_version_info", version=find_version()) == 1
    git, one, two = tmp_path / ".git", "1" * 40, "2" * 40
    assert read_commit(tmp_path) == ""
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text(f"# pack-refs with: peeled\n{one} refs/heads/main\n")
    assert read_commit(tmp_path) == one
    (git / "refs" / "heads" / "main").write_text(f"{two}\n")
    assert read_commit(tmp_path) == two
    (git / "HEAD").write_text(f"{one}\n")
    assert read_commit(tmp_path) == one


def test_connections_are_those_of_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pool:
        def get_stats(self) -> dict[str, int]:
            return {"pool_size": 7, "pool_available": 5, "requests_waiting": 3}

    assert math.isnan(read("menagerie_database_connections", state="in_use")), "SQLite has no pool"
    monkeypatch.setattr(connections["default"], "_connection_pools", {"default": Pool()}, raising=False)
    found = {state: read("menagerie_database_connections", state=state) for state in process_metrics.STATES}
    assert found == {"in_use": 2, "idle": 5, "waiting": 3}
    with override_settings(DATABASE_POOL=9):
        assert read("menagerie_database_connections_max") == 9


def test_an_error_in_a_task_is_counted_by_its_name() -> None:
    class Failing:
        name = "test.failing"

        def run(self) -> None:
            raise ZeroDivisionError

    before = read("menagerie_task_errors_total", task="test.failing")
    queue = TaskQueue("test-errors")
    queue.put(Failing(), ())
    last = time.monotonic() + 30
    while read("menagerie_task_errors_total", task="test.failing") == before and time.monotonic() < last:
        time.sleep(0.01)
    process_metrics.count_task_error(sender=Failing())  # as Celery tells it of a task in the worker's own threads
    assert read("menagerie_task_errors_total", task="test.failing") == before + 2


def test_webhooks_that_arrive_and_fail_are_counted(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = Webhook.objects.create(club=Club.objects.create(slug="harbour", name="Harbour"), url="https://a.org/")
    before = [read("menagerie_deliveries_total", kind="webhook", result=result) for result in metrics.RESULTS]
    for answer in ("200", "500", "no answer"):
        key = f"test/{answer}"
        made = Delivery.objects.create(webhook=hook, event="test", key=key, body="{}", due_at=NOW, at=NOW)
        monkeypatch.setattr(webhooks, "send", lambda *_args, answer=answer, **_kwargs: answer)
        webhooks.deliver(made.pk, now=NOW)
    after = [read("menagerie_deliveries_total", kind="webhook", result=result) for result in metrics.RESULTS]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 2]


def test_letters_and_pushes_are_counted() -> None:
    def count(kind: str) -> list[float]:
        return [read("menagerie_deliveries_total", kind=kind, result=result) for result in metrics.RESULTS]

    letters, pushes = count("email"), count("push")
    with override_settings(EMAIL_HOST="127.0.0.1", EMAIL_PORT=1):
        mail._send(EmailMessage("subject", "body", "a@example.org", ["b@example.org"]))
    delivery._count_answers(["201", "404", "500", "timeout", push_client.SILENT])
    assert [now - then for now, then in zip(count("email"), letters, strict=True)] == [0, 1]
    assert [now - then for now, then in zip(count("push"), pushes, strict=True)] == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_a_game_counts_once_when_it_ends(ana: models.Player) -> None:
    table = start_table(ana)
    before = read("menagerie_games_finished_total", game=table.rules.slug)
    process_metrics.count_game(table)  # a deal is over, the game is not
    assert read("menagerie_games_finished_total", game=table.rules.slug) == before
    process_metrics.count_game(table.changed(status="over"))  # closed without an outcome
    assert read("menagerie_games_finished_total", game=table.rules.slug) == before
    outcome = Outcome(places=(1, 2, 3, 4), scores=(9, 5, 3, 0))
    store.commit(table, table.changed(status="over", outcome=outcome, ended_at=NOW + 60))
    assert read("menagerie_games_finished_total", game=table.rules.slug) == before + 1


@pytest.mark.django_db(transaction=True)
def test_routes_and_labels_name_no_person(ana: models.Player, client: Client) -> None:
    """Addresses hold ids, names and secrets; labels hold the names of views, and words of closed lists."""
    now = time.time()
    table = wait_for(start_table(ana, now=now), ana, now=now)
    asking = browser(ana)
    paths = (f"/people/{ana.pk}/", f"/tables/{table.id}/", "/join/sesame/", "/nowhere/sesame/", "/static/sesame.css")
    before = read("menagerie_request_seconds_count", route="table")
    for path in paths:
        asking.get(path)
    submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=now)
    assert read("menagerie_request_seconds_count", route="table") == before + 1
    assert read("menagerie_request_seconds_count", route="none") > 0
    text = metrics.write().decode()
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples if family.name.startswith("menagerie_") else ():
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    allowed_labels = {"game", "kind", "le", "queue", "result", "route", "source", "state", "status", "task", "version"}
    assert labels.keys() <= allowed_labels
    secrets: list[Any] = ["sesame", "Ana", table.id, table.secret, f"/{ana.pk}"]
    assert [word for word in secrets if word in text] == []
