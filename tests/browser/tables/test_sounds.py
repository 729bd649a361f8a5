"""Sounds and vibration: none until they are chosen, then one for what has just happened."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Invite
from tests.browser.playing import await_turn, take_turn
from tests.browser.visitor import PHONE, wait_until

pytestmark = pytest.mark.chromium

LISTEN = """
window.heard = [];
window.felt = [];
document.addEventListener("menagerie:sounded", ({ detail }) => window.heard.push(detail.name));
Object.defineProperty(navigator, "vibrate", { value: (ms) => window.felt.push(ms) });
"""
EACH = """({ playSound }, names) => {
  const heard = [];
  document.addEventListener("menagerie:sounded", ({ detail }) => heard.push(detail.name));
  localStorage.setItem("sound", "1");
  for (const name of names) playSound(name);
  localStorage.setItem("volume", "0");
  playSound("bell");
  localStorage.setItem("sound", "");
  localStorage.setItem("volume", "50");
  playSound("turn");
  localStorage.clear();
  return heard;
}"""
SOUNDS = ["turn", "play", "pass", "win", "bell", "window"]


def test_there_are_six_sounds_and_they_obey_the_settings(run: Any) -> None:
    assert run("table/sounds", EACH, SOUNDS) == SOUNDS


def test_a_table_is_silent_until_the_reader_wants_to_hear_it(invite: Invite) -> None:
    person = invite(size=PHONE)
    person.context.add_init_script(LISTEN)
    person.play_now("karriere-poker")
    person.await_live()
    await_turn(person)
    take_turn(person)
    await_turn(person)
    assert person.page.evaluate("[window.heard, window.felt]") == [[], []]
    person.go("/me/")
    person.at("#device-sound").check()
    person.at("#device-vibration").check()
    person.at("#device-volume").fill("80")
    assert person.page.evaluate("window.heard") == ["turn", "turn"]  # as they will sound
    assert person.page.evaluate("localStorage.getItem('volume')") == "80"
    person.press_play_now("karriere-poker")  # a browser makes no sound before its reader has pressed something
    person.await_live()
    expect(person.at("#sound")).to_have_attribute("aria-pressed", "true")
    await_turn(person)
    take_turn(person)
    await_turn(person)
    wait_until(lambda: "turn" in person.page.evaluate("window.heard"), person.page, what="my turn is heard")
    heard = set(person.page.evaluate("window.heard"))
    assert "play" in heard
    assert heard <= {"turn", "play", "pass", "win"}
    assert 60 in person.page.evaluate("window.felt")
