"""A fork behaves as a process that was started from nothing, and has loaded nothing that settings have a say in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import fork_server

pytestmark = pytest.mark.served

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
    told = f"__main__ ['a', 'b c'] quay {tmp_path} True\n['games.rules.base']\nFalse\n"
    assert (status, out, err) == (0, told, "to the side\n")


@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("raise SystemExit('No luck')", 1, "No luck"),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("import atexit, sys; atexit.register(sys.stderr.write, 'bye')", 0, "bye"),
        ("import os; os.kill(os.getpid(), 15)", -signal.SIGTERM, ""),
    ],
)
def test_its_end_is_told_as_that_of_any_process(tmp_path: Path, program: str, status: int, said: str) -> None:
    found, _out, err = run(tmp_path, program)
    assert (found, said in err) == (status, True)


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
