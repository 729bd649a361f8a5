"""What a draft of Fancy Animals may become, at many positions at random: what the engine takes, and no more."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.catalogue.fancy_animals.presenter.names import list_clothing
from games.catalogue.fancy_animals.rules.claims import SPECIAL_RULES
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Config, IllegalMove
from games.rules.chance import Chance
from tests.browser.conftest import Run
from tests.catalogue.fancy_animals.rules.playing import FANCY

pytestmark = pytest.mark.chromium

POSITIONS, MOVES, DRAFTS = 300, 3, 6

DRAFT = """(it, { turns, clothing, moves, drafts }) => {
  let seed = 7;
  const chance = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
  const one = (all) => all[Math.floor(chance() * all.length)];
  const bare = { claim: null, spot: null };
  const deeds = {
    place: (draft) => {
      const own = [...draft.now.hand, ...Object.values(draft.now.worn).flatMap((pile) => pile.slice(-1))];
      const names = [...own, ...draft.now.melds.flat().map((word) => it.parse(word).name)];
      const some = new Set(Array.from({ length: 1 + Math.floor(chance() * 3) }, () => one(names)));
      draft.place([...some], one([null, ...draft.now.melds.keys()]));
    },
    flip: (draft) => draft.now.melds.length && draft.flip(it.parse(one(draft.now.melds.flat())).name),
    split: (draft) => draft.now.melds.length && draft.split(it.parse(one(draft.now.melds.flat())).name),
    takeBack: (draft) => draft.now.melds.length && draft.takeBack([it.parse(one(draft.now.melds.flat())).name]),
    claim: (draft, turn, shop) => {
      const paid = turn.offer.filter((slug) => it.isPaid(draft, slug, shop, it.judge(draft)));
      if (!paid.length) return;
      draft.choose({ claim: one(paid), spot: null, back: null, rule: null });
      draft.choose({ spot: one(it.spotsFor(draft, draft.now.claim, shop)) });
    },
    back: (draft, turn, shop) => it.canReturn(draft, shop) && draft.choose({ ...bare, back: one(turn.offer) }),
    rule: (draft, turn) => it.findRuleSet(draft) && draft.choose({ ...bare, rule: one(turn.off) }),
  };
  const begin = (turn) => new it.Draft(it.begin(turn.melds, turn.hand, turn.worn), turn.rules);
  return turns.map((turn) => {
    const shop = { clothing, active: turn.active, canDraw: turn.canDraw };
    const follow = (move) => {
      const draft = begin(turn);
      if (move.play) draft.follow(move);
      else draft.place(move.set.map((word) => it.parse(word).name), null);
      if (move.activate) draft.choose({ rule: move.activate });
      if (move.return) draft.choose({ back: move.return });
      it.revise(draft, shop);
      return draft;
    };
    const made = turn.moves.map((move) => it.makeMove(follow(move), shop));
    const found = [];
    for (let i = 0; i < drafts; i += 1) {
      const draft = follow(one(turn.moves));
      for (let left = Math.floor(chance() * 4); left > 0; left -= 1) {
        deeds[one(Object.keys(deeds))](draft, turn, shop);
        it.revise(draft, shop);
      }
      found.push(it.makeMove(draft, shop));
    }
    return { made, found };
  });
}"""
"""By turn: the moves that drafts of these legal moves mean, and those of drafts that go on from them at random."""


def walk(rng: random.Random) -> Iterator[State]:
    """Positions of games at random, in all of which cards lie on the table."""
    while True:
        state = FANCY.start(Config(rng.randint(2, 4), {}), Chance(rng.randbytes(32)))
        while FANCY.outcome(state) is None:
            if state.table and rng.random() < 0.2:
                yield state
            state, _ = FANCY.apply(state, state.turn, FANCY.legal_sample(state, state.turn, rng))


def describe(state: State, rng: random.Random) -> dict[str, Any]:
    """What the page knows of this turn, and legal moves of it that are more than drawing or passing."""
    view = FANCY.view(state, state.turn)
    sampled = (FANCY.legal_sample(state, state.turn, rng) for _ in range(12))
    return {
        "melds": view["table"],
        "hand": view["hand"],
        "worn": view["worn"][state.turn],
        "offer": [word for words in view["offer"] for word in words],
        "rules": {"top": state.top, "loop": state.loop, "mix": "mix" in state.active},
        "active": view["active"],
        "off": [rule for rule in SPECIAL_RULES if rule not in state.active] or [None],
        "canDraw": view["can_draw"],
        "moves": [move for move in sampled if "play" in move or "activate" in move][:MOVES],
    }


def spell(move: dict[str, Any]) -> dict[str, Any]:
    """The move, whatever the order of what it lays."""
    tidy = {key: sorted(value) if isinstance(value, list) else value for key, value in move.items()}
    return {key: value for key, value in tidy.items() if value != []}


def test_a_draft_can_become_every_legal_move_and_only_such(run: Run) -> None:
    rng = random.Random(11)
    states = walk(rng)
    turns: list[tuple[State, dict[str, Any]]] = []
    while len(turns) < POSITIONS:
        state = next(states)
        turn = describe(state, rng)
        if turn["moves"]:
            turns.append((state, turn))
    given = {"turns": [turn for _, turn in turns], "clothing": list_clothing(), "moves": MOVES, "drafts": DRAFTS}
    answers = run("fancy-animals/draft-move fancy-animals/draft fancy-animals/melds", DRAFT, given)
    count = 0
    for (state, turn), answer in zip(turns, answers, strict=True):
        assert [spell(move) for move in answer["made"]] == [spell(move) for move in turn["moves"]]
        for move in answer["found"]:
            if move is not None:
                count += 1
                try:
                    FANCY.check(state, state.turn, move)
                except IllegalMove as refusal:
                    raise AssertionError((str(refusal), move, turn)) from refusal
    assert count > POSITIONS
