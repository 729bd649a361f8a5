"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
from django.db import connection
from django.test import Client, TransactionTestCase, override_settings
from django.utils import translation
from pytest_django import DjangoDbBlocker

from games import memo, models
from games.accounts import rate_limits
from games.play.moves import submission
from games.play.seats import opening
from games.work import circuit_breaker
from tests import programs
from tests.cast import person
from tests.dealt import QUICK_HASH, luck_of
from tests.ordering import order_for_workers
from tests.servers import (
    Installation,
    big_club,
    club,
    empty_club,
    kept_postgres,
    postgres,
    processes,
    pytest_generate_tests,
    redis,
    ways,
)

__all__ = [
    "big_club", "club", "empty_club", "kept_postgres", "postgres", "processes", "pytest_generate_tests", "redis",
    "ways",
]  # fmt: skip

# How long it takes to make random examples says how busy the machine is, and nothing of what is tested.
hypothesis.settings.register_profile("busy", suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("busy")

LEFT_OUT = "left out: needs "
SERVED = frozenset({"big_club", "chromium", "club", "postgres", "processes", "redis", "served"})
"""Fixtures and marks of tests that start servers, workers or browsers: `make quick` leaves these out."""
SERVING = Path(__file__).parent / "serving"
STORED = frozenset({"db", "django_db", "transactional_db"})
"""Fixtures and marks of tests that use a database: `make quick` leaves these out, too."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what starts servers, workers or browsers and what uses a database, by the fixtures and marks it has.

    Where several workers share the tests, put them in the order for that.
    """
    for item in items:
        names = set(getattr(item, "fixturenames", ())) | {mark.name for mark in item.iter_markers()}
        is_served = item.path.is_relative_to(SERVING) or not names.isdisjoint(SERVED | programs.PACKAGES.keys())
        if is_served:
            item.add_marker("served")
        if not names.isdisjoint(STORED):
            item.add_marker("stored")
    items[:] = order_for_workers(items, getattr(config, "workerinput", {}).get("workercount", 1))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out a test whose program is not installed; in CI, where everything is, that is a failure."""
    for mark, package in programs.PACKAGES.items():
        if item.get_closest_marker(mark) and programs.find(mark) is None:
            leave_out = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
            leave_out(f"{LEFT_OUT}{mark} (apt-get install {package})")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a test has failed, the last that its servers and workers wrote."""
    report = yield
    if report.when == "call" and report.failed:
        for name, one in item.funcargs.items() if isinstance(item, pytest.Function) else ():
            if isinstance(one, Installation):
                report.sections.extend((f"{name}: {log.name}", log.read_text()[-2000:]) for log in one.logs())
    return report


def pytest_collection_finish() -> None:
    """What is loaded by now stays: every look through it for garbage would take a tenth of a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was left out, and how to get it."""
    reasons = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())]
    needs = Counter(reason.rpartition(LEFT_OUT)[2] for reason in reasons if LEFT_OUT in reason)
    if needs:
        counts = [f"{count} that need {need}" for need, count in sorted(needs.items())]
        terminalreporter.write_line(f"Tests left out: {', '.join(counts)}", yellow=True)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker, empty_club: Path
) -> Iterator[None]:
    """A database that is there already, instead of a minute of migrations in every process.

    A test that commits leaves it as it was, too: copied again, which takes a hundredth of what emptying each table and
    writing the permissions of all models takes.
    """
    empty, file = empty_club / "menagerie.sqlite3", connection.settings_dict["TEST"]["NAME"]
    shutil.copy(empty, file)
    with django_db_blocker.unblock():
        connection.close()
    connection.settings_dict["NAME"] = file
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: restore_database(empty))
        yield
    with django_db_blocker.unblock():
        connection.close()


def restore_database(file: Path) -> None:
    """Make the database of this process what is in this file. Other threads may have it open."""
    connection.ensure_connection()
    with closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as kept:
        kept.backup(connection.connection)


@pytest.fixture(autouse=True)
def _forget() -> None:
    """Clear what the test before left in this process."""
    memo.forget_all()
    rate_limits.reset()
    circuit_breaker.reset()
    translation.activate("en")  # a page that a test fetched leaves its language to the thread


@pytest.fixture(autouse=True)
def _seed_shuffles(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process a test is dealt the same cards every time: by its name, and by LUCK=... for other ones."""
    rng = random.Random(luck_of(request.node.nodeid))
    monkeypatch.setattr(opening, "secrets", SimpleNamespace(token_bytes=rng.randbytes, choice=rng.choice))
    submission._rng.seed(rng.getrandbits(64))


@pytest.fixture(autouse=True, scope="session")
def _fast_settings() -> Iterator[None]:
    """What takes long, and what no test in this process is about.

    A good password hash takes a third of a second; every test client would look through all static files.
    """
    with override_settings(PASSWORD_HASHERS=[QUICK_HASH], WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture
def ana(db: None) -> models.Player:
    """Opens tables."""
    return person("Ana", "fox")


@pytest.fixture
def ben(db: None) -> models.Player:
    """Sits down at them."""
    return person("Ben", "owl")


@pytest.fixture
def eva(db: None) -> models.Player:
    """Plays elsewhere, or watches."""
    return person("Eva", "cat")


@pytest.fixture
def staff(db: None) -> Client:
    """The browser of somebody with all rights."""
    client = Client()
    client.force_login(models.User.objects.create_superuser("boss", password="a long pass phrase"))
    return client
