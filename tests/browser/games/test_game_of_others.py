"""A third party's game is installed, played, and uninstalled again."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.visitor import LAPTOP, list_overflowing
from tests.servers import ROOT, Installation

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(420)]
SLUG, NAME = "pig-dice", "Pig Dice"
GUARD_MS = 400
"""What has just appeared is not pressed by mistake."""
CHECKED = (
    "tests/rules/test_conformance.py", "tests/rules/test_lessons.py", "tests/test_leaks.py",
    "tests/tournaments/flow/tables/test_leaving.py", "tests/bots/test_hints.py", "tests/bots/test_completing.py",
)  # fmt: skip


def run(*args: str, python: str = sys.executable, **settings: str) -> str:
    """What a command prints; it must succeed. settings: variables of its environment."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [python, *args], cwd=ROOT, env=env | {"PYTHONWARNINGS": "ignore"} | settings,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def make_environment(folder: Path) -> str:
    """An environment of its own on top of the one of these tests. Returns its interpreter."""
    run("-m", "venv", "--without-pip", str(folder))
    [site] = folder.glob("lib/python*/site-packages")
    (site / "base.pth").write_text(sysconfig.get_path("purelib"))
    return str(folder / "bin" / "python")


def test_a_game_from_the_scaffold_is_taken_up_and_can_be_removed(
    installation: Installation, invite: Invite, empty_club: Path, tmp_path: Path
) -> None:
    package = tmp_path / SLUG
    run("manage.py", "startgame", NAME, str(package))
    installation.python = make_environment(tmp_path / "environment")
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation")
    run(*install, str(package), python=installation.python)
    checked = ("-m", "pytest", "-q", "-p", "no:cacheprovider", str(package / "tests"), *CHECKED)
    chosen = ("-k", f"{SLUG} or test_rules or test_bots")
    assert " passed" in run(*checked, *chosen, python=installation.python, EMPTY_CLUB=str(empty_club))
    installation.migrate()
    with installation.serve() as server:
        eva = invite(server.address, size=LAPTOP)
        eva.go("/")
        eva.at(f".game.{SLUG} .btn.go").click()
        for left in (5, 4, 3, 2, 1):
            cards = eva.page.locator("#action.mine [data-move]")
            expect(cards).to_have_count(left, timeout=20_000)
            if left == 5:
                eva.at("#ask-hint").click()
                expect(eva.at("#hint-note p")).to_contain_text("Play ", timeout=20_000)
                eva.at("#close-hint").click()
            eva.page.wait_for_timeout(GUARD_MS)
            cards.last.click()
        expect(eva.page.locator("#outcome")).to_be_visible(timeout=20_000)
        assert eva.page.locator("#places li").count() > 1
        assert list_overflowing(eva.page) == []
        table = eva.page.locator("#board").get_attribute("data-table")
        record = tmp_path / "record.json"
        record.write_bytes(eva.page.request.get(f"{server.address}/tables/{table}/record.json").body())
        assert eva.go(f"/games/{SLUG}/") == 200
        eva.page.get_by_role("link", name="Learn by playing").click()
        for step in ("take", "save"):
            expect(eva.at(f"#lesson[data-slug='{step}']")).to_be_visible()
            eva.page.wait_for_timeout(GUARD_MS)
            eva.at("#hint").click()
            eva.at(".pointed").click()
            eva.at("#next").click()
        expect(eva.at("#finished-title")).to_be_focused()
        eva.leave()
    assert run("manage.py", "verify_record", str(record), python=installation.python)
    run("-m", "pip", "uninstall", "--quiet", "--yes", SLUG, python=installation.python)
    with installation.serve() as server:
        eva.go("/")
        assert eva.page.get_by_role("heading", name=NAME).count() == 0
        past = eva.page.request.get(f"{server.address}/tables/{table}/")
        assert (past.status, f"“{SLUG}”, is no longer installed on this site" in past.text()) == (410, True)
        eva.go("/")
        eva.at(".game.animal-poker .btn.go").click()
        expect(eva.page.locator("#hand")).to_be_visible(timeout=20_000)
        eva.leave()
