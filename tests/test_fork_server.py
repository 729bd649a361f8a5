"""A fork behaves as a process that was started from nothing, and has loaded what would be the same in it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import fork_server

pytestmark = pytest.mark.served

MANAGE = str(fork_server.ROOT / "manage.py")

SECONDS = 60.0
REPORT = """
import os, sys
print(__name__, sys.argv[1:], os.environ.get("PLACE"), os.getcwd(), os.getpgrp() == os.getpid())
print(sorted({"config", "games.models", "games.rules.base", "tournaments.flow"} & set(sys.modules)))
print("DJANGO_SETTINGS_MODULE" in os.environ)
print("to the side", file=sys.stderr)
"""


def run(folder: Path, program: str, *args: str, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Exit status, output and errors of a program."""
    script = folder / "program.py"
    script.write_text(program)
    done = fork_server.run([str(script), *args], env or {}, folder, SECONDS)
    return done.returncode, done.stdout, done.stderr


def test_a_fork_is_a_program_of_its_own(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, REPORT, "a", "b c", env={"PLACE": "quay"})
    text = f"__main__ ['a', 'b c'] quay {tmp_path} True\n['games.rules.base']\nFalse\n"
    assert (status, out, err) == (0, text, "to the side\n")


@pytest.mark.parametrize(
    ("program", "status", "sentence"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("raise SystemExit('No luck')", 1, "No luck"),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("import atexit, sys; atexit.register(sys.stderr.write, 'bye')", 0, "bye"),
        ("import os; os.kill(os.getpid(), 15)", -signal.SIGTERM, ""),
    ],
)
def test_its_end_is_told_as_that_of_any_process(tmp_path: Path, program: str, status: int, sentence: str) -> None:
    found, _out, err = run(tmp_path, program)
    assert (found, sentence in err) == (status, True)


def test_two_forks_draw_other_numbers(tmp_path: Path) -> None:
    program = "import random, os; print(random.random(), os.urandom(8))"
    assert run(tmp_path, program)[1] != run(tmp_path, program)[1]


def test_a_fork_is_waited_for_and_killed(tmp_path: Path) -> None:
    script = tmp_path / "wait.py"
    script.write_text("import time; time.sleep(600)")
    with (tmp_path / "log").open("w") as out:
        fork = fork_server.Fork([str(script)], {}, tmp_path, out, out)
    assert fork.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        fork.wait(0.1)
    os.killpg(fork.pid, signal.SIGKILL)
    assert (fork.wait(SECONDS), fork.poll()) == (-signal.SIGKILL, -signal.SIGKILL)
    fork.kill()  # one that has ended is left alone


def test_a_late_command_is_ended(tmp_path: Path) -> None:
    script = tmp_path / "late.py"
    script.write_text("import time; time.sleep(600)")
    with pytest.raises(subprocess.TimeoutExpired):
        fork_server.run([str(script)], {}, tmp_path, 0.2)


def test_a_module_is_run_as_python_does(tmp_path: Path) -> None:
    (tmp_path / "hello.py").write_text("import sys; print(__name__, sys.argv[1:])")
    done = fork_server.run(["-m", "hello", "x"], {}, tmp_path, SECONDS)
    wanted = subprocess.run(
        [sys.executable, "-m", "hello", "x"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == wanted.stdout


SITE = """
import sys
from django.conf import settings
from django.db import connection
from games.models import User
from games.play.moves import submission
from games.presenters import render
from tournaments.api import api
print(settings.BOT_DELAY, settings.DATA_DIR, connection.settings_dict["NAME"])
print(render.environment.bytecode_cache.directory)
print(api.servers[0]["url"], connection.vendor, User.objects.db)
print("daphne.server" in sys.modules, submission._rng.random())
"""


def ask_site(folder: Path, **settings: str) -> list[str]:
    """What `SITE` prints in a fork with these settings."""
    env = {**os.environ, "DATA_DIR": str(folder), **settings}
    done = fork_server.run([MANAGE, "shell", "--no-imports", "-c", SITE], env, fork_server.ROOT, SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def ask_server(folder: Path, **settings: str) -> int:
    """Which process the server of the site would fork for these settings; 0 if it declines."""
    env = {**os.environ, "DATA_DIR": str(folder), **settings}
    request = {"args": [MANAGE, "shell", "-c", ""], "env": env, "cwd": str(fork_server.ROOT)}
    with (folder / "log").open("w") as out:
        line, pid = fork_server.ask(
            f"{fork_server.start()}/site", json.dumps(request).encode(), [out.fileno(), out.fileno()]
        )
        line.close()
    return pid


def test_a_fork_of_the_site_goes_by_its_own_settings(tmp_path: Path) -> None:
    assert ask_server(tmp_path, BOT_DELAY="3")
    delay, *places, url, vendor, alias, has_loop, _number = ask_site(tmp_path, BOT_DELAY="3")
    wanted = [tmp_path, tmp_path / "menagerie.sqlite3", tmp_path / "fragments"]
    assert (delay, places, url, vendor) == ("3.0", [str(place) for place in wanted], "/", "sqlite")
    assert (alias, has_loop) == ("default", "True")


def test_two_forks_of_the_site_draw_other_numbers(tmp_path: Path) -> None:
    assert ask_site(tmp_path)[-1] != ask_site(tmp_path)[-1]


@pytest.mark.parametrize(("name", "value"), [("SITE_URL", "https://club.example"), ("DEBUG", "1")])
def test_what_loads_modules_otherwise_is_not_forked_of_the_site(tmp_path: Path, name: str, value: str) -> None:
    assert not ask_server(tmp_path, **{name: value})


def test_modules_are_loaded_with_the_settings_of_the_fork(tmp_path: Path) -> None:
    assert "https://club.example" in ask_site(tmp_path, SITE_URL="https://club.example")


def test_a_wrong_setting_is_said_as_by_any_process(tmp_path: Path) -> None:
    env = {**os.environ, "DATA_DIR": str(tmp_path), "BOT_DELAY": "soon"}
    done = fork_server.run([MANAGE, "check"], env, fork_server.ROOT, SECONDS)
    assert (done.returncode, done.stderr.count("BOT_DELAY")) == (1, 1)


def test_what_needs_no_database_loads_no_models() -> None:
    assert not fork_server.is_of_site([MANAGE, "verify_record", "record.json"])
    assert not fork_server.is_of_site(["-m", "benchmarks.people"])
    assert fork_server.is_of_site([MANAGE, "serve"])
    assert fork_server.is_of_site(["-m", "celery", "-A", "config", "worker"])
