"""The picture of a career: a staircase with the top at the top, broken between tables; a rating with its ±."""

from __future__ import annotations

import re

from tournaments.careers.chart import NARROW_WIDTH, ChartDeal, RankChart, RatingChart, render_ranks, render_rating


def test_a_staircase_of_two_tables() -> None:
    picture = render_ranks([ChartDeal("a", 1, 4), ChartDeal("a", 4, 4), ChartDeal("b", 2, 3)])
    assert picture == RankChart(
        stairs="M12.0 14.0H36.0V206.0H60.0M60.0 110.0H84.0",
        breaks="M60.0 4V220",
        high="M18 14a6 6 0 1 0 12 0a6 6 0 1 0 -12 0",
        middle="M68.5 110a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
        low="M44 202h8v8h-8z",
        spots=((24.0, 14.0, 1, 4), (48.0, 206.0, 4, 4), (72.0, 110.0, 2, 3)),
    )


def test_a_ring_is_around_the_top_with_which_a_game_ended() -> None:
    stops = [ChartDeal("a", 1, 4), ChartDeal("a", 1, 4, is_last=True), ChartDeal("b", 4, 4, is_last=True)]
    assert render_ranks(stops).kept == "M38 14a10 10 0 1 0 20 0a10 10 0 1 0 -20 0"
    assert render_ranks([ChartDeal("a", 1, 4)]).kept == ""


def test_nothing_to_draw() -> None:
    assert render_ranks([]) == RankChart("", "", "", "", "")


def test_many_deals_stay_in_the_picture() -> None:
    ends = [float(end) for end in re.findall(r"H([\d.]+)", render_ranks([ChartDeal("a", 1, 4)] * 200).stairs)]
    assert (len(ends), max(ends) < 708.1) == (200, True)


def test_a_narrow_picture_has_narrow_steps() -> None:
    picture = render_ranks([ChartDeal("a", 1, 4)] * 24, width=NARROW_WIDTH)
    assert [float(end) for end in re.findall(r"H([\d.]+)", picture.stairs)][-1] == NARROW_WIDTH - 12
    assert picture.high.count("a6 6 ") == 2 * 24


def test_the_band_of_a_rating() -> None:
    assert render_rating([1500, 1600], [100, 50]) == RatingChart(
        line="12.0,129.2 708.0,52.4", band="12.0,52.4 708.0,14.0 708.0,90.8 12.0,206.0", low=1400, high=1650
    )
