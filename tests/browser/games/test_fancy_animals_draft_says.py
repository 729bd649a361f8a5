"""What the table of Fancy Animals says at once of what is put together: it is what the engine says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from games.catalogue.fancy_animals.rules.cards import ALL, ID_OF, SUITS, gather_tiles
from games.catalogue.fancy_animals.rules.claims import find_longest_runs, list_spots
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, SLOTS
from games.catalogue.fancy_animals.rules.melds import read_meld
from games.rules.base import IllegalMove
from tests.browser.conftest import Run
from tests.catalogue.fancy_animals.rules.playing import melds

pytestmark = pytest.mark.chromium


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
        "fancy-animals/melds",
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
        "fancy-animals/melds",
        "(it, { words, rules }) => it.findFault(words, rules)",
        {"words": words.split(), "rules": rules},
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
        "fancy-animals/melds",
        """(it, { tables, rules }) =>
          tables.map(({ table, played }) => Object.values(it.findReach(table, played, rules)))""",
        {"tables": tables, "rules": {"top": 13, "loop": loop, "mix": "mix" in active}},
    )
    wanted = []
    for one in tables:
        read = [read_meld(tuple(words), 13, loop) for words in one["table"]]
        cards = gather_tiles(ID_OF[name] for name in one["played"])
        wanted.append(list(find_longest_runs(read, cards, top=13, active=active)))
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
        "fancy-animals/melds",
        "(it, tried) => tried.map(({ slot, worn, cover }) => it.listSpots(slot, worn, cover))",
        tried,
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
    assert run("fancy-animals/melds", "(it, { before, after }) => it.findOrphan(before, after)", given) == orphan


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
        "fancy-animals/melds",
        "(it, { mixed, rules }) => mixed.map((words) => it.arrange(words, rules))",
        {"mixed": mixed, "rules": {"top": 13, "loop": False}},
    )
    for words, given in zip(arranged, mixed, strict=True):
        assert is_meld(words, 13, loop=False), (given, words)
        assert sorted(word.partition(":")[0] for word in words) == sorted(word.partition(":")[0] for word in given)
