"""What the hand of a climbing game lets a player choose, at random positions: the legal plays, and no more."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from games.presenters import find_presenter
from games.records import strict_json
from games.rules import registry
from games.rules.base import Config, Seat
from games.rules.chance import Chance
from tests.live.boards import make_screen

pytestmark = pytest.mark.chromium

SEATS, POSITIONS = 5, 90
WILD = ("J", "F")
OPTIONS: dict[str, dict[str, Any]] = {"karriere-poker": {"deals": 3}, "animal-poker": {"sessions": 3}}

_LOAD = """async ([file, words]) => {
  const main = document.getElementById("main");
  main.innerHTML = '<div id="board"></div><script type="application/json" id="words"></script>';
  document.getElementById("words").textContent = words;
  await import(file);
}"""

_TRY = """(regions) => {
  document.getElementById("board").innerHTML = regions.join("");
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`menagerie:${name}`, { detail }));
  tell("swapped", { id: "board" });
  const stacks = () => [...document.querySelectorAll("#hand .s")];
  const stackOf = (name) => stacks().find((stack) => stack.dataset.n === name);
  const clear = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  clear();
  const dim = stacks().filter((stack) => stack.classList.contains("dim")).map((stack) => stack.dataset.n);
  const moves = new Set();
  let sent = null;
  const hear = ({ detail }) => (sent = detail.move);
  document.addEventListener("menagerie:move", hear);
  const wild = JSON.parse(document.getElementById("words").textContent).wild;
  const jokers = stackOf(wild)?.children.length ?? 0;
  for (const { dataset: { n: name }, children: { length: count } } of stacks()) {
    for (let cards = 1; cards <= count; cards += 1) {
      for (let more = 0; more <= (name === wild ? 0 : jokers); more += 1) {
        clear();
        for (let tap = 0; tap < cards; tap += 1) stackOf(name).click();
        for (let tap = 0; tap < more; tap += 1) stackOf(wild).click();
        if (!document.querySelector("#hand .up")) continue;
        document.getElementById("go").click();
        moves.add(JSON.stringify(sent.play));
        tell("updated", {});
      }
    }
  }
  document.removeEventListener("menagerie:move", hear);
  clear();
  return { dim, stacks: stacks().map((stack) => stack.dataset.n), moves: [...moves] };
}"""
"""Which stacks are dim while nothing is chosen, and what is played after all ways to tap a stack and the jokers."""


@pytest.fixture(name="page")
def _page(chromium: Browser, server: str) -> Iterator[Page]:
    with chromium.new_page() as page:
        page.goto(f"{server}/about/")
        yield page


def load_hand(page: Page, static_root: Path, game: str) -> None:
    """The hand's script in a page with the words of this game, and nothing of a table yet."""
    names = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    words = strict_json.write(find_presenter(game).words(make_screen(game=game)))
    page.evaluate(_LOAD, [f"/static/{names['js/climbing/hand.js']}", words])


def walk(game: str, rng: random.Random) -> Iterator[tuple[Any, Seat]]:
    """Positions of games at random, and who is to act there; more often somebody with jokers."""
    rules = registry.find(game)
    while True:
        state = rules.start(Config(SEATS, OPTIONS[game]), Chance(rng.randbytes(32)))
        while rules.outcome(state) is None:
            seat = rules.to_act(state)[0]
            holds_jokers = any(card in WILD for card in rules.view(state, seat)["hand"])
            if rng.random() < (0.4 if holds_jokers else 0.05):
                yield state, seat
            state, _ = rules.apply(state, seat, rules.legal_sample(state, seat, rng))


def render_regions(game: str, state: Any, seat: Seat) -> list[str]:
    """The table as the server sends it to this seat: what lies in the middle, the hand, the buttons."""
    rules, screen, presenter = registry.find(game), make_screen(game=game), find_presenter(game)
    view, legal = rules.view(state, seat), rules.legal_moves(state, seat)
    shared = presenter.shared_regions(screen, rules.view(state, None))
    private = presenter.private_regions(screen, view, seat, legal)
    return [shared["middle"], private["hand"], private["action"]]


@pytest.mark.parametrize("game", OPTIONS)
def test_the_hand_allows_every_legal_play_and_only_such(page: Page, static_root: Path, game: str) -> None:
    rules = registry.find(game)
    load_hand(page, static_root, game)
    positions = walk(game, random.Random(5))
    leads = jokers_stand_in = jokers_alone = 0
    for _ in range(POSITIONS):
        state, seat = next(positions)
        found = page.evaluate(_TRY, render_regions(game, state, seat))
        legal = [move["play"] for move in rules.legal_moves(state, seat) or () if "play" in move]
        assert sorted(map(json.loads, found["moves"])) == sorted(legal)
        playable = {card for play in legal for card in play}
        assert found["dim"] == [card for card in found["stacks"] if card not in playable]
        leads += not rules.view(state, seat)["table"]
        jokers_stand_in += any(play[0] not in WILD and play[-1] in WILD for play in legal)
        jokers_alone += any(play[0] in WILD for play in legal)
    assert leads > 3
    assert POSITIONS - leads > 20
    assert jokers_stand_in > 5
    assert jokers_alone > 5
