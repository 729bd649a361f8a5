"""The service worker in a real browser: files from its cache, the page without a network, updates, notifications."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.visitor import BROKEN_LINE, Visitor

pytestmark = pytest.mark.chromium

READY = """async () => {
  const registration = await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 50));
  return registration.active.scriptURL;
}"""
CACHES = "async () => (await caches.keys()).sort()"
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
  ({ title, body, tag, data }) => ({ title, body, tag, path: data.path }))"""
SHOWN_TAGS = "async () => (await self.registration.getNotifications()).map(({ tag }) => tag)"
WHO = "async () => (await (await caches.match('/seen-tables'))?.json())?.who"
SEEN = "async () => !!(await caches.match('/seen-tables'))"
NOTICE = {"tag": "table/x", "title": "It is your turn", "body": "Karriere Poker with Ben", "is_gone": False}


def come(invite: Invite, **settings: Any) -> Visitor:
    """A visitor whose browser has the service worker."""
    return invite(service_workers="allow", **settings)


def await_worker(visitor: Visitor) -> None:
    """Wait until the worker serves the page."""
    assert visitor.page.evaluate(READY).endswith("/service-worker.js")


def name(visitor: Visitor, who: str) -> None:
    """Become a guest of this name."""
    visitor.go("/me/")
    visitor.at("#id_name").fill(who)
    with visitor.page.expect_navigation():
        visitor.at("main form.panel button.go").click()


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


def await_shown(visitor: Visitor, tags: list[str]) -> list[dict[str, str]]:
    """The notifications, once they have these tags."""
    for _ in range(200):
        shown: list[dict[str, str]] = visitor.page.evaluate(SHOWN)
        if [one["tag"] for one in shown] == tags:
            return shown
        visitor.page.wait_for_timeout(50)
    raise AssertionError(f"shown: {shown}")


def test_without_a_network_the_page_says_so_and_shows_tables_as_last_seen(invite: Invite) -> None:
    ana = come(invite)
    ana.play_now("karriere-poker")
    table = ana.page.url
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
    assert ana.at("#board").count() == 0  # never an old board as the present
    assert ana.page.evaluate("getComputedStyle(document.body).fontFamily") != "Times"  # its styles are there
    ana.context.set_offline(False)
    expect(ana.at("#board")).to_be_visible()


def test_nothing_of_one_person_is_shown_to_the_next(invite: Invite) -> None:
    """Two people, one after the other, in one browser: by signing out, and although the last answer was lost."""
    ana = come(invite)
    ana.play_now("karriere-poker")
    ana.go("/")
    await_worker(ana)
    ana.page.wait_for_function(SEEN)
    before = ana.page.evaluate(WHO)
    ana.context.clear_cookies()  # somebody else uses this browser
    name(ana, "Ben")
    ana.go("/")
    ana.page.wait_for_function(f"async () => (await ({WHO})()) !== {json.dumps(before)}")
    lose_network(ana)
    ana.page.goto(f"{ana.address}/tables/anything/")
    expect(ana.at("h1")).to_have_text("No connection")
    expect(ana.at("#seen-none")).to_be_visible()
    assert "Karriere" not in ana.at("main").inner_text()
    # Every stored page is the same for everybody.
    stored = ana.page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async (key) =>
          (await (await caches.open(key)).keys()).map(({ url }) => new URL(url).pathname)))).flat()"""
    )
    pages = [path for path in stored if not path.startswith("/static/")]
    assert set(pages) <= {"/offline/en/", "/offline/de/", "/offline/pl/", "/seen-tables", "/seen-language"}


def test_what_was_noted_goes_with_signing_out_even_if_the_answer_is_lost(invite: Invite) -> None:
    ana = come(invite)
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
    ana = come(invite)
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


def test_a_push_is_shown_collapsed_closed_and_opens_the_right_table(invite: Invite) -> None:
    ana = come(invite, permissions=["notifications"])
    ana.play_now("karriere-poker")
    path = f"/tables/{ana.table}/"
    ana.go("/about/")
    await_worker(ana)
    for body in ("one", "two", "three"):
        push(ana, {**NOTICE, "body": body, "path": path})
    for _ in range(100):
        [shown] = await_shown(ana, ["table/x"])
        if shown["body"] == "three":
            break
        ana.page.wait_for_timeout(50)
    assert shown == {"title": "It is your turn", "body": "three", "tag": "table/x", "path": path}
    push(ana, {**NOTICE, "path": path, "is_gone": True})
    await_shown(ana, [])
    push(ana, {**NOTICE, "path": path})
    await_shown(ana, ["table/x"])
    ana.go(path)  # who opens the table sees it there
    await_shown(ana, [])
    push(ana, {**NOTICE, "path": path})
    ana.page.wait_for_timeout(500)
    assert ana.page.evaluate(SHOWN) == []


def test_a_press_opens_the_page_of_the_notification(invite: Invite) -> None:
    """Windows may only be opened by a real press, so the worker's own calls are noted."""
    ana = come(invite, permissions=["notifications"])
    ana.go("/")
    await_worker(ana)
    push(ana, {**NOTICE, "path": "/tables/abc/"})
    await_shown(ana, ["table/x"])
    press = """async (tag) => {
      const calls = [];
      self.clients.openWindow = async (url) => calls.push(["open", new URL(url).pathname]);
      WindowClient.prototype.focus = async function () { calls.push(["focus", new URL(this.url).pathname]); };
      const [notification] = await self.registration.getNotifications({ tag });
      self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
      while (!calls.length) await new Promise((done) => setTimeout(done, 20));
      return calls;
    }"""
    worker = ana.context.service_workers[0]
    assert worker.evaluate(press, "table/x") == [["open", "/tables/abc/"]]
    assert worker.evaluate(SHOWN_TAGS) == []
    path = "/"
    show = """async (path) => self.registration.showNotification("here", { tag: "table/here", data: { path } })"""
    worker.evaluate(show, path)
    assert worker.evaluate(press, "table/here") == [["focus", "/"]]
