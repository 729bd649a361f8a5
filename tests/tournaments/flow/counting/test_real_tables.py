"""What was played at real tables counts like what was played on screens, and follows its results."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import QuerySet
from django.urls import reverse

from games import models as played
from games.models import Player, User
from games.play.seats import player_changes
from tests.cast import NOW, browser, finish, person, start_table
from tests.tournaments import cast
from tests.tournaments.flow.counting.test_finished_tables import everything, rating_of
from tournaments.flow.archive.tournament_document import describe, write_json
from tournaments.flow.counting import finished_tables, real_tables, recomputing
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.profiles import queries
from tournaments.flow.rounds import arena, lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import (
    Board,
    BoardRow,
    CareerEntry,
    CountedTable,
    FollowedTournament,
    Ledger,
    Membership,
    PersonResult,
    PersonTotal,
    Phase,
    Pod,
    PodSeat,
    Round,
    Step,
    Tournament,
)
from tournaments.ratings.placement import NEWCOMER, rate
from tournaments.work import tasks

WALK_INS = ("Cem", "Dan")


@pytest.fixture
def evening(ana: Player, ben: Player) -> Tournament:
    """A rated tournament at one real table: Ana, Ben and two walk-ins, the first round released."""
    tournament = cast.plan(ana, venue="real", name="Thursday")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    for player in (ana, ben):
        sign_up.enter(tournament, player, now=NOW)
    tournament.refresh_from_db()
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    everybody = list(tournament.entrants.values_list("pk", flat=True))
    attendance.check_in(tournament, ana, everybody, now=NOW)
    for name in WALK_INS:
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    cast.release(ana, tournament, 1)
    return tournament


def pod_of(tournament: Tournament, number: int = 1) -> Pod:
    """The only table of a round."""
    return Pod.objects.get(round__tournament=tournament, round__number=number)


def seats_of(pod: Pod) -> list[str]:
    """The names in seat order."""
    return list(pod.seats.order_by("index").values_list("entrant__name", flat=True))


def report_result(tournament: Tournament, owner: Player, order: str, *, number: int = 1, **overrides: Any) -> None:
    """The result of the table: these names in the order of their places."""
    pod = pod_of(tournament, number)
    places = tuple(1 + order.split().index(name) for name in seats_of(pod))
    results.decide(tournament, owner, pod.pk, ReportedResult(places), now=NOW, **overrides)


def end(tournament: Tournament, owner: Player, number: int = 1, *, now: float = NOW) -> None:
    """The round is complete, and what it came to is counted."""
    lifecycle.complete(tournament, owner, number, now=now)
    tasks.sweep_results()


def list_counted() -> list[tuple[str, int, int, int, int]]:
    """Name, place, of how many, rank among the humans, how many they were."""
    rows = PersonResult.objects.order_by("counted", "place")
    return list(rows.values_list("player__name", "place", "of", "rank", "people"))


def test_a_round_at_a_real_table_is_rated_and_listed(evening: Tournament, ana: Player, ben: Player) -> None:
    report_result(evening, ana, "Cem Ben Ana Dan")
    tasks.sweep_results()
    assert list_counted() == []
    end(evening, ana)
    assert list_counted() == [("Ben", 2, 4, 2, 4), ("Ana", 3, 4, 3, 4)]
    expected = rate([NEWCOMER, NEWCOMER], [2, 1])
    assert (rating_of(ana, "karriere-poker"), rating_of(ben, "karriere-poker")) == expected
    row = BoardRow.objects.get(board__game="karriere-poker", board__season=0, player=ben)
    assert (row.games, row.wins, row.rated, row.beaten) == (1, 0, 1, 560)
    assert not CareerEntry.objects.exists()
    (game,) = queries.sum_games(queries.list_totals(ben))
    assert (game.games, game.average, game.share) == (1, 2, 67)


def test_who_claims_their_place_later_brings_their_results(evening: Tournament, ana: Player, ben: Player) -> None:
    report_result(evening, ana, "Cem Ben Ana Dan")
    end(evening, ana)
    before = rating_of(ana, "karriere-poker")
    cem = person("Cem")
    sign_up.claim(evening, cast.entrant(evening, "Cem").claim_token, cem, now=NOW)
    tasks.sweep_results()
    assert list_counted() == [("Cem", 1, 4, 1, 4), ("Ben", 2, 4, 2, 4), ("Ana", 3, 4, 3, 4)]
    expected = rate([NEWCOMER] * 3, [3, 2, 1])
    assert tuple(rating_of(one, "karriere-poker") for one in (ana, ben, cem)) == expected
    assert rating_of(ana, "karriere-poker") != before


def test_a_result_that_is_corrected_takes_the_old_one_away(evening: Tournament, ana: Player, ben: Player) -> None:
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    step = Step.objects.get(kind="complete")
    step_undo.revert(evening, ana, step.number, now=NOW)
    tasks.sweep_results()
    assert (list_counted(), BoardRow.objects.count(), CountedTable.objects.count()) == ([], 0, 0)
    report_result(evening, ana, "Ben Ana Cem Dan")
    end(evening, ana)
    assert list_counted() == [("Ben", 1, 4, 1, 4), ("Ana", 2, 4, 2, 4)]
    assert rating_of(ben, "karriere-poker") == rate([NEWCOMER, NEWCOMER], [1, 2])[0]


def test_a_table_that_counts_for_nobody_counts_for_no_rating(evening: Tournament, ana: Player) -> None:
    report_result(evening, ana, "Ana Ben Cem Dan", is_void=True)
    end(evening, ana)
    assert (list_counted(), FollowedTournament.objects.count()) == ([], 1)


def test_a_missing_result_that_counts_as_shared_was_no_game(evening: Tournament, ana: Player) -> None:
    lifecycle.complete(evening, ana, 1, missing="shared", now=NOW)
    tasks.sweep_results()
    assert list_counted() == []


def test_who_did_not_come_was_not_there_and_a_substitute_was(evening: Tournament, ana: Player, ben: Player) -> None:
    eva = person("Eva")
    seats = {seat.entrant.name: seat for seat in PodSeat.objects.select_related("entrant")}
    results.set_fate(evening, ana, seats["Ben"].pk, PodSeat.Fate.NO_SHOW, now=NOW)
    Membership.objects.create(club=evening.club, player=eva)
    lifecycle.substitute(evening, ana, seats["Dan"].pk, player=eva, now=NOW)
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    assert list_counted() == [("Ana", 1, 3, 1, 3), ("Eva", 3, 3, 3, 3)]


def test_an_unrated_tournament_changes_no_rating(ana: Player, evening: Tournament) -> None:
    Tournament.objects.update(is_rated=False)
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    assert set(PersonResult.objects.values_list("mu", "total_mu")) == {(None, None)}
    assert set(BoardRow.objects.values_list("games", "rated")) == {(1, 0)}


def test_an_ark_at_a_real_table_is_in_the_records(ana: Player, ben: Player) -> None:
    tournament = cast.plan(ana, venue="real", game="animals-on-board", options={}, wanted=2, least=2, most=2)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    for player in (ana, ben):
        sign_up.enter(tournament, player, now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    attendance.check_in(tournament, ana, list(tournament.entrants.values_list("pk", flat=True)), now=NOW)
    cast.release(ana, tournament, 1)
    results.decide(tournament, ana, pod_of(tournament).pk, ReportedResult((1, 2), (41, 30)), now=NOW)
    end(tournament, ana)
    assert sorted(PersonResult.objects.values_list("score", "feat")) == [(30, 30), (41, 41)]


def test_a_guest_who_is_known_brings_what_they_played_at_real_tables(evening: Tournament, ana: Player) -> None:
    guest, eva = person("Fox 42"), person("Eva")
    sign_up.claim(evening, cast.entrant(evening, "Cem").claim_token, guest, now=NOW)
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    assert player_changes.merge_guest(guest.pk, eva.pk, now=NOW) == 0
    tasks.sweep_results()
    assert [row[0] for row in list_counted()] == ["Ana", "Ben", "Eva"]
    assert not BoardRow.objects.filter(player=guest).exists()


def test_a_guest_of_a_real_table_is_offered_to_who_signs_in(evening: Tournament, ana: Player) -> None:
    guest, eva = person("Fox 42"), person("Eva")
    Player.objects.filter(pk=eva.pk).update(user=User.objects.create_user("eva", password="a long pass phrase"))
    sign_up.claim(evening, cast.entrant(evening, "Cem").claim_token, guest, now=NOW)
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    client = browser(guest)
    client.post(reverse("account_login"), {"login": "eva", "password": "a long pass phrase"})
    assert "you played here as Fox 42" in client.get(reverse("me")).content.decode()
    page = client.post(reverse("take_over_guest"), follow=True).content.decode()
    tasks.sweep_results()
    assert "What you did here as Fox 42 now belongs to your account." in page
    assert ([row[0] for row in list_counted()], player_changes.has_traces(guest.pk)) == (["Ana", "Ben", "Eva"], False)


def test_what_was_played_elsewhere_and_brought_along_does_not_count(evening: Tournament, ana: Player) -> None:
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    restored = cast.import_file(evening.club, ana, write_json(describe(open_book(evening))))
    sign_up.claim(restored, cast.entrant(restored, "Cem").claim_token, person("Cem"), now=NOW)
    tasks.sweep_results()
    assert PersonResult.objects.count() == 2


def test_a_draw_that_is_gone_takes_what_was_counted_with_it(evening: Tournament, ana: Player) -> None:
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    CountedTable.objects.update(pod=None)
    tasks.sweep_results()
    assert (list_counted(), BoardRow.objects.count()) == ([], 0)


def test_nothing_is_counted_twice_or_again_without_a_change(evening: Tournament, ana: Player) -> None:
    report_result(evening, ana, "Ana Ben Cem Dan")
    end(evening, ana)
    before = everything()
    number = Ledger.objects.get().last
    for _ in range(2):
        tasks.sweep_results()
        tasks.count_real_tables(evening.pk)
    assert (everything(), Ledger.objects.get().last) == (before, number)
    assert list(unfollowed()) == []
    assert recomputing.recompute(now=NOW) == recomputing.Corrections(1, 0, 0)


def unfollowed() -> QuerySet[Tournament, str]:
    """Tournaments that wait to be counted."""
    return real_tables.list_unfollowed()


def test_while_everything_is_computed_nothing_is_counted(evening: Tournament, ana: Player) -> None:
    report_result(evening, ana, "Ana Ben Cem Dan")
    lifecycle.complete(evening, ana, 1, now=NOW)
    Ledger.objects.update_or_create(pk=1, defaults={"busy_since": NOW})
    assert real_tables.follow(evening.pk, now=NOW) is False
    assert list(unfollowed()) == [evening.pk]


def test_everything_from_nothing_is_the_same(evening: Tournament, ana: Player, ben: Player) -> None:
    """Two rounds at a real table and games of three kinds on screens: all that is derived is thrown away."""
    later = [NOW + 1000 * hour for hour in range(1, 6)]
    play_on_screens(ana, ben, game="animal-poker", options={"sessions": 2}, now=later[0])
    report_result(evening, ana, "Dan Ben Ana Cem")
    end(evening, ana, now=later[1])
    play_on_screens(ben, ana, game="super-zwierzaki", options={}, now=later[2])
    play_on_screens(ana, ben, game="animals-on-board", options={}, now=later[3])
    cast.release(ana, evening, 2)
    report_result(evening, ana, "Ana Ben Cem Dan", number=2)
    end(evening, ana, 2, now=later[4])
    before = everything()
    assert (len(before["results"]), len(before["rows"])) == (10, 20)
    for derived in (PersonResult, CareerEntry, CountedTable, PersonTotal, BoardRow, Board, FollowedTournament, Ledger):
        derived.objects.all().delete()
    call_command("recompute_ratings", stdout=io.StringIO(), stderr=io.StringIO())
    assert everything() == before


def play_on_screens(*guests: Player, now: float, **overrides: Any) -> None:
    """A finished and counted table."""
    table = finish(start_table(*guests, now=now, **overrides), now=now)
    finished_tables.count_table(table.id, now=now)


def test_results_that_were_tampered_with_are_derived_again(ana: Player, ben: Player) -> None:
    play_on_screens(ana, ben, game="animal-poker", options={"sessions": 2}, now=NOW)
    before = everything()
    PersonResult.objects.update(place=9, beaten=1)
    CareerEntry.objects.update(job="ceo")
    BoardRow.objects.update(wins=7)
    call_command("recompute_ratings", stdout=io.StringIO(), stderr=io.StringIO())
    assert everything() == before


def test_a_table_that_was_late_is_put_where_it_belongs(ana: Player, ben: Player) -> None:
    first = finish(start_table(ana, ben, options={"deals": 1}, now=NOW), now=NOW)
    play_on_screens(ana, ben, options={"deals": 1}, now=NOW + 60)
    finished_tables.count_table(first.id, now=NOW + 120)
    tasks.sweep_results()
    assert recomputing.recompute(now=NOW) == recomputing.Corrections(2, 0, 0)
    order = PersonResult.objects.filter(player=ana).order_by("ended_at").values_list("counted__table", flat=True)
    assert order[0] == first.id
    assert played.Table.objects.get(pk=first.id).ended_at == NOW
    assert PersonResult.objects.filter(counted__table=first.id).exclude(sigma__lt=NEWCOMER.sigma).count() == 0
    assert Round.objects.count() == 0


def test_a_game_of_an_arena_counts_when_it_ended(ana: Player, ben: Player) -> None:
    """An arena is complete hours after its first game; a correction does not make a game later."""
    arena_of = cast.plan(ana, venue="real", format="arena", round_minutes=60, least=4, most=4, name="Arena")
    phases.move_on(arena_of, ana, Phase.ENTRY, now=NOW)
    for player in (ana, ben, person("Eva"), person("Fay")):
        sign_up.enter(arena_of, player, now=NOW)
    arena_of.refresh_from_db()
    phases.move_on(arena_of, ana, Phase.CHECK_IN, now=NOW)
    attendance.check_in(arena_of, ana, list(arena_of.entrants.values_list("pk", flat=True)), now=NOW)
    arena.open_arena(arena_of, ana, now=NOW)
    played = Round.objects.select_related("tournament__club").get(tournament=arena_of)
    for number, at in ((1, NOW + 600), (2, NOW + 1500)):
        assert arena.seat_free(played, now=at - 300) == 1
        pod = Pod.objects.get(round=played, number=number)
        results.decide(arena_of, ana, pod.pk, ReportedResult((1, 2, 3, 4)), now=at)
    first = Pod.objects.get(round=played, number=1)
    results.decide(arena_of, ana, first.pk, ReportedResult((4, 3, 2, 1)), now=NOW + 3000)
    for one in arena_of.entrants.all():
        attendance.set_away(arena_of, ana, [one.pk], away=True, now=NOW + 3000)
    lifecycle.ring(arena_of, ana, 1, now=NOW + 3600)
    arena.sweep_arena(Round.objects.select_related("tournament__club").get(pk=played.pk), now=NOW + 3700)
    real_tables.follow(arena_of.pk, now=NOW + 3701)
    counted = CountedTable.objects.order_by("number").values_list("pod__number", "ended_at")
    assert list(counted) == [(1, NOW + 600), (2, NOW + 1500)]
    assert set(PersonResult.objects.values_list("ended_at", flat=True)) == {NOW + 600, NOW + 1500}
    page = browser(ana).get(reverse("tournaments:person", args=[ben.pk])).content.decode()
    assert reverse("tournaments:pod", args=[arena_of.pk, 1, 2]) in page
