"""Seats do not overlap at a table, for any number of players."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Locator, expect

from games.rules import registry
from tests.browser.conftest import Invite
from tests.browser.playing import await_turn
from tests.browser.visitor import LAPTOP, PHONE, Visitor, list_broken_words, list_overflowing, resize, wait_until
from tests.guest import Guest

pytestmark = pytest.mark.chromium

TABLET = {"width": 1024, "height": 768}
TABLET_UPRIGHT = {"width": 768, "height": 1024}

CROWDED = """() => {
  const board = document.querySelector("#board").getBoundingClientRect();
  const chairs = [...document.querySelectorAll(".seats > li")].map((chair) => chair.getBoundingClientRect());
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const out = chairs.filter((one) => one.left < board.left - 1 || one.right > board.right + 1 || one.width < 20);
  const both = chairs.flatMap((one, i) => chairs.slice(i + 1).filter((other) => meet(one, other)));
  return [...out, ...both].map((one) => JSON.stringify(one));
}"""
"""Chairs that stand outside of the table, or on one another."""
LINES = """it => {
  const text = document.createRange();
  const first = document.createTreeWalker(it, NodeFilter.SHOW_TEXT).nextNode();
  text.setStart(first, 0);
  text.setEnd(first, first.data.trimEnd().search(/ |$/));
  return text.getClientRects().length;
}"""
"""On how many lines the first word of a name stands."""


MIDDLE = {
    "karriere-poker": """() => {
      const middle = document.getElementById("middle"), exchange = document.getElementById("exchange");
      const names = [...document.querySelectorAll(".seat b")].map((name) => name.textContent);
      const half = names.slice(0, Math.floor(names.length / 2));
      const pairs = half.map((name, i) => `<li>${name} und ${names.at(-1 - i)} tauschen 4 Karten</li>`);
      const news = "Erster Durchgang: Noch hat niemand einen Posten, also gibt es keinen Tausch.";
      middle.className = "bare";
      exchange.hidden = false;
      exchange.innerHTML = `<p>${news}</p><ul>${pairs.join("")}</ul>`;
    }""",
    "super-zwierzaki": """() => {
      const duel = document.getElementById("duel"), chairs = [...document.querySelectorAll(".seat")];
      const people = chairs.map((chair) => {
        return `<li><i class="${chair.querySelector(".a").className}"></i>${chair.querySelector("b").textContent}</li>`;
      });
      const head = "<h2>Pojedynek: kto wygra, może oddać karty</h2><p class='points'>12 punktów pojedynku</p>";
      document.getElementById("window").hidden = true;
      duel.hidden = false;
      duel.innerHTML = `${head}<ol>${people.join("")}</ol>`;
    }""",
}
"""What fills the middle of a table most: an exchange, a duel, in long words."""
PLAYED = """() => {
  document.getElementById("exchange").hidden = true;
  const middle = document.getElementById("middle");
  middle.className = "";
  middle.innerHTML = `<p class="cards">${'<i class="c10">10</i>'.repeat(8)}</p><p class="by">Wolfgang: 8 zehn</p>`;
}"""
"""As many cards as are seldom played at once."""
MIN_CARD = 36
"""Pixels across that a number and an animal want."""
ON_CHAIRS = """() => {
  const box = (part) => part.getBoundingClientRect();
  const chairs = [...document.querySelectorAll(".seats > li")].filter((chair) => chair.checkVisibility()).map(box);
  const middle = "#middle > *, #exchange > *, #heap > *, #duel, #window, #bar, #watchers";
  const parts = [...document.querySelectorAll(middle)];
  const meet = (one, other) => one.left < other.right - 2 && other.left < one.right - 2
    && one.top < other.bottom - 2 && other.top < one.bottom - 2;
  const covering = (part) => part.checkVisibility() && chairs.some((chair) => meet(box(part), chair));
  return parts.filter(covering).map((part) => part.outerHTML.slice(0, 60));
}"""
"""What lies on a chair though it belongs into the middle."""


HIDDEN_ANIMALS = """() => [...document.querySelectorAll(".seat")].filter((seat) => {
  const job = document.createElement("small"), tag = document.createElement("em"), bot = document.createElement("sup");
  job.textContent = "Managing Director";
  tag.textContent = "passed";
  bot.textContent = "stand-in";
  const added = [[job, "small"], [tag, "em"], [bot, "sup"]].filter(([, name]) => !seat.querySelector(name));
  for (const [part] of added) part === job ? seat.querySelector("b").after(part) : seat.append(part);
  const { left, right, top, bottom } = seat.querySelector(".a").getBoundingClientRect(), width = (right - left) / 5;
  const isOn = (part) => {
    const box = part.getBoundingClientRect();
    return box.left < right - width && box.right > left + width && box.top < bottom - width && box.bottom > top + width;
  };
  const isHidden = [...seat.querySelectorAll("small, em, sup, .n, .p")].some(isOn);
  for (const [part] of added) part.remove();
  return isHidden;
}).map((seat) => seat.textContent)"""
"""Seats at which job, tags, cards or points lie on the animal (on more than its outer fifth)."""


COVERED_JOBS = """() => [...document.querySelectorAll(".seat")].filter((seat) => {
  const job = document.createElement("small"), tag = document.createElement("em"), words = document.createRange();
  job.textContent = "Managing Director";
  tag.textContent = "passed";
  seat.querySelector("b").after(job);
  seat.append(tag);
  words.selectNodeContents(job);
  const isShown = getComputedStyle(job).fontSize !== "0px", note = tag.getBoundingClientRect();
  const lies = (line) => line.right > note.left && line.left < note.right && line.bottom > note.top + 4;
  const isCovered = isShown && [...words.getClientRects()].some(lies);
  job.remove();
  tag.remove();
  return isCovered;
}).length"""
"""Jobs on which it stands what else is to be said of their people (4 pixels: below the letters)."""
LAPPED = """() => {
  const one = document.getElementById("watchers").getBoundingClientRect(), words = document.createRange();
  words.selectNodeContents(document.getElementById("bar"));
  const meets = (box) => one.left < box.right - 1 && box.left < one.right - 1
    && one.top < box.bottom - 1 && box.top < one.bottom - 1;
  return [...words.getClientRects()].some(meets);
}"""
"""Whether how many look on is written over what is said of the deal."""


def watch(watcher: Visitor, server: str, game: str) -> Iterator[str]:
    """Look at a game of every number of players, on a screen of every size; what is looked at."""
    host = Guest(server)
    for seats in registry.find(game).seat_counts:
        table = host.open_table(game, seats=seats, bots=seats - 1, turn_seconds=600)
        host.post(f"/tables/{table}/start/")
        watcher.go(f"/tables/{table}/")
        expect(watcher.at(".seats > li")).to_have_count(seats)
        for size in (LAPTOP, TABLET, TABLET_UPRIGHT, PHONE):
            resize(watcher.page, size)
            yield f"{seats} at {size}"


@pytest.mark.parametrize("game", MIDDLE)
def test_what_lies_in_the_middle_lies_on_no_chair(invite: Invite, server: str, game: str) -> None:
    watcher = invite(locale="pl-PL", reduced_motion="reduce")  # what lies, not what flies over chairs to its place
    for remark in watch(watcher, server, game):
        covering = watcher.page.evaluate(f"() => {{ ({MIDDLE[game]})(); return ({ON_CHAIRS})(); }}")  # no move between
        assert covering == [], remark
        if game == "karriere-poker":
            seen = f"[({ON_CHAIRS})(), document.querySelector('#middle i').offsetWidth]"
            covering, width = watcher.page.evaluate(f"() => {{ ({PLAYED})(); return {seen}; }}")
            assert (covering, width > MIN_CARD) == ([], True), remark
            assert watcher.page.evaluate(COVERED_JOBS) == 0, remark
            if remark.endswith(str(PHONE)):
                assert watcher.page.evaluate(HIDDEN_ANIMALS) == [], remark


@pytest.mark.parametrize("game", registry.slugs())
def test_no_chair_stands_outside_or_on_another(invite: Invite, server: str, game: str) -> None:
    watcher = invite(locale="pl-PL")
    for remark in watch(watcher, server, game):
        assert watcher.page.evaluate(CROWDED) == [], remark
        expect(watcher.at("#watchers")).to_be_visible()
        assert not watcher.page.evaluate(LAPPED), remark
        assert watcher.at(".tools h1").evaluate("it => it.scrollWidth <= it.clientWidth"), remark


def test_my_name_stands_whole_on_a_phone(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.play_now("karriere-poker")
    person.go("/me/")
    person.at("[name=name]").fill("Schmetterling 12")
    with person.page.expect_navigation():
        person.page.get_by_role("button", name="Save").click()
    for game in ("karriere-poker", "animals-on-board"):  # the others look like one of these, or give everybody a column
        person.play_now(game)
        person.await_live()
        mine = person.at(".seats .at-0 b")  # the board may be drawn anew while it is looked at
        wait_until(partial(_stands_whole, mine), person.page, what=f"the name on one line: {game}")


DEALT = """() => {
  const board = document.getElementById("board"), found = (id) => document.getElementById(id);
  const tell = (name, id) => document.dispatchEvent(
    new CustomEvent(`menagerie:${name}`, { detail: { id, element: found(id) } }));
  const chairs = ["Schmetterling 12", "Wildschwein 34"];
  const row = (name) => `<li><i class="chair j1"></i><b>${name}</b><span class="up">Abteilungs\u00adleiter</span></li>`;
  const flying = () => document.querySelectorAll(".envelope.flying").length;
  const panel = found("ceremony");
  panel.innerHTML = `<h2>Durchgang 1 ist vorbei</h2><ol>${chairs.map(row).join("")}</ol>`;
  panel.hidden = false;
  Object.assign(panel.dataset, { since: Date.now(), until: Date.now() + 60_000 });
  found("exchange").hidden = false;
  found("exchange").innerHTML = "<ul><li data-from='0' data-to='1'></li></ul>";
  tell("swapped", "board");
  const cut = [...document.querySelectorAll("#ceremony b")].filter((name) => name.scrollWidth > name.clientWidth);
  const before = flying();
  panel.hidden = true;
  delete panel.dataset.until;
  tell("swapped", "ceremony");
  return [cut.map((name) => name.textContent), before, flying()];
}"""
"""A deal is over: names that are cut short, envelopes on their way over the new jobs, and after those."""


def test_the_new_jobs_are_read_whole_and_then_the_envelopes_pass(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.play_now("karriere-poker")
    person.await_live()
    assert person.page.evaluate(DEALT) == [[], 0, 2]


def _stands_whole(name: Locator) -> bool:
    return bool(name.evaluate(LINES) == 1 and name.evaluate("it => it.scrollWidth <= it.clientWidth"))


COVERED = """(all, word) => all.map((seat) => {
  const tag = seat.querySelector("sup"), digits = document.createRange(), name = document.createRange();
  tag.textContent = word;
  digits.selectNodeContents(seat.querySelector(".n").firstChild);
  name.selectNodeContents(seat.querySelector("b:not(.doll *)"));
  const one = tag.getBoundingClientRect();
  const meets = (other) => one.right > other.left && other.right > one.left
    && one.top < other.bottom - 5 && one.bottom > other.top + 5;
  const isOnText = [digits, name].some((range) => meets(range.getBoundingClientRect()));
  return tag.scrollWidth > tag.clientWidth ? `cut: ${word}` : isOnText ? `covers: ${word}` : "";
}).filter(Boolean)"""
"""Tags of seats, with this word on them, that are cut short or lie on the number of cards or the name (5 pixels: their
leading)."""
DOTTED = """all => all.filter((seat) => seat.isConnected).map((seat) => {
  const name = document.createRange(), place = seat.closest("li").classList, was = place.value;
  name.selectNodeContents(seat.querySelector("b:not(.doll *)"));
  place.add("here");
  const dot = getComputedStyle(seat, "::after"), { left, top } = seat.getBoundingClientRect();
  const [x, y, wide, high] = [dot.left, dot.top, dot.width, dot.height].map(parseFloat);
  const box = name.getBoundingClientRect();
  place.value = was;
  const isBeside = left + x + wide <= box.left || left + x >= box.right;
  return isBeside || top + y + high <= box.top + 4 || top + y >= box.bottom ? "" : seat.outerHTML;
}).filter(Boolean)"""
"""Seats at which the dot of somebody's connection lies on their name (4 pixels: its leading)."""
CUT_SILENTLY = """(all, name) => all.map((one) => {
  one.textContent = name;
  one.className = "long";
  const style = getComputedStyle(one), isOneLine = style.whiteSpace === "nowrap" && style.textOverflow === "ellipsis";
  const isCut = one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth;
  return isCut && !isOneLine && style.webkitLineClamp === "none" ? one.outerHTML : "";
}).filter(Boolean)"""
"""Names on chairs that end before they are over, without dots that would say so."""


@pytest.mark.parametrize(("game", "seats"), [("karriere-poker", 8), ("super-zwierzaki", 8), ("animals-on-board", 4)])
def test_a_stand_in_is_read_whole_on_a_phone_and_a_name_that_is_cut_says_so(
    invite: Invite, game: str, seats: int
) -> None:
    person = invite(size=PHONE)
    person.go_to_new_game(game, seats=seats, bots=seats - 1, turn_seconds=600)
    expect(person.at(".seats .seat:has(sup)")).to_have_count(seats - 1)
    for word in ("stand-in", "Vertretung", "zastępstwo"):
        assert person.at(".seats .seat:has(sup)").evaluate_all(COVERED, word) == [], word
    assert person.at(".seats .seat b").evaluate_all(CUT_SILENTLY, "Maximiliane Schönfelderi") == []
    assert person.at(".seats .seat").evaluate_all(DOTTED) == []
    for word in ("stand-in", "zastępstwo"):
        assert person.at(".seats .seat:has(sup)").evaluate_all(COVERED, word) == [], word


@pytest.mark.parametrize("game", registry.slugs())
def test_a_table_in_large_letters_stays_inside_a_narrow_page(invite: Invite, game: str) -> None:
    person = invite(size=PHONE, locale="pl-PL")
    person.play_now(game)
    person.await_live()
    await_turn(person)
    _read_in_large_letters(person)
    person.go(f"/lessons/{game}/")
    _read_in_large_letters(person)


def _read_in_large_letters(person: Visitor) -> None:
    """Nothing stands beyond the page's edge, and no word of a button, a heading or a tag is broken."""
    person.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert "\n".join(list_overflowing(person.page)) == ""
    assert list_broken_words(person.page, "button, .btn, summary, h1, h2, .ask, .seat em, .given li") == []
