"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.live import picture
from games.play import store


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """No test sees what another one left in this process's memory."""
    store.forget_all()
    picture.forget_all()
    yield
    store.forget_all()
    picture.forget_all()
