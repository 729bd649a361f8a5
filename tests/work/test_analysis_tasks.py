"""The process of an analysis: however long its result is, it comes; and a process that hangs is ended."""

from __future__ import annotations

import threading

import pytest

from games.models import GameAnalysis
from games.play.records import analyses
from games.work import analysis_tasks

LONG_RESULT = """
import json, sys
assert sys.stdin.read() == "record"
print("progress 1 2", file=sys.stderr, flush=True)
json.dump({"decisions": ["x" * 100] * 5_000}, sys.stdout)
sys.stdout.flush()
print("progress 2 2", file=sys.stderr, flush=True)
"""
"""Writes half a megabyte, many times what a pipe holds."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The progress that was noted."""
    found: list[tuple[int, int]] = []

    def note(_job: GameAnalysis, done: int, total: int, *, now: float) -> bool:
        assert [
            thread for thread in threading.enumerate() if isinstance(thread, threading.Timer) and not thread.daemon
        ] == []
        found.append((done, total))
        return now > 0

    monkeypatch.setattr(analyses, "note_progress", note)
    return found


def test_a_long_result_is_read_whole(told: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_tasks, "COMMAND", ("-c", LONG_RESULT))
    monkeypatch.setattr(analysis_tasks, "MAX_SECONDS", 60.0)
    found = analysis_tasks._compute(GameAnalysis(), "record")
    assert found == {"decisions": ["x" * 100] * 5_000}
    assert told == [(1, 2), (2, 2)]


def test_a_process_that_says_nothing_is_ended(told: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_tasks, "COMMAND", ("-c", "import time; time.sleep(60)"))
    monkeypatch.setattr(analysis_tasks, "MAX_SECONDS", 0.3)
    with pytest.raises(RuntimeError, match="it took too long"):
        analysis_tasks._compute(GameAnalysis(), "record")
    assert told == []


def test_why_a_process_failed_is_told(told: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_tasks, "COMMAND", ("-c", "raise SystemExit('no such game')"))
    with pytest.raises(RuntimeError, match="no such game"):
        analysis_tasks._compute(GameAnalysis(), "record" * 100_000)
    assert told == []
