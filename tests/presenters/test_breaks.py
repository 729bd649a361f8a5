"""Leaving, pausing and ending say before what they mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.presenters import breaks
from games.presenters.screen import Screen
from tests.live.boards import make_screen
from tests.live.markup import read


def people(*seats: int, away: tuple[int, ...] = (), **changes: object) -> Screen:
    """A table of five at which people sit on these seats, and bots on the others."""
    screen = make_screen(**changes)
    chairs = [
        replace(
            chair, name=f"P{chair.index}", bot="" if chair.index in seats else "steady", stand_in=chair.index in away
        )
        for chair in screen.chairs
    ]
    return replace(screen, chairs=tuple(chairs))


def say_meanings(screen: Screen, seat: int) -> breaks.BreakTexts:
    return breaks.say_meanings(breaks.Situation.of(screen), seat)


def test_against_bots_nobody_waits_and_nothing_is_rated() -> None:
    leave, pause, end, note = say_meanings(people(0), 0)
    assert leave.endswith("Nobody is waiting for you, and games against bots are not rated.")
    assert pause == "Everything stands still until you resume. Nobody is waiting for you."
    assert end.startswith("The game ends now, without a result.")
    assert note == ""


@pytest.mark.parametrize(("is_rated", "sentence"), [(True, "This game is rated, and its"), (False, "is not rated.")])
def test_among_people_it_says_whether_the_game_is_rated_and_who_waits(is_rated: bool, sentence: str) -> None:
    leave, pause, end, _ = say_meanings(people(0, 1, 3, is_rated=is_rated), 0)
    assert sentence in leave
    assert pause.endswith("These players are waiting meanwhile: P1, P3.")
    assert "when these players agree, too: P1, P3." in end


def test_who_is_away_waits_for_nobody() -> None:
    assert say_meanings(people(0, 1, away=(1,)), 0).end.startswith("The game ends now, without a result.")


@pytest.mark.parametrize(
    ("ending", "sentence"),
    [
        ({0}, "You have agreed. The game ends when these players agree, too: P1, P3."),
        (
            {1},
            "Other players want to end this game. It ends without a result when you and these players agree, too: P3.",
        ),
        ({1, 3}, "All other players want to end this game. If you agree, it ends now, without a result."),
    ],
)
def test_it_says_who_has_agreed_to_end(ending: set[int], sentence: str) -> None:
    assert say_meanings(people(0, 1, 3, ending=frozenset(ending)), 0).end.startswith(sentence)


def test_deals_that_are_finished_stay_in_a_career_of_a_game_with_jobs_only() -> None:
    assert "stay in your career" in say_meanings(people(0), 0).end
    assert "career" not in say_meanings(people(0, game="fancy-animals"), 0).end


def test_at_an_arranged_table_the_organiser_pauses_and_ends() -> None:
    _, pause, end, note = say_meanings(people(0, 1, missing=frozenset()), 0)
    assert (pause, end, note) == ("", "", "Only an organiser can pause or end this game.")


def test_the_buttons_are_for_players_of_a_running_game() -> None:
    shown = {
        (status, seat): "<form" in breaks.render_ways(people(0, status=status), seat)
        for status in ("waiting", "playing", "over")
        for seat in (0, None)
    }
    assert [key for key, is_shown in shown.items() if is_shown] == [("playing", 0)]
    assert read(breaks.render_ways(people(0, 1), 0)).faults == []


def test_a_paused_table_offers_to_resume_at_once() -> None:
    html = breaks.render_ways(people(0, is_held=True), 0)
    assert html.index("Resume the game") < html.index("<details>")
    assert "Pause the game" not in html


def test_ending_is_confirmed_and_agreement_is_taken_back_at_once() -> None:
    first, agreed = (breaks.render_ways(people(0, 1, ending=frozenset(ending)), 0) for ending in ((), (0,)))
    assert first.index('<summary class="btn danger">End the game') < first.index("when these players agree, too")
    assert first.index("when these players agree, too") < first.index("End without a result")
    assert ('<summary class="btn danger">' in agreed, "Play on" in agreed) == (False, True)


def test_the_region_follows_who_is_away_and_who_agrees() -> None:
    """It is rendered once for each of them, and not with every move."""
    first = breaks.render_ways(people(0, 1), 0)
    assert breaks.render_ways(people(0, 1, ply=9), 0) is first
    assert breaks.render_ways(people(0, 1, away=(1,)), 0) != first
    assert breaks.render_ways(people(0, 1, ending=frozenset({1})), 0) != first
