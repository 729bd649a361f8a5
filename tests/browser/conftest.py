"""A server and a browser for the tests of this folder; people who come with browsers of their own."""

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
from tests.browser import arranged
from tests.browser.arranged import InClub, LayOut
from tests.browser.visitor import LAPTOP, Visitor
from tests.servers import Installation, once

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


class Invite(Protocol):
    """Let somebody in: a browser with nothing in it yet."""

    def __call__(self, address: str = "", *, size: dict[str, int] = LAPTOP, **settings: Any) -> Visitor:
        """address: of the server, if it is not the common one; settings: of the browser context."""


Run = Callable[[str, str, Any], Any]
"""Run(modules, body, given): what `body`, a function of all that the modules export and of `given`, returns."""


# Scope: the driver's event loop must not run on under tests that have loops of their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's browser."""
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

    return once(tmp_path_factory, "static", make)


@pytest.fixture
def house(club: Installation, static_root: Path) -> Installation:
    """An installation to start and to kill."""
    club.settings["STATIC_ROOT"] = str(static_root)
    return club


@pytest.fixture(scope="package")
def common(empty_club: Path, static_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The installation that is there for all tests; each plays at tables of its own."""
    folder = tmp_path_factory.mktemp("common") / "club"
    shutil.copytree(empty_club, folder)
    made = Installation(folder, {"STATIC_ROOT": str(static_root), "GUESTS_PER_MINUTE": "1000"})
    made.deal_by("all")
    return made


@pytest.fixture(scope="package")
def server(common: Installation) -> Iterator[str]:
    """The address of its server."""
    with common.serve() as running:
        yield running.address


@pytest.fixture
def in_club(common: Installation, server: str, django_db_blocker: DjangoDbBlocker) -> Iterator[InClub]:
    """Make something in the club of this server."""
    with django_db_blocker.unblock():
        yield partial(arranged.work_at, common.folder / "menagerie.sqlite3")


@pytest.fixture
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the casts make is made now."""
    for module in (tests.cast, tests.tournaments.cast):
        monkeypatch.setattr(module, "NOW", time.time())


@pytest.fixture
def lay_out(in_club: InClub) -> LayOut:
    """Lay cards out at a table of this server."""
    return lambda table, setup: in_club(lambda: arranged.lay_out(table, setup))


VISITORS = pytest.StashKey[list[Visitor]]()
"""Who has come to a test."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a test has failed, what everybody's page showed and said then."""
    report = yield
    if report.when == "call" and report.failed:
        visitors: list[Visitor] = item.stash.get(VISITORS, [])
        for number, visitor in enumerate(visitors, 1):
            report.sections.append((f"Visitor {number}", visitor.describe()))
    return report


@pytest.fixture
def invite(chromium: Browser, server: str, common: Installation, request: pytest.FixtureRequest) -> Iterator[Invite]:
    """Let people in; at the end nobody's browser may have complained."""
    visitors = request.node.stash[VISITORS] = []
    common.deal_by(request.node.nodeid)
    with ExitStack() as doors:

        def come(address: str = "", *, size: dict[str, int] = LAPTOP, **settings: Any) -> Visitor:
            options: dict[str, Any] = {"viewport": size, "locale": "en-GB", **settings}
            context = chromium.new_context(**options)
            doors.callback(context.close)
            visitors.append(Visitor(context, address or server))
            return visitors[-1]

        yield come
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []


@pytest.fixture(scope="module")
def run(chromium: Browser, server: str, static_root: Path) -> Iterator[Run]:
    """A page with nothing of a game on it, into which the built modules are loaded."""
    names = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    page = chromium.new_page()
    page.goto(f"{server}/about/")

    def call(modules: str, body: str, given: Any) -> Any:
        files = json.dumps([f"/static/{names[f'js/{module}.js']}" for module in modules.split()])
        load = f"Object.assign({{}}, ...(await Promise.all({files}.map((file) => import(file)))))"
        return page.evaluate(f"async (given) => ({body})({load}, given)", given)

    yield call
    page.close()
