"""Touch gestures, sent to Chromium as raw touch events."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import CDPSession, Locator, expect

from tests.browser.visitor import await_animations

STEPS = 6
"""Touch-move events of a drag."""


def drag_by_finger(
    tile: Locator,
    goal: Locator | tuple[float, float],
    *,
    rests: bool = True,
    stay: Callable[[], None] = lambda: None,
    steps: int = STEPS,
    watch: Callable[[tuple[float, float]], None] = lambda _: None,
) -> None:
    """Drag an element to the middle of another, or to a point of the window in CSS pixels.

    rests: hold still until the page has picked the element up, else it is a swipe; stay: called before letting go;
    watch: called after each of the `steps`, with the point of the finger.
    """
    tile.scroll_into_view_if_needed()
    await_animations(tile.page)
    start = middle_of(tile)
    end = goal if isinstance(goal, tuple) else middle_of(goal)
    assert end[1] > 0, "a finger does not reach over the edge of the window"
    session = tile.page.context.new_cdp_session(tile.page)
    _touch(session, "touchStart", start)
    if rests:
        expect(tile.page.locator(".held")).to_have_count(1)
    for step in range(1, steps + 1):
        share = step / steps
        point = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
        _touch(session, "touchMove", point)
        tile.page.wait_for_timeout(16)
        watch(point)
    stay()
    _touch(session, "touchEnd")
    session.detach()


def pinch(part: Locator, *, first: float, last: float) -> None:
    """Two fingers on an element, beside one another, whose distance in CSS pixels goes from first to last."""
    x, y = middle_of(part)
    session = part.page.context.new_cdp_session(part.page)
    for step in range(STEPS + 1):
        reach = (first + (last - first) * step / STEPS) / 2
        _touch(session, "touchMove" if step else "touchStart", (x - reach, y), (x + reach, y))
        part.page.wait_for_timeout(16)
    _touch(session, "touchEnd")
    session.detach()


def middle_of(part: Locator) -> tuple[float, float]:
    """The centre of an element in CSS pixels of the window."""
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    fingers = [{"x": round(x), "y": round(y), "id": number} for number, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
