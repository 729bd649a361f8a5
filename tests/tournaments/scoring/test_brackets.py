"""The picture of a knockout: every table inside it, none over another, and a line for each who advances."""

from __future__ import annotations

from itertools import combinations

import pytest

from tournaments.scoring.brackets import (
    BOX_WIDTH,
    MAX_PEOPLE,
    Bracket,
    BracketSeat,
    BracketStage,
    BracketTable,
    arrange_bracket,
)


def stage(name: str, *tables: str) -> BracketStage:
    seats = [tuple(BracketSeat(one, one) for one in table) for table in tables]
    return BracketStage(name, tuple(BracketTable(at, there) for at, there in enumerate(seats, start=1)))


CUP = (
    stage("Quarter-final", "abcd", "efgh", "ijkl", "mnop"),
    stage("Semi-final", "aebf", "imjn"),
    stage("Final", "aeim"),
)


def arrange(stages: tuple[BracketStage, ...]) -> Bracket:
    found = arrange_bracket(stages)
    assert found is not None
    return found


def test_stages_stand_side_by_side_with_their_tables_inside_the_picture() -> None:
    bracket = arrange(CUP)
    assert [name for _, name in bracket.heads] == ["Quarter-final", "Semi-final", "Final"]
    assert len({x for x, _ in bracket.heads}) == 3
    assert [len(box.rows) for box in bracket.boxes] == [4] * 7
    for box in bracket.boxes:
        assert 0 <= box.x <= bracket.width - BOX_WIDTH
        assert 0 < box.y < box.y + box.height <= bracket.height
    for one, other in combinations(bracket.boxes, 2):
        assert one.x != other.x or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_a_line_leads_from_everybody_who_advances_to_their_next_seat() -> None:
    bracket = arrange(CUP)
    assert len(bracket.links) == 8 + 4
    final = bracket.boxes[-1]
    assert sum(link.endswith(f" {final.x} {row + 11}") for link in bracket.links for row, _ in final.rows) == 4


def test_a_stage_that_is_played_has_no_lines_behind_it() -> None:
    assert arrange(CUP[:1]).links == ()


@pytest.mark.parametrize("stages", [(), (stage("First", "x" * (MAX_PEOPLE + 1)),)])
def test_nothing_and_too_much_have_no_picture(stages: tuple[BracketStage, ...]) -> None:
    assert arrange_bracket(stages) is None
