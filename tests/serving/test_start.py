"""Starting the server: quickly, or with a sentence that says why not."""

from __future__ import annotations

import socket
import time

import pytest

from tests.guest import Guest
from tests.servers import Installation

START_SECONDS = 5


def test_the_first_page_is_there_soon(club: Installation) -> None:
    began = time.monotonic()
    with club.serve() as server:
        assert Guest(server.address).get("/").status == 200
        assert time.monotonic() - began < START_SECONDS


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"PORT": "abc"}, "PORT='abc' is not a number from 0 to 65535."),
        ({"PORT": "70000"}, "PORT='70000' is not a number from 0 to 65535."),
        ({"BOT_DELAY": "soon"}, "BOT_DELAY='soon' is not a number from 0 to 30."),
        ({"DEBUG": "perhaps"}, "DEBUG='perhaps' is neither yes nor no. Set it to 1 or 0."),
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


def test_a_port_in_use_is_a_sentence(club: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = club.manage("serve", "--port", str(port))
    assert done.returncode != 0
    assert f"Nothing could listen at 127.0.0.1:{port}." in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_database_that_is_not_set_up_is_a_sentence(club: Installation) -> None:
    (club.folder / "menagerie.sqlite3").unlink()
    done = club.manage("serve")
    assert done.returncode != 0
    assert "Run: python manage.py migrate" in done.stderr
