"""Totals: counted one by one, in any order, and always the same."""

from __future__ import annotations

import random

from tournaments.careers.totals import CareerDeal, CareerResult, Record, Total

DEALS = (
    CareerDeal(3, 3, None, 1, 0, "dishwasher", None, 10.0),
    CareerDeal(3, 3, 3, 2, 0, "dishwasher", None, 11.0),
    CareerDeal(2, 3, 3, 1, 1, "manager", None, 12.0),
    CareerDeal(1, 3, 2, 1, 2, "boss", None, 13.0),
    CareerDeal(1, 3, 1, 2, 3, "boss", None, 14.0),
    CareerDeal(2, 3, 1, 1, 4, "manager", 7, 15.0),
    CareerDeal(1, 3, 2, 2, 2, "boss", None, 9.0),
)
RESULTS = (
    CareerResult(1, 3, 840, 31, 31, 5.0),
    CareerResult(4, 1, 840, None, None, 6.0),
    CareerResult(2, 2, 0, -4, 31, 4.0),
)


def total(deals: tuple[CareerDeal, ...] = (), results: tuple[CareerResult, ...] = ()) -> Total:
    """What these come to."""
    found = Total()
    for deal in deals:
        found.add_deal(deal)
    for result in results:
        found.add_result(result)
    return found


def test_a_career_from_the_sink_to_the_throne_and_down() -> None:
    career = total(DEALS)
    assert career.record == Record(deals=7, average=13 / 7, reign=2, bottom=2, climb=2, promotions=3, falls=1)
    assert career.share_jobs() == (("boss", 3, 3 / 7), ("manager", 2, 2 / 7), ("dishwasher", 2, 2 / 7))
    assert career.list_rivals() == [(7, 1)]


def test_rivals_are_those_who_took_the_chair_most_often_first() -> None:
    taken = [CareerDeal(2, 3, 1, 1, 4, "manager", rival, float(at)) for at, rival in enumerate((9, 5, 7, 5, 3, 7, 7))]
    assert total(tuple(taken)).list_rivals() == [(7, 3), (5, 2), (3, 1), (9, 1)]


def test_a_record_was_set_when_it_was_first_reached() -> None:
    career = total(DEALS)
    assert (career.reign_at, career.bottom_at, career.climb_at) == (9.0, 11.0, 9.0)
    assert (total(results=RESULTS).feat, total(results=RESULTS).feat_at) == (31, 4.0)


def test_tables_without_other_people_beat_nobody() -> None:
    played = total(results=RESULTS)
    assert (played.games, played.wins, played.places, played.met, played.beaten) == (3, 1, 7, 2, 840)
    assert played.best == 31


def test_nothing_comes_to_nothing() -> None:
    assert Total().record == Record(0, None, None, None, None, 0, 0)
    assert (Total().share_jobs(), Total().list_rivals()) == ((), [])


def test_the_order_does_not_matter() -> None:
    expected = total(DEALS, RESULTS)
    rng = random.Random(3)
    for _ in range(20):
        deals, results = rng.sample(DEALS, len(DEALS)), rng.sample(RESULTS, len(RESULTS))
        assert total(tuple(deals), tuple(results)) == expected
