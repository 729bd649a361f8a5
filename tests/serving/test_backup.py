"""The drill: back up a running club, restore it elsewhere, and the games go on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import programs
from tests.guest import Guest
from tests.servers import ROOT, Installation
from tests.serving.playing import Person


@pytest.fixture
def other_club(empty_club: Path, tmp_path: Path) -> Installation:
    """One that is set up elsewhere: nothing but its database is like that of the first."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(empty_club / "menagerie.sqlite3", folder)
    return Installation(folder)


def drill(club: Installation, other: Installation, stack: ExitStack, tmp_path: Path) -> None:
    """A game is backed up in its middle and goes on elsewhere, for the same person, to its end."""
    file = tmp_path / "club.jsonl.gz"
    with club.serve() as server:
        guest = Guest(server.address)
        person = Person(guest, guest.play_now())
        before = person.play(moves=3)
        done = club.manage("backup", str(file))
        assert done.returncode == 0, done.stderr
        assert person.play(moves=2)["ply"] > before["ply"]  # the backup holds nobody up
    assert file.stat().st_mode & 0o777 == 0o600
    checked = other.manage("backup", "--check", str(file))
    assert (checked.returncode, "all checksums match" in checked.stdout) == (0, True), checked.stderr
    done = other.manage("restore", str(file))
    assert (done.returncode, "Warning" in done.stderr) == (0, False), done.stderr
    server = stack.enter_context(other.serve())
    if "REDIS_URL" in other.settings:
        stack.enter_context(other.work())
    guest.address = server.address
    again = Person(guest, person.table)
    assert guest.view(person.table)["ply"] >= before["ply"]
    assert again.play()["status"] == "over"
    record = tmp_path / "game.json"
    record.write_text(guest.get(f"/tables/{person.table}/record.json").text)
    assert other.manage("verify_record", str(record)).returncode == 0
    assert guest.play_now() != person.table  # new rows get ids of their own


def test_a_running_club_goes_on_elsewhere(
    club: Installation, other_club: Installation, processes: ExitStack, tmp_path: Path
) -> None:
    drill(club, other_club, processes, tmp_path)


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_club_that_outgrows_its_file_moves_to_postgresql(
    club: Installation, big_club: Installation, processes: ExitStack, tmp_path: Path
) -> None:
    drill(club, big_club, processes, tmp_path)


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_big_club_is_backed_up_in_one_moment(
    big_club: Installation, other_club: Installation, processes: ExitStack, tmp_path: Path
) -> None:
    processes.enter_context(big_club.work())
    drill(big_club, other_club, processes, tmp_path)


def test_a_club_in_use_is_not_written_over_and_old_backups_go(club: Installation) -> None:
    boss = {"DJANGO_SUPERUSER_PASSWORD": "a long pass phrase"}
    made = club.manage("createsuperuser", "--noinput", "--username", "boss", "--email", "", **boss)
    assert made.returncode == 0, made.stderr
    for _ in range(2):
        done = club.manage("backup", "--keep", "1")
        assert done.returncode == 0, done.stderr
    (file,) = (club.folder / "backups").iterdir()
    done = club.manage("restore", str(file))
    assert (done.returncode, "This database is not empty" in done.stderr) == (1, True)


def test_a_folder_may_have_any_name(empty_club: Path, tmp_path: Path) -> None:
    """Signs that mean something in addresses are names of folders, too; nothing is made beside them."""
    folder = tmp_path / "club #1? 100%41"
    shutil.copytree(empty_club, folder)
    done = Installation(folder).manage("backup", "--keep", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((folder / "backups").iterdir())) == 1
    assert list(tmp_path.iterdir()) == [folder]


def test_a_key_in_the_environment_is_named_with_what_it_costs(
    club: Installation, other_club: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "club.jsonl.gz"
    assert club.manage("backup", str(file)).returncode == 0
    done = other_club.manage("restore", str(file), SECRET_KEY="another one, long enough for a key")
    assert done.returncode == 0
    for words in ("made with another SECRET_KEY", "signed out", "authenticator apps and recovery codes"):
        assert words in done.stderr
    file.write_bytes(file.read_bytes()[:-20])
    done = other_club.manage("backup", "--check", str(file))
    assert (done.returncode, "is not complete" in done.stderr) == (1, True)


def test_backups_are_made_again_and_again_until_it_is_ended(club: Installation) -> None:
    """As a container does it. A start makes none while the newest is young enough."""
    folder = club.folder / "backups"
    command = [sys.executable, str(ROOT / "manage.py"), "backup", "--keep", "2", "--every", "1"]
    for age, wanted in ((None, 1), (None, 1), (0, 2)):
        if age is not None:
            os.utime(next(folder.iterdir()), (age, age))
        process = subprocess.Popen(command, env=club.environment(), cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert any(line.startswith("The next backup will be made at ") for line in process.stdout)
        assert programs.stop(process) == 128 + signal.SIGTERM
        assert len(list(folder.glob("*.jsonl.gz"))) == len(list(folder.iterdir())) == wanted
