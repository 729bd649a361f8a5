"""Names that a reader cannot tell apart have a skeleton in common; different names do not."""

from __future__ import annotations

import pytest

from games.models.skeletons import are_alike, collect_skeletons, list_skeletons, number_name


@pytest.mark.parametrize(
    "other",
    [
        "olga", "OLGA", " Ol ga ", "Olga.", "O-l_g a", "Оlgа", "0lga", "O1ga", "OIga", "O|ga", "Οlga", "𝐎𝐥𝐠𝐚",
        "Ｏｌｇａ", "olgа", "Olgạ", "Olga\u0323", "O\u0332l\u0332ga", "Olga ✔", "★Olga★", "Olga 👑", "O\u20ddlga",
    ],
)  # fmt: skip
def test_these_are_taken_for_olga(other: str) -> None:
    assert are_alike("Olga", other)
    assert are_alike(other, "Olga")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ella", "Elia"), ("Łukasz", "Lukasz"), ("Müller", "Muller"), ("Anna", "Ana"), ("Groß", "Gross"),
     ("Olga", "Olga 2"), ("!!", "??"), ("狐", "狸"), ("Юля", "Оля"), ("Андрей", "Андреи"), ("🦊", "🐻"),
     ("José", "Jose"),     ("नि", "नी"), ("Ålesund", "Alesund"), ("آدم", "ادم"), ("が", "か")],
)  # fmt: skip
def test_these_are_different_people(one: str, other: str) -> None:
    assert not are_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("狐", "狐\u0323"), ("Անի", "Անի\u0301"), ("משה", "מֹשֶׁה"), ("محمد", "مُحَمَّد"), ("محمد", "محـمد"), ("🦊", "🦊\u20dd"),
     ("Olga", "Olga|"), ("Olga", "Olgaˌ"), ("Ali", "ʿAli"), ("Olga", "Olgaꓸ"), ("अनु", "अनु\u0307")],
)  # fmt: skip
def test_small_marks_make_nobody_another_person_in_any_script(one: str, other: str) -> None:
    assert are_alike(one, other)


def test_letters_that_stand_for_two_are_taken_for_them() -> None:
    assert are_alike("Marne", "Mame")
    assert list_skeletons("") == {""}


def test_a_number_makes_a_name_unlike_all_others() -> None:
    taken = collect_skeletons(["Olga", "OIga 2", "Ben"])
    assert number_name("Оlga", taken, most=24) == "Оlga 3"
    assert number_name("Eva", taken, most=24) == "Eva"
    long = "A" * 24
    assert number_name(long, collect_skeletons([long]), most=24) == "A" * 22 + " 2"
