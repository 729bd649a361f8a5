"""Super Zwierzaki ahead of time: a planned move, standing answers, and an answer that the page holds back."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from games import memo
from games.catalogue.super_zwierzaki.rules.kinds import KINDS
from games.play.storage import store
from tests.browser.conftest import Invite
from tests.browser.playing import tap
from tests.browser.server_state import OnServer, SetUpGame
from tests.browser.visitor import PHONE, Visitor, list_overflowing, wait_until

pytestmark = pytest.mark.chromium

DRAW = ["12", "16", "18", "20", "21", "23", "41", "42", "43", "44", "45", "50"]
HOLD_SECONDS = 3.0


def sit_down(invite: Invite) -> tuple[Visitor, Visitor]:
    """Two people with phones at one table; the host begins."""
    host, guest = (invite(size=PHONE, has_touch=True, is_mobile=True) for _ in range(2))
    fields = {"seats": 2, "bots": 0, "turn_seconds": 600, "reaction_seconds": 60, "call_seconds": 60, "minutes": ""}
    host.start_game("super-zwierzaki", guest, **fields)
    return host, guest


def deal(set_up_game: SetUpGame, hands: str, *people: Visitor, top: str = "40") -> None:
    """The game begins anew with these hands, and both pages show it."""
    given = [hand.split() for hand in hands.split("/")]
    set_up_game(people[0].table, {"hands": given, "top": top, "order": [0, 1], "draw": DRAW})
    for person in people:
        person.show_table()


def play(person: Visitor, kind: str) -> None:
    """One card of this kind, in my turn."""
    tap(person.at(f"#hand [data-k='{kind}']"))
    before = person.view()["ply"]

    def has_played() -> bool:
        if person.view()["ply"] == before:
            tap(person.at("#go"))
            person.page.wait_for_timeout(150)
        return bool(person.view()["ply"] > before)

    wait_until(has_played, person.page, what=f"{kind} is played")


def test_a_planned_move_is_made_once_as_soon_as_it_is_my_turn(invite: Invite, set_up_game: SetUpGame) -> None:
    host, guest = sit_down(invite)
    deal(set_up_game, "38 9 9/39 39 5", host, guest)
    tap(guest.at("#hand [data-k='39']"))
    tap(guest.at("#hand [data-k='39']"))
    expect(guest.at("#go")).to_have_text("On my turn: 2 × Green tree frog")
    expect(guest.at("#call")).to_be_visible()
    tap(guest.at("#call"))
    guest.page.wait_for_timeout(400)
    tap(guest.at("#go"))
    expect(guest.at("#go")).to_have_text("Planned: 2 × Green tree frog. Take back")
    assert list_overflowing(guest.page) == []
    before = host.view()["ply"]
    play(host, "38")
    expect(host.at("#log")).to_contain_text("plays 2 × Green tree frog")
    host.page.wait_for_timeout(500)
    moves = [line for line in host.at("#log li").all_inner_texts() if "Green tree frog" in line]
    assert len(moves) == 1
    assert "Codziennie niskie ceny!" in host.at("#log").inner_text()
    assert host.view()["ply"] >= before + 2


def test_a_plan_can_be_taken_back_or_replaced(invite: Invite, set_up_game: SetUpGame) -> None:
    host, guest = sit_down(invite)
    deal(set_up_game, "38 9 9/39 39 5", host, guest)
    guest.page.wait_for_timeout(400)
    tap(guest.at("#plan-draw"))
    expect(guest.at("#go")).to_have_text("Planned: draw. Take back")
    tap(guest.at("#go"))
    expect(guest.at("#go")).to_have_text("Not your turn yet")
    tap(guest.at("#plan-draw"))
    tap(guest.at("#hand [data-k='39']"))
    expect(guest.at("#go")).to_have_text("On my turn: Green tree frog")
    play(host, "38")
    expect(guest.at("#action")).to_contain_class("mine")
    guest.page.wait_for_timeout(500)
    assert guest.view()["view"]["hand_sizes"] == [2, 3]
    expect(guest.at("#go")).to_have_text("Play Green tree frog")  # chosen, but not planned: it is still chosen


def test_a_plan_that_is_not_possible_any_more_is_dropped_with_a_notice(invite: Invite, set_up_game: SetUpGame) -> None:
    host, guest = sit_down(invite)
    deal(set_up_game, "9 9 29/39 39 5", host, guest, top="26")
    guest.page.wait_for_timeout(400)
    tap(guest.at("#hand [data-k='39']"))
    tap(guest.at("#go"))
    expect(guest.at("#go")).to_have_text("Planned: Green tree frog. Take back")
    play(host, "29")
    expect(guest.at("#why")).to_have_text("Your planned move was not possible any more, so it was not made.")
    expect(guest.at("#action .ask")).to_have_text("Your turn: answer the red points or take the cards.")
    assert guest.view()["view"]["hand_sizes"] == [2, 3]


def test_a_standing_answer_stays_over_a_reload_and_is_taken_back_by_one_press(
    invite: Invite, set_up_game: SetUpGame
) -> None:
    host, guest = sit_down(invite)
    deal(set_up_game, "37 9 9 9/107 39 5", host, guest)
    wins = "#action [data-command='standing']:text-is('Ask me only about wins')"
    tap(guest.at(wins))
    expect(guest.at(wins)).to_have_attribute("aria-pressed", "true")
    guest.page.reload()
    guest.await_live()
    expect(guest.at(wins)).to_have_attribute("aria-pressed", "true")
    assert "true" not in host.at("#action [data-command='standing']").evaluate_all(
        "all => all.map((b) => b.ariaPressed)"
    )
    play(host, "37")
    expect(host.at("#action")).to_have_attribute("data-phase", "duel")  # the teal was not asked for
    tap(guest.at(wins))
    expect(guest.at(wins)).to_have_attribute("aria-pressed", "false")


def test_that_i_let_it_pass_is_held_back_until_an_empty_hand_would_be_answered_for(
    invite: Invite, set_up_game: SetUpGame, on_server: OnServer
) -> None:
    host, guest = sit_down(invite)
    deal(set_up_game, "37 9 9 9/107 39 5", host, guest)
    play(host, "37")
    expect(guest.at("#action")).to_have_attribute("data-phase", "reaction")
    due = on_server(lambda: postpone(guest.table))
    guest.page.reload()
    guest.await_live()
    expect(guest.at("#action")).to_have_attribute("data-hold", str(round(due * 1000)))
    guest.page.wait_for_timeout(400)
    tap(guest.at("#action [data-move*='decline']"))
    expect(guest.at("#why")).to_have_text("You let it pass. Waiting for the others …")
    assert host.view()["view"]["phase"] == "reaction"
    assert time.time() < due
    expect(guest.at("#duel")).to_be_visible()
    assert time.time() >= due - 0.1


def postpone(table_id: str) -> float:
    """Give the person that the window asks a time that is still to come."""
    memo.forget_all()
    table = store.fetch(table_id)
    due = round(time.time() + HOLD_SECONDS, 3)
    answers = tuple(answer._replace(due=due) for answer in table.runtime.answers)
    store.commit(table, table.changed(runtime=table.runtime._replace(answers=answers)))
    return due


def test_a_card_tells_what_it_does_on_tap_and_on_focus(invite: Invite, set_up_game: SetUpGame) -> None:
    host, guest = sit_down(invite)
    deal(set_up_game, "38 107 24/39 39 5", host, guest, top="47")
    tap(host.at("#hand [data-k='24']"))
    expect(host.at("#tells")).to_have_text("Guard: out of turn, it stops a win or the nine colours")
    before = host.at("#hand").bounding_box()
    tap(host.at("#hand [data-k='38']"))
    expect(host.at("#tells span")).to_be_hidden()
    host.at("#hand [data-k='107']").focus()
    expect(host.at("#tells")).to_have_text("Veto: sets all counters to zero and, out of turn, rejects a play")
    assert host.at("#hand").bounding_box() == before  # nothing moves under the finger
    tap(host.at("#heap .z"))
    expect(host.at("#tells")).to_have_text("Duel: everybody but the winner draws cards")
    assert list_overflowing(host.page) == []


FUNCTIONS = {kind.function: kind.word for kind in KINDS.values() if kind.function}
"""A kind for each function."""
CUT = """() => {
  const box = (part) => part.getBoundingClientRect(), bubble = document.querySelector("#tells span");
  const tray = box(document.querySelector(".tray")), { top, bottom } = box(bubble);
  return top < Math.max(0, tray.top) - 1 || bottom > tray.bottom || bubble.scrollWidth > bubble.clientWidth + 1;
}"""
"""Whether what a card tells is cut off."""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "pl-PL"])
def test_what_each_function_does_is_read_whole_on_a_small_phone(
    invite: Invite, set_up_game: SetUpGame, locale: str
) -> None:
    person = invite(size={"width": 360, "height": 640}, has_touch=True, is_mobile=True, locale=locale)
    person.start_game("super-zwierzaki", seats=5, bots=4)
    others = [["9", "10"], ["11", "12"], ["8", "9"], ["10", "11"]]
    hands = [list(FUNCTIONS.values()), *others]
    set_up_game(person.table, {"hands": hands, "top": "40", "order": [0, 1, 2, 3, 4], "draw": DRAW})
    person.show_table()
    cut = []
    for function, kind in FUNCTIONS.items():
        person.at(f"#hand [data-k='{kind}']").focus()
        expect(person.at("#tells span")).to_be_visible()
        if person.page.evaluate(CUT):
            cut.append(function)
    assert cut == []
