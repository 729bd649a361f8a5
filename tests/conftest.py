"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games import limits, models
from games.live import picture
from games.play import store
from tests.cast import person


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """No test sees what another one left in this process's memory."""
    for keeper in (store, picture, limits):
        keeper.forget_all()
    yield
    for keeper in (store, picture, limits):
        keeper.forget_all()


@pytest.fixture
def ana(db: None) -> models.Player:
    """She opens tables."""
    return person("Ana", "fox")


@pytest.fixture
def ben(db: None) -> models.Player:
    """He sits down at them."""
    return person("Ben", "owl")


@pytest.fixture
def eva(db: None) -> models.Player:
    """She plays elsewhere, or watches."""
    return person("Eva", "cat")
