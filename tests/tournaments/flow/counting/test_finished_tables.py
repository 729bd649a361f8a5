"""Finished tables are counted once; everything can be computed again and is the same; struck games count for nobody."""

from __future__ import annotations

import io
import time
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games import memo
from games import models as played
from games.models import Player
from games.play.errors import BadInput, Busy
from games.play.records import game_record, voiding
from games.play.seats import player_changes as people
from games.play.signals import person_changed
from games.play.storage import codec, store
from games.play.storage.table import OVER, LoadedTable
from games.records.format import parse_record
from games.records.replay import replay
from games.records.writer import to_text
from tests.cast import NOW, as_other_process, at_once, finish, move_until, person, start_table
from tests.tournaments.killing import killed_before
from tournaments.careers.entries import list_entries
from tournaments.flow.counting import finished_tables, leaderboard_rows, ledger, player_totals, recomputing
from tournaments.models import (
    BoardCount,
    BoardRow,
    CareerEntry,
    Club,
    CountedTable,
    Ledger,
    Membership,
    PersonResult,
    PersonTotal,
)
from tournaments.ratings.placement import NEWCOMER, Rating, rate
from tournaments.work import tasks

LATER = NOW + 100_000


def play(*people: Player, game: str = "animal-poker", deals: int = 2, **overrides: Any) -> LoadedTable:
    """A finished table of these people and bots, counted."""
    name = {"animal-poker": "sessions", "karriere-poker": "deals"}[game]
    table = finish(start_table(*people, game=game, options={name: deals}, **overrides))
    finished_tables.count_table(table.id, now=LATER)
    return table


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """All that is derived, comparable."""
    entries = [field.attname for field in CareerEntry._meta.concrete_fields if not field.primary_key]
    results = [field.attname for field in PersonResult._meta.concrete_fields if not field.primary_key]
    results = ["counted__table", *results[1:], "counted__pod"]
    return {
        "entries": sorted(CareerEntry.objects.values_list(*entries), key=str),
        "results": sorted(PersonResult.objects.values_list(*results), key=str),
        "totals": sorted(
            PersonTotal.objects.values_list("player_id", "game", "season", *player_totals.COLUMNS), key=str
        ),
        "counts": sorted(
            BoardCount.objects.filter(people__gt=0).values_list(
                "board__game", "board__season", "club", "by", "value", "people"
            )
        ),
        "rows": sorted(
            BoardRow.objects.values_list(
                "board__game", "board__season", "player_id", "is_listed", *leaderboard_rows.COLUMNS
            ),
            key=str,
        ),
    }


def rating_of(player: Player, game: str = "animal-poker") -> Rating:
    """The present rating."""
    return leaderboard_rows.ratings_before([PersonResult(player=player, game=game)])[game, player.pk]


def test_a_table_writes_the_rows_of_its_people_once_and_no_others(ana: Player, ben: Player, eva: Player) -> None:
    play(ana, ben)
    with CaptureQueriesContext(connection) as asked:
        play(ana, eva)
    updates = [one["sql"] for one in asked if 'UPDATE "tournaments_boardrow"' in one["sql"]]
    assert [text.partition(":")[0] for text in updates] == ["4 times"], "Ana's; Eva's are new"


def test_a_table_is_counted_once(ana: Player, ben: Player) -> None:
    table = play(ana, ben)
    before = everything()
    assert (len(before["results"]), len(before["rows"])) == (2, 8)
    assert finished_tables.count_table(table.id, now=LATER) is False
    tasks.count_result(table.id)
    tasks.sweep_results()
    assert everything() == before


def test_ratings_follow_the_places_of_the_people(ana: Player, ben: Player) -> None:
    table = play(ana, ben)
    assert table.outcome is not None
    mine, theirs = table.outcome.places[:2]
    expected = rate([NEWCOMER, NEWCOMER], [1, 2] if mine < theirs else [2, 1])
    assert (rating_of(ana), rating_of(ben)) == expected


def test_alone_among_bots_nothing_is_rated_or_listed_but_the_career_has_its_entries(ana: Player) -> None:
    play(ana)
    assert (PersonResult.objects.get().mu, BoardRow.objects.count()) == (None, 0)
    assert CareerEntry.objects.filter(player=ana).count() == 2


def test_a_table_that_does_not_count_for_ratings(ana: Player, ben: Player) -> None:
    play(ana, ben, is_rated=False)
    assert set(BoardRow.objects.values_list("games", "rated", "mu")) == {(1, 0, None)}


def test_a_table_under_way_is_not_counted(ana: Player, ben: Player) -> None:
    table = start_table(ana, ben)
    assert finished_tables.count_table(table.id, now=LATER) is False
    assert finished_tables.count_table("nowhere", now=LATER) is False
    assert not CountedTable.objects.exists()


def test_deals_are_written_down_while_the_game_goes_on(ana: Player, ben: Player) -> None:
    table = start_table(ana, ben, options={"deals": 3})
    table = move_until(table, lambda now: now.state.deal.number == 2)
    for _ in range(2):
        tasks.record_result(table.id)
    assert list(CareerEntry.objects.values_list("player", "deal", "of").order_by("seat")) == [
        (ana.pk, 1, 4),
        (ben.pk, 1, 4),
    ]


def test_entries_say_what_the_log_says(ana: Player, ben: Player) -> None:
    table = play(ana, ben, deals=3)
    deals = [line.data["ranks"] for line in game_record.read_whole_log(table) if line.kind == "deal_over"]
    names = ("ceo", "director", "assistant", "trainee")
    for player, seat in ((ana, 0), (ben, 1)):
        entries = CareerEntry.objects.filter(player=player).order_by("deal")
        assert [(entry.rank, entry.job) for entry in entries] == [
            (ranks[seat], names[ranks[seat] - 1]) for ranks in deals
        ]
    tops = dict(PersonResult.objects.values_list("seat", "tops"))
    assert tops == {seat: sum(ranks[seat] == 1 for ranks in deals) for seat in (0, 1)}


def test_everything_again_is_the_same(ana: Player, ben: Player, eva: Player) -> None:
    play(ana, ben)
    play(ana, ben, eva, game="karriere-poker")
    play(eva, ben)
    before = everything()
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(3, 0, 0)
    CareerEntry.objects.all().delete()
    BoardRow.objects.all().delete()
    PersonResult.objects.update(mu=None, total_sigma=1.0)
    out = io.StringIO()
    call_command("recompute_ratings", stdout=out, stderr=io.StringIO())
    assert everything() == before
    text = "0 newly counted, 14 entries and results, 7 ratings, 18 rows of leaderboards, 0 totals and "
    assert text in out.getvalue()
    call_command("recompute_ratings", stdout=out, stderr=io.StringIO())
    assert out.getvalue().endswith(": everything was right, nothing was changed\n")
    assert everything() == before


def test_careers_and_results_come_out_of_exported_records_alone(ana: Player, ben: Player, eva: Player) -> None:
    tables = [play(ana, ben), play(eva, ana, ben, game="karriere-poker", deals=3)]
    for table in tables:
        record = parse_record(to_text(game_record.export(table)).encode())
        steps = list(replay(record))
        seats = [place.seat for place in table.places if place.player_id is not None]
        deals = [
            (event.data["deal"], event.data["ranks"], seats)
            for step in steps
            for event in step.events
            if event.kind == "deal_over"
        ]
        derived = [tuple(entry)[:7] for entry in list_entries(deals)]
        stored = CareerEntry.objects.filter(table=table.id).order_by("deal", "seat")
        assert list(stored.values_list("deal", "seat", "rank", "of", "before", "spell", "climb")) == derived
        outcome = table.rules.outcome(steps[-1].state)
        assert outcome is not None
        places = PersonResult.objects.filter(counted__table=table.id).order_by("seat").values_list("place", flat=True)
        assert list(places) == [outcome.places[seat] for seat in seats]


def test_a_struck_game_counts_for_nobody(ana: Player, ben: Player) -> None:
    kept = play(ana, ben)
    before = everything()
    struck = play(ana, ben)
    voiding.void(struck.id, reason="Two hands were seen.", now=LATER)
    tasks.sweep_results()
    now = everything()
    assert now == before
    voiding.void(kept.id, reason="That one as well.", now=LATER)
    tasks.sweep_results()
    assert (BoardRow.objects.count(), CareerEntry.objects.count()) == (0, 0)
    assert (PersonResult.objects.count(), CountedTable.objects.filter(is_void=True).count()) == (0, 2)


@pytest.mark.parametrize("by_sweeper", [True, False])
def test_a_game_is_struck_although_the_process_that_voided_it_has_died(
    ana: Player, ben: Player, by_sweeper: bool
) -> None:
    play(ana, ben)
    before = everything()
    struck = play(ana, ben)
    played.Table.objects.filter(pk=struck.id).update(voided_at=time.time(), void_reason="Two hands were seen.")
    if by_sweeper:
        tasks.sweep_results()
    else:
        call_command("recompute_ratings", stdout=io.StringIO(), stderr=io.StringIO())
    assert everything() == before


def test_a_struck_game_under_way_is_over_without_a_result(ana: Player, ben: Player) -> None:
    table = start_table(ana, ben)
    voided = voiding.void(table.id, reason="The fire alarm.", now=LATER)
    assert (voided.status, voided.outcome) == (OVER, None)
    row = played.Table.objects.get(pk=table.id)
    assert (row.voided_at, row.void_reason) == (LATER, "The fire alarm.")
    again = voiding.void(table.id, reason="Another reason.", now=LATER + 1)
    assert again.version == voided.version
    assert played.Table.objects.get(pk=table.id).void_reason == "The fire alarm."


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "a\nb"])
def test_a_game_is_not_struck_without_a_reason(ana: Player, reason: str) -> None:
    table = start_table(ana)
    with pytest.raises(BadInput):
        voiding.void(table.id, reason=reason, now=LATER)
    assert store.reload(table.id).version == table.version


def test_while_everything_is_computed_nothing_is_counted(ana: Player, ben: Player) -> None:
    table = finish(start_table(ana, ben, options={"deals": 1}))
    Ledger.objects.create(pk=1, busy_since=LATER - 10)
    assert finished_tables.count_table(table.id, now=LATER) is False
    assert recomputing.recompute(now=LATER) is None
    assert finished_tables.count_table(table.id, now=LATER + ledger.BUSY_SECONDS) is True


def test_who_does_not_want_to_be_seen_is_not_listed(ana: Player, ben: Player) -> None:
    play(ana, ben)
    Player.objects.filter(pk=ana.pk).update(is_listed=False)
    person_changed.send(Player, player_id=ana.pk)
    assert set(BoardRow.objects.filter(is_listed=True).values_list("player", flat=True)) == {ben.pk}
    before = everything()
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(1, 0, 0)
    assert everything() == before


def test_who_goes_leaves_the_others_history_whole(ana: Player, ben: Player) -> None:
    play(ana, ben)
    before = [row for row in everything()["results"] if row[1] == ben.pk]
    people.delete_player(ana.pk, now=LATER)
    assert [row for row in everything()["results"] if row[1] == ben.pk] == before
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(1, 0, 0)
    assert not BoardRow.objects.filter(player=ana, is_listed=True).exists()


def test_a_guest_who_is_known_brings_their_results(ana: Player, ben: Player) -> None:
    guest = person("Fox 42")
    play(guest, ben)
    assert people.merge_guest(guest.pk, ana.pk, now=NOW) == 1
    tasks.sweep_results()
    assert set(PersonResult.objects.values_list("player", flat=True)) == {ana.pk, ben.pk}
    assert set(CareerEntry.objects.values_list("player", flat=True)) == {ana.pk, ben.pk}
    assert set(BoardRow.objects.values_list("player", flat=True)) == {ana.pk, ben.pk}
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(1, 0, 0)


def test_who_is_killed_over_it_a_guest_asks_again_and_loses_nothing(ana: Player, ben: Player) -> None:
    """Killed before every third SQL statement: the browser keeps its guest until everything is transferred."""
    guest = person("Fox 42")
    table = play(guest, ben)
    club = Club.objects.create(slug="club", name="Club")
    Membership.objects.create(club=club, player=guest)
    is_killed, number = True, 0
    while is_killed:
        number += 3
        point = transaction.savepoint()
        with killed_before(number) as died:
            as_other_process(lambda: people.merge_guest(guest.pk, ana.pk, now=NOW))
        transaction.set_rollback(False)
        is_killed = bool(died)
        if Player.objects.filter(pk=guest.pk, left_at=None).exists():  # else the guest is offered to nobody any more
            people.merge_guest(guest.pk, ana.pk, now=NOW)
        for model in (PersonResult, CareerEntry, BoardRow):
            assert set(model._base_manager.values_list("player", flat=True)) == {ana.pk, ben.pk}, number
        assert Membership.objects.get().player == ana
        assert store.reload(table.id).seat_of(ana.pk) == 0
        transaction.savepoint_rollback(point)
        memo.forget_all()
    assert number > 20


def test_a_guest_who_the_database_does_not_hand_over_is_one_still(
    ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = person("Fox 42")
    play(guest, ben)

    def fail(*_args: Any) -> None:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(recomputing, "merge", fail)
        with pytest.raises(Busy):
            people.merge_guest(guest.pk, ana.pk, now=NOW)
    assert Player.objects.get(pk=guest.pk).left_at is None
    people.merge_guest(guest.pk, ana.pk, now=NOW)
    assert set(PersonResult.objects.values_list("player", flat=True)) == {ana.pk, ben.pk}


def test_two_workers_count_a_table_once(transactional_db: None) -> None:
    table = finish(start_table(person("Ana"), person("Ben"), options={"deals": 1}))
    counted = at_once(*[lambda: finished_tables.count_table(table.id, now=LATER)] * 3)
    assert sorted(counted, key=str) == [False, False, True]
    assert list(CountedTable.objects.values_list("table", flat=True)) == [table.id]
    assert codec.read(played.Table.objects.get().result)["places"] == list(
        table.outcome.places if table.outcome else ()
    )
