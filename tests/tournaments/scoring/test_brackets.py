"""The picture of a knockout: every table inside it, none over another, and a line for each who advances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from tournaments.scoring.brackets import (
    MAX_PEOPLE,
    ON_PAGE,
    ON_WALL,
    ON_WALL_WIDE,
    PAPER,
    WALL,
    Bracket,
    BracketLayout,
    BracketSeat,
    BracketStage,
    BracketTable,
    arrange_bracket,
    choose_wall_layout,
    drop_large_stages,
    split_for_paper,
    split_for_wall,
)


def stage(name: str, *tables: Sequence[str]) -> BracketStage:
    seats = [tuple(BracketSeat(one, one) for one in table) for table in tables]
    return BracketStage(name, tuple(BracketTable(at, there) for at, there in enumerate(seats, start=1)))


CUP = (
    stage("Quarter-final", "abcd", "efgh", "ijkl", "mnop"),
    stage("Semi-final", "aebf", "imjn"),
    stage("Final", "aeim"),
)


def arrange(stages: tuple[BracketStage, ...], layout: BracketLayout = ON_PAGE) -> Bracket:
    found = arrange_bracket(stages, layout)
    assert found is not None
    return found


@pytest.mark.parametrize("layout", [ON_PAGE, ON_WALL, ON_WALL_WIDE])
def test_stages_stand_side_by_side_with_their_tables_inside_the_picture(layout: BracketLayout) -> None:
    bracket = arrange(CUP, layout)
    assert [name for _, name in bracket.heads] == ["Quarter-final", "Semi-final", "Final"]
    assert len({x for x, _ in bracket.heads}) == 3
    assert [len(box.rows) for box in bracket.boxes] == [4] * 7
    for box in bracket.boxes:
        assert 0 <= box.x <= bracket.width - layout.box_width
        assert 0 < box.y < box.y + box.height <= bracket.height
    for one, other in combinations(bracket.boxes, 2):
        assert one.x != other.x or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_a_line_leads_from_everybody_who_advances_to_their_next_seat() -> None:
    bracket = arrange(CUP)
    assert len(bracket.links) == 8 + 4
    final = bracket.boxes[-1]
    assert sum(link.endswith(f" {final.x} {row + 11}") for link in bracket.links for row, *_ in final.rows) == 4


def test_a_stage_that_is_played_has_no_lines_behind_it() -> None:
    assert arrange(CUP[:1]).links == ()


def test_no_stage_has_no_picture() -> None:
    assert arrange_bracket(()) is None


def test_a_page_shows_the_stages_that_are_not_too_long_to_read() -> None:
    assert drop_large_stages([stage("First", "x" * (MAX_PEOPLE + 1)), *CUP]) == list(CUP)
    assert drop_large_stages([stage("First", "x" * MAX_PEOPLE)]) != []


LONG = "Wolfgang Schmetterlingsberger von der Höhe"


@pytest.mark.parametrize("layout", [ON_PAGE, ON_WALL, ON_WALL_WIDE])
def test_no_name_is_cut(layout: BracketLayout) -> None:
    """Names of up to forty letters, in lines no longer than a box, parted between words."""
    for name in (LONG[:40], "Ana", "Wolfeschlegelsteinhausenbergerdorf", "Anna-Katharina Müller-Lüdenscheidt"):
        lines = layout.wrap_name(name)
        assert "".join(lines).replace(" ", "") == name.replace(" ", "")
        assert max(map(len, lines)) <= layout.letters
    assert layout.wrap_name("Ana") == ("Ana",)
    assert layout.wrap_name("") == ("",)


def test_a_name_of_several_lines_has_room_for_them_and_its_line_begins_at_their_middle() -> None:
    bracket = arrange((stage("Semi-final", [LONG, "Ana"], ["Bea", "Cem"]), stage("Final", [LONG, "Bea"])))
    first, second, final = bracket.boxes
    (_, _, lines), (below, _, _) = first.rows
    assert lines == ("Wolfgang", "Schmetterlingsberger", "von der Höhe")
    assert below == first.y + ON_PAGE.head + 3 * ON_PAGE.line
    assert (first.height, second.height) == (26 + 4 * 22 + 4, 26 + 2 * 22 + 4)
    assert bracket.links[0].startswith(f"M{ON_PAGE.box_width} {first.y + 26 + 33}C")
    assert bracket.links[0].endswith(f" {final.x} {final.y + 26 + 33}")


def test_a_bye_has_a_heading_of_its_own_where_numbers_stand_beside_the_names() -> None:
    bye = BracketTable(None, (BracketSeat("a", "Ada"), BracketSeat("b", "Bea")))
    assert (ON_WALL.head_of(bye), ON_WALL.head_of(CUP[0].tables[0])) == (ON_WALL.head, 0)
    assert ON_PAGE.head_of(bye) == ON_PAGE.head_of(CUP[0].tables[0]) == ON_PAGE.head


# --- the wall: pages on which letters keep their size ------------------------------------------------------------


def make_stage(name: str, tables: int, people: int = 4) -> BracketStage:
    return stage(name, *([chr(97 + seat) for seat in range(people)] for _ in range(tables)))


def describe(stages: list[BracketStage]) -> list[list[tuple[str, int]]]:
    """Of each page, and each column on it, its name and its number of tables."""
    return [[(one.name, len(one.tables)) for one in page] for page in split_for_wall(stages)]


def lengthen(stage: BracketStage, name: str = "Katarzyna Wiśniewska") -> BracketStage:
    """The same with names that take two lines where three stages stand side by side, and else one."""
    tables = [replace(one, seats=tuple(replace(at, name=name) for at in one.seats)) for one in stage.tables]
    return replace(stage, tables=tables)


FIRST, QUARTER, SEMI, FINAL = (make_stage(*one) for one in (("1", 16), ("Quarter", 4), ("Semi", 2), ("Final", 1)))

VERY_LONG_QUARTER = lengthen(QUARTER, "Sabine Leutheusser-Schnarrenberger")
LONG_QUARTER, LONG_SEMI, LONG_FINAL = (lengthen(one) for one in (QUARTER, SEMI, FINAL))


@pytest.mark.parametrize(
    ("stages", "pages"),
    [
        ([], []),
        ([QUARTER], [[("Quarter", 4)]]),
        ([QUARTER, SEMI, FINAL], [[("Quarter", 4), ("Semi", 2), ("Final", 1)]]),
        ([make_stage("0", 4), QUARTER, SEMI, FINAL], [[("Quarter", 4), ("Semi", 2), ("Final", 1)]]),
        ([FIRST, QUARTER, SEMI], [[("Quarter", 4), ("Semi", 2)]]),
        ([FIRST, QUARTER], [[("1", 4), ("Quarter", 4)]] * 4),
        ([FIRST], [[("1", 4), ("", 4)]] * 2),
        ([make_stage("1", 14)], [[("1", 3), ("", 4)]] * 2),
        ([make_stage("1", 4, 5), SEMI, FINAL], [[("1", 2), ("Semi", 2)]] * 2 + [[("Semi", 2), ("Final", 1)]]),
        ([VERY_LONG_QUARTER, SEMI, FINAL], [[("Quarter", 2), ("Semi", 2)]] * 2 + [[("Semi", 2), ("Final", 1)]]),
        ([make_stage("1", 4, 5), SEMI], [[("1", 2), ("Semi", 2)]] * 2),
        ([make_stage("1", 2, 20)], [[("1", 1), ("", 1)]]),
        ([LONG_QUARTER, LONG_SEMI, LONG_FINAL], [[("Quarter", 4), ("Semi", 2)], [("Semi", 2), ("Final", 1)]]),
        ([FIRST, LONG_QUARTER, LONG_SEMI], [[("Quarter", 4), ("Semi", 2)]]),
        ([lengthen(FIRST)], [[("1", 4), ("", 4)]] * 2),
        ([lengthen(FIRST, "Bo Schmetterlingsberger")], [[("1", 4), ("", 4)]] * 2),
        ([lengthen(make_stage("1", 3, 2), "Bo Schmetterlingsberger"), LONG_FINAL], [[("1", 3), ("Final", 1)]]),
        ([lengthen(make_stage("1", 3, 2)), LONG_SEMI, LONG_FINAL], [[("1", 3), ("Semi", 2), ("Final", 1)]]),
    ],
)
def test_a_bracket_on_the_wall_takes_as_many_pages_as_its_letters_need(
    stages: list[BracketStage], pages: list[list[tuple[str, int]]]
) -> None:
    assert describe(stages) == pages


@pytest.mark.parametrize("people", range(2, 9))
@pytest.mark.parametrize("tables", [1, 3, 7, 16, 50])
def test_every_table_is_on_the_wall_once_and_no_picture_is_too_large_for_it(tables: int, people: int) -> None:
    pages = split_for_wall([make_stage("1", tables, people)])
    assert [table.number for page in pages for column in page for table in column.tables] == list(range(1, tables + 1))
    for page in pages:
        assert len(page) <= WALL.columns
        bracket = arrange(tuple(page), choose_wall_layout(len(page)))
        assert (bracket.width <= 1824, bracket.height <= 892) == (True, True)


# --- paper: the whole bracket, in pages on which letters keep their size -----------------------------------------


def test_stages_stand_together_on_paper_where_they_fit_and_else_on_pages_of_their_own() -> None:
    """From two hundred people down to one, at tables of four of whom two go on."""
    stages = [make_stage(str(tables), tables) for tables in (50, 25, 13, 7, 4, 2, 1)]
    assert [[(one.name, len(one.tables)) for one in page] for page in split_for_paper(stages)] == [
        [("50", 5), ("", 6), ("", 5)],
        [("50", 6), ("", 5), ("", 6)],
        [("50", 5), ("", 6), ("", 6)],
        [("25", 4), ("", 4), ("", 4)],
        [("25", 4), ("", 4), ("", 5)],
        [("13", 4), ("", 4), ("", 5)],
        [("7", 7)],
        [("4", 4), ("2", 2), ("1", 1)],
    ]


@pytest.mark.parametrize("people", range(2, 9))
@pytest.mark.parametrize("tables", [1, 3, 7, 16, 75])
def test_every_table_of_every_stage_is_on_paper_once(tables: int, people: int) -> None:
    stages = [make_stage(str(count), count, people) for count in (tables, -(-tables // 2), 1)]
    pages = split_for_paper(stages)
    assert sum(len(column.tables) for page in pages for column in page) == tables + -(-tables // 2) + 1
    for page in pages:
        assert len(page) <= PAPER.columns
        bracket = arrange(tuple(page), ON_PAGE)
        assert (bracket.width <= 742, bracket.height <= 988) == (True, True)
