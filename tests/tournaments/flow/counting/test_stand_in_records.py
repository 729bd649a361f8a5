"""What stand-ins play counts for nobody's ratings, careers and records; people who decided once and left are rated."""

from __future__ import annotations

import pytest

from games.models import Player, Ply
from games.play.records import game_record
from games.play.seats import arranged_tables, sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import NOW, come_to_table, finish_alone, move_seat, person, start_table, to_move
from tests.tournaments.cast import NAMES, enter, found, plan, release
from tests.tournaments.flow.counting.test_finished_tables import LATER, everything, rating_of
from tournaments.flow.clubs.club_records import list_records
from tournaments.flow.counting import finished_tables, leaderboard_rows, player_totals, recomputing, rederiving
from tournaments.flow.entry import attendance
from tournaments.flow.evenings import sessions
from tournaments.flow.planning import phases
from tournaments.flow.profiles import head_to_head
from tournaments.flow.rounds import sweeper
from tournaments.models import (
    BoardRow,
    CareerEntry,
    Club,
    CountedTable,
    Ledger,
    Membership,
    PersonResult,
    PersonTotal,
    Phase,
    Pod,
    SessionTable,
)
from tournaments.work import tasks


def leave_at_once(table: LoadedTable, *away: Player) -> LoadedTable:
    """The table with these people gone before they did anything."""
    for player in away:
        sitting.leave(table.id, player.pk, now=NOW)
    return store.refresh(table.id)


def play_without(*people: Player, away: Player, game: str = "animal-poker", **options: int) -> LoadedTable:
    """A finished and counted game at which this person never decided anything."""
    table = leave_at_once(start_table(*people, game=game, options=options, now=NOW), away)
    over = finish_alone(table)
    assert finished_tables.count_table(over.id, now=LATER)
    return over


def traces_of(player: Player) -> int:
    """Rows that somebody has of what was counted."""
    kept = (PersonResult, CareerEntry, PersonTotal, BoardRow)
    return sum(model._default_manager.filter(player=player).count() for model in kept)


def test_people_who_never_open_their_tables_have_no_rating_no_career_and_no_record(ana: Player) -> None:
    club = found(ana)
    night = plan(ana, club, game="karriere-poker", options={"deals": 2}, venue="online", rounds_planned=1)
    phases.move_on(night, ana, Phase.ENTRY, now=NOW)
    night.refresh_from_db()
    nine = enter(night, *NAMES[:9])
    Membership.objects.bulk_create(Membership(club=club, player=one) for one in nine)
    phases.move_on(night, ana, Phase.CHECK_IN, now=NOW)
    night.refresh_from_db()
    attendance.check_in(night, ana, list(night.entrants.values_list("pk", flat=True)), now=NOW)
    release(ana, night, 1)
    sweeper.sweep(now=NOW + 3600)
    for table_id in Pod.objects.exclude(table=None).values_list("table_id", flat=True):
        over = finish_alone(store.refresh(table_id), now=NOW + 3600)
        assert all(one.is_all for one in over.list_stand_ins().values())
    tasks.sweep_results()
    assert CountedTable.objects.count() == 2
    assert [traces_of(one) for one in nine] == [0] * 9
    assert list_records(club) == []


def test_who_never_came_to_an_evening_has_no_reign(ana: Player, ben: Player) -> None:
    club = found(person("Olga"))
    for player in (ana, ben):
        Membership.objects.create(club=club, player=player)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    three = [ana, ben, person("Cem")]
    Membership.objects.create(club=club, player=three[2])
    sessions.add_table(evening, ana, [one.pk for one in three], version=sessions.find(evening.pk).version, now=NOW)
    sessions.begin_table(evening, ana, 1, now=NOW)
    table = store.refresh(SessionTable.objects.values_list("table_id", flat=True).get())
    for player in (ana, three[2]):
        come_to_table(table.id, player.pk, now=NOW)
    table = finish_alone(store.refresh(table.id), until=lambda one: one.state.deal.number > 8)
    table = finish_alone(arranged_tables.ring_bell(table.id, now=NOW))
    tasks.sweep_results()
    deals = [line.data["ranks"] for line in game_record.read_whole_log(table) if line.kind == "deal_over"]
    assert any(ranks[1] == 1 for ranks in deals), "a bot held the top rank for Ben"
    assert traces_of(ben) == 0
    assert {player for player in (ana, three[2]) if traces_of(player)} == {ana, three[2]}
    (best,) = list_records(club)
    assert best.reign is None or ben.pk not in {one.player_id for one in best.reign.holders}


def test_who_decides_once_and_leaves_is_rated_with_what_became_of_the_seat(ana: Player, ben: Player) -> None:
    table = start_table(ana, ben, game="animal-poker", options={"sessions": 2})
    table = finish_alone(table, until=lambda one: to_move(one) == 1)
    table = leave_at_once(move_seat(table), ben)
    over = finish_alone(table)
    finished_tables.count_table(over.id, now=LATER)
    assert over.outcome is not None
    result = PersonResult.objects.get(player=ben)
    assert (result.place, result.people, result.mu is not None) == (over.outcome.places[1], 2, True)
    assert rating_of(ben) != rating_of(ana)
    deals = CareerEntry.objects.filter(player=ben).values_list("deal", flat=True)
    assert list(deals) == [1], "the deal in which something was decided, and none that a bot played"


def test_a_table_with_one_person_who_decides_is_not_rated(ana: Player, ben: Player) -> None:
    over = play_without(ana, ben, away=ben, sessions=2)
    result = PersonResult.objects.get()
    assert (result.player_id, result.people, result.beaten, result.mu) == (ana.pk, 1, 0, None)
    assert (BoardRow.objects.count(), traces_of(ben)) == (0, 0)
    assert head_to_head.compare(ana, ben).tables == 0
    assert CountedTable.objects.get().table_id == over.id


def test_places_are_compared_among_those_who_decided(ana: Player, ben: Player, eva: Player) -> None:
    over = play_without(ana, ben, eva, away=ben, game="karriere-poker", deals=2)
    assert over.outcome is not None
    places = over.outcome.places
    ranks = {0: 1, 2: 2} if places[0] < places[2] else {0: 2, 2: 1}
    assert {one.seat: (one.rank, one.people) for one in PersonResult.objects.all()} == {
        seat: (rank, 2) for seat, rank in ranks.items()
    }
    assert not CareerEntry.objects.filter(demoted_by=ben).exists()


def test_counted_and_computed_again_are_the_same(ana: Player, ben: Player, eva: Player) -> None:
    play_without(ana, ben, eva, away=ben, game="karriere-poker", deals=3)
    play_without(ana, ben, away=ben, sessions=3)
    play_without(ben, eva, ana, away=ana, sessions=3)
    before = everything()
    assert rederiving.derive_again(now=LATER) == 0
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(3, 0, 0)
    assert everything() == before


def count_as_before(over: LoadedTable, *people: Player) -> None:
    """What an older version of the program had counted of this table: everybody, also people who decided nothing."""
    counted = CountedTable.objects.get(table=over.id)
    PersonResult.objects.filter(counted=counted).delete()
    assert over.outcome is not None
    chairs = [
        finished_tables.Chair(seat, one.pk, over.outcome.places[seat], None, 0, None) for seat, one in enumerate(people)
    ]
    results = finished_tables.compare(chairs, counted, seat_count=over.seat_count)
    finished_tables.rate_table(results, leaderboard_rows.ratings_before(results), is_rated=True)
    PersonResult.objects.bulk_create(results)
    for seat, one in enumerate(people):
        CareerEntry.objects.get_or_create(
            table_id=over.id, deal=1, seat=seat,
            defaults={"player": one, "game": counted.game, "rank": 1, "of": 4, "job": "boss", "spell": 3, "at": NOW},
        )  # fmt: skip
    ids = [one.pk for one in people]
    player_totals.refresh(ids)
    leaderboard_rows.refresh(ids)


@pytest.mark.parametrize("by_command", [False, True])
def test_what_an_older_version_counted_is_put_right_by_itself(
    ana: Player, ben: Player, eva: Player, club: Club, by_command: bool
) -> None:
    play_without(ana, eva, away=person("Gus"), sessions=1)
    over = play_without(ana, ben, eva, away=ben, sessions=2)
    later = play_without(eva, ana, away=person("Hal"), sessions=1)
    before = everything()
    count_as_before(over, ana, ben, eva)
    assert rating_of(ben)
    assert list_records(club)[0].reign is not None
    Ledger.objects.update(derived_by=1)
    if by_command:
        rederiving.derive_again(now=LATER)
        recomputing.recompute(now=LATER)
    else:
        for _ in range(3):
            tasks.sweep_results()
    assert everything() == before
    assert traces_of(ben) == 0
    assert Ledger.objects.get().derived_by == rederiving.VERSION
    assert Ply.objects.filter(table=later.id).exists()


@pytest.fixture
def club(ben: Player) -> Club:
    """A club of Ben's, who never comes."""
    return found(ben)
