"""Words about tournaments: lists by name as people look through them."""

from __future__ import annotations

import pytest

from tournaments.words import by_name, say_told


def test_a_list_by_name_is_in_the_order_in_which_people_look() -> None:
    names = ["Zoe", "Łukasz", "anna", "Ömer", "Lena", "Ola", "Żaneta", "Adam", "Ąga", "Ada"]
    assert sorted(names, key=by_name) == [
        "Ada", "Adam", "Ąga", "anna", "Lena", "Łukasz", "Ola", "Ömer", "Żaneta", "Zoe",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ('{"table":2,"places":[2,1,3],"names":["Ada","Bea","Cem"]}', "1. Bea, 2. Ada, 3. Cem"),
        ('{"table":2,"places":[1,3,1],"names":["Eli","Bea","Cem"]}', "1. Cem, 1. Eli, 3. Bea"),
        ('{"table":2,"places":[2,1,3]}', "2, 1, 3"),  # of a version that did not note who they were
    ],
)
def test_a_result_names_people_in_the_order_in_which_they_came_in(details: str, said: str) -> None:
    assert say_told("decide", details, None, False) == f"decided the result of table 2: {said}"
