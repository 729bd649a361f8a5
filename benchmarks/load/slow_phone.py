"""A slow phone: Chromium with a throttled processor and network, and what its pages cost the person who holds it.

LCP, CLS and INP are measured as https://web.dev/articles/vitals defines them. Of INP we take the 75th percentile over
all interactions of a page, and the worst: an interaction shorter than 16 ms, which the browser does not report, counts
as 16 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.load.probe import percentile
from tests import programs
from tests.browser.visitor import PHONE, Visitor

ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
)
SLOWER: Final = 4
"""How many times slower the processor is."""
BYTES_A_SECOND: Final = 1_600_000 / 8
LATENCY_MS: Final = 150
EMPTY_PRESSES: Final = 12
EMPTY_PAUSE_MS: Final = 150
MIN_MS: Final = 16
"""The shortest interaction that a browser reports."""

WATCH: Final = """
window.vitals = { lcp: 0, shifts: [], lasted: {} };
const watch = (type, note, more) => new PerformanceObserver((list) => list.getEntries().forEach(note))
  .observe({ type, buffered: true, ...more });
watch("largest-contentful-paint", (entry) => { vitals.lcp = entry.startTime; });
watch("layout-shift", (entry) => {
  if (!entry.hadRecentInput) vitals.shifts.push([entry.startTime, entry.value]);
});
watch("event", ({ interactionId, duration, name, target }) => {
  if (!interactionId || duration <= (vitals.lasted[interactionId]?.[0] ?? 0)) return;
  vitals.lasted[interactionId] = [duration, `${name} ${target?.id || target?.className || ""}`];
}, { durationThreshold: 16 });
"""
READY: Final = 'performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd'


class Vitals(NamedTuple):
    """One page. lcp_ms: until its largest part is painted; ready_ms: until its scripts have run; cls: how much it
    jumps; inp: how long its interactions take, in ms, with what the slowest of them was."""

    lcp_ms: float
    ready_ms: float
    cls: float
    interactions: int
    inp_p75_ms: float
    inp_worst_ms: float
    slowest: str


@contextmanager
def hold_phone(address: str, *, slower: int = SLOWER) -> Iterator[Visitor]:
    """A slow phone with an empty cache, on which nothing is open yet. slower: factor of the processor."""
    program = programs.find("chromium")
    assert program is not None, f"apt-get install {programs.PACKAGES['chromium']}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield _open_context(browser, address, slower)
        browser.close()


def _open_context(browser: Browser, address: str, slower: int) -> Visitor:
    size: Any = PHONE
    context = browser.new_context(
        viewport=size, device_scale_factor=2, has_touch=True, is_mobile=True, locale="en-GB", service_workers="block"
    )
    context.add_init_script(WATCH)
    person = Visitor(context, address)
    session = context.new_cdp_session(person.page)
    session.send("Network.enable")
    line = {"latency": LATENCY_MS, "downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
    session.send("Network.emulateNetworkConditions", {"offline": False, **line})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    return person


def read_vitals(page: Page) -> Vitals:
    """What the page has cost since it was opened."""
    found: Any = page.evaluate(
        "() => ({ ...vitals, count: performance.interactionCount ?? 0, ready: READY })".replace("READY", READY)
    )
    lasted = sorted((float(ms), str(what)) for ms, what in found["lasted"].values())
    count = max(int(found["count"]), len(lasted))
    ranked = [float(MIN_MS)] * (count - len(lasted)) + [ms for ms, _ in lasted]
    slowest = lasted[-1] if lasted else (0.0, "")
    shift = find_shift(found["shifts"])
    return Vitals(
        float(found["lcp"]), float(found["ready"]), shift, count, percentile(ranked, 0.75), slowest[0], slowest[1]
    )


def press_empty_page(person: Visitor) -> Vitals:
    """What presses cost on a page that does nothing: what phone and machine take, whatever a page does."""
    person.page.goto("data:text/html,<meta name=viewport content='width=device-width'><button>Nothing</button>")
    for _ in range(EMPTY_PRESSES):
        person.at("button").tap()
        person.page.wait_for_timeout(EMPTY_PAUSE_MS)
    return read_vitals(person.page)


def find_shift(shifts: Iterable[Sequence[float]]) -> float:
    """The cumulative layout shift: the largest sum within a window of at most 5 s without a gap of 1 s.

    shifts: time in ms and score of each.
    """
    most, total, began, last = 0.0, 0.0, 0.0, float("-inf")
    for at, score in shifts:
        if at - last > 1000 or at - began > 5000:
            total, began = 0.0, at
        total, last = total + score, at
        most = max(most, total)
    return most
