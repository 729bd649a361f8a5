"""Starting the server: quickly, or with a sentence that says why not."""

from __future__ import annotations

import runpy
import socket
import subprocess
import sys
import time

import pytest

from games.serving.single_server import lock_folder
from tests import programs
from tests.guest import Guest
from tests.servers import ROOT, Installation

START_SECONDS = 5
LIBRARIES = "import channels.routing, daphne.server, celery, django.db.models, django.contrib.auth"
MAX_TIMES = 6
"""What a start may take on a machine that is slow already when it loads what others have written."""


def test_the_first_page_is_there_soon(club: Installation) -> None:
    assert any(start(club) < max(START_SECONDS, MAX_TIMES * load()) for _ in range(3))


def load() -> float:
    """Seconds until the libraries are there, without anything of ours."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", LIBRARIES], check=True)
    return time.monotonic() - began


def start(club: Installation) -> float:
    """Seconds until a server has answered."""
    began = time.monotonic()
    with club.serve() as server:
        assert Guest(server.address).get("/").status == 200
        return time.monotonic() - began


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"PORT": "abc"}, "PORT='abc' is not a whole number from 0 to 65535."),
        ({"PORT": "70000"}, "PORT='70000' is not a whole number from 0 to 65535."),
        ({"BOT_DELAY": "soon"}, "BOT_DELAY='soon' is not a number from 0 to 30."),
        ({"DEBUG": "perhaps"}, "DEBUG='perhaps' is neither yes nor no. Set it to 1 or 0."),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL='LOUD' is none of DEBUG, INFO, WARNING, ERROR, CRITICAL."),
        ({"REDIS_URL": "unix://redis.sock"}, "REDIS_URL for a socket file is unix:///absolute/path"),
        ({"REDIS_URL": "unix:///run/redis.sock?db=one"}, "REDIS_URL: the database after ?db= is a number."),
        ({"DATABASE_URL": "mysql://club@localhost/club"}, "DATABASE_URL must begin with one of"),
        ({"REDIS_URL": "http://localhost"}, "REDIS_URL must begin with one of"),
        ({"DATA_DIR": "/dev/null/club"}, "DATA_DIR=/dev/null/club cannot be used: Not a directory."),
    ],
)
def test_a_bad_setting_is_a_sentence(club: Installation, settings: dict[str, str], sentence: str) -> None:
    done = club.manage("serve", **settings)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_database_that_does_not_answer_is_a_sentence_soon(club: Installation) -> None:
    done = club.manage("serve", DATABASE_URL=f"postgresql://club@127.0.0.1:{programs.free_port()}/club")
    assert done.returncode != 0
    assert "PostgreSQL cannot be reached: connection failed" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_port_in_use_is_a_sentence(club: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = club.manage("serve", "--port", str(port))
    assert done.returncode != 0
    assert f"Cannot listen at 127.0.0.1:{port}." in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_folder_in_use_is_a_sentence(club: Installation) -> None:
    """Two such servers would play past each other: each has its own worker, and tells its own people only."""
    assert lock_folder(club.folder)
    assert not lock_folder(club.folder)
    done = club.manage("serve", PORT="0")
    assert done.returncode == 1
    assert f"Another server already uses {club.folder}." in done.stderr


def test_ctrl_c_while_it_starts_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(argv: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("django.core.management.execute_from_command_line", interrupt)
    monkeypatch.setattr("sys.argv", ["manage.py", "serve"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "manage.py"), run_name="__main__")
    assert ended.value.code == 130


def test_a_database_that_is_not_set_up_is_a_sentence(club: Installation) -> None:
    (club.folder / "menagerie.sqlite3").unlink()
    done = club.manage("serve")
    assert done.returncode != 0
    assert "Run: python manage.py migrate" in done.stderr
