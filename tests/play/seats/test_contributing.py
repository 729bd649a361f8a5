"""Contributions to the deal: after the commitment and before the start, and who is waited for how long."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from django.apps import apps

from games import models
from games.accounts.animal_pictures import AVATARS
from games.play.clocks import downtime, due_tables, timers
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.moves.submission import ANSWER_GRACE
from games.play.records import game_record
from games.play.seats import arranged_tables, opening, sitting
from games.play.seats.opening import ARRIVAL_SECONDS
from games.play.seats.sitting import CONTRIBUTION_SECONDS
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING, LoadedTable
from games.records import fair
from tests.cast import (
    NOW,
    as_other_process,
    contribute,
    contribute_all,
    contributed,
    finish,
    open_table,
    start_table,
    version_of,
)

AFTER = ANSWER_GRACE + 0.001


def called(ana: models.Player, **overrides: Any) -> LoadedTable:
    """A table of one person and three bots that begins by itself, as "play now" opens it."""
    return open_table(ana, bots=3, is_called=True, **overrides)


def arrange(*players: models.Player, **overrides: Any) -> LoadedTable:
    """A table of these people and bots, as tournaments arrange it."""
    guests = [arranged_tables.SeatAssignment(player.name, player.avatar, player.pk) for player in players]
    guests += [arranged_tables.SeatAssignment("Bo", "cat", bot="random")] * (4 - len(guests))
    with store.save_together():
        return arranged_tables.arrange(
            arranged_tables.TablePlan("karriere-poker", guests, {"deals": 1}, **overrides), now=NOW
        )


def test_everybody_contributes_and_can_replace_it_until_the_start(ana: models.Player, ben: models.Player) -> None:
    table, other = open_table(ana, ben), open_table(ana, ben)
    contribute(table, ben.pk, "first")
    replaced = contribute(table, ben.pk, "second")
    assert [place.entropy for place in replaced.places] == [None, "second"]
    assert store.reload(table.id).places == replaced.places
    assert store.reload(other.id).places == other.places
    assert contribute(table, ben.pk, "second").version == replaced.version


def test_nothing_is_added_once_the_game_has_begun(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    with pytest.raises(Stale, match="game has started"):
        contribute(table, ben.pk, "late")
    assert contribute(table, ben.pk, table.places[1].entropy or "") == table  # sent twice
    assert store.reload(table.id).places == table.places


def test_who_contributes_has_read_the_commitment(ana: models.Player, eva: models.Player) -> None:
    table, other = open_table(ana), open_table(ana)
    for commitment in (other.commitment, "", table.commitment.upper()):
        with pytest.raises(BadInput, match="belongs to another commitment than"):
            sitting.contribute(table.id, ana.pk, commitment=commitment, entropy="a", now=NOW)
    for nobody in (eva.pk, None):
        with pytest.raises(NotAllowed, match="no seat"):
            sitting.contribute(table.id, nobody, commitment=table.commitment, entropy="a", now=NOW)
    assert version_of(table.id) == table.version


@pytest.mark.parametrize("entropy", ["", "  ", "x" * 65, "zażółć", "a\nb", "a\x00b", "\ud800"])
def test_what_is_no_contribution(ana: models.Player, entropy: str) -> None:
    table = open_table(ana)
    with pytest.raises(BadInput, match="letters without accents"):
        sitting.contribute(table.id, ana.pk, commitment=table.commitment, entropy=entropy, now=NOW)
    assert version_of(table.id) == table.version


def test_play_now_begins_with_the_contribution(ana: models.Player) -> None:
    table = called(ana)
    assert (table.status, table.places[0].entropy, table.wake_at) == (WAITING, None, NOW + ARRIVAL_SECONDS)
    begun = contribute(table, ana.pk, "mine", now=NOW + 1)
    assert (begun.status, begun.started_at) == (PLAYING, NOW + 1)
    shares = ["mine", None, None, None]
    assert contributed(begun) == contributed(store.reload(table.id)) == shares
    seated = [place.entropy for place in begun.places]
    assert begun.seed == fair.derive_seed(bytes.fromhex(table.secret), table.id, seated).hex()


def test_who_contributes_nothing_is_waited_for_three_seconds_after_coming(ana: models.Player) -> None:
    table = called(ana)
    come = sitting.return_to_table(table.id, ana.pk, now=NOW + 2)
    assert come.wake_at == NOW + 2 + CONTRIBUTION_SECONDS
    assert sitting.return_to_table(table.id, ana.pk, now=NOW + 4).version == come.version  # a page that is loaded again
    assert timers.run_clock(table.id, now=NOW + 2 + CONTRIBUTION_SECONDS).status == WAITING
    begun = timers.run_clock(table.id, now=NOW + 2 + CONTRIBUTION_SECONDS + AFTER)
    assert (begun.status, [place.entropy for place in begun.places]) == (PLAYING, [None] * 4)


def test_who_never_comes_is_not_waited_for_for_ever(ana: models.Player) -> None:
    table = called(ana)
    assert timers.run_clock(table.id, now=NOW + ARRIVAL_SECONDS - 1).status == WAITING
    assert timers.run_clock(table.id, now=NOW + ARRIVAL_SECONDS + AFTER).status == PLAYING


def test_the_sweeper_finds_a_start_that_is_due_after_a_restart(ana: models.Player) -> None:
    table = called(ana)
    as_other_process(lambda: sitting.return_to_table(table.id, ana.pk, now=NOW + 1))
    due = NOW + 1 + CONTRIBUTION_SECONDS
    assert due_tables.list_due(until=due - 0.1) == []
    assert due_tables.list_due(until=due) == [due_tables.DueAction(table.id, 0, due, is_bot=False)]
    timers.run_clock(table.id, now=due + AFTER)
    assert store.reload(table.id).status == PLAYING


def test_the_start_waits_for_who_has_just_come(ana: models.Player, ben: models.Player) -> None:
    table = contribute(open_table(ana, ben, bots=2), ana.pk)
    sitting.return_to_table(table.id, ben.pk, now=NOW + 50)
    asked = opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=NOW + 51)
    assert (asked.status, asked.wake_at) == (WAITING, NOW + 50 + CONTRIBUTION_SECONDS)
    assert opening.start(table.id, ben.pk, fill="", avatars=AVATARS, now=NOW + 51).version == asked.version
    assert contribute(table, ben.pk, now=NOW + 52).status == PLAYING


def test_the_start_waits_for_nobody_who_has_been_there_for_long(ana: models.Player, ben: models.Player) -> None:
    table = contribute(open_table(ana, ben), ana.pk)
    sitting.return_to_table(table.id, ben.pk, now=NOW + 5)
    begun = opening.start(table.id, ana.pk, fill="random", avatars=AVATARS, now=NOW + 5 + CONTRIBUTION_SECONDS)
    assert (begun.status, contributed(begun)) == (PLAYING, ["of seat 0", None, None, None])


def test_getting_up_takes_a_start_back(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    table = open_table(ana, ben, bots=2)
    opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=NOW)
    left = sitting.leave(table.id, ben.pk, now=NOW)
    assert (left.runtime.is_called, left.wake_at) == (False, None)
    sat = contribute_all(sitting.sit(table.id, eva, now=NOW))
    assert (sat.status, sat.wake_at) == (WAITING, None)


def test_a_rematch_begins_when_all_have_sat_down_and_contributed(ana: models.Player, ben: models.Player) -> None:
    over = finish(start_table(ana, ben, bots=1, options={"deals": 1}))
    table = contribute_all(sitting.play_again(over.id, ana, avatars=AVATARS, now=NOW))
    assert (table.status, table.wake_at) == (WAITING, None)
    table = sitting.play_again(over.id, ben, avatars=AVATARS, now=NOW + 100)
    assert (table.status, table.wake_at) == (WAITING, NOW + 100 + ARRIVAL_SECONDS)
    assert contribute(table, ben.pk, now=NOW + 101).status == PLAYING


def test_an_arranged_game_begins_with_the_last_contribution(ana: models.Player, ben: models.Player) -> None:
    table = arrange(ana, ben)
    contribute(table, ana.pk)
    sitting.return_to_table(table.id, ben.pk, now=NOW + 60)
    assert store.reload(table.id).wake_at == NOW + 60 + CONTRIBUTION_SECONDS
    begun = contribute(table, ben.pk, now=NOW + 61)
    assert (begun.status, [place.entropy for place in begun.places[:2]]) == (PLAYING, ["of seat 0", "of seat 1"])


def test_an_arranged_game_begins_three_seconds_after_the_last_has_come(ana: models.Player, ben: models.Player) -> None:
    table = arrange(ana, ben)
    for player, now in ((ana, NOW), (ben, NOW + 60)):
        sitting.return_to_table(table.id, player.pk, now=now)
    begun = timers.run_clock(table.id, now=NOW + 60 + CONTRIBUTION_SECONDS + AFTER)
    assert (begun.status, begun.runtime.stand_ins) == (PLAYING, frozenset())


def test_who_has_just_come_contributes_also_where_the_absent_are_not_waited_for(
    ana: models.Player, ben: models.Player
) -> None:
    table = arrange(ana, ben)
    sitting.return_to_table(table.id, ana.pk, now=NOW + 300)
    asked = arranged_tables.start_without_absent(table.id, now=NOW + 301)
    assert (asked.status, asked.runtime.stand_ins, asked.wake_at) == (
        WAITING,
        frozenset({1}),
        NOW + 300 + CONTRIBUTION_SECONDS,
    )
    assert arranged_tables.start_without_absent(table.id, now=NOW + 301).version == asked.version
    begun = contribute(table, ana.pk, now=NOW + 302)
    assert (begun.status, begun.runtime.stand_ins) == (PLAYING, frozenset({1}))
    assert [place.entropy for place in begun.places] == ["of seat 0", None, None, None]


def test_the_deal_of_a_round_takes_no_contributions(ana: models.Player) -> None:
    table = arrange(ana, deal_seed="5e" * 32)
    with pytest.raises(BadInput, match="belongs to another commitment than"):
        contribute(table, ana.pk)
    assert sitting.return_to_table(table.id, ana.pk, now=NOW).status == PLAYING


def test_time_in_which_nobody_was_there_does_not_start_a_game(ana: models.Player) -> None:
    downtime.compensate_downtime(now=NOW)
    table = called(ana)
    sitting.return_to_table(table.id, ana.pk, now=NOW + 1)
    downtime.compensate_downtime(now=NOW + 3600)
    assert store.reload(table.id).wake_at == NOW + 3600 + 1 + CONTRIBUTION_SECONDS


def test_what_was_contributed_before_the_upgrade_is_contributed_anew(ana: models.Player, ben: models.Player) -> None:
    """By the version before, the host's came with the request that opened the table."""
    waiting, playing = contribute(open_table(ana, ben), ana.pk), start_table(ana, ben)
    models.Seat.objects.filter(table_id=waiting.id, player=ben).update(entropy="")
    models.Table.objects.update(procedure=1)
    importlib.import_module("games.migrations.0021_procedure_of_deals").begin_anew(apps, None)
    before, after = store.reload(waiting.id), store.reload(playing.id)
    assert (before.procedure, [place.entropy for place in before.places]) == (2, [None, None])
    assert (after.procedure, after.places) == (1, playing.places)
    assert game_record.export(finish(after))["entropy"] == [place.entropy for place in playing.places]
