"""The board of the climbing games: what it shows to which viewer, and in how many bytes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from games.catalogue.climbing.presenter import board
from games.presenters import BoardPage
from games.presenters.names import shorten_name
from games.presenters.render import macro
from games.presenters.screen import LogLine, Screen, ShownInterlude
from tests.live.boards import HAND, NOW, make_screen, make_view, played
from tests.live.markup import read

AFTER = {"table": ["9", "J"], "table_number": 9, "table_seat": 2, "to_act": [3], "hand_sizes": [6, 7, 7, 11, 4]}


def regions(seat: int | None, **changes: object) -> dict[str, str]:
    view = make_view(seat, **changes)
    legal = [{"pass": True}] if seat in view["to_act"] else None
    shared = board.shared_regions(make_screen(), make_view(None, **changes))
    return shared | board.private_regions(make_screen(), view, seat, legal)


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {name: html for name, html in after.items() if before[name] != html}


def test_shared_and_private_regions_never_overlap() -> None:
    shared = board.shared_regions(make_screen(), make_view(None))
    for seat in (None, 0, 2):
        private = board.private_regions(make_screen(), make_view(seat), seat, None)
        assert not shared.keys() & private.keys()


@pytest.mark.parametrize(
    ("name", "stem", "number"),
    [("Konstantin-Alexander 2", "Konstantin-Alexander", "2"), ("Konstantin 12 (bot)", "Konstantin", "12 (bot)"),
     ("Konstantin-Alexander", "Konstantin-Alexander", ""), ("Ana 2", "Ana 2", "")],
)  # fmt: skip
def test_a_long_name_at_a_seat_keeps_its_number_in_sight(name: str, stem: str, number: str) -> None:
    html = str(macro("marks.jinja", "seat_name")(name))
    assert html == (f'<span class="numbered"><span>{stem}</span><span> {number}</span></span>' if number else name)


def test_a_name_is_shortened_before_its_number() -> None:
    assert [shorten_name(name, 12) for name in ("Ana 2", "Konstantin-Alexander", "Konstantin-Alexander 2")] == [
        "Ana 2", "Konstantin-…", "Konstanti… 2",
    ]  # fmt: skip


def test_every_region_is_one_element_with_its_id() -> None:
    for seat in (None, 0, 2):
        for name, html in regions(seat, exchanged_now=True).items():
            assert read(html).faults == []
            assert f'id="{name}"' in html.split(">")[0]


def test_shared_regions_show_no_card_of_a_hand_whatever_view_they_get() -> None:
    shared = "".join(board.shared_regions(make_screen(), make_view(0, exchanged_now=True)).values())
    for card in [*HAND, "1", "2", "12", "13"]:
        assert f'class="c{card}"' not in shared
        assert f'data-n="{card}"' not in shared


def test_gifts_are_open_to_the_two_only() -> None:
    assert 'class="c13"' in regions(1)["gifts"]
    assert 'class="c' not in regions(2)["gifts"]
    assert 'class="c' not in regions(None)["gifts"]


def test_gifts_are_read_out_as_they_are_seen() -> None:
    assert '<p>Anna gave you<span class="v">: 1 twelve, 1 thirteen</span></p>' in regions(1)["gifts"]


def test_gift_lines_are_read_by_the_two_only() -> None:
    public = {"taker": 1, "count": 2}
    log = (
        LogLine(58, "exchanged", 0, public),
        LogLine(58, "gift", 0, {**public, "cards": ["12", "13"]}, to=(0, 1)),
    )
    screen = make_screen(log=log)
    cards = '<span class="cards" aria-hidden="true"><i class="c12"></i><i class="c13"></i></span>'
    mine = f'<li data-who="0">You give Bartosz: 1 twelve, 1 thirteen.{cards}</li>'
    assert board.log_lines(screen, make_view(0), 0, 57) == [mine]
    theirs = f'<li data-who="0">Anna gives you: 1 twelve, 1 thirteen.{cards}</li>'
    assert board.log_lines(screen, make_view(1), 1, 57) == [theirs]
    text = '<li data-who="0">Anna gives Bartosz 2 cards.</li>'
    assert board.log_lines(screen, make_view(2), 2, 57) == [text]
    assert board.log_lines(screen, make_view(None), None, 57) == [text]


def test_a_line_is_heard_while_the_game_runs_and_leads_to_its_moment_after_it() -> None:
    cards = '<span class="cards" aria-hidden="true"><i class="c9"></i><i class="cJ"></i></span>'
    sentence = "Cleo plays 1 nine and 1 joker."
    running = make_screen(log=(played(),))
    assert board.log_lines(running, make_view(0), 0, 57) == [
        f'<li data-who="2" data-sound="play">{sentence}{cards}</li>'
    ]
    over = make_screen(log=(played(),), status="over", has_replay=True)
    link = f'<a href="/tables/k7qx2mvd/replay/?ply=58">{sentence}</a>'
    assert board.log_lines(over, make_view(0), 0, 57) == [f"<li>{link}{cards}</li>"]


def test_a_play_changes_few_regions_for_those_who_watch() -> None:
    assert changed(regions(None), regions(None, **AFTER)).keys() == {"seat-2", "seat-3", "middle", "turn"}
    assert changed(regions(0), regions(0, **AFTER)).keys() == {"seat-2", "seat-3", "middle", "turn"}


@pytest.mark.parametrize("after", [AFTER, {"to_act": [3], "passed": [2]}], ids=["play", "pass"])
def test_a_typical_push_is_small(after: dict[str, object]) -> None:
    log = board.log_lines(make_screen(log=(played(),)), make_view(None), None, 57)
    for seat, bound in ((None, 1024), (0, 1024), (3, 1400), (2, 2048)):
        before_hand = {"hand": [*HAND, "9"]} if seat == 2 else {}
        parts = changed(regions(seat, **before_hand), regions(seat, **after))
        root = f'<div data-ply="58" data-version="89" data-now="{NOW}">'
        push = f'{root}{"".join(parts.values())}<ol id="log" data-append="1">{log[0]}</ol></div>'
        print(f"push to {seat}: {len(push.encode())} bytes, {', '.join(parts)}")  # noqa: T201
        assert len(push.encode()) <= bound


def test_a_seat_is_small() -> None:
    for name, html in regions(None).items():
        if name.startswith("seat-"):
            assert len(html.encode()) <= 210, html


def test_whose_turn_is_said_to_everybody_and_asked_of_one() -> None:
    assert regions(0)["turn"] == '<p id="turn">Cleo to play</p>'
    assert "Your turn: beat 2 sevens, or pass." in regions(2)["action"]
    assert 'class="mine"' not in regions(0)["action"]
    assert "Your turn: lead" in regions(2, table=[], table_number=None, table_seat=None)["action"]


def test_a_standing_pass_can_be_given_where_there_is_something_to_beat() -> None:
    assert 'data-command="auto_pass" data-on="1" aria-pressed="false"' in regions(0)["action"]
    assert "auto_pass" not in regions(1)["action"]  # their own play lies there
    ordered = board.private_regions(make_screen(auto_pass=frozenset({0})), make_view(0), 0, None)
    assert 'data-on="0" aria-pressed="true"' in ordered["action"]
    animal = board.private_regions(make_screen(game="animal-poker"), make_view(0), 0, None)
    assert "auto_pass" not in animal["action"]


def test_who_is_out_has_the_chair_they_won() -> None:
    seat = regions(None, out=[4], hand_sizes=[6, 7, 9, 11, 0])["seat-4"]
    assert "<em>Boss</em>" in seat
    assert 'class="seat out bot"' in seat


def test_an_arrow_says_who_rose_and_who_fell() -> None:
    assert "j8 down" in regions(None)["seat-0"]
    assert "j1 up" in regions(None)["seat-1"]


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_the_board_sits_me_at_the_bottom_and_all_in_order(seat: int | None) -> None:
    screen, view = make_screen(log=(played(),)), make_view(seat)
    log = board.log_lines(screen, view, seat, 0)
    html = board.board(screen, view, seat, BoardPage(regions(seat), log, NOW))
    assert read(html).faults == []
    bottom = 1 if seat is None else seat
    assert f'<li class="at-0" data-seat="{bottom}">' in html
    after_me = [1, 2, 3, 4, 0][([1, 2, 3, 4, 0].index(bottom) + 1) % 5]
    assert f'<li class="at-1" data-seat="{after_me}">' in html
    assert "Cleo plays 1 nine and 1 joker." in html
    assert ('id="naming"' in html) is (seat is not None)


def test_a_new_deal_is_a_new_layout() -> None:
    first = board.layout(make_screen(), make_view(None))
    assert first == board.layout(make_screen(), make_view(None, **AFTER))
    assert first != board.layout(make_screen(), make_view(None, deal=4))
    assert first != board.layout(make_screen(), make_view(None, order=[0, 1, 2, 3, 4]))


def test_a_name_is_text_and_never_markup() -> None:
    chairs = list(make_screen().chairs)
    chairs[2] = type(chairs[2])(2, "<b onclick=x>", "cow", taken=True)
    screen = make_screen(chairs=tuple(chairs), log=(played(),))
    html = "".join(board.shared_regions(screen, make_view(None)).values())
    html += "".join(board.log_lines(screen, make_view(None), None, 0))
    assert "<b onclick" not in html
    assert "&lt;b onclick=x&gt;" in html


def test_the_words_name_every_stack_that_a_hand_can_hold() -> None:
    words = board.words(make_screen())
    assert words["cards"]["7"] == ["1 seven", "2 sevens", "3 sevens", "4 sevens", "5 sevens"]
    assert words["cards"]["J"] == ["1 joker", "2 jokers", "3 jokers", "4 jokers"]
    assert "F" in board.words(make_screen(game="animal-poker"))["cards"]


DEALT = make_screen(interlude=ShownInterlude(NOW, NOW + 14_000, (0, 2)))
FIRST = {"exchanged_now": True, "table": [], "table_number": None, "table_seat": None}


def interlude(seat: int | None, screen: Screen = DEALT) -> dict[str, str]:
    """The regions of this reader while the third deal is shown."""
    shared = board.shared_regions(screen, make_view(None, **FIRST))
    return shared | board.private_regions(screen, make_view(seat, **FIRST), seat, None)


def test_the_new_jobs_are_told_before_the_next_deal_is_played() -> None:
    html = interlude(None)["ceremony"]
    assert f'data-since="{NOW}" data-until="{NOW + 14_000}"' in html
    reader = read(html)
    assert reader.faults == []
    words = [word for word in reader.words if word.strip()]
    assert words[:3] == ["Deal 2 is over", "Bartosz", "Boss"]
    assert words[-2:] == ["Anna", "Dishwasher"]
    assert regions(None)["ceremony"] == '<section id="ceremony" hidden></section>'


def test_in_an_interlude_nobody_is_asked_and_all_see_who_is_waited_for() -> None:
    for seat in (None, 0, 1, 2):
        shown = interlude(seat)
        for name, html in shown.items():
            assert read(html).faults == []
            assert f'id="{name}"' in html.split(">")[0]
        assert shown["turn"] == '<p id="turn">Cleo leads</p>'
        assert 'class="mine"' not in shown["action"]
        assert "seat on" not in shown["seat-2"]
        assert ('data-command="ready"' in shown["action"]) is (seat in (0, 2))
    assert "Waiting for: Anna, Cleo." in interlude(1)["action"]  # Ben is ready


def test_in_an_interlude_my_exchange_lies_open_on_the_table_for_me_alone() -> None:
    for seat, is_shown in ((0, True), (1, True), (2, False), (None, False)):
        shown = interlude(seat)
        assert ('class="c13"' in shown["envelopes"]) is is_shown
        assert shown["gifts"] == '<details id="gifts" hidden></details>'  # afterwards it stands there
        assert 'class="c13"' not in "".join(board.shared_regions(DEALT, make_view(0, **FIRST)).values())
        assert regions(seat)["envelopes"] == '<div id="envelopes" hidden></div>'
