"""What the contract brings with it."""

from __future__ import annotations

from games.rules.base import quote


def test_what_is_quoted_is_short() -> None:
    assert (quote("x" * 99), quote(10**5000), quote("7")) == ("x" * 40, "?", "7")
