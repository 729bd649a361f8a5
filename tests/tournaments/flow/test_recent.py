"""What a process remembers is bounded, and the rest is what was asked for last."""

from __future__ import annotations

from tournaments.flow.recent import Recent


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]
    recent.put("a", 4)
    recent.clear()
    assert recent.get("a") is None
