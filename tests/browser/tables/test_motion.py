"""Motion at a table: what is played comes from its hand, what is taken goes to its owner, in less than 300 ms; there is
none if a reader wants none. A line of the log shows its moment."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from benchmarks.load.touches import play_turns
from tests.browser.conftest import Invite
from tests.browser.playing import await_turn, press, take_turn, tap
from tests.browser.server_state import SetUpGame
from tests.browser.tables.test_tray import ANIMALS_ON_BOARD
from tests.browser.visitor import PHONE, Visitor, wait_until

pytestmark = pytest.mark.chromium

MAX_MS: Final = 300
WATCH = """
window.travels = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (path, way) {
  const of = this.closest("#middle") ? "middle" : this.className;
  window.travels.push({ ms: way.duration, from: path[0].transform, of });
  return animate.call(this, path, way);
};
"""


def test_a_played_card_travels_from_its_hand_unless_no_motion_is_wanted(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.context.add_init_script(WATCH)
    person.play_now("karriere-poker")
    person.await_live()
    await_turn(person)
    take_turn(person)
    wait_until(lambda: any(_is_play(one) for one in _list_travels(person)), person.page, what="a card travels")
    assert [one for one in _list_travels(person) if one["ms"] >= MAX_MS] == []
    person.page.emulate_media(reduced_motion="reduce")
    person.page.evaluate("travels.length = 0")
    await_turn(person)
    take_turn(person)
    await_turn(person)
    assert _list_travels(person) == []


def _list_travels(person: Visitor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.page.evaluate("travels")
    return found


def _is_play(travel: dict[str, Any]) -> bool:
    """A card arrives in the middle from elsewhere."""
    return travel["of"] == "middle" and str(travel["from"]).startswith("translate")


def begin(invite: Invite, set_up_game: SetUpGame, game: str, setup: dict[str, Any]) -> Visitor:
    """My turn on a phone, from this set-up; travels are noted."""
    person = invite(size=PHONE, has_touch=True, is_mobile=True)
    person.context.add_init_script(WATCH)
    person.start_game(game, seats=4, bots=3, turn_seconds=600)
    set_up_game(person.table, setup)
    person.show_table()
    await_turn(person)
    person.page.evaluate("travels.length = 0")
    return person


def await_departure(person: Visitor, what: str) -> None:
    """Wait until what was taken is on its way; nothing takes longer than it may."""

    def goes() -> bool:
        return any("flying" in one["of"] and what in one["of"].split() for one in _list_travels(person))

    wait_until(goes, person.page, what=f"{what} travels")
    assert [one for one in _list_travels(person) if one["ms"] >= MAX_MS] == []


def test_a_trick_goes_to_who_has_won_it(invite: Invite, set_up_game: SetUpGame) -> None:
    hands = [["13", "1", "2", "3"], ["2", "3", "4"], ["2", "3", "4"], ["2", "3", "4"]]
    setup = {"order": [0, 1, 2, 3], "deals": [{"hands": hands}]}
    person = begin(invite, set_up_game, "karriere-poker", setup)
    person.at("#hand .s[data-n='13']").tap()
    press(person, "#go", tap)
    await_departure(person, "cards")


def test_a_group_goes_to_the_ark_of_who_takes_it(invite: Invite, set_up_game: SetUpGame) -> None:
    setup = {**ANIMALS_ON_BOARD, "start": 0, "to_act": 0, "in_round": [0, 1, 2, 3]}
    person = begin(invite, set_up_game, "animals-on-board", setup)
    person.at(".price:not(.dear)").first.tap()
    press(person, "#go", tap)
    await_departure(person, "t")


def test_a_garment_goes_to_the_animal_that_wears_it(invite: Invite, set_up_game: SetUpGame) -> None:
    table = ["1LG:G 2LG:G 3LG:G 4LG:G", "5LG:G 6LG:G 7LG:G 8LG:G", "1GM:M 2GM:M 3GM:M 4GM:M", "1MC:C 2MC:C 3MC:C 4MC:C"]
    hands = [["1LC", "2LC", "3LC", "4LC", "5LC"], ["9LG"], ["9GM"], ["9MC"]]
    setup = {"hands": hands, "table": [meld.split() for meld in table], "deck": ["1GC", "2GC"], "to_act": 0}
    person = begin(invite, set_up_game, "fancy-animals", setup)
    for word in ("1LC", "2LC", "3LC", "4LC", "5LC"):
        person.at(f"#hand .t[data-w='{word}']").tap()
    person.at("#go").tap()
    person.at("#offer .paid").first.tap()
    expect(person.at("#go")).to_contain_text("take:")
    press(person, "#go", tap)
    await_departure(person, "o")


@pytest.mark.parametrize("game", ["animals-on-board", "fancy-animals", "super-zwierzaki"])
def test_nothing_travels_where_a_reader_wants_no_motion(invite: Invite, game: str) -> None:
    person = invite(size=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    person.context.add_init_script(WATCH)
    person.play_now(game)
    person.await_live()
    assert play_turns(person, game, 3)
    await_turn(person)
    assert _list_travels(person) == []


def test_a_line_of_the_log_shows_its_cards_and_whose_they_are(invite: Invite, set_up_game: SetUpGame) -> None:
    hands = [["5", "6", "1", "2"], ["7", "3", "4"], ["8", "3", "4"], ["9", "3", "4"]]
    setup = {"order": [0, 1, 2, 3], "deals": [{"hands": hands}]}
    person = begin(invite, set_up_game, "karriere-poker", setup)
    person.at("#hand .s[data-n='5']").tap()
    press(person, "#go", tap)
    line = person.at("#log li[data-who='0']:has(.cards)").last
    expect(line).to_be_attached()
    small = line.locator(".cards i").first.evaluate("card => card.offsetWidth")
    line.tap()
    expect(person.at(".seats li[data-seat='0']")).to_contain_class("told")
    assert line.locator(".cards i").first.evaluate("card => card.offsetWidth") > 2 * small
