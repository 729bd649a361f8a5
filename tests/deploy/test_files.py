"""The files of deploy/: the programs that read them take them, and what they call is there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from tests import programs
from tests.servers import ROOT, Installation

DEPLOY = ROOT / "deploy"
UNITS = sorted(path.name for path in DEPLOY.glob("menagerie*.*") if path.suffix in (".service", ".socket", ".timer"))
SERVICES = [name for name in UNITS if name.endswith(".service")]
INSTANCE = {"menagerie-web@.service": "8001", "menagerie-worker@.service": "9110"}


COMPOSE_SETTINGS = {
    "POSTGRES_PASSWORD": "one", "SECRET_KEY": "two", "SITE_HOST": "cards.example.org", "CERTIFICATE_EMAIL": "a@b.org",
}  # fmt: skip
"""What compose.yml needs."""


def commands(name: str) -> list[list[str]]:
    """What a unit runs, as arguments of this machine's Python."""
    text = (DEPLOY / name).read_text().replace("%i", INSTANCE.get(name, "")).replace("%%", "%")
    return [shlex.split(line) for line in re.findall(r"^ExecStart\w*=(.*)$", text, re.MULTILINE)]


@pytest.mark.systemd
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for name in UNITS:
        text = (DEPLOY / name).read_text()
        text = re.sub(r"/opt/menagerie/\.venv/bin/\w+", sys.executable, text).replace("/opt/menagerie", str(ROOT))
        (tmp_path / name.replace("@", f"@{INSTANCE.get(name, '')}")).write_text(text)
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    command = [str(programs.find("systemd")), "verify", "--man=no", *units]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "menagerie" in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_keeps_the_club_to_itself_and_does_not_give_up(name: str) -> None:
    """Nobody else on the machine reads hands; PostgreSQL may be away for longer than five quick starts take."""
    lines = (DEPLOY / name).read_text().splitlines()
    assert {"StateDirectoryMode=0700", "ProtectSystem=strict", "PrivateTmp=yes", "NoNewPrivileges=yes"} <= set(lines)
    before_service = lines[: lines.index("[Service]")]
    assert ("Restart=always" in lines) == ("StartLimitIntervalSec=0" in before_service)


def test_a_tenth_worker_has_a_port_of_its_own() -> None:
    text = (DEPLOY / "menagerie-worker@.service").read_text()
    (port,) = re.findall(r"^Environment=METRICS_PORT=(.*)$", text, re.MULTILINE)
    assert 1024 < int(port.replace("%i", INSTANCE["menagerie-worker@.service"])) < 65536


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_unit_runs_is_there_with_its_options(name: str, club: Installation) -> None:
    for program, *args in commands(name):
        assert program in ("/opt/menagerie/.venv/bin/python", "/opt/menagerie/.venv/bin/celery")
        start = ["-m", "celery"] if program.endswith("celery") else []
        command = [sys.executable, *start, *takewhile(lambda arg: not arg.startswith("--"), args), "--help"]
        output = subprocess.run(command, env=club.environment(), cwd=ROOT, capture_output=True, text=True, check=True)
        assert [arg for arg in args if arg.startswith("--") and arg not in output.stdout] == []


@pytest.mark.docker_compose
def test_compose_takes_its_file() -> None:
    command = [str(programs.find("docker_compose")), "-f", str(DEPLOY / "compose.yml"), "config"]
    environment = os.environ | COMPOSE_SETTINGS
    services = subprocess.run([*command, "--services"], env=environment, capture_output=True, text=True, check=True)
    names = ["backup", "beat", "certbot", "doctor", "migrate", "nginx", "postgres", "redis", "web1", "web2", "worker"]
    assert (sorted(services.stdout.split()), services.stderr) == (names, "")
    del environment["POSTGRES_PASSWORD"]
    without = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (without.returncode, "POSTGRES_PASSWORD" in without.stderr) == (1, True)


def test_the_settings_of_the_example_are_known() -> None:
    """Every variable of menagerie.env stands in the table of settings."""
    named = re.findall(r"^#? ?([A-Z_]+)=", (DEPLOY / "menagerie.env").read_text(), re.MULTILINE)
    table = (ROOT / "docs" / "deployment.md").read_text()
    assert len(named) > 10
    assert [name for name in named if f"| `{name}` |" not in table] == []


def test_commands_have_the_settings_of_the_services(tmp_path: Path) -> None:
    """As root gives them on the machine; what people write there with spaces arrives whole, and on no command line."""
    text = (DEPLOY / "manage").read_text()
    sender = "EMAIL_FROM='The Ark <club@example.org>'\n"
    (tmp_path / "env").write_text(
        f"{(DEPLOY / 'menagerie.env').read_text()}{sender}DATA_DIR='{tmp_path / 'our club'}'\n"
    )
    text = text.replace("/etc/menagerie.env", str(tmp_path / "env")).replace("/opt/menagerie", str(ROOT))
    text = text.replace(".venv/bin/python", sys.executable).replace("runuser -u menagerie --", "env")
    (tmp_path / "manage").write_text(text)
    command = ["sh", str(tmp_path / "manage"), "diffsettings"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "DEFAULT_FROM_EMAIL = 'The Ark <club@example.org>'" in done.stdout
    assert "SITE_URL = 'https://cards.example.org'" in done.stdout
    assert (tmp_path / "our club" / "secret-key").exists()


def test_an_environment_that_was_left_half_made_is_made_again(tmp_path: Path) -> None:
    """As Debian leaves it without python3-venv: an interpreter, and no pip."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").symlink_to(sys.executable)
    (tmp_path / "bin/python3").symlink_to("python")
    for kind in ("base", "dev"):
        command = ["make", "-n", f"VENV={tmp_path}", f"{tmp_path}/.{kind}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        makes, installs = done.stdout.index(f"-m venv {tmp_path}"), done.stdout.index("-m pip install")
        assert makes < installs
