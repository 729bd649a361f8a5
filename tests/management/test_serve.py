"""What `manage.py serve` says when it is ready."""

from __future__ import annotations

from io import StringIO

import pytest
from django.conf import settings

from games.management.commands.serve import Command


@pytest.mark.parametrize(
    ("address", "site_url", "shown"),
    [
        ("http://0.0.0.0:8000", "http://192.168.1.20:8000", "http://192.168.1.20:8000"),
        ("http://[::]:8000", "https://cards.example.org", "https://cards.example.org"),
        ("http://127.0.0.1:8000", "https://cards.example.org", "http://127.0.0.1:8000"),
        ("http://0.0.0.0:8000", "", "http://0.0.0.0:8000"),
    ],
)
def test_the_address_that_people_open_is_shown(
    monkeypatch: pytest.MonkeyPatch, address: str, site_url: str, shown: str
) -> None:
    monkeypatch.setattr(settings, "SITE_URL", site_url)
    out = StringIO()
    Command(stdout=out).say_ready(address)
    assert f"Menagerie is at {shown}/ " in out.getvalue()
