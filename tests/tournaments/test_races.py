"""Two processes at one tournament at the same moment, on both databases: each thing happens once, or says why not.

RACES=50 runs each race so often.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import programs
from tests.servers import ROOT, Installation
from tests.tournaments import races, races_of_people, races_of_time
from tests.tournaments.racing import Race

RACES: tuple[Callable[[], Race], ...] = (*races.RACES, *races_of_time.RACES, *races_of_people.RACES)
TIMES = int(os.environ.get("RACES", "1"))
RUN = "import django; django.setup(); from tests.tournaments import test_races; test_races.main({times})"


def main(times: int) -> None:
    """Run every race so often; prints what did not hold, one line each, and at last how many that were."""
    wrong = 0
    for set_up in RACES:
        for _ in range(times):
            if outcomes := set_up().run():
                wrong += 1
                print(set_up.__name__, outcomes, flush=True)  # noqa: T201 - it is run by itself
    print(f"{wrong} wrong of {times * len(RACES)}", flush=True)  # noqa: T201


def race(club: Installation) -> str:
    """What the races say."""
    environment = club.environment(DJANGO_SETTINGS_MODULE="config.settings")
    command = [sys.executable, "-c", RUN.format(times=TIMES)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=1100, check=False)
    return done.stdout or done.stderr


@pytest.mark.slow
def test_on_sqlite(empty_club: Path, tmp_path: Path) -> None:
    shutil.copytree(empty_club, tmp_path / "club")
    assert race(Installation(tmp_path / "club")) == f"0 wrong of {TIMES * len(RACES)}\n"


@pytest.mark.postgresql
def test_on_postgresql(postgres: str, tmp_path: Path) -> None:
    url = programs.copy_database(postgres, "races")
    assert race(Installation(tmp_path, {"DATABASE_URL": url})) == f"0 wrong of {TIMES * len(RACES)}\n"
