"""Tables that a tournament arranges: the right people, from the first who comes to the last bell."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.play import permissions
from games.play.clocks import timers
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.moves import submission
from games.play.records import game_record
from games.play.seats import arranged_tables, sitting
from games.play.seats.opening import start
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, LoadedTable
from tests.cast import (
    NOW,
    as_other_process,
    browser,
    come_to_table,
    contribute,
    finish,
    legal,
    move_seat,
    person,
    to_move,
)

BOT = arranged_tables.SeatAssignment("Bruno", "bear", bot="random")


def guest(player: models.Player) -> arranged_tables.SeatAssignment:
    return arranged_tables.SeatAssignment(player.name, player.avatar, player.pk)


def arrange(*guests: arranged_tables.SeatAssignment, **overrides: Any) -> LoadedTable:
    plan = arranged_tables.TablePlan(
        "karriere-poker", (*guests, *(BOT,) * (4 - len(guests))), {"deals": 1}, **overrides
    )
    with store.save_together():
        return arranged_tables.arrange(plan, now=NOW)


def test_it_starts_with_the_last_who_comes(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    table = arrange(guest(ana), guest(ben))
    assert (table.status, table.missing()) == (WAITING, (0, 1))
    assert sitting.return_to_table(table.id, eva.pk, now=NOW).version == table.version
    assert come_to_table(table.id, ben.pk).missing() == (0,)
    gone = sitting.leave(table.id, ben.pk, now=NOW)
    assert (gone.missing(), gone.places[1].entropy) == ((0, 1), None)
    come_to_table(table.id, ben.pk)
    begun = come_to_table(table.id, ana.pk)
    assert (begun.status, begun.runtime.stand_ins) == (PLAYING, frozenset())
    assert [place.name for place in begun.places] == ["Ana", "Ben", "Bruno", "Bruno"]


def test_nobody_else_sits_down_and_nobody_starts_it_by_hand(
    ana: models.Player, ben: models.Player, eva: models.Player
) -> None:
    table = arrange(guest(ana), guest(ben))
    with pytest.raises(Stale):
        sitting.sit(table.id, eva, now=NOW)
    with pytest.raises(NotAllowed):
        start(table.id, ana.pk, fill="", avatars=("fox",), now=NOW)
    assert store.reload(table.id).version == table.version


def test_a_table_of_bots_begins_at_once(db: None) -> None:
    assert arrange().status == PLAYING


def test_bots_stand_in_for_the_missing_until_they_come(ana: models.Player, ben: models.Player) -> None:
    table = arrange(guest(ana), guest(ben))
    come_to_table(table.id, ana.pk, now=NOW)
    begun = arranged_tables.start_without_absent(table.id, now=NOW)
    assert (begun.status, begun.runtime.stand_ins) == (PLAYING, frozenset({1}))
    assert arranged_tables.start_without_absent(table.id, now=NOW).version == begun.version
    assert sitting.return_to_table(table.id, ben.pk, now=NOW).runtime.stand_ins == frozenset()


def test_who_forfeits_loses_their_chair_to_a_bot(ana: models.Player, ben: models.Player) -> None:
    table, other = arrange(guest(ana), guest(ben)), arrange(guest(ana), guest(ben))
    come_to_table(table.id, ana.pk, now=NOW)
    begun = arranged_tables.start_without_absent(table.id, now=NOW, without=frozenset({1}))
    assert (begun.places[1].player_id, begun.places[1].bot, begun.runtime.stand_ins) == (None, "steady", frozenset())
    assert (store.reload(table.id).places, store.reload(other.id).places) == (begun.places, other.places)


def test_a_table_without_a_host_hears_nobodys_bell(ana: models.Player) -> None:
    table = come_to_table(arrange(guest(ana)).id, ana.pk, now=NOW)
    assert (table.status, table.host_id) == (PLAYING, None)
    for who in (ana.pk, None):
        with pytest.raises(NotAllowed):
            sitting.ring_bell(table.id, who, now=NOW)


def test_a_table_that_waits_can_be_taken_away(ana: models.Player, ben: models.Player) -> None:
    table = arrange(guest(ana), guest(ben))
    closed = arranged_tables.close(table.id, now=NOW)
    assert (closed.status, closed.ended_at) == (OVER, NOW)
    assert arranged_tables.close(table.id, now=NOW).version == table.version + 1
    begun = arrange(guest(ana))
    come_to_table(begun.id, ana.pk, now=NOW)
    with pytest.raises(Stale):
        arranged_tables.close(begun.id, now=NOW)


def test_somebody_else_takes_over_a_chair(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    table = arrange(guest(ana), guest(ben))
    with pytest.raises(BadInput):
        arranged_tables.replace_player(table.id, 0, guest(ben), now=NOW)
    assert [place.entropy for place in contribute(table, ben.pk, "mine").places[:2]] == [None, "mine"]
    arranged_tables.replace_player(table.id, 1, guest(eva), now=NOW)
    come_to_table(table.id, eva.pk)
    begun = come_to_table(table.id, ana.pk, now=NOW)
    assert (begun.status, [place.name for place in begun.places[:2]]) == (PLAYING, ["Ana", "Eva"])
    assert [place.entropy for place in store.reload(table.id).places[:2]] == ["of seat 0", "of seat 1"]
    later = arranged_tables.replace_player(table.id, 1, guest(ben), now=NOW)
    assert store.reload(table.id).places == later.places
    assert later.places[1].entropy == begun.places[1].entropy
    bot = arranged_tables.replace_player(
        table.id, 1, arranged_tables.SeatAssignment("Bo", "cat", bot="steady"), now=NOW
    )
    assert store.reload(table.id).places == bot.places
    closed = arranged_tables.close(arrange(guest(ana)).id, now=NOW)
    with pytest.raises(Stale):
        arranged_tables.replace_player(closed.id, 0, guest(ben), now=NOW)


def test_a_pause_stops_everything_and_gives_back_the_time(ana: models.Player, ben: models.Player) -> None:
    table = arrange(guest(ana), guest(ben), arranged_tables.SeatAssignment("Eva", "cat", person("Eva").pk))
    for place in table.places:
        table = come_to_table(table.id, place.player_id, now=NOW)
    while table.places[to_move(table)].player_id is None:
        table = move_seat(table)
    left = table.runtime.clocks[0].due - (NOW + 10)
    paused = arranged_tables.pause(table.id, now=NOW + 10)
    assert (paused.wake_at, arranged_tables.pause(table.id, now=NOW + 11).version) == (None, paused.version)
    mover = paused.places[to_move(paused)]
    with pytest.raises(Stale):
        submission.submit_move(
            table.id, mover.player_id, legal(paused, mover.seat)[0], ply=paused.ply, key="k", now=NOW + 11
        )
    assert timers.run_clock(table.id, now=NOW + 9999).version == paused.version
    resumed = arranged_tables.resume(table.id, now=NOW + 1000)
    assert round(resumed.runtime.clocks[0].due - (NOW + 1000), 6) == round(left, 6)
    assert arranged_tables.resume(table.id, now=NOW + 1001).version == resumed.version


def test_no_game_begins_in_a_pause(ana: models.Player, ben: models.Player) -> None:
    table = arrange(guest(ana), guest(ben), arranged_tables.SeatAssignment("Bo", "cat", bot="steady"))
    come_to_table(table.id, ana.pk, now=NOW)
    arranged_tables.pause(table.id, now=NOW)
    assert come_to_table(table.id, ben.pk, now=NOW + 5).status == WAITING
    begun = arranged_tables.resume(table.id, now=NOW + 60)
    assert (begun.status, begun.started_at, begun.runtime.paused_at) == (PLAYING, NOW + 60, None)
    assert begun.runtime.clocks[0].due > NOW + 60


def test_who_is_still_missing_after_a_pause_is_waited_for(ana: models.Player, ben: models.Player) -> None:
    table = arrange(guest(ana), guest(ben), arranged_tables.SeatAssignment("Bo", "cat", bot="steady"))
    arranged_tables.pause(table.id, now=NOW)
    assert arranged_tables.resume(table.id, now=NOW + 60).status == WAITING
    assert arranged_tables.pause(table.id, now=NOW + 70).runtime.paused_at == NOW + 70
    begun = arranged_tables.start_without_absent(table.id, now=NOW + 80)
    assert (begun.status, begun.runtime.paused_at, begun.wake_at) == (PLAYING, NOW + 80, None)


def test_what_this_process_remembers_is_no_reason_to_do_nothing(ana: models.Player, ben: models.Player) -> None:
    table = arrange(guest(ana))
    as_other_process(lambda: arranged_tables.replace_player(table.id, 0, guest(ben), now=NOW))
    arranged_tables.replace_player(table.id, 0, guest(ana), now=NOW)
    assert store.reload(table.id).places[0].player_id == ana.pk
    as_other_process(lambda: arranged_tables.start_without_absent(table.id, now=NOW))
    assert arranged_tables.pause(table.id, now=NOW + 1).runtime.paused_at == NOW + 1


def test_a_bot_plays_on_where_another_process_has_let_it(ana: models.Player) -> None:
    table = arrange(guest(ana))
    arranged_tables.start_without_absent(table.id, now=NOW)
    arranged_tables.pause(table.id, now=NOW + 1)
    as_other_process(lambda: arranged_tables.resume(table.id, now=NOW + 2))
    held = as_other_process(lambda: store.fetch(table.id))
    assert held.runtime.bot_due is not None
    played = submission.play_bot(table.id, ply=held.ply, now=held.runtime.bot_due)
    assert played is not None
    assert played.ply > held.ply


def test_the_bell_rings_once(ana: models.Player) -> None:
    table = arrange(guest(ana))
    assert arranged_tables.ring_bell(table.id, now=NOW).version == table.version
    come_to_table(table.id, ana.pk, now=NOW)
    rung = arranged_tables.ring_bell(table.id, now=NOW)
    assert rung.log[-1].kind == "bell"
    assert arranged_tables.ring_bell(table.id, now=NOW).version == rung.version


def test_the_same_deals_at_two_tables_and_their_record_when_all_have_played(ana: models.Player) -> None:
    seed = "5e" * 32
    table = arrange(guest(ana), deal_seed=seed, is_sealed=True)
    other = arrange(deal_seed=seed, is_sealed=True)
    begun = sitting.return_to_table(table.id, ana.pk, now=NOW)
    assert begun.seed == seed
    assert begun.state.hands == store.fetch(other.id).state.hands
    over = finish(begun)
    with pytest.raises(NotAllowed):
        permissions.require_finished(over)
    reader, page = browser(ana), reverse("table", args=[table.id])
    assert seed not in reader.get(page).content.decode()
    published = arranged_tables.unseal(table.id)
    assert seed in reader.get(page).content.decode()
    permissions.require_finished(published)
    record = game_record.export(published)
    assert (record["seed"], "commitment" in record) == (seed, False)
