"""What one version of a table hands on to the next, and who reads a new line in words of their own."""

from __future__ import annotations

import pytest

from games import models
from games.live.tables.regions import LastingRegions, list_concerned, render_table
from games.play.seats import breaks
from games.play.storage.table import PLAYING, LogLine
from games.presenters.render import use_language
from tests.cast import NOW, move_seat, person, start_table


def line(seat: int | None = 0, to: tuple[int, ...] | None = None, **data: object) -> LogLine:
    return LogLine(1, "played", seat, data, to)


def test_a_move_renders_nothing_again_that_it_does_not_change(ana: models.Player) -> None:
    table = start_table(ana, person("Ben"))
    first = render_table(table, "en")
    ways = first.private_regions(0)["ways"]
    second = render_table(move_seat(table), "en")
    assert second is not first
    assert second.lasting is first.lasting
    assert second.private_regions(0)["ways"] is ways


def test_what_a_player_may_do_is_rendered_again_when_it_changes(ana: models.Player) -> None:
    table = start_table(ana, person("Ben"))
    before = render_table(table, "en").private_regions(0)
    agreed = breaks.agree_to_end(table.id, ana.pk, on=True, now=NOW)
    after = render_table(agreed, "en").private_regions(0)
    assert before["ways"] != after["ways"]
    assert isinstance(render_table(agreed, "en").lasting, LastingRegions)


@pytest.mark.parametrize("game", ["karriere-poker", "animal-poker"])
def test_a_seat_is_rendered_again_wherever_anything_of_it_has_changed(ana: models.Player, game: str) -> None:
    table = start_table(ana, person("Ben"), game=game, options={})
    taken_over = 0
    while table.status == PLAYING and table.ply < 150:
        rendered = render_table(table, "en")
        with use_language("en"):
            for seat in range(table.seat_count):
                taken_over += seat in rendered.private
                assert rendered._private(seat) == rendered._render_private(seat), (table.ply, seat)
        table = move_seat(table)
    assert taken_over > table.ply / 2  # of all seats, one or two with most moves


def test_languages_share_nothing(ana: models.Player) -> None:
    table = start_table(ana, person("Ben"))
    english, german = (render_table(table, language).private_regions(0)["ways"] for language in ("en", "de"))
    assert english != german


def test_lines_concern_whom_they_may_name() -> None:
    assert list_concerned(()) == frozenset()
    assert list_concerned((line(cards=["7", "7"]), line(2, leader=3))) == frozenset({0, 2, 3})
    assert list_concerned((line(None),)) == frozenset()
    for everybody in (line(to=(1,)), line(places=[1, 2, 3]), line(gifts={"0": 1})):
        assert list_concerned((line(), everybody)) is None
