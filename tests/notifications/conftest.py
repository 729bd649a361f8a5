"""Fixtures: a push service on this machine, and a site that may call it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.notifications.push_service import PushService, run_push_service


@pytest.fixture
def push_service(settings: Any, tmp_path: Path) -> Iterator[PushService]:
    """Takes the messages of its devices."""
    settings.WEBHOOKS_MAY_BE_LOCAL = True
    settings.DATA_DIR = tmp_path
    with run_push_service() as service:
        yield service
