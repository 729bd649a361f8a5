"""Super Zwierzaki: two people and two bots through a duel, a rejected function and a forgotten call."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from games.play.seats.arranged_tables import pause, resume
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import find_violations
from tests.browser.playing import Tap, click, tap, touch_again
from tests.browser.server_state import OnServer, SetUpGame
from tests.browser.visitor import LAPTOP, PHONE, Visitor, list_overflowing, wait_until

pytestmark = pytest.mark.chromium

SETUP = {
    "hands": [["37", "107", "19", "20"], ["47", "47", "40"], ["1", "3", "5", "6"], ["8", "9", "10", "11"]],
    "top": "116",
    "order": [0, 1, 2, 3],
    "draw": ["12", "16", "18", "20", "21", "23", "38", "39", "41", "42", "43", "44", "49", "50", "52"],
}
"""The host holds an orangutan and a teal, the guest two chimpanzees and a rat; the bots hold nothing that acts. Windows
in which nobody but the host could play pass by themselves, at once on this server."""


def test_a_duel_a_rejection_and_a_forgotten_call(invite: Invite, set_up_game: SetUpGame) -> None:
    host, guest = invite(size=PHONE, has_touch=True), invite(size=LAPTOP)
    gather(set_up_game, host, guest)
    fight(host, guest)
    reject(host, guest)
    forget(host, guest)
    for person in (host, guest):
        assert list_overflowing(person.page) == []


def gather(set_up_game: SetUpGame, host: Visitor, guest: Visitor) -> None:
    """At one table, with the cards of the test."""
    fields = {"seats": 4, "bots": 2, "turn_seconds": 600, "reaction_seconds": 60, "call_seconds": 15, "minutes": ""}
    host.start_game("super-zwierzaki", guest, **fields)
    set_up_game(host.table, SETUP)
    for person in (host, guest):
        person.show_table()
        expect(person.at("#turn")).to_contain_text("to play")
    assert list(find_violations(host)) == []
    host.show_table()  # that look has opened every fold
    host.page.set_viewport_size(PHONE)  # type: ignore[arg-type]


def fight(host: Visitor, guest: Visitor) -> None:
    """The host's orangutan; the host folds, the guest adds a chimpanzee, the bots fold: all but the guest draw two."""
    expect(host.at("#action .ask")).to_have_text("Your turn: match dark blue or pigs.")
    tap(host.at("#hand [data-k='19']"))
    expect(host.at("#why")).to_have_text("This card must match dark blue or pigs.")
    play(host, "37", tap)
    expect(guest.at("#duel .points")).to_have_text("1 duel point")
    press(host, "Fold", tap)
    expect(guest.at("#duel .folded")).to_have_count(1)
    play(guest, "47", click)
    expect(guest.at("#duel")).to_be_hidden()
    expect(guest.at("#action .ask")).to_have_text("Your turn: match dark blue or apes.")
    sizes = guest.view()["view"]["hand_sizes"]
    assert sizes == [5, 2, 6, 6]


def reject(host: Visitor, guest: Visitor) -> None:
    """The guest's second chimpanzee would be a duel; the host's teal rejects it, and that leaves the guest one card."""
    guest.at("#hand [data-k='47']").focus()
    guest.page.keyboard.press("Space")
    expect(guest.at("#call")).to_be_visible()
    wait_until(lambda: is_play_accepted(guest), guest.page, what="the chimpanzee is played")
    press(host, "Play Common teal", tap)
    expect(host.at("#log")).to_contain_text("The play is rejected and does nothing.")


def is_play_accepted(guest: Visitor) -> bool:
    """Whether Enter has played what is chosen: just after a turn has come it does not, for a third of a second."""
    if "to play" in guest.at("#turn").inner_text():
        guest.page.keyboard.press("Enter")
    return bool(guest.view()["view"]["phase"] == "reaction")


def forget(host: Visitor, guest: Visitor) -> None:
    """The player does not say it in time: two cards, and everybody reads why."""
    expect(guest.at(".cheap.owed")).to_be_visible()
    expect(host.at(".seat.owes em")).to_have_text("must say it!")
    expect(host.at(".seats li[data-seat='1'] .bubble.shame")).to_have_text("Shame! Two cards")
    shame = "did not say “Codziennie niskie ceny!”. Shame! Two cards."
    for person in (host, guest):
        expect(person.at("#log")).to_contain_text(shame)
    expect(guest.at(".cheap.owed")).to_have_count(0)
    assert guest.view()["view"]["hand_sizes"][1] == 3


FEW = ["12", "16", "18", "20", "21", "23", "41", "42", "43", "44", "45", "50", "52", "54", "55", "56"]


def test_every_question_fits_a_phone(invite: Invite, set_up_game: SetUpGame, on_server: OnServer) -> None:
    """Three buttons beside each other, a long list, a red button: all whole, with what time will do below them.

    What is chosen waits for the end of a pause.
    """
    host = invite(size=PHONE, has_touch=True)
    fields = {
        "seats": 3,
        "bots": 2,
        "turn_seconds": 600,
        "win_seconds": 60,
        "call_seconds": 60,
        "minutes": "",
        "is_timed": True,
    }
    host.start_game("super-zwierzaki", **fields)
    show(set_up_game, host, hands=[["38", "19"], ["8", "9"], ["10", "11"]], top="40")
    host.at("#hand [data-k='38']").tap()
    fits(host, "#call", "#go", "When time runs out, you draw a card.")
    rest(on_server, host)
    expect(host.at("#go")).to_contain_text("Play")
    show(set_up_game, host, hands=[["14", "1", "3"], ["8", "9"], ["10", "11"]], top="19")
    play(host, "14", tap)
    expect(host.at("#kind")).to_be_visible()
    fits(host, "#kind", "#go", "When time runs out, Black mamba is demanded.")
    host.at("#kind").select_option("19")
    rest(on_server, host)
    expect(host.at("#kind")).to_have_value("19")
    show(set_up_game, host, hands=[["39", "107", "24", "1"], ["38"], ["10", "11"]], top="40")
    play(host, "39", tap)
    expect(host.at("#window")).to_contain_text("has no cards left!")
    buttons = ("[data-move*='107']", "[data-move*='24']", "[data-move*='decline']")
    fits(host, *buttons, "When time runs out, you allow it.")


def show(set_up_game: SetUpGame, person: Visitor, **setup: Any) -> None:
    """The game begins anew from here, and the page shows it."""
    set_up_game(person.table, {"order": [0, 1, 2], "draw": FEW, **setup})
    person.show_table()


def rest(on_server: OnServer, person: Visitor) -> None:
    """The table is paused, and goes on."""
    on_server(lambda: pause(person.table, now=time.time()))
    expect(person.at("#go")).to_have_text("Paused")
    on_server(lambda: resume(person.table, now=time.time()))
    expect(person.at("#action")).to_contain_class("mine")


def fits(person: Visitor, *what: str) -> None:
    """These parts are wide enough for a finger and within the page; the last one is what time will do."""
    *parts, default = what
    expect(person.at("#default")).to_have_text(default)
    expect(person.at("#default")).to_be_in_viewport()
    for part in parts:
        box = person.at(f"#action {part}").bounding_box()
        assert box is not None
        assert (box["width"] >= 90, box["x"] >= 0, box["x"] + box["width"] <= PHONE["width"]) == (True, True, True), (
            part
        )
    assert list_overflowing(person.page) == []


def play(person: Visitor, kind: str, touch: Tap) -> None:
    """One card of a kind."""
    expect(person.at("#action")).to_contain_class("mine")
    touch(person.at(f"#hand [data-k='{kind}']"))
    expect(person.at("#go")).to_contain_text("Play")
    before = person.view()["ply"]

    def has_played() -> bool:
        if person.view()["ply"] == before:
            touch_again(touch, person.at("#go"))
        return bool(person.view()["ply"] > before)

    wait_until(has_played, person.page, what=f"{kind} is played")


def press(person: Visitor, words: str, touch: Tap) -> None:
    """A button of what is asked."""
    button = person.at("#action").get_by_role("button", name=words)
    expect(button).to_be_visible()

    def has_gone() -> bool:
        if button.count():
            touch_again(touch, button.first)
            person.page.wait_for_timeout(100)
        return not button.count()

    wait_until(has_gone, person.page, what=f"{words} is taken")


CALL_AT_THE_EDGE = """() => {
  const call = document.createElement("p"), chairs = [...document.querySelectorAll(".seats > li")];
  call.className = "bubble";
  call.textContent = "Codziennie niskie ceny!";
  call.style.animation = "none";
  const left = (chair) => chair.getBoundingClientRect().left;
  chairs.sort((one, other) => left(one) - left(other))[0].append(call);
  return call.getBoundingClientRect().left;
}"""
"""Where the bubble of the leftmost player begins, in CSS pixels."""
UNREADABLE = """() => [...document.querySelectorAll(":is(#hand .k, #heap .z) :is(em, b, small)")].filter((words) => {
  const isCut = words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 2;
  return words.getClientRects().length && (isCut || parseFloat(getComputedStyle(words).fontSize) < 10);
}).map((words) => `${words.textContent}: ${getComputedStyle(words).fontSize}
  ${words.scrollWidth} of ${words.clientWidth}
  x ${words.scrollHeight} of ${words.clientHeight}`)"""
"""Words on my cards that are smaller than 10 pixels, or cut off."""
KINDS = ["6", "45", "67", "96", "102", "1", "12", "18"]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "pl-PL"])
def test_a_hand_lies_whole_above_its_buttons_on_a_phone(invite: Invite, set_up_game: SetUpGame, locale: str) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True, locale=locale)
    person.start_game("super-zwierzaki", seats=5, bots=4)
    for held in (KINDS[:5], KINDS):
        idle = [["8", "9"], ["10", "11"], ["3", "5"], ["20", "21"]]
        show(set_up_game, person, hands=[held, *idle], top="19", order=[0, 1, 2, 3, 4])
        expect(person.at("#action")).to_contain_class("mine")
        lowest = person.at("#hand .k").last.bounding_box()
        buttons = person.at("#action .buttons").bounding_box()
        assert lowest is not None
        assert buttons is not None
        assert lowest["y"] + lowest["height"] <= buttons["y"], len(held)
        assert find_given(person) == {"isBeside": True, "asksAt": "in view"}, len(held)
        tops = [find_top(person, asked) for asked in ("", person.at("#action .ask").inner_text(), "Two lines. " * 5)]
        assert max(tops) - min(tops) < 1, (len(held), tops)
        assert person.page.evaluate(UNREADABLE) == [], len(held)
    assert person.page.evaluate(CALL_AT_THE_EDGE) >= 0


def find_given(person: Visitor) -> Any:
    """Where the colour and the class stand that are to be matched: beside the card, and above what I hold."""
    return person.page.evaluate(
        """() => {
          const [card, given, tray] = ["#heap .z", "#heap .given", ".tray"].map(
            (part) => document.querySelector(part).getBoundingClientRect());
          return { isBeside: given.left >= card.right && given.width > 60,
            asksAt: given.bottom <= tray.top ? "in view" : "hidden" };
        }"""
    )


def find_top(person: Visitor, asked: str) -> float:
    """Where my hand begins when this is asked."""
    place = person.page.evaluate(
        """(asked) => {
          document.querySelector("#action .ask").textContent = asked;
          return document.getElementById("hand").getBoundingClientRect().top;
        }""",
        asked,
    )
    return float(place)


DRAGONS = {
    "hands": [["53", "53", "1", "5", "9", "16"], ["11", "12", "18"], ["3", "6", "8"], ["20", "21", "23"]],
    "top": "49",
    "order": [0, 1, 2, 3],
}


def test_what_two_dragons_ask_is_in_view_at_once_on_a_phone(invite: Invite, set_up_game: SetUpGame) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True)
    person.start_game("super-zwierzaki", seats=4, bots=3, turn_seconds=600)
    set_up_game(person.table, DRAGONS)
    person.show_table()
    for _ in range(2):
        tap(person.at("#hand .k[data-k='53']"))
    wait_until(lambda: "2 ×" in person.at("#go").inner_text(), person.page, what="both are chosen")
    tap(person.at("#go"))
    expect(person.at("#action")).to_have_attribute("data-phase", "sigma")
    person.page.evaluate("scrollTo(0, 0)")
    lists = person.at("#action select").evaluate_all("all => all.map((it) => it.getBoundingClientRect().bottom)")
    button = person.at("#go").bounding_box()
    assert button is not None
    assert button["y"] + button["height"] <= PHONE["height"]
    assert (len(lists), [bottom for bottom in lists if bottom > button["y"]]) == (6, [])
    assert list_overflowing(person.page) == []
