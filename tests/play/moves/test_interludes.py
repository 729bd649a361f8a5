"""After each new deal a table of people pauses: bounded, in step for all, and over when all of them are ready."""

from __future__ import annotations

from typing import Any

import pytest

from games import models
from games.play.clocks import downtime, due_tables, timers
from games.play.errors import NotAllowed, Stale
from games.play.moves import submission
from games.play.records.table_description import describe
from games.play.seats import arranged_tables, readiness, sitting
from games.play.storage import store
from games.play.storage.table import Interlude, LoadedTable
from tests.cast import NOW, browser, finish_alone, legal, move_until, person, start_table, to_move

SECONDS, TURN = 14.0, 45


@pytest.fixture(autouse=True)
def pauses(settings: Any) -> None:
    """As at an installation whose bots take their time."""
    settings.INTERLUDE_SECONDS = SECONDS


def play_deal(*people: models.Player, **wishes: Any) -> LoadedTable:
    """A table of these people and bots, right after the second deal."""
    table = start_table(*people, turn_seconds=TURN, options={"deals": 3}, **wishes)
    return move_until(table, lambda current: current.runtime.interlude is not None)


def lead(table: LoadedTable, *, now: float = NOW) -> LoadedTable:
    """The table after the lead of whoever begins the deal, a person."""
    place = table.place(to_move(table))
    assert place is not None
    move = legal(table, place.seat)[0]
    return submission.submit_move(table.id, place.player_id, move, ply=table.ply, key="lead", now=now).table


@pytest.fixture
def game_of_four(ana: models.Player, ben: models.Player) -> LoadedTable:
    """Four people who have just been dealt their second hands."""
    return play_deal(ana, ben, person("Cleo"), person("Dora"))


def test_a_new_deal_is_shown_before_anybody_is_asked(game_of_four: LoadedTable) -> None:
    assert game_of_four.log[-1].kind in ("dealt", "exchanged", "gift")
    assert game_of_four.runtime.interlude == Interlude(NOW, NOW + SECONDS)
    assert [clock.due for clock in game_of_four.runtime.clocks] == [NOW + SECONDS + TURN]
    assert (game_of_four.wake_at, game_of_four.runtime.bot_due) == (NOW + SECONDS, None)
    described = describe(game_of_four, None)
    assert (described["to_act"], described["legal"], described["deadlines"]) == ([], [], [])
    assert store.reload(game_of_four.id).runtime == game_of_four.runtime


def test_a_lead_is_refused_while_others_look(game_of_four: LoadedTable) -> None:
    with pytest.raises(Stale, match="still looking at the new deal"):
        lead(game_of_four)
    assert store.reload(game_of_four.id).version == game_of_four.version


def test_it_ends_when_all_are_ready_and_the_turn_begins_then(game_of_four: LoadedTable) -> None:
    people = [place.player_id for place in game_of_four.places]
    for number, who in enumerate(people[:-1], start=1):
        table = readiness.mark_ready(game_of_four.id, who, now=NOW + number)
        assert table.runtime.interlude is not None
        assert len(table.runtime.interlude.ready) == number
    again = readiness.mark_ready(game_of_four.id, people[0], now=NOW + 4)
    assert again.version == table.version
    table = readiness.mark_ready(game_of_four.id, people[-1], now=NOW + 5)
    assert (table.runtime.interlude, table.ply) == (None, game_of_four.ply)
    assert [clock.due for clock in table.runtime.clocks] == [NOW + 5 + TURN]
    assert lead(table, now=NOW + 6).ply == table.ply + 1


def test_it_ends_by_itself_with_the_whole_turn_still_to_come(game_of_four: LoadedTable) -> None:
    assert [due.at for due in due_tables.list_due(until=NOW + SECONDS)] == [NOW + SECONDS]
    assert timers.run_clock(game_of_four.id, now=NOW + SECONDS - 1).runtime.interlude is not None
    late = NOW + SECONDS + 3
    table = timers.run_clock(game_of_four.id, now=late)
    assert (table.runtime.interlude, table.ply) == (None, game_of_four.ply)
    assert [clock.due for clock in table.runtime.clocks] == [late + TURN]


def test_a_move_after_its_time_needs_no_timer(game_of_four: LoadedTable) -> None:
    assert lead(game_of_four, now=NOW + SECONDS).ply == game_of_four.ply + 1


def test_a_bot_does_not_move_before_the_person_is_ready(ana: models.Player) -> None:
    table = play_deal(ana)
    assert submission.play_bot(table.id, ply=table.ply, now=NOW + 1) is None
    table = readiness.mark_ready(table.id, ana.pk, now=NOW + 2)
    if table.bot_level(to_move(table)) is not None:
        assert table.runtime.bot_due is not None
    assert (table.runtime.interlude, table.is_suspended) == (None, False)


def test_the_move_of_the_last_who_is_waited_for_says_that_they_are_ready(game_of_four: LoadedTable) -> None:
    leader = to_move(game_of_four)
    for place in game_of_four.places:
        if place.seat != leader:
            readiness.mark_ready(game_of_four.id, place.player_id, now=NOW)
    after = lead(game_of_four, now=NOW + 1)
    assert (after.ply, after.runtime.interlude) == (game_of_four.ply + 1, None)
    assert [clock.due for clock in after.runtime.clocks] == [NOW + 1 + TURN]


def test_who_leaves_is_not_waited_for(game_of_four: LoadedTable) -> None:
    first, *others = [place.player_id for place in game_of_four.places]
    for who in others:
        readiness.mark_ready(game_of_four.id, who, now=NOW)
    after = sitting.leave(game_of_four.id, first, now=NOW + 1)
    assert after.runtime.interlude is None


def test_a_table_at_which_only_bots_play_has_none(ana: models.Player) -> None:
    table = start_table(ana, options={"deals": 2})
    table = sitting.leave(table.id, ana.pk, now=NOW)
    seen = []

    def look(current: LoadedTable) -> bool:
        seen.append(current.runtime.interlude)
        return False

    after = finish_alone(table, until=look)
    assert after.outcome is not None
    assert set(seen) == {None}


def test_without_seconds_there_is_none(ana: models.Player, settings: Any) -> None:
    settings.INTERLUDE_SECONDS = 0
    table = move_until(start_table(ana, options={"deals": 2}), lambda current: any(
        line.kind == "dealt" and line.ply for line in current.log))  # fmt: skip
    assert table.runtime.interlude is None


def test_a_watcher_has_nothing_to_say(game_of_four: LoadedTable) -> None:
    with pytest.raises(NotAllowed):
        readiness.mark_ready(game_of_four.id, person("Eva").pk, now=NOW)


def test_a_pause_of_the_organiser_ends_it(game_of_four: LoadedTable) -> None:
    arranged_tables.pause(game_of_four.id, now=NOW + 2)
    assert timers.run_clock(game_of_four.id, now=NOW + 100).runtime.interlude is not None
    table = arranged_tables.resume(game_of_four.id, now=NOW + 100)
    assert (table.runtime.interlude, [clock.due for clock in table.runtime.clocks]) == (None, [NOW + 100 + TURN])


@pytest.mark.parametrize("jump", [-3600, 3600])
def test_downtime_puts_it_off(game_of_four: LoadedTable, jump: int) -> None:
    downtime.compensate_downtime(now=NOW)
    downtime.compensate_downtime(now=NOW + jump)
    table = store.reload(game_of_four.id)
    assert table.runtime.interlude == Interlude(NOW + jump, NOW + jump + SECONDS)
    assert [clock.due for clock in table.runtime.clocks] == [NOW + jump + SECONDS + TURN]


def test_programs_say_ready_without_a_socket(game_of_four: LoadedTable, ana: models.Player) -> None:
    answer = browser(ana).post(f"/tables/{game_of_four.id}/commands/", {"name": "ready"})
    assert answer.status_code == 200
    interlude = store.reload(game_of_four.id).runtime.interlude
    assert interlude is None or game_of_four.seat_of(ana.pk) in interlude.ready
