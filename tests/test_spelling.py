"""How names are spelt to be found."""

from __future__ import annotations

import pytest

from games.spelling import LONGEST_KEY, Wanted, list_keys, read_wish


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Ben", ["ben"]),
        ("Łukasz", ["lukasz"]),
        ("MÜLLER", ["mueller", "muller"]),
        ("Mu\u0308ller", ["mueller", "muller"]),
        ("Straße 5", ["5 strasse", "strasse 5"]),
        ("Ærø", ["aero", "aeroe"]),
        ("İpek", ["ipek"]),
        ("Anna Maria Berg", ["anna maria berg", "berg anna maria", "maria berg anna"]),
        (
            "Anne-Sophie O’Neil",
            ["anne sophie o neil", "neil anne sophie o", "o neil anne sophie", "sophie o neil anne"],
        ),
        ("Anna Anna", ["anna anna"]),
        ("Ёлка", ["елка"]),
        ("★ ★★", ["★ ★★", "★★ ★"]),
        ("", []),
        (" ", []),
    ],
)
def test_a_name_has_a_key_for_every_word(name: str, keys: list[str]) -> None:
    assert list_keys(name) == keys


def test_no_key_is_longer_than_its_column() -> None:
    assert {len(key) for key in list_keys("\ufdfa" * 24)} == {LONGEST_KEY}
    assert list_keys("ß" * 24) == ["s" * 48]


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("MAR", [Wanted("mar", ())]),
        ("müll", [Wanted("mull", ()), Wanted("muell", ())]),
        ("b, anna", [Wanted("b anna", ()), Wanted("anna", ("b",))]),
        ("jörg b", [Wanted("jorg b", ()), Wanted("joerg b", ()), Wanted("jorg", ("b",)), Wanted("joerg", ("b",))]),
        ("%", [Wanted("%", ())]),
        ("  ", []),
    ],
)
def test_what_somebody_types_is_looked_for_as_it_stands_and_then_in_any_order(text: str, wishes: list[Wanted]) -> None:
    assert read_wish(text) == wishes
