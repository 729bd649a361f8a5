"""Words about tournaments: lists by name as people look through them."""

from __future__ import annotations

from fractions import Fraction

from tournaments.models import Format, Stage
from tournaments.views.forms.plan_form import PlanForm
from tournaments.views.forms.season_forms import SeasonForm
from tournaments.words.plan_words import COLUMNS
from tournaments.words.terms import name_elimination_stage, name_sort_key, name_stage, say_points


def test_a_list_by_name_is_in_the_order_in_which_people_look() -> None:
    names = ["Zoe", "Łukasz", "anna", "Ömer", "Lena", "Ola", "Żaneta", "Adam", "Ąga", "Ada"]
    assert sorted(names, key=name_sort_key) == [
        "Ada", "Adam", "Ąga", "anna", "Lena", "Łukasz", "Ola", "Ömer", "Żaneta", "Zoe",
    ]  # fmt: skip


def test_every_column_of_a_plan_has_a_name() -> None:
    unnamed = {name for form in (PlanForm, SeasonForm) for name in form.base_fields} - COLUMNS.keys()
    # deals is an option of the game; the others are no columns
    assert unnamed == {"deals", "expected", "length", "pace", "proposed", "round_days", "season", "weeks", "zone"}


def test_a_round_is_told_by_its_number_alone_where_all_are_of_one_kind() -> None:
    """ "Ladder 3" and "Swiss round 2" said twice what the page says already."""
    alike = set(Format.values) - {Format.KNOCKOUT, Format.SWISS_CUT}
    assert {name_stage(one, stage) for one in alike for stage in Stage.values} == {""}
    assert [name_stage(Format.SWISS_CUT, one) for one in (Stage.SWISS, Stage.KNOCKOUT, Stage.FINAL)] == [
        "Swiss round", "Knockout stage", "Final",
    ]  # fmt: skip


def test_halves_of_a_hundredth_are_rounded_one_way() -> None:
    """Places of a table of five come to eighths: five of eight is 0.63 as three of eight is 0.38."""
    assert [say_points(105 * eighths) for eighths in range(9)] == [
        "0", "0.13", "0.25", "0.38", "0.5", "0.63", "0.75", "0.88", "1",
    ]  # fmt: skip
    assert [say_points(points) for points in (-525, -1, 4, 5, Fraction(2940), 840 * 10)] == [
        "-0.63", "0", "0", "0.01", "3.5", "10",
    ]  # fmt: skip


def test_a_table_beside_a_bye_is_no_final() -> None:
    """Four people play, the fifth has a bye: the next table is the final."""
    stages = [("knockout", 8, 32), ("knockout", 3, 12), ("knockout", 2, 8), ("knockout", 1, 5), ("final", 1, 3)]
    names = [name_elimination_stage(*one) for one in stages]
    assert names == ["Last 32", "Quarter-final", "Semi-final", "Semi-final", "Final"]
