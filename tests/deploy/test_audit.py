"""`make audit` says that all is well only if every package was looked up."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests.deploy.advisories import run_pypi
from tests.servers import ROOT


def audit(settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What `make audit` runs, with this environment."""
    show = ["make", "--no-print-directory", "-n", "audit"]  # make itself may have started these tests
    output = subprocess.run(show, cwd=ROOT, capture_output=True, text=True, check=True)
    line = output.stdout.splitlines()[-1]
    program, *args = shlex.split(line)
    assert Path(program).name == "pip-audit"
    command = [sys.executable, "-m", "pip_audit", *args]
    return subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False)


def test_a_package_that_is_not_looked_up_fails_the_audit(tmp_path: Path) -> None:
    with run_pypi(tmp_path) as settings:
        done = audit(settings)
        assert (done.returncode, "No known vulnerabilities found" in done.stderr) == (0, True), done.stderr
    with run_pypi(tmp_path, unknown={"daphne"}) as settings:
        done = audit(settings | {"PIP_CACHE_DIR": str(tmp_path / "another")})
        assert (done.returncode, "daphne" in done.stderr) == (1, True), done.stderr
