"""A table at which none of its people has been for ten minutes stands still until one of them comes back."""

from __future__ import annotations

import time

import pytest

from games import memo, models
from games.accounts.animal_pictures import AVATARS
from games.live.tables.regions import render_table
from games.play.clocks import downtime, due_tables, idle_tables, timers
from games.play.moves import submission
from games.play.seats import arranged_tables, last_seen, opening, sitting
from games.play.storage import store
from games.play.storage.table import PLAYING, LoadedTable
from tests.cast import NOW, as_other_process, browser, finish, legal, start_table, wait_for
from tests.play.seats.test_arranged_tables import arrange, guest

LATER = NOW + idle_tables.IDLE_SECONDS
SENTENCE = "This table is paused because nobody is here. It resumes when one of its players comes back."


@pytest.fixture
def table(ana: models.Player, ben: models.Player) -> LoadedTable:
    """A game of Ana, Ben and bots in which it is Ana's turn."""
    table = start_table(ana, ben, turn_seconds=3600, options={"deals": 50})
    return wait_for(table, ana)


def leave_alone(table: LoadedTable, *, now: float = LATER + 1) -> LoadedTable:
    """The table after one look for tables without people."""
    idle_tables.pause_idle_tables(now=now)
    return store.refresh(table.id)


def test_a_table_without_people_stands_still_after_ten_minutes(table: LoadedTable) -> None:
    assert idle_tables.pause_idle_tables(now=LATER - 1) == 0
    assert idle_tables.pause_idle_tables(now=LATER + 1) == 1
    table = store.refresh(table.id)
    assert (table.runtime.is_standing, table.runtime.paused_at, table.wake_at, table.runtime.bot_due) == (
        True, LATER + 1, None, None,
    )  # fmt: skip
    row = models.Table.objects.get(pk=table.id)
    assert row.wake_at is None
    assert due_tables.list_due(until=LATER + 1_000_000) == []
    assert idle_tables.pause_idle_tables(now=LATER + 100) == 0


def test_no_bot_moves_and_no_clock_runs_at_it(table: LoadedTable, ana: models.Player, ben: models.Player) -> None:
    for player in (ana, ben):
        sitting.leave(table.id, player.pk, now=NOW)
    table = store.refresh(table.id)
    assert table.runtime.bot_due is not None
    table = leave_alone(table)
    assert submission.play_bot(table.id, ply=table.ply, now=LATER + 60) is None
    assert timers.run_clock(table.id, now=LATER + 100_000).ply == table.ply
    downtime.compensate_downtime(now=LATER + 100_000, was_down=True)
    assert as_other_process(lambda: store.refresh(table.id)).runtime.is_standing


def test_it_goes_on_by_itself_when_one_of_its_people_comes_back(table: LoadedTable, ana: models.Player) -> None:
    due = table.runtime.clocks[0].due
    table = leave_alone(table)
    back = as_other_process(lambda: sitting.return_to_table(table.id, ana.pk, now=LATER + 1001))
    assert (back.runtime.is_standing, back.runtime.paused_at) == (False, None)
    assert back.runtime.clocks[0].due == due + 1000  # as long as they had left
    assert back.wake_at is not None
    assert idle_tables.pause_idle_tables(now=LATER + 1100) == 0
    assert idle_tables.pause_idle_tables(now=LATER + 1001 + idle_tables.IDLE_SECONDS + 1) == 1


def test_a_move_is_a_return(table: LoadedTable, ana: models.Player) -> None:
    leave_alone(table)
    made = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=LATER + 50).table
    assert (made.ply > table.ply, made.runtime.is_standing, made.runtime.paused_at) == (True, False, None)


def test_a_standing_pass_is_a_return(table: LoadedTable, ben: models.Player) -> None:
    leave_alone(table)
    assert not sitting.order_pass(table.id, ben.pk, on=True, now=LATER + 50).runtime.is_standing


def test_spectators_do_not_keep_it_going(table: LoadedTable, eva: models.Player) -> None:
    table = leave_alone(table)
    assert sitting.return_to_table(table.id, eva.pk, now=LATER + 5).runtime.is_standing
    assert sitting.note_viewing(table, eva.pk, now=LATER + 5).runtime.is_standing
    assert SENTENCE in render_table(store.refresh(table.id), "en").render_above(None)


def test_somebody_who_is_there_keeps_it_going(table: LoadedTable, ana: models.Player) -> None:
    last_seen.record_presence([table.id], now=NOW + 300)
    assert idle_tables.pause_idle_tables(now=LATER + 1) == 0
    assert idle_tables.pause_idle_tables(now=LATER + 301) == 1


def test_a_look_is_written_once_a_minute(table: LoadedTable) -> None:
    seen = []
    for seconds in (0, 30, 59, 61):
        last_seen.record_presence([table.id], now=NOW + seconds)
        seen.append(models.Table.objects.get(pk=table.id).seen_at)
    assert seen == [NOW, NOW, NOW, NOW + 61]


def test_a_person_with_a_stand_in_is_not_there_by_looking(table: LoadedTable, ana: models.Player) -> None:
    sitting.leave(table.id, ana.pk, now=NOW)
    table = leave_alone(table)
    assert sitting.note_viewing(table, ana.pk, now=LATER + 5).runtime.is_standing


def test_time_in_which_nobody_could_come_does_not_count(table: LoadedTable) -> None:
    last_seen.record_presence([table.id], now=NOW)
    models.Pulse.objects.update_or_create(pk=1, defaults={"at": NOW + 10})
    downtime.compensate_downtime(now=NOW + 5000)
    assert idle_tables.pause_idle_tables(now=NOW + 5001) == 0
    assert models.Table.objects.get(pk=table.id).seen_at == NOW + 4990


def test_what_is_arranged_goes_on(ana: models.Player, ben: models.Player) -> None:
    table = arrange(guest(ana), guest(ben))
    arranged_tables.start_without_absent(table.id, now=NOW)
    assert idle_tables.pause_idle_tables(now=LATER + 1000) == 0
    assert store.refresh(table.id).status == PLAYING


def test_a_table_of_bots_only_goes_on(db: None) -> None:
    request = opening.TableRequest("karriere-poker", 4, {"deals": 9})
    opening.open_exhibition(request, avatars=AVATARS, now=NOW)
    assert idle_tables.pause_idle_tables(now=LATER + 1000) == 0


def test_an_organisers_pause_does_not_end_by_coming_back(table: LoadedTable, ana: models.Player) -> None:
    arranged_tables.pause(table.id, now=NOW)
    assert idle_tables.pause_idle_tables(now=LATER + 1) == 0
    assert sitting.return_to_table(table.id, ana.pk, now=LATER + 5).runtime.paused_at == NOW


def test_an_organiser_can_let_it_go_on(table: LoadedTable) -> None:
    leave_alone(table)
    table = arranged_tables.resume(table.id, now=LATER + 50)
    assert (table.runtime.paused_at, table.runtime.is_standing) == (None, False)


def test_its_game_ends_as_any_other(table: LoadedTable, ana: models.Player) -> None:
    leave_alone(table)
    table = sitting.return_to_table(table.id, ana.pk, now=LATER + 50)
    assert finish(table, now=LATER + 51).outcome is not None


def test_who_reloads_the_page_finds_it_going_on(ana: models.Player) -> None:
    table = start_table(ana, now=time.time() - 1000, turn_seconds=3600)
    idle_tables.pause_idle_tables(now=time.time())
    client = browser(ana)
    assert "Paused until you come back" in client.get("/").content.decode()
    assert SENTENCE in browser(invited=table).get(f"/tables/{table.id}/").content.decode()
    page = client.get(f"/tables/{table.id}/").content.decode()
    assert f'<p id="paused" class="note" role="status">{SENTENCE}' not in page
    assert not store.refresh(table.id).runtime.is_standing


def test_a_program_that_asks_is_there(ana: models.Player) -> None:
    table = start_table(ana, now=time.time() - 1000, turn_seconds=3600)
    for path in (f"/tables/{table.id}/view.json", f"/api/v1/tables/{table.id}", f"/tables/{table.id}/board/"):
        idle_tables.pause_idle_tables(now=time.time() + 2000)
        assert store.refresh(table.id).runtime.is_standing
        assert browser(ana).get(path).status_code == 200
        assert not store.refresh(table.id).runtime.is_standing
        memo.forget_all()
        models.Table.objects.update(seen_at=None)
