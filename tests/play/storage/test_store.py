"""Changes are stored completely; the database wins over what a process remembers."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import memo, models
from games.accounts.animal_pictures import AVATARS
from games.play import signals
from games.play.clocks import timers
from games.play.errors import Busy, NotFound
from games.play.moves import submission
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.store import Conflict
from games.play.storage.table import OVER, PLAYING, LoadedTable
from games.play.storage.table_writes import Change, NewPly
from tests.cast import (
    NOW,
    as_other_process,
    finish,
    legal,
    move_seat,
    move_until,
    open_table,
    start_table,
    version_of,
    wait_for,
)


@contextmanager
def full_disk() -> Iterator[None]:
    """The database may not grow by a single page, and has none to spare that an earlier test has left."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count={pages}")
        yield
        cursor.execute("PRAGMA max_page_count=1073741823")


@contextmanager
def locked() -> Iterator[None]:
    """Another program writes to the database and does not finish; nobody waits long for it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=20")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout=5000")


def test_a_table_comes_back_as_it_was_kept(ana: models.Player) -> None:
    table = wait_for(start_table(ana, options={"minutes": 5}), ana)
    memo.forget_all()
    assert store.fetch(table.id) == table


def test_a_finished_table_comes_back_as_it_was_kept(ana: models.Player) -> None:
    over = finish(start_table(ana, options={"deals": 1}))
    memo.forget_all()
    assert store.fetch(over.id) == over


def test_a_table_that_is_not_there(db: None) -> None:
    for look in (store.fetch, store.reload, store.refresh):
        with pytest.raises(NotFound, match="You can find open tables in the lobby"):
            look("nowhere")
    assert store.peek("nowhere") is None


def test_refresh_sees_what_another_process_did(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana)
    as_other_process(lambda: sitting.sit(table.id, ben, now=NOW))
    assert store.fetch(table.id).version == table.version
    assert store.refresh(table.id).seat_of(ben.pk) == 1


@pytest.mark.parametrize("others", [0, 1, 7, store.RECENT_PLIES + 5])
def test_what_others_played_is_read_on_from_what_is_remembered(ana: models.Player, others: int) -> None:
    later = wait_for(start_table(ana), ana)
    as_other_process(lambda: move_until(store.fetch(later.id), lambda table: table.ply >= later.ply + others))
    with CaptureQueriesContext(connection) as queries:
        read = store.reload(later.id)
    assert [f"number > {later.ply} " in query["sql"] for query in queries] == [True]
    memo.forget_all()
    assert store.fetch(later.id) == read


def test_an_old_version_writes_nothing(ana: models.Player) -> None:
    table = start_table(ana)
    as_other_process(lambda: sitting.leave(table.id, ana.pk, now=NOW))
    with pytest.raises(Conflict):
        store.commit(table, table.changed(turn_seconds=99))
    assert store.reload(table.id).runtime.stand_ins == {0}


def test_a_ply_and_its_row_are_written_together(ana: models.Player) -> None:
    """The second half fails: the first is undone."""
    table = wait_for(start_table(ana), ana)

    def fail() -> None:
        raise Conflict

    ply = NewPly(table.ply + 1, {"clock": "turn"}, (), None, 0.0)
    with pytest.raises(Conflict):
        store.commit(table, table.changed(ply=table.ply + 1), [ply], also=fail)
    assert (version_of(table.id), models.Ply.objects.filter(table_id=table.id, number=ply.number).count()) == (
        table.version,
        0,
    )


def test_a_failing_listener_does_not_undo_a_move(ana: models.Player, transactional_db: None) -> None:
    def fail(**_kwargs: object) -> None:
        raise RuntimeError

    table = wait_for(start_table(ana), ana)
    signals.table_changed.connect(fail)
    try:
        made = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=NOW)
    finally:
        signals.table_changed.disconnect(fail)
    assert made.table.ply == table.ply + 1


def test_listeners_hear_of_results_once_they_are_durable(ana: models.Player, transactional_db: None) -> None:
    heard: list[str] = []

    def listen(table: LoadedTable, lines: list[object], **_kwargs: object) -> None:
        assert version_of(table.id) == table.version
        heard.extend(line.kind for line in lines)  # type: ignore[attr-defined]

    signals.result_in.connect(listen)
    try:
        finish(start_table(ana, options={"deals": 2}))
    finally:
        signals.result_in.disconnect(listen)
    assert heard == ["deal_over", "deal_over", "game_over"]


def test_a_locked_database_takes_nothing_and_says_so(
    ana: models.Player, ben: models.Player, transactional_db: None
) -> None:
    table = wait_for(start_table(ana), ana)
    waiting = open_table(ana)
    move = legal(table, 0)[0]
    with locked():
        for act in (
            lambda: submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k", now=NOW),
            lambda: timers.run_clock(table.id, now=NOW + 1000),
            lambda: sitting.sit(waiting.id, ben, now=NOW),
            lambda: sitting.leave(table.id, ana.pk, now=NOW),
            lambda: opening.open_table(ana, opening.TableRequest("karriere-poker", 4), avatars=AVATARS, now=NOW),
        ):
            with pytest.raises(Busy, match="again in a moment"):
                act()
    assert (version_of(table.id), version_of(waiting.id)) == (table.version, waiting.version)
    made = submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k", now=NOW)
    assert not made.is_repeat


def test_a_rematch_that_could_not_be_stored_can_be_asked_for_again(ana: models.Player, transactional_db: None) -> None:
    over = finish(start_table(ana, options={"deals": 1}))
    with locked(), pytest.raises(Busy):
        sitting.play_again(over.id, ana, avatars=AVATARS, now=NOW)
    again = sitting.play_again(over.id, ana, avatars=AVATARS, now=NOW)
    assert store.reload(over.id).rematch_id == again.id
    assert models.Table.objects.count() == 2


def move_seats(table_id: str, plies: int) -> None:
    for _ in range(plies):
        move_seat(store.fetch(table_id))


def test_a_full_disk_takes_nothing_and_says_so(ana: models.Player, transactional_db: None) -> None:
    table = start_table(ana, options={"deals": 999})
    with full_disk(), pytest.raises(Busy, match="Nothing was changed"):
        move_seats(table.id, 2000)
    table = store.fetch(table.id)
    stored = store.reload(table.id)
    assert (stored.version, stored.ply) == (table.version, table.ply)
    assert models.Ply.objects.filter(table_id=table.id).count() == table.ply
    assert move_seat(table).ply == table.ply + 1


def statements_of(changes: list[Change]) -> list[str]:
    """What is said to the database to write these."""
    collected: list[str] = []
    connection.connection.set_trace_callback(collected.append)
    assert store.save(changes) == {change.after.id for change in changes}
    connection.connection.set_trace_callback(None)
    return [statement for statement in collected if "UPDATE games_table" in statement]


def test_a_move_names_only_what_it_changes(ana: models.Player) -> None:
    table = start_table(ana)
    (statement,) = statements_of([Change(table, table.changed(ply=table.ply + 1))])
    named = re.findall(r"(\w+)=new", statement)
    assert named == ["version", "ply", "state", "desk", "wake_at"]


def test_what_ends_beside_what_goes_on_is_stored_whole(ana: models.Player) -> None:
    going, ending = start_table(ana), start_table(ana)
    changes = [
        Change(going, going.changed(ply=going.ply + 1)),
        Change(ending, ending.changed(status=OVER, ended_at=NOW + 1, host_id=None)),
    ]
    statements_of(changes)
    rows = models.Table.objects.order_by("-status").values_list("pk", "status", "ended_at", "host_id", "version")
    assert list(rows) == [
        (going.id, PLAYING, None, ana.pk, going.version + 1),
        (ending.id, OVER, NOW + 1, None, ending.version + 1),
    ]
