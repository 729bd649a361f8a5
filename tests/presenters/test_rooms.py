"""Before and after the game: the waiting room and the end."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.presenters import BoardPage, choose_presenter, end_screen, fair_deal, waiting_room
from games.presenters.screen import Chair, Screen
from games.rules import registry
from tests.live.boards import NOW, make_screen, make_view
from tests.live.markup import read


def make_waiting(free: int = 2) -> Screen:
    chairs = list(make_screen().chairs)
    for index in range(free):
        chairs[index + 1] = Chair(index + 1, "", "", taken=False)
    return make_screen(status="waiting", chairs=tuple(chairs), ply=0, due=None)


def make_over() -> tuple[Screen, dict[str, object]]:
    view = make_view(None, over=True, places=[5, 1, 2, 3, 4], to_act=[])
    return make_screen(status="over", due=None), view


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_the_waiting_room_is_well_formed(seat: int | None) -> None:
    screen = make_waiting()
    assert choose_presenter(screen) is waiting_room
    regions = waiting_room.shared_regions(screen, None) | waiting_room.private_regions(screen, None, seat, None)
    for name, html in regions.items():
        assert f'id="{name}"' in html.split(">")[0]
    assert read(waiting_room.board(screen, None, seat, BoardPage(regions, [], NOW))).faults == []


def test_it_says_what_we_wait_for() -> None:
    assert "2 seats are free." in waiting_room.shared_regions(make_waiting(2), None)["wait"]
    assert "1 seat is free." in waiting_room.shared_regions(make_waiting(1), None)["wait"]
    assert "Anyone at the table can start" in waiting_room.shared_regions(make_waiting(0), None)["wait"]


@pytest.mark.parametrize(
    ("seat", "sentence"),
    [(0, "Send the link below to your friends."), (3, "The host can start with bots."), (None, None)],
)
def test_only_the_host_is_asked_to_send_the_link(seat: int | None, sentence: str | None) -> None:
    region = waiting_room.private_regions(make_waiting(2), None, seat, None).get("wait")
    assert region == (sentence and f'<p id="wait" role="status">2 seats are free. {sentence}</p>')
    assert "Send the link" not in waiting_room.shared_regions(make_waiting(2), None)["wait"]


def test_nobody_reads_of_free_seats_where_all_are_taken() -> None:
    assert "wait" not in waiting_room.private_regions(make_waiting(0), None, 0, None)


def test_a_stranger_may_sit_down_while_a_chair_is_free() -> None:
    assert "<form" in waiting_room.private_regions(make_waiting(1), None, None, None)["seatbar"]
    assert "<form" not in waiting_room.private_regions(make_waiting(0), None, None, None)["seatbar"]


def test_the_host_starts_with_bots_and_who_sits_there_once_all_chairs_are_taken() -> None:
    assert "Start with 2 bots" in waiting_room.private_regions(make_waiting(2), None, 0, None)["seatbar"]
    assert "Start the game" in waiting_room.private_regions(make_waiting(0), None, 0, None)["seatbar"]
    for free, can_start in ((1, False), (0, True)):
        other = waiting_room.private_regions(make_waiting(free), None, 3, None)["seatbar"]
        assert ("Start the game" in other, "Start with" in other, "Stand up" in other) == (can_start, False, True)


LEVEL_NAMES = {"random": "plays anything", "steady": "plays sensibly", "sharp": "plays to win"}
"""What people read of each level of bots."""


@pytest.mark.parametrize("game", registry.slugs())
def test_the_levels_of_bots_say_how_they_play(game: str) -> None:
    bar = waiting_room.private_regions(replace(make_waiting(2), game=game), None, 0, None)["seatbar"]
    offered = dict(re.findall(r'<option value="(\w+)"[^>]*>([^<]+)</option>', bar))
    assert offered == LEVEL_NAMES
    for level, name in LEVEL_NAMES.items():
        bot = Chair(1, "Emil", "badger", taken=True, bot=level)
        chairs = (make_screen().chairs[0], bot)
        assert (
            f"bot, {name}" in waiting_room.shared_regions(make_screen(status="waiting", chairs=chairs), None)["chairs"]
        )


def test_commitment_and_everybodys_contribution_are_shown_before_and_during_the_game() -> None:
    for screen in (make_waiting(0), make_screen()):
        html = fair_deal.render_deal(screen, None)
        assert read(html).faults == []
        assert f'data-commitment="{"c0" * 32}"' in html
        for index in range(4):
            assert f"{index}f" * 16 in html
        assert "4f" * 16 not in html  # a bot contributes nothing


def test_a_contribution_is_replaced_before_the_game_by_who_made_it() -> None:
    mine = fair_deal.render_contribution(make_waiting(0), 1)
    assert read(mine).faults == []
    assert f'data-given="{"1f" * 16}"' in mine
    for screen, seat in ((make_waiting(0), None), (make_screen(), 1), (make_over()[0], 1)):
        assert "<form" not in fair_deal.render_contribution(screen, seat)


def test_the_secret_is_shown_once_it_is_published() -> None:
    screen, _view = make_over()
    html = fair_deal.render_deal(screen, fair_deal.PublishedDeal("5e" * 32, "ab" * 32))
    assert read(html).faults == []
    assert "5e" * 32 in html
    assert "ab" * 32 in html


def test_a_game_that_is_about_to_begin_shows_no_room() -> None:
    screen = replace(make_waiting(0), is_starting=True)
    assert waiting_room.layout(screen, None) == "starting"
    assert "The game is being prepared. It begins in a moment." in waiting_room.shared_regions(screen, None)["wait"]
    assert "<button" not in "".join(waiting_room.private_regions(screen, None, 0, None).values())


@pytest.mark.parametrize("seat", [None, 1, 3])
def test_the_end_is_well_formed(seat: int | None) -> None:
    screen, view = make_over()
    assert choose_presenter(screen) is end_screen
    regions = end_screen.shared_regions(screen, view) | end_screen.private_regions(screen, view, seat, None)
    html = end_screen.board(screen, view, seat, BoardPage(regions, [], NOW))
    assert read(html).faults == []
    assert ("You have won!" if seat == 1 else "Bartosz has won") in html


def test_who_share_the_first_place_share_the_victory() -> None:
    screen, view = make_over()
    view["places"] = [5, 1, 1, 3, 4]
    for seat, headline in ((1, "You share the victory!"), (0, "Bartosz and Cleo share the victory")):
        assert headline in end_screen.private_regions(screen, view, seat, None)["outcome"]


def test_places_are_in_order_with_chair_and_points() -> None:
    screen, view = make_over()
    places = end_screen.private_regions(screen, view, None, None)["places"]
    words = " ".join(read(places).words)
    assert re.findall('data-seat="(.)"', places) == ["1", "2", "3", "4", "0"]  # by which one finds one's own
    assert words.index("Bartosz") < words.index("Cleo") < words.index("Anna")
    assert "7 points" in words
    assert "Dishwasher" in words


def test_a_tie_that_the_last_deal_broke_is_told_as_such() -> None:
    screen, view = make_over()
    assert "tie broken" not in end_screen.private_regions(screen, view, None, None)["places"]
    view["scores"] = [3, 7, 7, 4, 1]
    rows = end_screen.private_regions(screen, view, None, None)["places"].split("</li>")
    told = [re.findall('data-seat="(.)"', row)[0] for row in rows if "tie broken by the last deal" in row]
    assert (told, "Boss · tie broken by the last deal" in rows[0]) == (["1"], True)


def test_the_ladder_is_a_picture_and_the_table_says_the_same_in_words() -> None:
    screen, view = make_over()
    regions = end_screen.shared_regions(screen, view) | end_screen.private_regions(screen, view, None, None)
    html = end_screen.board(screen, view, None, BoardPage(regions, [], NOW))
    assert html.count("<polyline") == 5
    assert 'class="ladder" aria-hidden="true"' in html
    assert "<td" in end_screen.shared_regions(screen, view)["story"]


def test_the_ladder_of_two_deals_is_no_wider_than_a_phone() -> None:
    screen, view = make_over()
    story = end_screen.shared_regions(screen, {**view, "past": view["past"][:2]})["story"]  # type: ignore[index]
    found = re.search(r'class="ladder".*? width="(\d+)"', story, re.DOTALL)
    assert found is not None
    assert int(found[1]) <= 300


def test_after_a_rematch_is_opened_there_is_a_way_to_it() -> None:
    screen, view = make_over()
    assert "<form" in end_screen.shared_regions(screen, view)["again"]
    opened = end_screen.shared_regions(make_screen(status="over", rematch_id="abc"), view)["again"]
    assert 'href="/tables/abc/"' in opened
    assert "<form" not in opened


def test_without_scores_there_are_no_points() -> None:
    screen = make_screen(status="over", game="animal-poker")
    names = ["ceo", "director", "specialist", "assistant", "trainee"]
    view = make_view(None, over=True, places=[5, 1, 2, 3, 4], to_act=[], scores=None, rank_names=names)
    places = end_screen.private_regions(screen, view, None, None)["places"]
    assert "points" not in places
    assert "CEO" in places
