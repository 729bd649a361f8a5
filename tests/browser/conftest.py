"""Fixtures: the shared server, Chromium, and visitors with browser contexts of their own."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, sync_playwright
from pytest_django import DjangoDbBlocker

import tests.cast
import tests.tournaments.cast
from tests import programs
from tests.browser import server_state
from tests.browser.server_state import OnServer, SetUpGame
from tests.browser.visitor import LAPTOP, Visitor
from tests.servers import Installation, make_once

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


class Invite(Protocol):
    """Open a new, empty browser context and return its visitor."""

    def __call__(self, address: str = "", *, size: dict[str, int] = LAPTOP, **settings: Any) -> Visitor:
        """address: of the server, by default the shared one; size: in CSS pixels; settings: of the browser context."""


Run = Callable[[str, str, Any], Any]
"""run(modules, body, given): the result of `body`, a JavaScript function of the modules' exports and of `given`."""


# Scope: the driver's event loop must not run on under tests that have loops of their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The installed Chromium, headless."""
    program = programs.find("chromium")
    assert program is not None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files of these sources, built as `make run` builds them."""

    def make(folder: Path) -> None:
        builder = Installation(tmp_path_factory.mktemp("builder"), {"STATIC_ROOT": str(folder)})
        done = builder.manage("collectstatic", "--noinput", "--verbosity", "0")
        assert done.returncode == 0, done.stderr

    return make_once(tmp_path_factory, "static", make)


@pytest.fixture
def installation(club: Installation, static_root: Path) -> Installation:
    """An installation of its own, for tests that start and kill its server."""
    club.settings["STATIC_ROOT"] = str(static_root)
    return club


@pytest.fixture(scope="package")
def shared_installation(empty_club: Path, static_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The installation that all tests share; each plays at tables of its own."""
    folder = tmp_path_factory.mktemp("common") / "club"
    shutil.copytree(empty_club, folder)
    made = Installation(folder, {"STATIC_ROOT": str(static_root), "GUESTS_PER_MINUTE": "1000"})
    made.deal_by("all")
    return made


@pytest.fixture(scope="package")
def server(shared_installation: Installation) -> Iterator[str]:
    """The address of the shared installation's server."""
    with shared_installation.serve() as running:
        yield running.address


@pytest.fixture
def on_server(shared_installation: Installation, server: str, django_db_blocker: DjangoDbBlocker) -> Iterator[OnServer]:
    """Run a function with the database of the shared server."""
    with django_db_blocker.unblock():
        yield partial(server_state.run_with_database, shared_installation.folder / "menagerie.sqlite3")


@pytest.fixture
def cast_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules `cast` create everything at the present time, not at their fixed one."""
    for module in (tests.cast, tests.tournaments.cast):
        monkeypatch.setattr(module, "NOW", time.time())


@pytest.fixture
def set_up_game(on_server: OnServer) -> SetUpGame:
    """Restart the game at a table of the shared server from a given set-up."""
    return lambda table, setup: on_server(lambda: server_state.set_up_game(table, setup))


VISITORS = pytest.StashKey[list[Visitor]]()
"""The visitors of a test."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a failed test what each visitor's page and console showed."""
    report = yield
    if report.when == "call" and report.failed:
        visitors: list[Visitor] = item.stash.get(VISITORS, [])
        for number, visitor in enumerate(visitors, 1):
            report.sections.append((f"Visitor {number}", visitor.describe()))
    return report


@pytest.fixture
def invite(
    chromium: Browser, server: str, shared_installation: Installation, request: pytest.FixtureRequest
) -> Iterator[Invite]:
    """Open browsers for visitors. At the end no browser may have reported an unexpected error."""
    visitors = request.node.stash[VISITORS] = []
    shared_installation.deal_by(request.node.nodeid)
    with ExitStack() as contexts:

        def come(address: str = "", *, size: dict[str, int] = LAPTOP, **settings: Any) -> Visitor:
            # What a service worker answers passes by the routes with which tests disturb the network.
            usual = {"viewport": size, "locale": "en-GB", "service_workers": "block"}
            options: dict[str, Any] = {**usual, **settings}
            context = chromium.new_context(**options)
            contexts.callback(context.close)
            visitors.append(Visitor(context, address or server))
            return visitors[-1]

        yield come
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []


@pytest.fixture(scope="module")
def run(chromium: Browser, server: str, static_root: Path) -> Iterator[Run]:
    """Run JavaScript on a page without a game, with built modules imported."""
    names = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    page = chromium.new_page()
    page.goto(f"{server}/about/")

    def call(modules: str, body: str, given: Any) -> Any:
        files = json.dumps([f"/static/{names[f'js/{module}.js']}" for module in modules.split()])
        load = f"Object.assign({{}}, ...(await Promise.all({files}.map((file) => import(file)))))"
        return page.evaluate(f"async (given) => ({body})({load}, given)", given)

    yield call
    page.close()
