"""Every format of the registry keeps the contract: no format is named here."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from django.conf import settings

from games.play.errors import Stale
from tests.tournaments.formats.plain import PlainPlan, PlainTournament, list_sizes
from tournaments import formats
from tournaments.flow.planning import tournament_plan
from tournaments.flow.planning.tournament_plan import Agreement
from tournaments.formats import stages
from tournaments.formats.base import Format, GameFacts, Pairing, Sizes
from tournaments.models import PairRule, Stage
from tournaments.models.tournaments import Format as Slug
from tournaments.views.forms.plan_form import PlanForm
from tournaments.words.terms import FORMATS as NAMES

EVERY = pytest.mark.parametrize("form", formats.FORMATS.values(), ids=list(formats.FORMATS))
PEOPLE = range(4, 301)
MOST = 40
"""Rounds after which each tournament here has ended long since."""
GAME: dict[str, Any] = {"game": "animal-poker", "options": {"sessions": 1}}
USUAL = Sizes(4, 4, 4)


def plan_of(form: Format, people: int, sizes: Sizes) -> PlainPlan:
    proposed: dict[str, Any] = dict(form.propose(people, sizes))
    return PlainPlan(wanted=sizes.wanted, least=sizes.least, most=sizes.most, **proposed)


def test_the_registry_has_what_the_database_knows() -> None:
    assert {*formats.FORMATS} == {*Slug.values} - {"league"}
    assert [one.slug for one in formats.FORMATS.values()] == list(formats.FORMATS)
    stage_names = {value for name, value in vars(stages).items() if name.isupper() and isinstance(value, str)}
    assert stage_names == {*Stage.values}


def test_no_format_may_import_another() -> None:
    """Each is listed in the contract of import-linter."""
    read = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())
    [listed] = [
        one["modules"]
        for one in read["tool"]["importlinter"]["contracts"]
        if one["name"] == "No format imports another"
    ]
    assert sorted(listed) == sorted(type(one).__module__ for one in formats.FORMATS.values())


@EVERY
def test_it_answers_every_question(form: Format) -> None:
    facts = get_type_hints(Format)
    asked = {name for name, member in vars(Format).items() if callable(member) and not name.startswith("_")}
    assert {name for name in (*facts, *asked) if not hasattr(form, name)} == set()
    assert NAMES[form.slug]
    assert {*form.pair_kinds} <= {*PairRule.Kind.values}


@EVERY
def test_its_fields_are_fields_of_the_form_and_of_a_plan(form: Format) -> None:
    columns = {*Agreement.__struct_fields__}
    assert {*form.plan_fields} <= {*PlanForm.base_fields} & columns
    assert {*form.propose(20, USUAL)} <= {*PlanForm.base_fields} & columns
    assert {*form.unused_fields} <= {*PlanForm.base_fields} - {*form.plan_fields}


@EVERY
def test_what_it_proposes_is_a_plan(form: Format) -> None:
    sizes: dict[str, Any] = USUAL._asdict()
    for people in PEOPLE:
        proposed: dict[str, Any] = dict(form.propose(people, USUAL))
        plan = Agreement(name="Night", format=form.slug, **GAME, **sizes, **proposed)
        tournament_plan.check(plan)
        assert 1 <= plan.rounds_planned <= 50


@EVERY
def test_it_finds_no_fault_in_what_it_proposes_for_any_tables(form: Format) -> None:
    for sizes in list_sizes():
        for people in (4, 7, 64, 300):
            plan = plan_of(form, people, sizes)
            assert form.find_fault(plan, GameFacts(has_jobs=True, has_length=True)) is None
            assert form.count_rounds(plan) >= 1
            schedule = form.count_schedule(people, sizes)
            assert schedule is None or schedule >= 1


@EVERY
def test_its_faults_are_shown_beside_a_field(form: Format) -> None:
    plans = (
        PlainPlan(),
        PlainPlan(advance=4, round_minutes=20),
        PlainPlan(cut_to=2, round_minutes=20),
        PlainPlan(bots_fill=True, round_minutes=20),
    )
    games = (GameFacts(has_jobs, has_length) for has_jobs in (True, False) for has_length in (True, False))
    faults = [form.find_fault(plan, game) for game in games for plan in plans]
    assert {one.about for one in faults if one is not None} <= {*PlanForm.base_fields}


@EVERY
@pytest.mark.parametrize("people", [4, 9, 13, 30])
def test_a_tournament_ends_and_ranks_everybody(form: Format, people: int) -> None:
    plan = plan_of(form, people, Sizes(4, 3, 5))
    one = PlainTournament(form, plan, people)
    while (stage := form.find_stage(one)) is not None:
        number = len(one.rounds) + 1
        assert number <= MOST
        assert stage in Stage.values
        entitled = form.list_entitled(one, number)
        paired = pair(form, one, number)
        placed = [key for keys, _reasons in paired.pods for key in keys] + list(paired.byes)
        assert sorted(placed) == sorted(entitled)
        assert sorted(entitled) == sorted(one.people) or form.is_elimination(plan, one.rounds, number)
        one.play(paired)
    lines = form.rank(one)
    assert sorted(line.entrant for line in lines) == sorted(one.people)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    assert lines[0].place == 1
    form.explain_order([played.stage for played in one.rounds])


@EVERY
@pytest.mark.parametrize("sizes", [Sizes(4, 3, 5), Sizes(4, 4, 4), Sizes(2, 2, 2), Sizes(5, 3, 8)])
def test_the_stages_that_it_foresees_are_those_that_are_played(form: Format, sizes: Sizes) -> None:
    for people in (*range(sizes.least, 18), 24, 33, 40):
        plan = replace(plan_of(form, people, sizes), rounds_planned=1)
        one = PlainTournament(form, plan, people)
        while form.names_stages and form.find_stage(one) is not None:
            one.play(pair(form, one, len(one.rounds) + 1))
        played = [
            (sum(len(pod.entrants) for pod in result.pods) + len(result.byes), len(result.byes),
             sorted((len(pod.entrants) for pod in result.pods), reverse=True))
            for result, expected in zip(one.results, one.rounds, strict=True)
            if expected.stage in stages.ELIMINATION
        ]  # fmt: skip
        foreseen = form.foresee_stages(
            people, sizes, advance=plan.advance, cut_to=plan.cut_to, smallest=one.find_smallest_table()
        )
        assert [(stage.people, stage.byes, [*stage.tables]) for stage in foreseen] == played, (form.slug, people)


def pair(form: Format, one: PlainTournament, number: int) -> Pairing:
    """The next round; where there are none, everybody at one table after the other, as they come."""
    if form.has_rounds:
        return form.pair(one, number, seed=f"{number}", locked=())
    with pytest.raises(Stale):
        form.pair(one, number, seed="1", locked=())
    keys = list(one.people)
    return Pairing(stages.ARENA, tuple((tuple(keys[at : at + 4]), []) for at in range(0, len(keys), 4)), ())
