"""Traces of a move, read from an exporter in memory; and nothing at all while they are off."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from games import models
from games.operation import spans
from games.play.signals import table_changed
from games.play.storage import store
from games.work import task_origin
from tests.cast import browser, legal, start_table, wait_for
from tests.servers import ROOT, Installation


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Traces are on, and go here."""
    made = InMemorySpanExporter()
    spans.start_tracing("", version="1", exporter=made)
    monkeypatch.setattr(store, "around_write", partial(spans.span, "database"))
    yield made
    spans.stop_tracing()


def parents(finished: tuple[ReadableSpan, ...]) -> dict[str, str]:
    """The name of each span's parent, by its own name."""
    names = {span.context.span_id: span.name for span in finished if span.context is not None}
    return {span.name: names.get(span.parent.span_id, "elsewhere") if span.parent else "" for span in finished}


@pytest.mark.django_db(transaction=True)
def test_a_move_is_one_trace_from_the_browser_to_worker_and_screens(
    ana: models.Player, exporter: InMemorySpanExporter
) -> None:
    now = time.time()
    table = wait_for(start_table(ana, now=now), ana, now=now)
    exporter.clear()
    caller = f"00-{'a' * 32}-{'b' * 16}-01"
    headers: dict[str, Any] = {}
    move = {"move": legal(table, 0)[0], "ply": table.ply, "key": "k"}

    def send_message(**_kwargs: object) -> None:
        task_origin.name_origin(headers=headers)

    table_changed.connect(send_message)
    try:
        answer = browser(ana).post(
            reverse("moves", args=[table.id]), move, content_type="application/json", headers={"traceparent": caller}
        )
    finally:
        table_changed.disconnect(send_message)
    assert answer.status_code == 200
    task = SimpleNamespace(name="games.tasks.bot_turn", request=SimpleNamespace(id="1", headers=headers))
    task_origin.take_origin(task=task)
    task_origin.close_span(task=task)
    with spans.show(table.id, sockets=3):
        pass
    finished = exporter.get_finished_spans()
    assert parents(finished) == {
        "database": "web moves", "worker games.tasks.bot_turn": "web moves", "screens": "web moves",
        "web moves": "elsewhere",
    }  # fmt: skip
    assert {f"{span.context.trace_id:032x}" for span in finished if span.context} == {"a" * 32}
    attributes = str([dict(span.attributes or {}) for span in finished])
    assert [word for word in ("Ana", table.secret, "sesame") if word in attributes] == []


def test_the_way_from_a_browser_is_a_span_that_began_before(exporter: InMemorySpanExporter) -> None:
    received = time.time()
    with spans.browser(received, 0.25), spans.span("web socket move", table="t"):
        pass
    with spans.browser(received, None):
        pass
    inner, outer = exporter.get_finished_spans()
    assert parents((inner, outer)) == {"web socket move": "browser", "browser": ""}
    assert outer.start_time == int((received - 0.25) * 1e9)


def test_a_change_that_no_trace_made_shows_none(exporter: InMemorySpanExporter) -> None:
    with spans.show("t"):
        pass
    for number in range(spans.MAX_MARKED + 5):
        spans.mark(f"t-{number}", f"00-{'a' * 32}-{'b' * 16}-01")
    assert len(spans._marks) == spans.MAX_MARKED
    assert exporter.get_finished_spans() == ()


def test_off_there_are_no_spans_and_nothing_is_imported(club: Installation) -> None:
    with spans.span("web") as opened, spans.browser(time.time(), 0.1), spans.show("t"):
        assert opened is None
    assert (spans.format_traceparent(), spans.is_on()) == ("", False)
    text = "import sys; print([name for name in sys.modules if name.startswith('opentelemetry')])"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", text]
    done = subprocess.run(command, cwd=ROOT, env=club.environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter", None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements/tracing\.txt"):
        spans.start_tracing("http://127.0.0.1:4318/v1/traces", version="1")
    assert not spans.is_on()
