"""A move is made once, in order, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from games import bots, memo, models
from games.play.clocks import timers
from games.play.errors import BadInput, Illegal, NotAllowed, NotFound, Stale
from games.play.moves import submission
from games.play.seats import sitting
from games.play.storage import store
from tests.cast import (
    NOW,
    as_other_process,
    finish,
    legal,
    person,
    start_table,
    to_move,
    version_of,
    wait_for,
    wait_for_choice,
)


def test_a_move_is_written_once(ana: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    move = legal(table, 0)[0]
    first = submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k1", now=NOW)
    second = submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k1", now=NOW)
    assert (first.table.ply, first.is_repeat) == (table.ply + 1, False)
    assert (second.table.ply, second.is_repeat) == (table.ply + 1, True)
    assert models.Ply.objects.filter(table_id=table.id).count() == table.ply + 1


def test_a_key_counts_once_also_at_a_later_ply(ana: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="same", now=NOW)
    later = wait_for(store.reload(table.id), ana)
    again = submission.submit_move(table.id, ana.pk, legal(later, 0)[0], ply=later.ply, key="same", now=NOW)
    assert (again.table.ply, again.is_repeat) == (later.ply, True)


def test_the_same_key_of_two_people_is_two_moves(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    for player in (ana, ben):
        table = wait_for(table, player)
        seat = to_move(table)
        made = submission.submit_move(table.id, player.pk, legal(table, seat)[0], ply=table.ply, key="same", now=NOW)
        assert not made.is_repeat
        table = made.table


def test_the_same_key_at_two_tables_is_two_moves(ana: models.Player) -> None:
    for _ in range(2):
        table = wait_for(start_table(ana), ana)
        made = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="same", now=NOW)
        assert not made.is_repeat


@pytest.mark.parametrize("behind", [1, -1, 10**30, -(10**30)])
def test_a_move_for_another_ply_is_refused(ana: models.Player, behind: int) -> None:
    table = wait_for(start_table(ana), ana)
    with pytest.raises(Stale, match="changed in the meantime"):
        submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply - behind, key="k", now=NOW)
    assert version_of(table.id) == table.version


def test_an_illegal_move_changes_nothing(ana: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    with pytest.raises(Illegal, match="cards"):
        submission.submit_move(table.id, ana.pk, {"play": ["J"] * 4}, ply=table.ply, key="k", now=NOW)
    assert version_of(table.id) == table.version


def test_out_of_turn_is_illegal(ana: models.Player, ben: models.Player) -> None:
    table = wait_for(start_table(ana, ben), ana)
    with pytest.raises(Illegal, match="not your turn"):
        submission.submit_move(table.id, ben.pk, {"pass": True}, ply=table.ply, key="k", now=NOW)


def test_after_an_illegal_move_its_key_is_free(ana: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    with pytest.raises(Illegal):
        submission.submit_move(table.id, ana.pk, {"play": ["J"] * 4}, ply=table.ply, key="k", now=NOW)
    made = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=NOW)
    assert not made.is_repeat


def test_a_stranger_and_a_watcher_cannot_move(ana: models.Player, eva: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    for nobody in (None, eva.pk, 10**12):
        with pytest.raises(NotAllowed, match="no seat"):
            submission.submit_move(table.id, nobody, legal(table, 0)[0], ply=table.ply, key="k", now=NOW)


def test_nobody_moves_at_a_table_that_is_not_there(ana: models.Player) -> None:
    with pytest.raises(NotFound, match="This table does not exist"):
        submission.submit_move("nowhere", ana.pk, {"pass": True}, ply=0, key="k", now=NOW)


@pytest.mark.parametrize("move", [None, [], "pass", 7, True, [{"pass": True}]])
def test_what_is_no_object_is_no_move(ana: models.Player, move: object) -> None:
    table = wait_for(start_table(ana), ana)
    with pytest.raises(BadInput, match="JSON object"):
        submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k", now=NOW)


@pytest.mark.parametrize("key", ["", "k" * 49, "a\x00b", "line\nbreak"])
def test_a_key_is_short_and_printable(ana: models.Player, key: str) -> None:
    table = wait_for(start_table(ana), ana)
    with pytest.raises(BadInput, match="A move needs a unique key"):
        submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key=key, now=NOW)


def _nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"play": []},
        {"play": "7"},
        {"play": [7]},
        {"play": [None]},
        {"play": ["7", ["7"]]},
        {"play": {"7": 2}},
        {"play": ["7"] * 5000},
        {"play": _nested(500)},
        {"pass": 1},
        {"pass": True, "play": ["7"]},
        {"play": ["J"], "as": 10**40},
        {"play": ["J"], "as": True},
        {"play": ["J"], "as": 14.0},
        {"play": ["\ud800"]},
        {"seat": 1, "pass": True},
        {"__class__": "x"},
    ],
)
def test_every_strange_move_is_illegal(ana: models.Player, move: dict[str, Any]) -> None:
    table = wait_for(start_table(ana), ana)
    with pytest.raises(Illegal):
        submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="k", now=NOW)
    assert version_of(table.id) == table.version


def test_after_the_end_nothing_moves(ana: models.Player) -> None:
    table = finish(start_table(ana, options={"deals": 1}))
    with pytest.raises(Stale, match="No game is under way"):
        submission.submit_move(table.id, ana.pk, {"pass": True}, ply=table.ply, key="k", now=NOW)


def test_a_move_that_comes_after_the_clock_is_told_so(ana: models.Player, ben: models.Player) -> None:
    table = wait_for(start_table(ana, ben), ana)
    late = table.runtime.clocks[0].due + 1
    assert timers.run_clock(table.id, now=late).ply == table.ply + 1
    with pytest.raises(Stale, match="Time ran out before your move arrived, so it did not count"):
        submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=late)


def test_a_move_stands_when_only_a_presence_changed_in_another_process(ana: models.Player, ben: models.Player) -> None:
    table = wait_for(start_table(ana, ben), ana)
    as_other_process(lambda: sitting.leave(table.id, ben.pk, now=NOW))
    made = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=NOW)
    assert (made.table.ply, made.table.version) == (table.ply + 1, table.version + 2)
    assert made.table.runtime.stand_ins == {1}


def test_a_move_made_in_another_process_makes_this_one_stale(ana: models.Player) -> None:
    table = wait_for_choice(start_table(ana), ana)
    first, second = legal(table, 0)[:2]
    as_other_process(lambda: submission.submit_move(table.id, ana.pk, first, ply=table.ply, key="a", now=NOW))
    with pytest.raises(Stale):
        submission.submit_move(table.id, ana.pk, second, ply=table.ply, key="b", now=NOW)
    repeated = submission.submit_move(table.id, ana.pk, first, ply=table.ply, key="a", now=NOW)
    assert repeated.is_repeat


def test_who_sat_down_in_another_process_is_let_move(ana: models.Player) -> None:
    table = start_table(ana, seats_wished=4)
    cleo = person("Cleo")
    memo.forget_all()
    models.Seat.objects.filter(table_id=table.id, index=1).update(player=cleo, bot="")
    models.Table.objects.filter(pk=table.id).update(version=table.version + 1)
    store._tables.put(table.id, table)
    with pytest.raises((Illegal, Stale)):  # and not: no seat
        submission.submit_move(table.id, cleo.pk, {"play": ["99"]}, ply=table.ply, key="k", now=NOW)


def test_a_bot_is_asked_by_what_its_seat_may_know(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    table, seen_views = start_table(ana), []

    def answer(question: bots.Question) -> Any:
        seen_views.append(question)
        return question.legal[0]

    monkeypatch.setattr(bots, "answer", answer)
    submission.choose_bot_move(table, to_move(table))
    seat, rules = to_move(table), table.rules
    (question,) = seen_views
    assert question[:4] == (rules.slug, rules.view(table.state, seat), rules.legal_moves(table.state, seat), "random")


def test_a_move_is_told_by_its_time_since_the_start(ana: models.Player) -> None:
    table = wait_for(start_table(ana), ana)
    made = submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=NOW + 4.2)
    assert models.Ply.objects.get(table_id=table.id, number=made.table.ply).at == 4.2
