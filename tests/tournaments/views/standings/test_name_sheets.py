"""The names on the hall display: in few sheets, whose letters can be read from ten metres."""

from __future__ import annotations

import textwrap

import pytest

from tournaments.views.standings.name_sheets import NAMES_ALONE, NAMES_WITH_TABLES, ROWS, split_names


def count(names: list[str], least: int = 1) -> list[int]:
    return [end - begin for begin, end in split_names(names, NAMES_WITH_TABLES, least=least)]


@pytest.mark.parametrize(
    ("people", "letters", "sheets"),
    [(0, 10, 0), (1, 10, 1), (56, 10, 1), (57, 10, 2), (200, 10, 4), (42, 20, 1), (200, 20, 5), (200, 34, 8)],
)
def test_longer_names_take_more_sheets(people: int, letters: int, sheets: int) -> None:
    assert len(count(["x" * letters] * people)) == sheets


def test_every_name_is_on_one_sheet_in_its_order_and_sheets_are_even() -> None:
    names = [
        f"{'Katarzyna' if at % 3 else 'Wolfgang'} {'Kowalczyk-Lewandowska' if at % 2 else 'Lis'}" for at in range(203)
    ]
    for arrangements in (NAMES_WITH_TABLES, NAMES_ALONE):
        sheets = split_names(names, arrangements)
        assert [at for begin, end in sheets for at in range(begin, end)] == list(range(203))
        assert max(end - begin for begin, end in sheets) - min(end - begin for begin, end in sheets) <= 2
        roomy = [
            columns * ROWS
            - max(sum(len(textwrap.wrap(name, letters)) for name in names[begin:end]) for begin, end in sheets)
            for columns, letters in arrangements
        ]
        assert max(roomy) >= -1, "in one of the arrangements all sheets have room"


def test_several_screens_share_the_names() -> None:
    assert count(["Ada"] * 24, least=3) == [8, 8, 8]
    assert count(["Ada"] * 2, least=3) == [1, 1]
