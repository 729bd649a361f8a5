"""Deals of a running game are counted one after the other, and nothing is read twice for that."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import memo
from games.models import Player, Ply, Seat, Table
from games.play.moves import deciders
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.records.stand_ins import StoredMove, attribute_moves
from tests.cast import NOW, finish_alone, start_table
from tournaments.flow.counting import careers, ledger, player_totals
from tournaments.models import CareerEntry, PersonTotal

COLUMNS = [field.attname for field in CareerEntry._meta.concrete_fields if not field.primary_key]
TOTALS = [field.attname for field in PersonTotal._meta.concrete_fields if not field.primary_key]


def begin(*people: Player) -> LoadedTable:
    return start_table(*people, options={"deals": 5})


def play_to(table: LoadedTable, deal: int) -> Table:
    """The row of the table when this deal has just begun."""
    return Table.objects.get(
        pk=finish_alone(store.refresh(table.id), until=lambda now: now.state.deal.number == deal).id
    )


def go_on(table: LoadedTable, deal: int) -> Table:
    """The row of the table when this deal has just begun, with all that went before counted."""
    row = play_to(table, deal)
    careers.record_new_deals(row)
    return row


def entries() -> list[tuple[Any, ...]]:
    return list(CareerEntry.objects.order_by("table", "deal", "seat").values_list(*COLUMNS))


def totals() -> list[tuple[Any, ...]]:
    return list(PersonTotal.objects.order_by("player", "game", "season").values_list(*TOTALS))


def test_deal_by_deal_it_is_what_all_at_once_would_be(ana: Player, ben: Player) -> None:
    table = begin(ana, ben)
    for deal in (2, 3, 4, 5):
        row = go_on(table, deal)
    step_by_step, counted = entries(), totals()
    assert len(step_by_step) == 8
    assert careers.record_deals(row) == 0
    player_totals.refresh({ana.pk, ben.pk})
    assert (entries(), totals()) == (step_by_step, counted)


def test_only_the_plies_of_the_new_deal_are_read(ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begin(ana, ben)
    go_on(table, 2)
    read: list[int] = []

    def note(moves: list[StoredMove], *rest: Any) -> list[Any]:
        read.extend(move.ply for move in moves)
        return attribute_moves(moves, *rest)

    monkeypatch.setattr(deciders, "attribute_moves", note)
    first = Ply.objects.filter(table=table.id, events__contains="deal_over").get().number
    go_on(table, 3)
    assert min(read) > first


def test_asked_again_nothing_is_written(ana: Player, ben: Player) -> None:
    row = go_on(begin(ana, ben), 3)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert careers.record_new_deals(row) == 0
    assert not [query["sql"] for query in queries if not query["sql"].startswith("SELECT")]


def test_a_process_that_missed_deals_which_another_one_counted_counts_none_twice(ana: Player, ben: Player) -> None:
    table = begin(ana, ben)
    go_on(table, 2)
    known = careers._counted.get(table.id)
    assert known is not None
    memo.forget_all()  # another process
    go_on(table, 3)
    whole = entries(), totals()
    careers._counted.put(table.id, known)
    assert careers.record_new_deals(Table.objects.get(pk=table.id)) == 0
    assert (entries(), totals()) == whole
    go_on(table, 4)
    assert CareerEntry.objects.count() == 6


def test_where_a_seat_has_another_person_all_is_compared(ana: Player, ben: Player, eva: Player) -> None:
    table = begin(ana, ben)
    go_on(table, 3)
    Seat.objects.filter(table=table.id, index=1).update(player=eva)
    careers.record_new_deals(Table.objects.get(pk=table.id))
    assert set(CareerEntry.objects.values_list("player", flat=True)) == {ana.pk, eva.pk}


def test_a_person_who_is_merged_with_another_meanwhile_has_no_new_entry(
    ana: Player, ben: Player, eva: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merging locks the ledger, too: it may have come between reading the seats and writing the entries."""
    table = begin(ana, ben)
    go_on(table, 2)
    row, lock = play_to(table, 3), ledger.lock

    def merge_first() -> int:
        Seat.objects.filter(table=table.id, player=ben).update(player=eva)
        return lock()

    monkeypatch.setattr(ledger, "lock", merge_first)
    careers.record_new_deals(row)
    assert set(CareerEntry.objects.values_list("player", flat=True)) == {ana.pk, eva.pk}


def test_moves_of_older_versions_are_told_from_the_ones_before(ana: Player, ben: Player) -> None:
    """They do not say who made them; that a person had ordered them shows in what the person did before."""
    table = begin(ana, ben)
    go_on(table, 2)
    last = Ply.objects.filter(table=table.id).order_by("-number")[0].number
    row = play_to(table, 3)
    Ply.objects.filter(table=table.id, number__gt=last).update(key=None)
    assert deciders.read_moves_after(table.id, table.rules.slug, last, {0: 0, 1: 0}) is None
    careers.record_new_deals(row)
    step_by_step = entries()
    assert careers.record_deals(row) == 0
    assert entries() == step_by_step


def test_who_was_away_for_a_deal_begins_anew(ana: Player, ben: Player) -> None:
    table = begin(ana, ben)
    go_on(table, 2)
    sitting.leave(table.id, ben.pk, now=NOW)
    row = go_on(table, 4)
    assert set(CareerEntry.objects.filter(player=ben).values_list("deal", flat=True)) == {1}
    step_by_step = entries()
    assert careers.record_deals(row) == 0
    assert entries() == step_by_step
