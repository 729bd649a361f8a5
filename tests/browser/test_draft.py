"""The draft of the tailor's table as the browser keeps it: it says what the engine says, and its moves are legal."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from games.live.presenters.fancy_names import all_clothing
from games.rules.base import IllegalMove
from games.rules.fancy_animals.cards import ALL, ID_OF, SUITS, gather
from games.rules.fancy_animals.claims import find_reach, list_spots
from games.rules.fancy_animals.clothing import BY_WORD, SLOTS
from games.rules.fancy_animals.melds import read_meld
from games.rules.fancy_animals.state import State
from tests.rules.fancy_animals.playing import FANCY, act, expected, melds, position

pytestmark = pytest.mark.chromium

Run = Callable[[str, str, Any], Any]
"""Run(modules, body, given): what `body`, a function of all that the modules export and of `given`, returns."""

RUN = "3LG:G 4GM:G 5GC:G"


@pytest.fixture(scope="module")
def run(chromium: Browser, server: str, static_root: Path) -> Iterator[Run]:
    """A page with nothing of a game on it, into which the built modules are loaded."""
    names = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    page = chromium.new_page()
    page.goto(f"{server}/about/")

    def call(modules: str, body: str, given: Any) -> Any:
        files = json.dumps([f"/static/{names[f'js/{module}.js']}" for module in modules.split()])
        load = f"Object.assign({{}}, ...(await Promise.all({files}.map((file) => import(file)))))"
        return page.evaluate(f"async (given) => ({body})({load}, given)", given)

    yield call
    page.close()


# What the table says at once


def make_melds(rng: random.Random, top: int) -> Iterator[list[str]]:
    """Melds, and what is nearly one."""
    cards = [card for card in ALL if card.number <= top]
    for _ in range(400):
        size, suit, start = rng.randint(2, 6), rng.randrange(4), rng.randint(1, top)
        words = []
        for step in range(size):
            number = start if rng.random() < 0.1 else (start + step - 1) % top + 1
            fits = [card for card in cards if card.number == number and suit in card.suits]
            wild = rng.choice(("hand", "feet"))
            is_wild = rng.random() < 0.15
            word = f"{wild}-{SUITS[suit]}-3:{number}" if is_wild else f"{rng.choice(fits).word}:{SUITS[suit]}"
            words.append(word)
        yield words if rng.random() < 0.8 else rng.sample(words, len(words))
    for _ in range(200):
        same = [card for card in cards if card.number == rng.randint(1, top)] or cards[:6]
        yield [f"{card.word}:{SUITS[rng.choice(card.suits)]}" for card in rng.sample(same, min(len(same), 3))]


def is_meld(words: list[str], top: int, *, loop: bool) -> bool:
    try:
        read_meld(tuple(words), top, loop)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize(("top", "loop"), [(13, False), (13, True), (11, True)])
def test_a_meld_is_what_is_one_for_the_engine(run: Run, top: int, loop: bool) -> None:
    tried = [words for words in make_melds(random.Random(top), top) if len(set(words)) == len(words)]
    tried = [words for words in tried if len({word.partition(":")[0] for word in words}) == len(words)]
    faults = run(
        "fancy-rules",
        "(it, { tried, rules }) => tried.map((words) => it.findFault(words, rules))",
        {"tried": tried, "rules": {"top": top, "loop": loop}},
    )
    found = [is_meld(words, top, loop=loop) for words in tried]
    assert [fault is None for fault in faults] == found
    assert 100 < sum(found) < len(found) - 100


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("3LG:G 4GM:G", {"fault": "few"}),
        ("3LG:G 4GM:G 6GC:G", {"fault": "gap", "number": 5}),
        ("3LG:G 4GM:G 4GC:G 5GC:G", {"fault": "twice", "number": 4}),
        ("3LG:G 4GM:G 5GC:C", {"fault": "stray", "card": 5, "suit": "G"}),
        ("7LG:G 7GM:G 7MC:M", {"fault": "same", "suit": "G"}),
        ("7LG:L 7GM:G 8MC:M 8LC:C", {"fault": "neither"}),
    ],
)
def test_what_is_missing_is_said(run: Run, words: str, fault: dict[str, Any]) -> None:
    rules = {"top": 13, "loop": False}
    found = run(
        "fancy-rules", "(it, { words, rules }) => it.findFault(words, rules)", {"words": words.split(), "rules": rules}
    )
    assert found == fault


@pytest.mark.parametrize("active", [(), ("mix",), ("loop", "mix")])
def test_a_table_pays_for_what_it_pays_for_in_the_engine(run: Run, active: tuple[str, ...]) -> None:
    rng, loop = random.Random(3), "loop" in active
    tables: list[dict[str, Any]] = []
    pool = [words for words in make_melds(random.Random(5), 13) if is_meld(words, 13, loop=loop)]
    for _ in range(150):
        table: list[list[str]] = []
        for words in rng.sample(pool, 8):
            names = {word.partition(":")[0] for meld in table for word in meld}
            if len(table) < 4 and not any(word.partition(":")[0] in names for word in words):
                table.append(words)
        played = [word.partition(":")[0] for words in table for word in words if rng.random() < 0.9]
        tables.append({"table": table, "played": [name for name in played if name in ID_OF]})
    found = run(
        "fancy-rules",
        """(it, { tables, rules }) =>
          tables.map(({ table, played }) => Object.values(it.findReach(table, played, rules)))""",
        {"tables": tables, "rules": {"top": 13, "loop": loop, "mix": "mix" in active}},
    )
    wanted = []
    for one in tables:
        read = [read_meld(tuple(words), 13, loop) for words in one["table"]]
        cards = gather(ID_OF[name] for name in one["played"])
        wanted.append(list(find_reach(read, cards, top=13, active=active)))
    assert found == wanted


def test_spots_are_those_of_the_engine(run: Run) -> None:
    tried: list[dict[str, Any]] = [
        {"slot": slot, "worn": {spot: ["feet-L-3"] for spot in full}, "cover": cover}
        for slot in SLOTS
        for count in range(5)
        for full in combinations(SLOTS, count)
        for cover in (False, True)
    ]
    found = run(
        "fancy-rules", "(it, tried) => tried.map(({ slot, worn, cover }) => it.listSpots(slot, worn, cover))", tried
    )
    wanted = []
    for one in tried:
        piece = next(piece.id for piece in BY_WORD.values() if SLOTS[piece.slot] == one["slot"])
        worn = tuple(tuple(BY_WORD[word].id for word in one["worn"].get(spot, ())) for spot in SLOTS)
        wanted.append(sorted(SLOTS[spot] for spot in list_spots(piece, worn, ("cover",) if one["cover"] else ())))
    assert [sorted(spots) for spots in found] == wanted


@pytest.mark.parametrize(
    ("before", "after", "orphan"),
    [
        ("9GM:M 10MC:M hand-M-2:11", "9GM:M 10MC:M 11LM:M hand-M-2:12", None),
        ("9GM:M 10MC:M hand-M-2:11", "hand-M-2:8 9GM:M 10MC:M", "11M"),
        ("9GM:M 10MC:M hand-M-2:11", "9GM:M 10MC:M hand-M-2:11 12LM:M", None),
        (
            "9GM:M 10MC:M hand-M-2:11 | 9LM:M 10GM:M hand-M-1:11",
            "hand-M-2:8 9GM:M 10MC:M 11LM:M | hand-M-1:8 9LM:M 10GM:M",
            "11M",
        ),
    ],
)
def test_a_wild_that_leaves_a_number_without_a_card_is_found(
    run: Run, before: str, after: str, orphan: str | None
) -> None:
    given = {"before": melds(before), "after": melds(after)}
    assert run("fancy-rules", "(it, { before, after }) => it.findOrphan(before, after)", given) == orphan


def test_what_is_put_together_is_sorted_and_turned_so_that_it_fits(run: Run) -> None:
    rng = random.Random(8)
    whole = [words for words in make_melds(rng, 13) if is_meld(words, 13, loop=False)]
    mixed = []
    for words in whole:
        turned = [
            word if "-" in word else f"{word[:-2]}:{rng.choice(word.partition(':')[0][-2:])}"
            for word in rng.sample(words, len(words))
        ]
        mixed.append(turned)
    arranged = run(
        "fancy-rules",
        "(it, { mixed, rules }) => mixed.map((words) => it.arrange(words, rules))",
        {"mixed": mixed, "rules": {"top": 13, "loop": False}},
    )
    for words, given in zip(arranged, mixed, strict=True):
        assert is_meld(words, 13, loop=False), (given, words)
        assert sorted(word.partition(":")[0] for word in words) == sorted(word.partition(":")[0] for word in given)


# The draft, step by step


def steps(
    run: Run, first: dict[str, Any], *deeds: list[Any], rules: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """What lies where after each deed: a method of the draft and what it is given."""
    found: list[dict[str, Any]] = run(
        "fancy-draft",
        """(it, { first, deeds, rules }) => {
          const draft = new it.Draft(it.begin(first.melds, first.hand, first.worn), rules);
          return deeds.map(([deed, ...given]) => {
            draft[deed](...given);
            return { ...draft.now, played: draft.played, wilds: draft.wilds, isTouched: draft.isTouched };
          });
        }""",
        {"first": first, "deeds": deeds, "rules": {"top": 11, "loop": False}},
    )
    return found


FIRST = {"melds": melds(f"{RUN} 6LG:G | 8LM:M 8GC:C 8LG:L"), "hand": ["7GM", "2LG"], "worn": {"hand": ["hand-G-1"]}}


def test_a_draft_goes_back_and_forth(run: Run) -> None:
    placed, undone, redone, reset = steps(run, FIRST, ["place", ["7GM"], 0], ["undo"], ["redo"], ["reset"])
    longer = ["3LG:G", "4GM:G", "5GC:G", "6LG:G", "7GM:G"]
    assert (placed["melds"][0], placed["hand"], placed["played"]) == (longer, ["2LG"], ["7GM"])
    assert (undone["melds"], undone["isTouched"]) == (FIRST["melds"], False)
    assert redone == placed
    assert (reset["melds"], reset["hand"], reset["isTouched"]) == (FIRST["melds"], FIRST["hand"], False)


def test_cards_move_between_melds_the_hand_and_the_animal(run: Run) -> None:
    fresh, wild, home, cut = steps(
        run,
        FIRST,
        ["place", ["6LG", "7GM"], None],
        ["place", ["hand-G-1"], 2],
        ["takeBack", ["hand-G-1", "7GM", "3LG"]],
        ["split", "5GC"],
    )
    assert fresh["melds"] == [["3LG:G", "4GM:G", "5GC:G"], ["8LM:M", "8GC:C", "8LG:L"], ["6LG:G", "7GM:G"]]
    assert (wild["melds"][2], wild["worn"], wild["wilds"]) == (
        ["6LG:G", "7GM:G", "hand-G-1:8"],
        {"hand": []},
        ["hand-G-1"],
    )
    assert (home["melds"][2], home["hand"], home["worn"]) == (["6LG:G"], ["7GM", "2LG"], {"hand": ["hand-G-1"]})
    assert cut["melds"][:2] == [["3LG:G", "4GM:G"], ["5GC:G"]]


def test_a_card_is_turned_and_a_wild_counts_on(run: Run) -> None:
    card, wild = steps(run, FIRST, ["flip", "6LG"], ["flip", "6LG"])
    assert (card["melds"][0][3], wild["melds"][0][3]) == ("6LG:L", "6LG:G")
    first = {"melds": melds("9GM:M 10MC:M hand-M-2:11"), "hand": [], "worn": {}}
    (turned,) = steps(run, first, ["flip", "hand-M-2"])
    assert turned["melds"] == [["9GM:M", "10MC:M", "hand-M-2:1"]]


# The move that it means


def plan(run: Run, state: State, *deeds: list[Any]) -> list[Any]:
    """The moves that the draft of the seat to act means: before any deed, and after each."""
    view = FANCY.view(state, state.turn)
    found: list[Any] = run(
        "fancy-plan fancy-draft",
        """(it, { first, deeds, rules, shop }) => {
          const draft = new it.Draft(it.begin(first.melds, first.hand, first.worn), rules);
          const look = () => (it.revise(draft, shop), it.makeMove(draft, shop));
          return [look(), ...deeds.map(([deed, ...given]) => (draft[deed](...given), look()))];
        }""",
        {
            "first": {"melds": view["table"], "hand": view["hand"], "worn": view["worn"][state.turn]},
            "deeds": deeds,
            "rules": {"top": state.top, "loop": state.loop, "mix": "mix" in state.active},
            "shop": {"clothing": all_clothing(), "active": view["active"], "canDraw": view["can_draw"]},
        },
    )
    return found


FOUR = f"{RUN} 6LG:G"
LONGER = "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G"


def test_an_untouched_draft_draws_or_passes(run: Run) -> None:
    assert plan(run, position("7GM", "1LM", deck="2LM")) == [{"draw": True}]
    assert plan(run, position("7GM", "1LM")) == [{"pass": True}]


def test_a_draft_that_is_no_table_is_no_move(run: Run) -> None:
    state = position("7GM 1LC", "1LM", table=FOUR, deck="2LM")
    assert plan(run, state, ["place", ["7GM"], None], ["undo"], ["flip", "4GM"]) == [
        {"draw": True},
        None,
        {"draw": True},
        None,
    ]


def test_a_claim_rides_on_a_play_and_falls_with_it(run: Run) -> None:
    state = position("7GM 1LC", "1LM", table=FOUR, deck="2LM")
    _, played, claimed, fallen = plan(
        run, state, ["place", ["7GM"], 0], ["choose", {"claim": "feet-G-4"}], ["takeBack", ["7GM"]]
    )
    assert played == {"play": ["7GM"], "table": melds(LONGER)}
    assert claimed == {**played, "claim": "feet-G-4", "spot": "feet"}
    assert expected(act(state, claimed), "scores") == [4, 0]
    assert fallen == {"draw": True}


def test_where_several_spots_are_free_one_is_chosen(run: Run) -> None:
    worn = [{"feet": ["feet-C-3"], "head": ["head-C-8"]}, {}]
    state = position("7GM 1LC", "1LM", table=FOUR, worn=worn)
    _, _, open_, chosen = plan(
        run, state, ["place", ["7GM"], 0], ["choose", {"claim": "feet-G-4"}], ["choose", {"spot": "body"}]
    )
    assert open_ is None
    assert expected(act(state, chosen), "worn")[0] == {**worn[0], "body": ["feet-G-4"]}


def test_a_set_switches_a_rule_on_and_what_hangs_on_the_rule_goes_with_it(run: Run) -> None:
    state = position("7LG 7GM 7MC 1LC", "1LM", table=FOUR)
    _, laid, rule, back, off = plan(
        run,
        state,
        ["place", ["7LG", "7GM", "7MC"], None],
        ["choose", {"rule": "return"}],
        ["choose", {"back": "feet-M-3"}],
        ["choose", {"rule": None}],
    )
    words = ["7LG:L", "7GM:G", "7MC:M"]
    assert laid == {"play": ["7LG", "7GM", "7MC"], "table": [*melds(FOUR), words]}
    assert rule == {"activate": "return", "set": words}
    assert back == {**rule, "return": "feet-M-3"}
    assert off == laid
    for move in (laid, rule, back):
        assert expected(act(state, move), "to_act") == [1]


def test_clothing_is_put_back_where_the_rule_is_on(run: Run) -> None:
    state = position("7GM 1LC", "1LM", table=FOUR, active=("return",))
    _, _, back = plan(run, state, ["place", ["7GM"], 0], ["choose", {"back": "feet-G-4"}])
    assert "feet-G-4" not in expected(act(state, back), "offer")


def test_clothes_are_laid_as_wilds(run: Run) -> None:
    state = position("3LM", "1LM", worn=[{"hand": ["hand-L-1"], "feet": ["feet-L-4"]}, {}])
    _, made = plan(run, state, ["place", ["3LM", "hand-L-1", "feet-L-4"], None])
    assert made == {
        "play": ["3LM"],
        "table": [["3LM:L", "hand-L-1:4", "feet-L-4:5"]],
        "wilds": ["hand-L-1", "feet-L-4"],
    }
    assert expected(act(state, made), "worn") == [{}, {}]
