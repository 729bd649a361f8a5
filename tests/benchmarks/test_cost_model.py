"""The cost model of a federation's Saturday finds the costs that are there, and predicts other sizes from them."""

from __future__ import annotations

import pytest

from benchmarks.load import resources
from benchmarks.load.federation import game_log
from benchmarks.load.federation.cost_model import UNITS, Part, compare, find_costs, interpolate, is_within, predict
from benchmarks.load.federation.preparation import Size
from benchmarks.load.federation.report import find_wait

BASE = {"web": 0.02, "postgres": 0.01}
COSTS = {"web": {"socket": 2e-5, "move": 0.001, "frame": 0.0001}, "postgres": {"move": 0.0009}}


def spend(counts: dict[str, float]) -> dict[str, float]:
    return {
        process: BASE[process] + sum(cost * counts.get(unit, 0.0) for unit, cost in costs.items())
        for process, costs in COSTS.items()
    }


def parts() -> list[Part]:
    counts: dict[str, float] = {}
    made = []
    for unit, often in (("socket", 3000.0), ("move", 60.0), ("frame", 800.0)):
        counts |= {unit: often}
        made.append(Part(unit, dict(counts), spend(counts)))
    return made


def test_costs_are_found_from_parts_that_begin_one_after_another() -> None:
    found = find_costs(BASE, parts())
    for process, costs in COSTS.items():
        for unit, cost in costs.items():
            assert found.units[unit][process] == pytest.approx(cost)
    twice = {"socket": 6000.0, "move": 120.0, "frame": 1600.0}
    assert predict(found, twice) == pytest.approx(spend(twice))


def test_costs_of_a_size_lie_between_those_of_the_sizes_at_which_they_were_found() -> None:
    dear, cheap = (
        find_costs(BASE, parts()),
        find_costs(BASE, [])._replace(
            units={unit: {"web": 0.0, "postgres": 0.0} for unit in ("socket", "move", "frame")}
        ),
    )
    found = {100.0: cheap, 25.0: dear}
    assert interpolate(found, 40).units["move"] == pytest.approx({"web": 0.0008, "postgres": 0.00072})
    assert interpolate(found, 40).base == BASE
    assert interpolate(found, 10) == dear
    assert interpolate(found, 100) == interpolate(found, 250) == cheap


def test_a_cost_is_never_negative_and_of_nothing_it_is_nothing() -> None:
    found = find_costs(
        {"web": 0.5},
        [Part("socket", {"socket": 10.0}, {"web": 0.1}), Part("move", {"socket": 10.0}, {"web": 0.9})],
    )
    assert found.units == {"socket": {"web": 0.0}, "move": {"web": 0.0}}
    with pytest.raises(ValueError, match="not a unit"):
        find_costs({}, [Part("smile", {}, {})])


def test_deviations_are_told_in_percent_and_only_of_what_can_be_measured() -> None:
    deviations = compare({"web": 0.55, "redis": 0.02}, {"web": 0.5, "redis": 0.01})
    assert [(one.process, one.percent and round(one.percent)) for one in deviations] == [
        ("web", 10),
        ("redis", None),
        ("together", 12),
    ]
    assert is_within(deviations)
    assert not is_within(compare({"web": 0.7}, {"web": 0.5}))


def test_a_size_is_a_part_of_everything_and_of_each_kind_at_least_one() -> None:
    whole, least = Size(100), Size(0.1)
    assert (whole.clubs, whole.people, whole.tables, whole.walls, whole.spectators) == (40, 2000, 400, 20, 5000)
    assert (least.clubs, least.tables, least.bot_tables, least.walls, least.count_rounds(60)) == (1, 1, 1, 1, 1)
    assert (Size(25).tables, Size(25).spectators, whole.count_rounds(60)) == (100, 1250, 8)
    assert set(UNITS) == {"clock", "socket", "move", "bot move", "frame", "page", "round"}


def test_the_log_says_what_was_done_once_and_which_turns_ran_out() -> None:
    rows: list[game_log.Row] = [
        ("a", 0, "person", "k1", 10.0),
        ("a", 1, "bot", None, 11.0),
        ("a", 2, "clock", None, 56.0),
        ("b", 0, "clock", None, 20.0),
        ("b", 1, "clock", None, 25.25),
        ("b", 2, "bot", None, 26.0),
        ("b", 3, "clock", None, 28.0),
    ]
    log = game_log.read(rows, ["a"])
    assert (log.run_out, log.moves, log.bots, log.late) == (1, [10.0], [(11.0, 1.0)], [(25.25, 0.25)])
    assert log.clocks == [20.0, 25.25, 28.0]
    assert log.count_not_once([("a", "k1"), ("a", "k2")]) == 1


def test_a_site_that_keeps_people_waiting_has_reached_its_limit() -> None:
    assert find_wait(999.0) == ""
    assert find_wait(2864.99) == "the limit is what people bear: p95 of answers is 2865 ms"


def test_the_limit_names_the_process_or_the_machine_and_the_measuring_program_too() -> None:
    def use(machine: float, **shares: float) -> resources.Use:
        return resources.Use(10.0, shares, machine, 0.1)

    assert resources.find_limit(use(1.0, server=0.5, driver=0.2), 2) == ""
    assert resources.find_limit(use(1.5, server=0.5, driver=0.97), 2) == "the limit is one core of driver"
    sentence = resources.find_limit(use(1.95, server=0.9, postgres=0.6), 2)
    assert sentence.startswith("the limit is the machine: 1.95 of 2 cores are busy (0.10 with other programs); server")
