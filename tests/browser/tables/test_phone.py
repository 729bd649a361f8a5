"""A whole game of Karriere Poker by finger on a narrow phone, from one tap in the lobby to the final places."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games.rules import registry
from tests.browser.conftest import Invite
from tests.browser.playing import await_ply, await_turn, is_mine, is_over, ply, press, take_turn, tap
from tests.browser.server_state import SetUpGame
from tests.browser.visitor import PHONE, Visitor, list_overflowing, resize, wait_until

pytestmark = pytest.mark.chromium

FINGER, INLINE = 44, 24
"""Least width and height of what a finger should hit, in CSS pixels; of a link inside a sentence."""

AT_REST = """part => {
  Object.assign(part.style, { transition: "none", translate: "none" });
  const { bottom } = part.getBoundingClientRect();
  Object.assign(part.style, { transition: "", translate: "" });
  return bottom;
}"""
WHY_NOT = re.compile(r"is not higher than|Cards of one number needed|as are on the table|Only jokers beat jokers")


@pytest.fixture
def person(invite: Invite) -> Visitor:
    """Somebody with a phone."""
    return invite(size=PHONE, has_touch=True, is_mobile=True)


def test_a_whole_game_by_finger(person: Visitor) -> None:
    person.press_play_now("karriere-poker")
    person.await_live()
    explained = passed_on = 0
    places: set[int] = set()
    await_turn(person)
    while not is_over(person.page):
        places.add(find_bottom(person.at("#go")))
        explained = explained or explain_illegal_choice(person)
        if person.at("#auto").count() and person.at("#hand .s:not(.dim)").count() == 0:
            pass_for_the_round(person)
            passed_on += 1
        else:
            take_turn(person, tap)
        await_turn(person)
        assert "\n".join(list_overflowing(person.page)) == ""
    assert explained
    assert passed_on
    assert max(places) - min(places) <= 1, "the button stands in one place for the whole game"
    expect(person.at("#places li")).to_have_count(5)
    expect(person.at(".winner")).to_contain_text("won")
    check_targets(person.page)
    resize(person.page, {"width": 360, "height": 520})  # as with eight players on a higher one
    expect(person.at("#rematch")).to_be_in_viewport(ratio=1)


def find_bottom(part: Locator) -> int:
    """Where an element ends in the window, in CSS pixels; a button that is held down lies a pixel lower."""
    return round(float(part.evaluate(AT_REST)))


def explain_illegal_choice(person: Visitor) -> bool:
    """A tap on cards that do not go says why, and chooses nothing. Returns whether there were such cards."""
    dimmed = person.at("#hand .s.dim")
    if dimmed.count() == 0:
        return False
    check_targets(person.page)
    button = person.at("#go").bounding_box()
    tap(dimmed.first)
    expect(person.at("#why")).to_have_text(WHY_NOT)
    expect(person.at("#hand .up")).to_have_count(0)
    assert person.at("#go").bounding_box() == button  # it does not jump under the finger
    return True


def pass_for_the_round(person: Visitor) -> None:
    """One tap passes now, and again whenever it would be my turn until somebody else leads."""
    before = ply(person.page)
    tap(person.at("#auto"))
    await_ply(person, before + 1)


def test_a_standing_pass_can_be_taken_back(invite: Invite, person: Visitor) -> None:
    other = invite(has_touch=True)
    person.start_game("karriere-poker", other, seats=4, bots=2, turn_seconds=600)
    both = (person, other)
    for one in both:
        one.show_table()
    while not (is_mine(other.page) and person.at("#auto").count()):
        wait_until(lambda: any(is_mine(one.page) for one in both), person.page, what="a person's turn")
        mover = next(one for one in both if is_mine(one.page))
        if mover is person or not person.at("#auto").count():
            take_turn(mover, tap)
            for one in both:
                await_ply(one, ply(mover.page))
    for state in ("true", "false"):
        tap(person.at("#auto"))
        expect(person.at("#auto")).to_have_attribute("aria-pressed", state)


def test_jokers_alone_can_be_named_and_what_is_played_is_not_chosen_a_second_time(
    person: Visitor, set_up_game: SetUpGame
) -> None:
    sent: list[dict[str, Any]] = []
    person.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    person.start_game("karriere-poker", seats=5, bots=4)
    hands = [["3", "J", "J"], *([["1", "2"]] * 4)]
    set_up_game(person.table, {"order": [0, 1, 2, 3, 4], "deals": [{"hands": hands}]})
    person.show_table()
    expect(person.at("#naming")).to_be_hidden()
    tap(person.at("#hand .s[data-n=J]"))
    expect(person.at("#naming")).to_be_visible()
    person.at("#name-as").fill("27")
    expect(person.at("#go")).to_have_text("Play 1 joker as 27")
    press(person, "#go", tap)
    wait_until(lambda: any(frame["type"] == "move" for frame in sent), person.page, what="a move is sent")
    assert [frame["move"] for frame in sent if frame["type"] == "move"] == [{"play": ["J"], "as": 27}]
    wait_until(lambda: person.at("#hand .s i").count() == 2, person.page, what="the joker is gone from my hand")
    expect(person.at("#hand .up")).to_have_count(0)
    expect(person.at("#naming")).to_be_hidden()
    await_turn(person)
    tap(person.at("#hand .s[data-n=J]"))
    expect(person.at("#go")).to_have_text("Play 1 joker")
    expect(person.at("#name-as")).to_have_value("")


def test_each_card_of_a_wide_hand_is_as_large_as_a_finger(person: Visitor, set_up_game: SetUpGame) -> None:
    person.play_now("karriere-poker")
    singles = [*(str(number) for number in range(1, 14)), "J"]
    set_up_game(person.table, {"order": [0, 1, 2, 3, 4], "deals": [{"hands": [singles, *([["1", "2"]] * 4)]}]})
    person.show_table()
    expect(person.at("#hand .s")).to_have_count(len(singles))
    for width, height in ((360, 740), (740, 360)):
        resize(person.page, {"width": width, "height": height})
        check_targets(person.page)


def test_no_card_moves_when_my_turn_comes(person: Visitor) -> None:
    person.play_now("karriere-poker")
    person.await_live()
    await_turn(person)
    tops = person.page.evaluate(
        """() => {
          const [ask, turn] = [document.querySelector("#action .ask"), document.getElementById("turn")];
          const top = () => Math.round(document.getElementById("hand").getBoundingClientRect().top);
          const say = (words) => (ask.textContent = words, top());
          const mine = [say("Beat 1 ten."), say("Your turn: lead one or more cards of the same number.")];
          ask.remove();
          turn.textContent = "Emil to play";
          return [...mine, top()];
        }"""
    )
    assert len(set(tops)) == 1, tops


REASONS = """() => {
  const why = document.getElementById("why");
  return ["", "This card must match dark blue or pigs.", "Tiles can leave a group, but not join another. ".repeat(2)]
    .map((words) => {
      why.textContent = words;
      const { left, top, right, bottom } = document.querySelector(".tray .buttons").getBoundingClientRect();
      return [left, top, right, bottom].map(Math.round).join(" ");
    });
}"""
"""Where the buttons stand when nothing is said, a short reason, a long one."""


@pytest.mark.parametrize("game", registry.slugs())
def test_a_reason_moves_no_button(person: Visitor, game: str) -> None:
    person.play_now(game)
    person.await_live()
    await_turn(person)
    places = person.page.evaluate(REASONS)
    assert len(set(places)) == 1, places


GESTURES = """() => ["body", "#hand, #choice", "#action .buttons"].map((part) => {
  const { touchAction, userSelect } = getComputedStyle(document.querySelector(part));
  return `${touchAction} ${userSelect}`;
})"""
"""What two quick taps, and a long press, do on the page, on what I choose from and on its buttons."""


@pytest.mark.parametrize("game", registry.slugs())
def test_two_quick_taps_do_not_zoom_and_a_long_press_selects_nothing(person: Visitor, game: str) -> None:
    person.play_now(game)
    person.await_live()
    await_turn(person)
    page, choice, buttons = person.page.evaluate(GESTURES)
    assert page == "manipulation auto"
    assert (choice, buttons) == ("auto none", "auto none")


EMPTY = """() => [...document.querySelectorAll("main *")].filter((part) => {
  const { width, height } = part.getBoundingClientRect(), style = getComputedStyle(part);
  if (!part.checkVisibility() || width < 20 || height < 12 || part.closest("svg, [aria-hidden=true]")) return false;
  if (part.matches("input, select, img, svg, progress, i, button, .icon, .free")) return false;
  const isBox = style.backgroundColor !== "rgba(0, 0, 0, 0)" || parseFloat(style.borderTopWidth) > 0;
  const hasPicture = [style, getComputedStyle(part, "::before")].some((one) => {
    return [one.backgroundImage, one.maskImage].some((image) => image !== "none");
  });
  const isFilled = part.innerText?.trim() || part.querySelector("img, svg, i, input, select, button");
  return isBox && !hasPicture && !isFilled;
}).map((part) => part.outerHTML.slice(0, 80))"""
"""What is drawn as a box though there is nothing in it. Free brackets of an ark are meant to be empty."""


@pytest.mark.parametrize("game", registry.slugs())
def test_no_box_is_empty(person: Visitor, game: str) -> None:
    person.play_now(game)
    person.await_live()
    await_turn(person)
    assert person.page.evaluate(EMPTY) == []


def check_targets(page: Page) -> None:
    """Everything that can be pressed is as large as a finger; links inside sentences a little smaller."""
    small = page.evaluate(
        """([finger, inline]) => [...document.querySelectorAll("a, button, select, input, summary")].filter((it) => {
          const box = it.getBoundingClientRect();
          if (!box.width || it.closest(".v, .skip") || it.type === "hidden") return false;
          const least = getComputedStyle(it).display === "inline" ? inline : finger;
          return box.height < least - 0.5 || box.width < least - 0.5;
        }).map((it) => it.outerHTML.slice(0, 120))""",
        [FINGER, INLINE],
    )
    assert small == []
