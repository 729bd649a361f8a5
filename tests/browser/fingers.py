"""A finger on glass, as the browser gets it from the screen: it may rest, move and let go."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import CDPSession, Locator, expect

from tests.browser.visitor import lie_still

STEPS = 6


def drag_by_finger(
    tile: Locator,
    goal: Locator | tuple[float, float],
    *,
    rests: bool = True,
    stay: Callable[[], None] = lambda: None,
) -> None:
    """From the middle of one to the middle of the other, or to a point of the window; without a rest it is a swipe.

    stay: what is waited for there before it lets go.
    """
    tile.scroll_into_view_if_needed()
    lie_still(tile.page)
    start = middle_of(tile)
    end = goal if isinstance(goal, tuple) else middle_of(goal)
    assert end[1] > 0, "a finger does not reach over the edge of the window"
    session = tile.page.context.new_cdp_session(tile.page)
    _touch(session, "touchStart", start)
    if rests:
        expect(tile.page.locator(".held")).to_have_count(1)
    for step in range(1, STEPS + 1):
        share = step / STEPS
        _touch(session, "touchMove", (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
        tile.page.wait_for_timeout(16)
    stay()
    _touch(session, "touchEnd", None)
    session.detach()


def middle_of(part: Locator) -> tuple[float, float]:
    """Where a finger would meet it, in CSS pixels of the window."""
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _touch(session: CDPSession, kind: str, point: tuple[float, float] | None) -> None:
    points = [] if point is None else [{"x": round(point[0]), "y": round(point[1])}]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
