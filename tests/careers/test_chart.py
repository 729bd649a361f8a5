"""The picture of a career: a staircase with the top at the top, broken between tables; a rating with its ±."""

from __future__ import annotations

from tournaments.careers.chart import Band, Picture, Stop, draw, draw_rating


def test_a_staircase_of_two_tables() -> None:
    picture = draw([Stop("a", 1, 4), Stop("a", 4, 4), Stop("b", 2, 3)])
    assert picture == Picture(
        paths=("M12.0 14.0H36.0V206.0H60.0", "M60.0 110.0H84.0"),
        dots=((24.0, 14.0), (48.0, 206.0), (72.0, 110.0)),
        breaks=(60.0,),
    )


def test_nothing_to_draw() -> None:
    assert draw([]) == Picture((), (), ())


def test_many_deals_stay_in_the_picture() -> None:
    picture = draw([Stop("a", 1, 4)] * 200)
    assert max(x for x, _ in picture.dots) < 708.01


def test_the_band_of_a_rating() -> None:
    assert draw_rating([1500, 1600], [100, 50]) == Band(
        line="12.0,129.2 708.0,52.4", band="12.0,52.4 708.0,14.0 708.0,90.8 12.0,206.0", low=1400, high=1650
    )
