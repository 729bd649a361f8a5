"""Words about tournaments: lists by name as people look through them."""

from __future__ import annotations

from tournaments.forms import PlanForm
from tournaments.plan_words import COLUMNS
from tournaments.season_forms import SeasonForm
from tournaments.words import by_name


def test_a_list_by_name_is_in_the_order_in_which_people_look() -> None:
    names = ["Zoe", "Łukasz", "anna", "Ömer", "Lena", "Ola", "Żaneta", "Adam", "Ąga", "Ada"]
    assert sorted(names, key=by_name) == [
        "Ada", "Adam", "Ąga", "anna", "Lena", "Łukasz", "Ola", "Ömer", "Żaneta", "Zoe",
    ]  # fmt: skip


def test_every_column_of_a_plan_has_a_name() -> None:
    unnamed = {name for form in (PlanForm, SeasonForm) for name in form.base_fields} - COLUMNS.keys()
    assert unnamed == {"deals", "season", "zone"}  # deals is an option of the game; the others are no columns
