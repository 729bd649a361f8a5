"""While the server was away nobody's time ran."""

from __future__ import annotations

from games import models
from games.play import downtime, moves, store
from tests.cast import NOW, at_once, finish, open_table, start_table, version_of, wait_for


def test_the_first_beat_forgives_nothing(ana: models.Player) -> None:
    table = start_table(ana)
    assert downtime.forgive(now=NOW) == 0
    assert models.Pulse.objects.get().at == NOW
    assert version_of(table.id) == table.version


def test_after_an_interruption_clocks_go_on_where_they_stood(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30, options={"minutes": 10}), ana)
    downtime.forgive(now=NOW + 20)
    store.forget_all()
    assert downtime.forgive(now=NOW + 20 + 3600) == 1
    after = store.fetch(table.id)
    dues = {clock.event["clock"]: clock.due for clock in after.desk.clocks}
    assert dues == {"turn": NOW + 3630, "time-up": NOW + 4200}
    assert moves.run_clock(table.id, now=NOW + 3625).ply == table.ply
    assert models.Table.objects.get(pk=table.id).wake_at == NOW + 3630


def test_it_is_forgiven_once(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    downtime.forgive(now=NOW)
    assert [downtime.forgive(now=NOW + 3600), downtime.forgive(now=NOW + 3600)] == [1, 0]
    assert store.reload(table.id).desk.clocks[0].due == NOW + 3630


def test_a_slow_moment_is_no_interruption(ana: models.Player) -> None:
    table = start_table(ana)
    downtime.forgive(now=NOW)
    assert downtime.forgive(now=NOW + 5.9) == 0
    assert models.Pulse.objects.get().at == NOW + 5.9
    assert version_of(table.id) == table.version


def test_the_pulse_is_not_written_at_every_look(ana: models.Player) -> None:
    downtime.forgive(now=NOW)
    downtime.forgive(now=NOW + 1.9)
    assert models.Pulse.objects.get().at == NOW


def test_a_turn_that_began_meanwhile_gets_no_more_than_its_time(ana: models.Player) -> None:
    """Only the sweeper was away: the tables played on."""
    downtime.forgive(now=NOW)
    table = wait_for(start_table(ana, turn_seconds=30, now=NOW + 590), ana, now=NOW + 595)
    downtime.forgive(now=NOW + 600)
    assert store.reload(table.id).desk.clocks[0].due <= NOW + 630


def test_a_computer_clock_that_was_set_back(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    downtime.forgive(now=NOW)
    assert downtime.forgive(now=NOW - 3600) == 1
    assert store.reload(table.id).desk.clocks[0].due == NOW - 3570


def test_tables_that_wait_or_are_over_stay_as_they_are(ana: models.Player) -> None:
    tables = [open_table(ana), finish(start_table(ana, options={"deals": 1}))]
    downtime.forgive(now=NOW)
    assert downtime.forgive(now=NOW + 3600) == 0
    assert [version_of(table.id) for table in tables] == [table.version for table in tables]


def test_a_late_sweep_is_no_interruption_while_a_server_beats(ana: models.Player) -> None:
    """The worker had other things to do for twenty seconds; the server noted meanwhile that it was there."""
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    for second in range(0, 20, 2):
        assert downtime.forgive(now=NOW + second) == 0
    assert downtime.forgive(now=NOW + 20) == 0
    assert version_of(table.id) == table.version


def test_who_comes_second_waits_until_the_clocks_are_set(ana: models.Player, transactional_db: None) -> None:
    """Else a timer could take a turn whose time is just being given back."""
    tables = [wait_for(start_table(ana, turn_seconds=30), ana) for _ in range(5)]
    downtime.forgive(now=NOW)
    seen: list[list[float]] = []

    def look() -> None:
        downtime.forgive(now=NOW + 3600)
        seen.append([store.reload(table.id).desk.clocks[0].due for table in tables])

    at_once(look, look, look)
    assert seen == [[NOW + 3630] * 5] * 3
