"""Tables that stand still and games that go to files, on PostgreSQL: tests from beside this one, run there, too.

They run in a process of their own, whose database is PostgreSQL; each in a transaction that is undone.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test.utils import override_settings, setup_test_environment

from games import memo
from games.models import Player
from games.play.storage.table import LoadedTable
from tests import programs
from tests.cast import person, start_table, wait_for
from tests.play.clocks import test_idle_tables as idle
from tests.servers import ROOT, Installation
from tests.tournaments.flow.archive import test_filing as filing

RUN = "import django; django.setup(); from tests.play import test_on_postgresql; test_on_postgresql.main({name!r})"


def list_idle(ana: Player, ben: Player) -> Iterator[Callable[[], None]]:
    """What finds tables without people, holds them, and lets them go on."""

    def table() -> LoadedTable:
        return wait_for(start_table(ana, ben, turn_seconds=3600, options={"deals": 50}), ana)

    yield lambda: idle.test_a_table_without_people_stands_still_after_ten_minutes(table())
    yield lambda: idle.test_it_goes_on_by_itself_when_one_of_its_people_comes_back(table(), ana)
    yield lambda: idle.test_no_bot_moves_and_no_clock_runs_at_it(table(), ana, ben)
    yield lambda: idle.test_somebody_who_is_there_keeps_it_going(table(), ana)
    yield lambda: idle.test_a_look_is_written_once_a_minute(table())
    yield lambda: idle.test_time_in_which_nobody_could_come_does_not_count(table())
    yield lambda: idle.test_what_is_arranged_goes_on(ana, ben)
    yield lambda: idle.test_a_table_of_bots_only_goes_on(None)


def list_filing(ana: Player, ben: Player) -> Iterator[Callable[[], None]]:
    """What finds old games, writes them to files and takes their plies away; and what closes tables."""
    yield lambda: filing.test_what_is_derived_stays_and_can_be_computed_again(ana, ben, "karriere-poker")
    yield lambda: filing.test_a_filed_game_can_be_watched_and_its_record_verifies(ana, ben, settings)
    yield lambda: filing.test_nothing_is_lost_if_somebody_is_killed_between_any_two_statements(ana, ben)
    yield lambda: filing.test_young_struck_and_arranged_games_stay(ana, ben)
    yield lambda: filing.test_tables_to_which_nobody_comes_back_are_closed(ana, ben, settings)


LISTS = {"idle": list_idle, "filing": list_filing}


def main(name: str) -> None:
    """Run the tests of this list; prints how many they were."""
    setup_test_environment()
    ana, ben = person("Ana", "fox"), person("Ben", "owl")
    done = 0
    for test in LISTS[name](ana, ben):
        with (
            override_settings(GAMES_DIR=settings.DATA_DIR / f"games-{done}", KEEP_GAMES_DAYS=30),
            transaction.atomic(),
        ):
            test()
            transaction.set_rollback(True)
        memo.forget_all()
        done += 1
    print(f"{done} on {connection.vendor}")  # noqa: T201 - it is run by itself


@pytest.mark.postgresql
@pytest.mark.parametrize(("name", "count"), [("idle", 8), ("filing", 5)])
def test_on_postgresql(postgres: str, tmp_path: Path, name: str, count: int) -> None:
    club = Installation(tmp_path, {"DATABASE_URL": programs.copy_database(postgres, name)})
    environment = club.environment(DJANGO_SETTINGS_MODULE="config.settings", MOVES_PER_SECOND="1000")
    command = [sys.executable, "-c", RUN.format(name=name)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == f"{count} on postgresql\n", done.stderr
