"""The server's ways past Daphne and Django are one switch; with versions it was not tried with it goes without."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from games.serving import shortcuts
from tests.guest import Guest
from tests.servers import ROOT, Installation

ASK = """
import config.asgi
from games.serving import server
print(type(config.asgi.pages).__name__, server._choose_server().__name__, server.WebSocketFactory.protocol.__name__)
"""


def fake_versions(folder: Path, **versions: str) -> str:
    """A folder for the path of Python's modules by which these libraries seem to have these versions."""
    for name, version in versions.items():
        about = folder / f"{name}-{version}.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return str(folder)


def ask(club: Installation, **settings: str) -> tuple[list[str], str]:
    """What a server would consist of (pages, server, sockets), and what it logs."""
    command, environment = [sys.executable, "-c", ASK], club.environment(**settings)
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    return done.stdout.split(), done.stderr


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("ALL", ["PageHandler", "DirectServer", "DirectSocket"]),
        ("FRAMES", ["ASGIHandler", "DirectServer", "DirectSocket"]),
        ("PAGES", ["PageHandler", "GracefulServer", "BoundedSocket"]),
        ("NONE", ["ASGIHandler", "GracefulServer", "BoundedSocket"]),
    ],
)
def test_one_setting_switches_them(club: Installation, setting: str, parts: list[str]) -> None:
    found, log_lines = ask(club, SERVER_SHORTCUTS=setting)
    assert (found, "not tried with" in log_lines) == (parts, False)


@pytest.mark.parametrize(
    ("library", "version", "shortcut", "parts"),
    [
        ("daphne", "4.20.0", "frames", ["PageHandler", "GracefulServer", "BoundedSocket"]),
        ("autobahn", "99.1.1", "frames", ["PageHandler", "GracefulServer", "BoundedSocket"]),
        ("twisted", "27.1.0", "frames", ["PageHandler", "GracefulServer", "BoundedSocket"]),
        ("django", "5.3", "pages", ["ASGIHandler", "DirectServer", "DirectSocket"]),
    ],
)
def test_an_unknown_version_goes_without(
    club: Installation, tmp_path: Path, library: str, version: str, shortcut: str, parts: list[str]
) -> None:
    found, log_lines = ask(club, PYTHONPATH=fake_versions(tmp_path / "path", **{library: version}))
    assert found == parts
    assert f"not tried with {library} {version}: it works without the shortcut for {shortcut}" in log_lines


def test_a_server_with_an_unknown_daphne_says_so_and_serves(club: Installation, tmp_path: Path) -> None:
    with club.serve(PYTHONPATH=fake_versions(tmp_path / "path", daphne="99.0", django="99.0")) as server:
        assert "not tried with daphne 99.0" in server.output()
        assert "not tried with django 99.0" in server.output()
        guest = Guest(server.address)
        with guest.socket(guest.open_table(bots=4)) as connection:
            assert "data-version=" in str(connection.recv(timeout=60))
        assert server.stop() == 0
        assert "Traceback" not in server.output()


def test_the_versions_that_are_locked_are_known() -> None:
    """Who locks a new one tries the shortcuts with it, and says so in `KNOWN`."""
    locked = dict(
        re.findall(r"^([a-z-]+)(?:\[.*\])?==(\d+\.\d+)", (ROOT / "requirements/base.txt").read_text(), re.MULTILINE)
    )
    expected = {name: release for releases in shortcuts.KNOWN_VERSIONS.values() for name, release in releases.items()}
    assert {name: locked[name] for name in expected} == expected
