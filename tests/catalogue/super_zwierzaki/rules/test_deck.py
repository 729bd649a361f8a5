"""The deck, to the card."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from games.catalogue.super_zwierzaki.rules.kinds import (  # fmt: skip
    CLASSES,
    COLOURS,
    KINDS,
    NONFUNCTIONAL,
    WHOLE,
    count_cards,
    count_kind,
    list_cards,
    list_numbers,
    mask_held,
    pack_hand,
    write_words,
)


def test_the_deck_has_115_kinds_and_537_cards() -> None:
    assert (len(KINDS), count_cards(WHOLE), len(COLOURS), len(CLASSES)) == (115, 537, 9, 19)
    assert sum(kind.copies for kind in KINDS.values()) == 537
    assert set(range(1, 117)) - set(KINDS) == {72}


def test_not_a_letter_of_it_has_changed() -> None:
    """Over the fields of every kind, as they are read."""
    lines = ["\t".join(str(field) for field in kind) for kind in KINDS.values()]
    assert (
        sha256("\n".join(lines).encode()).hexdigest()
        == "c311c96af41025605778fab76d9d1366caf29a40ffe4a564c305decf8b331fbd"
    )


def test_five_kinds_have_every_colour_and_class() -> None:
    assert [number for number, kind in KINDS.items() if kind.colour == "ALL"] == [4, 13, 15, 78, 86]
    assert {kind.group for kind in KINDS.values() if kind.colour == "ALL"} == {"all"}


def test_fourteen_functions_and_who_has_them() -> None:
    found = Counter(kind.function for kind in KINDS.values() if kind.function)
    assert found == {
        "Red": 12, "Orc": 1, "Oth": 2, "Giv": 2, "All": 5, "Pol": 1, "Kaz": 1, "War": 1, "Cch": 1, "Mch": 1,
        "Dem": 2, "Stp": 3, "Dzi": 2, "Cyr": 1,
    }  # fmt: skip
    assert len(found) == 14
    assert len(NONFUNCTIONAL) == 115 - 35


def test_names_as_they_are_printed() -> None:
    assert KINDS[107][2:] == ("Common teal", "Cyraneczka Zwyczajna", "P", "bird", "Cyr")
    assert KINDS[21].polish == "Żaba Chórzystka"
    assert (KINDS[4].copies, KINDS[61].copies, KINDS[1].copies) == (4, 2, 5)


def test_hands_are_numbers() -> None:
    hand = pack_hand([116, 5, 5, 5, 107])
    assert (list_cards(hand), write_words(hand), count_cards(hand)) == (
        [5, 5, 5, 107, 116],
        ["5", "5", "5", "107", "116"],
        5,
    )
    assert (count_kind(hand, 5), count_kind(hand, 6), list_numbers(mask_held(hand))) == (3, 0, [5, 107, 116])
