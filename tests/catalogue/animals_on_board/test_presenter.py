"""The board of Animals on Board: what it shows to which viewer, and in how many bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from games.catalogue.animals_on_board.presenter import board as presenter
from games.catalogue.animals_on_board.presenter.log import _SAY
from games.catalogue.animals_on_board.rules.events import KINDS
from games.presenters import BoardPage, choose_presenter, end_screen
from games.presenters.screen import LogLine, Screen
from tests.catalogue.animals_on_board.rules.positions import RULES, begin_game, move_of, position, run
from tests.live.boards import NOW, make_screen
from tests.live.markup import read

STACK = "tiger-3 fox-5 lion-1 panda-2 zebra-4 tiger-1 rhino-2 fox-1 lion-5 elephant-4 rhino-5 giraffe-1 zebra-1 zebra-2"
MIDDLE = ["fox-1 lion-1 ? panda-2", "tiger-4 crocodile-5", "penguin-3"]


def make_table(**changes: Any) -> Screen:
    table = make_screen(game="animals-on-board", options={}, **changes)
    return replace(table, chairs=table.chairs[:3])


def middle(**more: Any) -> Any:
    arks = ["rhino-1 rhino-2 rhino-3 hedgehog-4", "giraffe-2 giraffe-3", "elephant-5"]
    return position(arks, MIDDLE, crates=[2, 0, 5], face_down="kangaroo-5", **more)


def regions(state: Any, seat: int | None, screen: Screen | None = None) -> dict[str, str]:
    table = screen or make_table()
    shared = presenter.shared_regions(table, RULES.view(state, None))
    return shared | presenter.private_regions(table, RULES.view(state, seat), seat, None)


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {name: html for name, html in after.items() if before[name] != html}


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_every_region_is_one_element_with_its_id_and_none_is_drawn_twice(seat: int | None) -> None:
    for state in (middle(), begin_game(3)):
        shared = presenter.shared_regions(make_table(), RULES.view(state, None))
        private = presenter.private_regions(make_table(), RULES.view(state, seat), seat, None)
        assert not shared.keys() & private.keys()
        for name, html in (shared | private).items():
            assert read(html).faults == []
            assert f'id="{name}"' in html.split(">")[0]
        board = presenter.board(make_table(), RULES.view(state, seat), seat, BoardPage(shared | private, [], NOW))
        assert read(board).faults == []


def test_the_list_of_groups_has_a_name() -> None:
    assert regions(middle(), None)["islands"].startswith(
        '<ol id="islands" data-pieces=".t" aria-label="Groups on the quay"'
    )


def test_shared_regions_show_nobodys_ark_whatever_view_they_get() -> None:
    shared = "".join(presenter.shared_regions(make_table(), RULES.view(middle(), 0)).values())
    for species in ("rhino", "hedgehog", "giraffe", "elephant", "kangaroo"):
        assert species not in shared


def test_an_ark_is_shown_to_its_owner_with_what_it_is_worth() -> None:
    words = " ".join(read(regions(middle(), 0)["ark"]).words)
    assert [word for word in words.split() if word in ["21", "points", "if", "the", "game", "ended", "now"]] == [
        "21",
        "points",
        "if",
        "the",
        "game",
        "ended",
        "now",
    ]
    assert "single animals 4 + herds 15 + crates 2" in words
    assert "Pairs go back: giraffe 2, giraffe 3." in " ".join(read(regions(middle(), 1)["ark"]).words)
    assert regions(middle(), None)["ark"] == '<section id="ark" hidden></section>'


def test_the_number_of_tiles_is_read_out_once_and_free_places_are_not() -> None:
    heard = re.sub(r'<span aria-hidden="true">\d+</span>|<[^>]*>', " ", regions(middle(), None)["seat-0"])
    assert heard.split()[-7:] == ["2", "crates", "4", "tiles", "on", "the", "ark"], heard
    assert regions(middle(), 0)["ark"].count('<li class="free" aria-hidden="true"></li>') == 6


def test_an_ark_has_ten_brackets_and_the_rest_waits() -> None:
    twelve = [f"{one}-{number}" for one in ("fox", "lion", "panda") for number in (1, 2, 3, 4)]
    state = position([" ".join(twelve), ""], ["tiger-1"])
    ark = regions(state, 0, replace(make_table(), chairs=make_table().chairs[:2]))["ark"]
    hull, gangway = ark.split('class="gangway"')
    assert (hull.count("<li"), gangway.count("<li")) == (10, 2)
    assert 'class="surplus"' in gangway
    assert hull.count('class="free"') == 0


def test_the_three_tiles_are_shown_to_who_still_chooses() -> None:
    state = begin_game(2, STACK)
    table = replace(make_table(), chairs=make_table().chairs[:2])
    assert regions(state, 0, table)["choice"].count("data-keep") == 3
    chosen = run(state, "0: keep fox-5")
    assert regions(chosen, 0, table)["choice"] == regions(chosen, None, table)["choice"]
    assert "has chosen" in regions(chosen, None, table)["seat-0"]
    assert regions(chosen, None, table)["turn"] == '<p id="turn">Still choosing their first tile: Bartosz</p>'


def test_groups_are_islands_that_say_what_lies_there() -> None:
    islands = read(regions(middle(), None)["islands"])
    assert [words for words in islands.words if words.startswith("Group")] == [
        "Group 1, 4 crates: fox 1, lion 1, a face-down tile, panda 2",
        "Group 2, 2 crates: tiger 4, crocodile 5",
        "Group 3, 1 crate: penguin 3",
    ]


@pytest.mark.parametrize(
    ("crates", "groups", "phase", "ask"),
    [
        ([2, 0, 0], MIDDLE, "both", "split a group or take one"),
        ([0, 0, 0], MIDDLE, "split", "You cannot afford a group yet"),
        ([1, 0, 0], ["fox-1", "panda-2"], "take", "nothing left to split"),
        ([0, 0, 0], ["fox-1", "panda-2"], "forfeit", "neither split nor take"),
    ],
)
def test_the_button_says_what_can_be_done(crates: list[int], groups: list[str], phase: str, ask: str) -> None:
    face_down = "kangaroo-5" if "?" in " ".join(groups) else None
    state = position(["", "", ""], groups, crates=crates, face_down=face_down)
    action = regions(state, 0)["action"]
    assert (f'data-phase="{phase}"' in action, ask in action, 'class="mine"' in action) == (True, True, True)
    assert 'class="mine"' not in regions(state, 1)["action"]


def test_a_split_changes_few_regions_and_is_small() -> None:
    before, after = middle(), run(middle(), "0: split 1 fox-1 ?")
    parts = changed(regions(before, 2), regions(after, 2))
    assert parts.keys() == {"seat-0", "seat-1", "turn", "islands"}
    for seat in (None, 0, 1, 2):
        size = sum(len(html.encode()) for html in changed(regions(before, seat), regions(after, seat)).values())
        assert size <= 3000, seat


def test_what_was_taken_is_read_by_its_owner_only() -> None:
    log = (
        LogLine(58, "took", 0, {"group": 2, "count": 2, "crates": 0, "is_first": True}),
        LogLine(58, "loaded", 0, {"tiles": ["tiger-4", "zebra-5"]}, to=(0,)),
    )
    screen = make_table(log=log)
    marks = 'data-who="0" data-sound="win"'
    public = f"<li {marks}>Anna takes a group of 2 tiles, is first out of the round and gets the flag.</li>"
    assert presenter.log_lines(screen, None, None, 57) == presenter.log_lines(screen, None, 1, 57) == [public]
    mine = f"<li {marks}>You take a group of 2 tiles. You are first out of the round and get the flag.</li>"
    first, second = presenter.log_lines(screen, None, 0, 57)
    assert (first, read_text(second)) == (mine, "On your ark: tiger 4, zebra 5.")
    assert '<i class="t tiger" data-n="4"></i>' in second


def read_text(line: str) -> str:
    return re.sub("<[^>]+>", "", line).strip()


def test_a_split_names_the_tiles_that_leave() -> None:
    _, events = RULES.apply(middle(), 0, move_of("split 1 fox-1 ?"))
    lines = tuple(LogLine(58, event.kind, event.seat, event.data, event.to) for event in events)
    log = presenter.log_lines(make_table(log=lines), None, 1, 57)
    assert [read_text(line) for line in log] == [
        "Anna splits a group (2 | fox 1, a face-down tile) and now has 3 crates."
    ]
    old = {key: value for key, value in events[0].data.items() if key != "leave"}
    log = presenter.log_lines(make_table(log=(LogLine(58, "split", 0, old),)), None, 1, 57)
    assert "(2 | 2)" in log[0]  # of a game that an older version played


def test_every_kind_of_event_has_a_sentence() -> None:
    assert set(_SAY) == set(KINDS)


def test_the_end_tells_each_ark_line_by_line_and_the_lines_add_up() -> None:
    state = run(
        position(
            ["rhino-1 rhino-2 rhino-3 hedgehog-4 lion-1 lion-2", "", ""],
            ["tiger-4", "fox-1", "panda-2"],
            crates=[3, 1, 1],
            stack="",
        ),
        "0: take 1",
        "1: take 2",
        "2: take 3",
    )
    screen, view = make_table(status="over", due=None), RULES.view(state, None)
    assert choose_presenter(screen) is end_screen
    shared = end_screen.shared_regions(screen, view)
    whole = BoardPage(shared | end_screen.private_regions(screen, view, 1, None), [], NOW)
    assert read(end_screen.board(screen, view, 1, whole)).faults == []
    story = read(shared["story"])
    assert story.faults == []
    text = "|".join(story.words)
    assert "Pairs stay on land: lion 1, lion 2" in text
    assert "Herd of 3 (rhino): 3 × 5|+15" in text
    assert "Single animal: hedgehog 4|+4" in text
    assert "2 crates left over|+2" in text
    assert "Points|25" in text
    assert "3 species on board" in whole.regions["places"]


def test_a_tie_that_the_species_broke_is_told_with_their_numbers() -> None:
    state = run(
        position(
            ["lion-1 tiger-4", "zebra-5", "panda-5"], ["fox-5", "rhino-5", "hedgehog-5"], crates=[1, 1, 1], stack=""
        ),
        "0: take 1",
        "1: take 2",
        "2: take 3",
    )
    view = RULES.view(state, None)
    assert (view["scores"], view["places"]) == ([10, 10, 10], [1, 2, 2])
    screen = make_table(status="over", due=None)
    assert [note.words for note in presenter.notes(screen, view)] == [
        "tie broken by species on board: 3 against 2",
        "2 species on board",
        "2 species on board",
    ]


def test_an_ark_is_laid_open_in_a_replay() -> None:
    html = presenter.open_hand(make_table(), RULES.view(middle(), 0), 0)
    assert (read(html).faults, read(html).words[0]) == ([], "rhino 1, rhino 2, rhino 3, hedgehog 4")
    chosen = presenter.open_hand(make_table(), RULES.view(begin_game(2, STACK), 1), 1)
    assert read(chosen).words[0] == "panda 2, zebra 4, tiger 1"


def test_a_replay_with_all_hands_open_shows_the_tile_that_lay_face_down() -> None:
    state = middle()
    view, whole = RULES.view(state, None), RULES.expected(state)
    closed = presenter.shared_regions(make_table(), view)["islands"]
    opened = presenter.reveal_regions(make_table(), view, whole)["islands"]
    assert ('<i class="t down" data-t="?">?</i>' in closed, "kangaroo" in closed) == (True, False)
    assert opened.count('<i class="t kangaroo turned" data-t="?">5</i>') == 1
    assert read(opened).words[0] == "Group 1, 4 crates: fox 1, lion 1, kangaroo 5, face down, panda 2"
    unturned = position(["rhino-1", "rhino-2", "rhino-3"], ["fox-1"])
    assert presenter.reveal_regions(make_table(), RULES.view(unturned, None), RULES.expected(unturned)) == {
        "islands": presenter.shared_regions(make_table(), RULES.view(unturned, None))["islands"]
    }
