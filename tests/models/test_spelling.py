"""How names are spelt to be found."""

from __future__ import annotations

import pytest

from games.models.spelling import (
    LONGEST_KEY,
    NameQuery,
    clean_foreign_name,
    collapse_spaces,
    find_flaw,
    list_keys,
    parse_name_query,
)


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
    ("text", "queries"),
    [
        ("MAR", [NameQuery("mar", ())]),
        ("müll", [NameQuery("mull", ()), NameQuery("muell", ())]),
        ("b, anna", [NameQuery("b anna", ()), NameQuery("anna", ("b",))]),
        (
            "jörg b",
            [NameQuery("jorg b", ()), NameQuery("joerg b", ()), NameQuery("jorg", ("b",)), NameQuery("joerg", ("b",))],
        ),
        ("%", [NameQuery("%", ())]),
        ("  ", []),
    ],
)
def test_what_somebody_types_is_looked_for_as_it_stands_and_then_in_any_order(
    text: str, queries: list[NameQuery]
) -> None:
    assert parse_name_query(text) == queries


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ana   Maria ", "Ana Maria"),
        ("Mu\u0308ller", "Müller"),
        ("\u00a0Ben\u2003B.\u3000", "Ben B."),
        ("\u2764\ufe0f", "\u2764"),
    ],
)
def test_a_name_is_kept_tidy(text: str, name: str) -> None:
    assert collapse_spaces(text) == name
    assert find_flaw(name) is None


@pytest.mark.parametrize(
    "name", ["Nguyễn Thị Ánh", "שָׁלוֹם", "བསྒྲུབས", "ที่นี่", "हिन्दी", "🦔", "e\u0301\u0323x", "محمّد", "𝔖𝔦𝔯"]
)
def test_every_living_script_may_be_a_name(name: str) -> None:
    assert find_flaw(collapse_spaces(name)) is None
    assert clean_foreign_name(collapse_spaces(name)) == collapse_spaces(name)


@pytest.mark.parametrize(
    "sign",
    [
        *("\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u034f", "\u115f", "\u3164", "\uffa0", "\u2800"),
        *("\u180b", "\U000e0100", "\U000e0041", "\x07", "\ue000", "\ud800"),
    ],
)
def test_what_cannot_be_seen_is_in_no_name(sign: str) -> None:
    assert find_flaw(f"Ana{sign}B") == "unseen"
    assert clean_foreign_name(f"Ana{sign}B") == "AnaB"


@pytest.mark.parametrize(
    ("name", "mended"),
    [
        ("Z" + "\u0300\u0316\u0489\u0328\u0301", "Z\u0316\u0300\u0489"),
        ("\u0301Ana", "Ana"),
        ("Ana \u0301\u0301b", "Ana b"),
    ],
)
def test_marks_do_not_pile_up_on_a_letter(name: str, mended: str) -> None:
    assert find_flaw(collapse_spaces(name)) == "marks"
    assert clean_foreign_name(name) == mended


def test_lines_stay_lines() -> None:
    assert clean_foreign_name("One\nTwo\u200b\tthree", instead="?") == "One\nTwo?\tthree"
