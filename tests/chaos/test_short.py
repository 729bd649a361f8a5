"""A minute under fire, with real processes. `make chaos` is the whole of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from chaos import campaign, verdict
from chaos.campaign import Campaign, CampaignOptions

GAMES, TABLES, SECONDS = 10, 6, 25.0


def run_campaign(setup: str, made: Path, *faults: str) -> Campaign:
    """A short campaign in which everything holds."""
    found = campaign.run(CampaignOptions(setup, GAMES, TABLES, SECONDS, faults, made=made))
    assert [(point.name, point.faults) for point in verdict.judge(found) if point.faults] == []
    assert len(found.book.ended) >= TABLES
    assert found.under_fire() > 0
    return found


@pytest.mark.cc
def test_one_process_is_killed_has_no_disk_and_another_time(empty_club: Path) -> None:
    found = run_campaign("embedded", empty_club, "clock", "web", "disk")
    assert found.struck["clock"] > 0


@pytest.mark.postgresql
@pytest.mark.redis
def test_many_processes_lose_a_worker_redis_and_the_database(kept_postgres: Path) -> None:
    found = run_campaign("production", kept_postgres, "worker", "redis", "postgres")
    assert found.struck["worker"] > 0
