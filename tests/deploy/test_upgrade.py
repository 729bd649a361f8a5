"""Upgrade and rollback, each one command: the drill, and versions that cannot be built, migrated to or started."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.servers import ROOT

DEPLOY = ROOT / "deploy"
SCRIPTS = ("upgrade", "rollback", "restart")
GIT = "/usr/bin/git"
UNITS = ("menagerie-web@8001.service", "menagerie-web@8002.service", "menagerie-worker@9101.service")
SYSTEMCTL = """
if [ "$1" = list-units ]; then
    shift 4
    for pattern in "$@"; do
        for unit in {units}; do case $unit in $pattern) echo "$unit loaded active running x";; esac; done
    done
    exit 0
fi
[ "$1" = restart ] && [ -e broken-start ] && exit 1
echo "$* by $(cat number)" >>{log}
"""


class Machine(NamedTuple):
    """A machine with the club: where it is installed, where its versions come from, and what was done there."""

    installed: Path
    origin: Path
    log: Path
    environment: dict[str, str]

    def run(self, script: str, *args: str) -> subprocess.CompletedProcess[str]:
        """One of the scripts, as root gives it."""
        command = ["/bin/sh", str(self.installed / "deploy" / script), *args]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)

    def read_log(self) -> list[str]:
        """What happened since the last time."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines

    def find_number(self) -> str:
        """The version whose files are there."""
        return (self.installed / "number").read_text().strip()


def git(folder: Path, *args: str) -> str:
    """What git says."""
    settings = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run([GIT, "-C", str(folder), *settings, *args], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(origin: Path, number: str, *files: str) -> None:
    """A new version, with these files of a meaning of their own."""
    for name in ("broken-build", "broken-migration", "broken-start"):
        (origin / name).unlink(missing_ok=True)
    for name in files:
        (origin / name).touch()
    (origin / "number").write_text(number)
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", f"Version {number}")
    git(origin, "tag", f"v{number}")


def write_program(file: Path, text: str) -> None:
    """A program."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def prepare(tmp_path: Path, fill: Callable[[Path, Path], None]) -> Machine:
    """Version 1 is installed from its origin; fill: what that holds beside the scripts."""
    origin, installed, log = tmp_path / "origin", tmp_path / "opt", tmp_path / "log"
    (origin / "deploy").mkdir(parents=True)
    state = tmp_path / "var"
    state.mkdir()
    git(origin, "init", "--quiet")
    fill(origin, log)
    for name in SCRIPTS:
        text = (DEPLOY / name).read_text()
        text = text.replace("/opt/menagerie", str(installed)).replace("/var/lib/menagerie", str(state))
        (origin / "deploy" / name).write_text(text)
        (origin / "deploy" / name).chmod(0o755)
    commit(origin, "1")
    subprocess.run([GIT, "clone", "--quiet", str(origin), str(installed)], check=True)
    write_program(tmp_path / "bin" / "systemctl", SYSTEMCTL.format(units=" ".join(UNITS), log=log))
    return Machine(installed, origin, log, os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"})


def fill_with_stubs(origin: Path, log: Path) -> None:
    """A project whose `make build` and `manage` only say that they ran."""
    (origin / "Makefile").write_text(f'build:\n\t@test ! -e broken-build\n\t@echo "build by $$(cat number)" >>{log}\n')
    write_program(
        origin / "deploy" / "manage",
        f'cd "$(dirname "$0")/.."; [ "$1" = migrate ] && [ -e broken-migration ] && exit 1; '
        f'echo "$1 by $(cat number)" >>{log}',
    )
    (origin / "deploy" / "menagerie.service").touch()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """One whose versions do nothing."""
    return prepare(tmp_path, fill_with_stubs)


def restarts(number: str) -> list[str]:
    """All services, one after the other, web processes first."""
    return [f"restart {unit} by {number}" for unit in UNITS]


def test_an_upgrade_backs_up_builds_migrates_and_restarts_in_this_order(machine: Machine) -> None:
    commit(machine.origin, "2")
    done = machine.run("upgrade")
    assert (done.returncode, done.stderr) == (0, "")
    assert machine.read_log() == ["backup by 1", "build by 2", "migrate by 2", *restarts("2"), "doctor by 2"]
    again = machine.run("upgrade")
    assert (again.returncode, "already" in again.stdout, machine.read_log()) == (0, True, [])


def test_a_rollback_leaves_the_database_alone(machine: Machine) -> None:
    assert machine.run("rollback").returncode == 1, "there was no upgrade"
    commit(machine.origin, "2")
    machine.run("upgrade", "v2")
    machine.read_log()
    done = machine.run("rollback")
    assert (done.returncode, machine.find_number()) == (0, "1")
    assert machine.read_log() == ["build by 1", *restarts("1"), "doctor by 1"]


def test_a_version_can_be_named(machine: Machine) -> None:
    commit(machine.origin, "2")
    commit(machine.origin, "3")
    assert machine.run("upgrade", "v2").returncode == 0
    assert machine.find_number() == "2"
    missing = machine.run("upgrade", "v9")
    assert (missing.returncode, "there is no version v9" in missing.stdout) == (1, True)
    assert machine.run("upgrade", "main").returncode == 0
    assert machine.find_number() == "3"


@pytest.mark.parametrize(
    ("broken", "happened"),
    [
        ("broken-build", ["backup by 1", "build by 1"]),
        ("broken-migration", ["backup by 1", "build by 2", "build by 1"]),
        ("broken-start", ["backup by 1", "build by 2", "migrate by 2", "build by 1", *restarts("1"), "doctor by 1"]),
    ],
)
def test_a_version_that_does_not_work_is_left_again(machine: Machine, broken: str, happened: list[str]) -> None:
    commit(machine.origin, "2", broken)
    done = machine.run("upgrade")
    assert (done.returncode, machine.find_number()) == (1, "1")
    assert machine.read_log() == happened


def test_the_drill_with_the_program_itself(tmp_path: Path, empty_club: Path) -> None:
    """A version with a change of the database: a backup is there, the change is made, and the way back leaves it."""
    club = tmp_path / "club"
    shutil.copytree(empty_club, club)

    def fill(origin: Path, log: Path) -> None:
        shutil.copy(ROOT / "manage.py", origin)
        for name in ("config", "tournaments", "locale", "templates", "static"):
            (origin / name).symlink_to(ROOT / name)
        for folder in ("games", "games/migrations"):  # which the next version changes: all else is the present program
            (origin / folder).mkdir()
            for path in (ROOT / folder).iterdir():
                if path.name not in ("migrations", "__pycache__"):
                    (origin / folder / path.name).symlink_to(path)
        (origin / "Makefile").write_text("build:\n\t@true\n")
        text = (DEPLOY / "manage").read_text().replace("/opt/menagerie", str(tmp_path / "opt"))
        text = text.replace("/etc/menagerie.env", str(tmp_path / "env")).replace("runuser -u menagerie --", "env")
        stub = 'case "$1 $(cat number)" in "backup 1" | "doctor 2") exec echo "$1"; esac\nexec env'
        text = text.replace("exec env", stub)  # those two are tested elsewhere
        (origin / "deploy" / "manage").write_text(text.replace(".venv/bin/python", sys.executable))
        (origin / "deploy" / "manage").chmod(0o755)

    machine = prepare(tmp_path, fill)
    (tmp_path / "env").write_text(f"DATA_DIR={club}\nBOT_DELAY=0\n")
    last = sorted(path.stem for path in (ROOT / "games" / "migrations").glob("0*.py"))[-1]
    (machine.origin / "games" / "migrations" / "9999_drill.py").write_text(
        "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
        f'    dependencies = [("games", "{last}")]\n'
        '    operations = [migrations.RunSQL("CREATE TABLE drill (n integer)", "DROP TABLE drill")]\n'
    )
    commit(machine.origin, "2")
    done = machine.run("upgrade")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[1] == "backup"
    back = machine.run("rollback")
    assert (back.returncode, machine.find_number()) == (0, "1")
    assert "is set up for this version" in back.stdout, "the version before works with the changed database"
    with sqlite3.connect(club / "menagerie.sqlite3") as database:
        assert database.execute("SELECT count(*) FROM drill").fetchone() == (0,)
