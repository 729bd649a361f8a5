"""The service worker in a real browser: files from its cache, the page without a network, updates, notifications."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Worker, expect

from tests.browser.conftest import Invite
from tests.browser.pages.test_my_tables import open_over_days
from tests.browser.visitor import BROKEN_LINE, REFUSED, Visitor

pytestmark = pytest.mark.chromium

READY = """() => Promise.race([
  navigator.serviceWorker.ready.then((registration) => registration.active.scriptURL),
  new Promise((done) => setTimeout(() => done("no worker after a minute"), 60000)),
])"""
"""The address of the worker that is active. It serves every page from the next one on.

A page that opens in the moment in which the worker takes over may not have it as its own: that is no reason to wait."""
CACHES = "async () => (await caches.keys()).sort()"
WHO = "async () => (await (await caches.match('/seen-tables'))?.json())?.who"
SEEN = "async () => !!(await caches.match('/seen-tables'))"
NOTICE = {"tag": "table/x", "title": "It is your turn", "body": "Karriere Poker with Ben", "is_gone": False}


def open_with_service_worker(invite: Invite, **settings: Any) -> Visitor:
    """A visitor whose browser has the service worker."""
    visitor = invite(service_workers="allow", **settings)
    visitor.expected.append(REFUSED)  # a table that is left while it begins
    return visitor


def await_worker(visitor: Visitor) -> None:
    """Wait until the worker serves what is opened from now on."""
    served = visitor.page.evaluate(READY)
    assert served.endswith("/service-worker.js"), served


def lose_network(visitor: Visitor) -> None:
    """From now on nothing comes from the server. What the browser says about it is expected."""
    visitor.expected.append(BROKEN_LINE)
    visitor.context.set_offline(True)


def push(visitor: Visitor, notice: dict[str, Any]) -> None:
    """Deliver a push message to the worker as the browser's push service would."""
    session = visitor.context.new_cdp_session(visitor.page)
    found: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    while not found:
        visitor.page.wait_for_timeout(50)
    registration = next(one for one in found if not one["isDeleted"])
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": visitor.address, "registrationId": registration["registrationId"], "data": json.dumps(notice)},
    )
    session.detach()


def watch_notifications(visitor: Visitor) -> Worker:
    """Note what the worker shows and closes: a browser without a screen shows nothing."""
    worker = visitor.context.service_workers[0]
    worker.evaluate(
        """() => {
          self.shown = new Map();
          self.registration.showNotification = async (title, { body, tag, data }) =>
            void self.shown.set(tag, { title, body, tag, data, close: () => self.shown.delete(tag) });
          self.registration.getNotifications = async ({ tag }) => [...self.shown.values()].filter(
            (one) => one.tag === tag);
        }"""
    )
    return worker


def await_shown(visitor: Visitor, worker: Worker, bodies: list[str]) -> None:
    """Wait until the notifications say this."""
    shown: list[str] = []
    for _ in range(300):
        shown = worker.evaluate("() => [...self.shown.values()].map(({ body }) => body)")
        if shown == bodies:
            return
        visitor.page.wait_for_timeout(50)
    raise AssertionError(f"shown: {shown}")


def test_without_a_network_the_page_says_so_and_shows_tables_as_last_seen(invite: Invite) -> None:
    ana = open_with_service_worker(invite)
    table = open_over_days(ana)
    ana.go("/")
    await_worker(ana)
    ana.page.wait_for_function(SEEN)
    files = ana.page.evaluate("async () => (await (await caches.open((await caches.keys())[0])).keys()).length")
    assert files > 30
    lose_network(ana)
    ana.page.goto(table)
    expect(ana.at("h1")).to_have_text("No connection")
    expect(ana.at("#seen li b")).to_have_text("Karriere Poker")
    expect(ana.at("#seen-at time")).not_to_be_empty()
    expect(ana.at("#seen li .until")).to_have_text(re.compile(r"^Until .*\d"))
    expect(ana.at("#seen-at")).to_contain_text("Deadlines may have changed, too")
    assert ana.at("#board").count() == 0  # never an old board as the present
    assert ana.page.evaluate("getComputedStyle(document.body).fontFamily") != "Times"  # its styles are there
    ana.context.set_offline(False)
    expect(ana.at("#board")).to_be_visible()


def test_nothing_of_one_person_is_shown_to_the_next(invite: Invite) -> None:
    """Two people, one after the other, in one browser: by signing out, and although the last answer was lost."""
    ana = open_with_service_worker(invite)
    ana.play_now("karriere-poker")
    ana.go("/")
    await_worker(ana)
    ana.page.wait_for_function(SEEN)
    before = ana.page.evaluate(WHO)
    ana.context.clear_cookies()  # somebody else uses this browser
    ana.play_now("animal-poker")
    ana.go("/")
    ana.page.wait_for_function(f"async () => ![undefined, {json.dumps(before)}].includes(await ({WHO})())")
    lose_network(ana)
    ana.page.goto(f"{ana.address}/tables/anything/")
    expect(ana.at("h1")).to_have_text("No connection")
    expect(ana.at("#seen li b")).to_have_text("Animal Poker")
    expect(ana.at("#seen-due")).to_be_hidden()
    assert "Karriere" not in ana.at("main").inner_text()
    # Every stored page is the same for everybody.
    stored = ana.page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async (key) =>
          (await (await caches.open(key)).keys()).map(({ url }) => new URL(url).pathname)))).flat()"""
    )
    pages = [path for path in stored if not path.startswith("/static/")]
    assert set(pages) <= {"/offline/en/", "/offline/de/", "/offline/pl/", "/seen-tables", "/seen-language"}


def test_what_was_noted_goes_with_signing_out_even_if_the_answer_is_lost(invite: Invite) -> None:
    ana = open_with_service_worker(invite)
    ana.play_now("karriere-poker")
    ana.go("/")
    await_worker(ana)
    ana.page.wait_for_function(SEEN)
    lose_network(ana)
    ana.page.evaluate(
        """() => document.body.append(Object.assign(document.createElement("form"),
          { id: "out", method: "post", action: "/account/logout/" }))"""
    )
    ana.page.evaluate("() => setTimeout(() => document.getElementById('out').submit())")
    ana.page.wait_for_timeout(1000)
    ana.page.goto(f"{ana.address}/")
    expect(ana.at("h1")).to_have_text("No connection")
    expect(ana.at("#seen-none")).to_be_visible()


def test_a_new_version_takes_over_without_a_stuck_tab(invite: Invite) -> None:
    """The old cache goes, open pages get the new worker, and still work."""
    ana = open_with_service_worker(invite)
    ana.go("/")
    await_worker(ana)
    ana.page.evaluate("async () => void (await (await caches.open('menagerie-old')).add('/offline/en/'))")
    source = ana.context.request.get(f"{ana.address}/service-worker.js").text()
    ana.page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.ready;
          await registration.unregister();
          const fresh = await navigator.serviceWorker.register("/service-worker.js?next", { scope: "/" });
          const worker = fresh.installing ?? fresh.waiting ?? fresh.active;
          while (worker.state !== "activated") await new Promise((done) => setTimeout(done, 50));
        }"""
    )
    assert "skipWaiting" in source
    assert "menagerie-old" not in ana.page.evaluate(CACHES)
    ana.play_now("karriere-poker")
    ana.await_live()


def test_a_push_is_shown_replaced_closed_and_not_shown_to_who_sees_the_table(invite: Invite) -> None:
    ana = open_with_service_worker(invite, permissions=["notifications"])
    ana.go("/about/")
    await_worker(ana)
    worker = watch_notifications(ana)
    for body in ("one", "two"):
        push(ana, {**NOTICE, "body": body, "path": "/clubs/"})
        await_shown(ana, worker, [body])
    push(ana, {**NOTICE, "body": "three", "path": "/clubs/", "is_update": True})
    push(ana, {**NOTICE, "tag": "event/w", "path": "/clubs/", "is_update": True})  # not on the screen, so not shown
    await_shown(ana, worker, ["three"])
    push(ana, {**NOTICE, "body": "two", "path": "/clubs/"})
    push(ana, {**NOTICE, "tag": "event/y", "path": "/clubs/", "is_gone": True})
    push(ana, {**NOTICE, "tag": "event/z", "body": "other", "path": "/clubs/"})
    await_shown(ana, worker, ["two", "other"])
    push(ana, {**NOTICE, "path": "/clubs/", "is_gone": True})
    await_shown(ana, worker, ["other"])
    push(ana, {**NOTICE, "tag": "seen", "path": "/about/"})  # this page is open, and they look at it
    push(ana, {**NOTICE, "tag": "last", "body": "last", "path": "/clubs/"})
    await_shown(ana, worker, ["other", "last"])


def test_a_push_names_a_time_by_this_devices_clock(invite: Invite) -> None:
    ana = open_with_service_worker(invite, permissions=["notifications"], timezone_id="Europe/Warsaw")
    ana.go("/about/")
    await_worker(ana)
    worker = watch_notifications(ana)
    moment = {"text": "bis %(time)s", "at": datetime(2026, 11, 28, 4, 5, tzinfo=UTC).timestamp()}
    push(ana, {**NOTICE, "path": "/clubs/", "language": "de", "moment": moment})
    await_shown(ana, worker, ["Karriere Poker with Ben · bis Sa., 28. Nov., 05:05"])


def test_a_press_opens_the_right_page_or_goes_to_it(invite: Invite) -> None:
    """Windows may only be opened by a real press, so the worker's own calls are noted."""
    ana = open_with_service_worker(invite)
    ana.go("/about/")
    await_worker(ana)
    press = """async (path) => {
      const calls = [];
      self.clients.openWindow = async (url) => void calls.push(["open", new URL(url).pathname]);
      WindowClient.prototype.focus = async function () { calls.push(["focus", new URL(this.url).pathname]); };
      const notification = { data: { path }, close: () => calls.push(["close"]) };
      const event = Object.assign(new Event("notificationclick"), { notification });
      event.waitUntil = (work) => (event.work = work);
      self.dispatchEvent(event);
      await event.work;
      return calls;
    }"""
    worker = ana.context.service_workers[0]
    assert worker.evaluate(press, "/tables/abc/") == [["close"], ["open", "/tables/abc/"]]
    assert worker.evaluate(press, "/about/") == [["close"], ["focus", "/about/"]]
