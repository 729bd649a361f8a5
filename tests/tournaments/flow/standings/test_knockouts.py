"""Knockouts that do not go smoothly: nobody comes, people leave, too few are left, bots fill chairs."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from games import models
from games.play.errors import BadInput, Stale
from tests.cast import NOW
from tests.tournaments.cast import (
    NAMES,
    begin,
    decide_all,
    draw,
    enter,
    entrant,
    import_file,
    play_round,
    release,
    standing,
    table_of,
)
from tests.tournaments.flow.test_formats import ARK, finish, seats_of
from tournaments.flow.archive import tournament_document
from tournaments.flow.entry import attendance
from tournaments.flow.planning import tournament_plan
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Entrant, Pod, PodSeat, Rest, Round, Tournament

EIGHT: dict[str, Any] = {"format": "knockout", "most": 4, "venue": "real"}
"""Karriere Poker, which four play at least."""


def seed(tournament: Tournament) -> None:
    """Everybody as the list has them, the first one best."""
    for one in tournament.entrants.all():
        Entrant.objects.filter(pk=one.pk).update(rank_hint=one.number)


def stay_away(owner: models.Player, tournament: Tournament, number: int, *names: str) -> None:
    """These do not come to their tables."""
    for seat in PodSeat.objects.filter(pod__round__tournament=tournament, pod__round__number=number):
        if seat.entrant.name in names:
            results.set_fate(tournament, owner, seat.pk, PodSeat.Fate.NO_SHOW, now=NOW)


def end_round(owner: models.Player, tournament: Tournament, number: int) -> None:
    """The first seat wins everywhere."""
    decide_all(owner, tournament, number)
    lifecycle.complete(tournament, owner, number, now=NOW)


def test_who_does_not_come_is_out_and_behind_everybody_who_played(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **EIGHT, advance=3)
    seed(tournament)
    release(ana, tournament, 1)
    assert seats_of(tournament, 1) == [("Ada", "Dan", "Eli", "Hal"), ("Bea", "Cem", "Fay", "Gus")]
    stay_away(ana, tournament, 1, "Ada", "Dan")
    end_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    assert table_of(tournament, 2) == [("Cem", "Eli", "Fay", "Hal")]
    assert Rest.objects.get(round__tournament=tournament, round__number=2).entrant.name == "Bea"
    places = [(name, place) for name, place, _ in standing(tournament)]
    assert places == [
        ("Bea", 1), ("Eli", 2), ("Cem", 3), ("Hal", 4), ("Fay", 5), ("Gus", 6), ("Ada", 7), ("Dan", 8)
    ]  # fmt: skip


def test_where_a_whole_table_stays_away_nobody_of_it_goes_on_or_is_ahead(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **EIGHT, advance=2)
    seed(tournament)
    release(ana, tournament, 1)
    stay_away(ana, tournament, 1, "Ada", "Dan", "Eli", "Hal")
    end_round(ana, tournament, 1)
    places = {name: place for name, place, _ in standing(tournament)}
    assert places == {"Bea": 1, "Cem": 2, "Fay": 3, "Gus": 4, "Ada": 5, "Dan": 6, "Eli": 7, "Hal": 8}
    draw(ana, tournament, 2)
    assert table_of(tournament, 2) == [("Bea", "Cem", "Fay", "Gus")]  # two are too few for this game


def test_a_final_that_the_game_cannot_be_played_in_is_filled_with_the_next_best(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **EIGHT, advance=1)
    seed(tournament)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    assert seats_of(tournament, 2) == [("Ada", "Bea", "Cem", "Dan")]  # the winners Ada and Bea, the second ones
    assert Round.objects.get(tournament=tournament, number=2).stage == "final"
    play_round(ana, tournament, 2)
    finish(ana, tournament)


def test_tables_won_and_played_are_counted(ana: models.Player) -> None:
    """Wins and played tables are counted in knockouts, too."""
    tournament = begin(ana, NAMES[:8], **EIGHT, advance=2)
    seed(tournament)
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    first, final = (Pod.objects.filter(round__tournament=tournament, round__number=number) for number in (1, 2))
    winners = [pod.seats.get(index=0).entrant.name for pod in (*first, *final)]
    book = open_book(tournament)
    for name in NAMES[:8]:
        line = next(line for line in ranking.rank(book) if book.by_key[line.entrant].name == name)
        assert line.wins == winners.count(name)
        assert line.played == 1 + PodSeat.objects.filter(pod__in=final, entrant__name=name).count()
        assert (line.points, line.rounds) == (0, ())
    assert [line.wins for line in ranking.rank(book, 1)].count(1) == len(first) == 2


def test_a_final_of_two_where_two_can_play(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **ARK | EIGHT, least=4, advance=1)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    assert [len(pod) for pod in table_of(tournament, 2)] == [2]


def test_who_is_left_alone_has_won(ana: models.Player) -> None:
    """The remaining entrant has won, even if somebody who left has the better seed."""
    tournament = begin(ana, NAMES[:8], **ARK | EIGHT, least=4, advance=1)
    seed(tournament)
    play_round(ana, tournament, 1)
    first, second = (pod[0] for pod in seats_of(tournament, 1))
    assert [line[:2] for line in standing(tournament)][:3] == [(first, 1), (second, 2), ("Cem", 3)]
    attendance.withdraw(tournament, ana, [entrant(tournament, first).pk], now=NOW)
    with pytest.raises(Stale, match="The knockout is decided"):
        draw(ana, tournament, 2)
    assert [line[:2] for line in standing(tournament)][:3] == [(second, 1), (first, 2), ("Cem", 3)]
    sent = tournament_document.write_json(tournament_document.describe(open_book(tournament)))
    assert standing(import_file(tournament.club, ana, sent)) == standing(tournament)
    attendance.bring_back(tournament, ana, [entrant(tournament, first).pk], now=NOW)
    assert [line[:2] for line in standing(tournament)][:2] == [(first, 1), (second, 2)]
    play_round(ana, tournament, 2)
    assert table_of(tournament, 2) == [tuple(sorted((first, second)))]
    last, standings = seats_of(tournament, 2)[0], standing(tournament, 1)
    assert [line[0] for line in standing(tournament)][:2] == list(last)
    attendance.withdraw(tournament, ana, [entrant(tournament, last[0]).pk], now=NOW)
    assert [line[0] for line in standing(tournament)][:2] == list(last)
    assert standing(tournament, 1) == standings


@pytest.mark.parametrize("here", [1, 2, 3])
def test_no_final_is_drawn_that_the_game_is_not_for(ana: models.Player, here: int) -> None:
    """An online table of too few people could not be opened."""
    with pytest.raises(Stale, match=f"Checked in: {here}. A table needs 4"):
        draw(ana, begin(ana, NAMES[:here], **EIGHT), 1)
    assert not Round.objects.exists()


def test_where_too_few_are_left_for_the_game_somebody_comes_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **EIGHT, advance=2)
    play_round(ana, tournament, 1)
    gone = tournament.entrants.filter(name__in=[name for pod in seats_of(tournament, 1) for name in pod[1:]])
    attendance.withdraw(tournament, ana, [one.pk for one in gone][:5], now=NOW)
    with pytest.raises(Stale, match=r"Still in: 3\. A table of this game needs 4\. Reinstate somebody"):
        draw(ana, tournament, 2)
    attendance.bring_back(tournament, ana, [gone[0].pk], now=NOW)
    play_round(ana, tournament, 2)
    with pytest.raises(Stale, match="The knockout is decided"):
        draw(ana, tournament, 3)


def test_a_table_that_counts_for_nobody_parts_nobody(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], **EIGHT)
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), is_void=True, now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    assert {place for _, place, _ in standing(tournament)} == {1}


FORMER = ("Ada", "Bea", "Dan", "Eli", "Hal", "Cem", "Fay", "Gus")
"""Tied entrants of a void table keep their former order."""


def ended_early(owner: models.Player, **overrides: Any) -> Tournament:
    """Over after a first stage of which one table counts for nobody."""
    tournament = begin(owner, NAMES[:8], **EIGHT, advance=2, **overrides)
    seed(tournament)
    release(owner, tournament, 1)
    first = Pod.objects.get(round__tournament=tournament, number=1)
    results.decide(tournament, owner, first.pk, ReportedResult((4, 3, 2, 1)), is_void=True, now=NOW)
    end_round(owner, tournament, 1)
    finish(owner, tournament)
    return tournament


def test_who_goes_on_from_a_table_that_counts_for_nobody_stands_before_who_is_out(ana: models.Player) -> None:
    tournament = ended_early(ana)
    assert seats_of(tournament, 1)[0] == ("Ada", "Dan", "Eli", "Hal")
    places = [(name, place) for name, place, _ in standing(tournament)]
    assert places == [
        ("Ada", 1), ("Bea", 2), ("Dan", 3), ("Cem", 4), ("Eli", 5), ("Fay", 6), ("Hal", 7), ("Gus", 8)
    ]  # fmt: skip


def test_an_archive_from_before_who_goes_on_stood_first_is_read_in(ana: models.Player) -> None:
    tournament = ended_early(ana)
    document = json.loads(tournament_document.write_json(tournament_document.describe(open_book(tournament))))
    for place, name in enumerate(FORMER, start=1):
        document["standings"][place - 1] = {"place": place, "entrant": NAMES.index(name) + 1, "points": 0}
    copy = import_file(tournament.club, ana, json.dumps(document).encode())
    assert standing(copy) == standing(tournament)
    document["standings"][0]["entrant"], document["standings"][7]["entrant"] = 7, 1
    with pytest.raises(BadInput, match="do not match its results"):
        import_file(tournament.club, ana, json.dumps(document).encode())


def test_a_knockout_that_has_begun_goes_on_whatever_is_planned(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:16], format="swiss-cut", most=4, rounds_planned=1, cut_to=8, advance=2, venue="real")
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    more = msgspec.structs.replace(tournament_plan.read(tournament), rounds_planned=4)
    with pytest.raises(BadInput, match="rounds_planned"):
        tournament_plan.revise(tournament, ana, more, now=NOW)
    Tournament.objects.filter(pk=tournament.pk).update(rounds_planned=4)
    tournament.refresh_from_db()
    play_round(ana, tournament, 3)
    assert [one.stage for one in Round.objects.filter(tournament=tournament).order_by("number")] == [
        "swiss", "knockout", "final"
    ]  # fmt: skip


def let_bots_win(owner: models.Player, tournament: Tournament, number: int) -> None:
    """Bots first, then the people, by seat."""
    for pod in Pod.objects.filter(round__tournament=tournament, round__number=number):
        order = sorted(pod.seats.all(), key=lambda seat: (not seat.entrant.bot, seat.index))
        places = [order.index(seat) + 1 for seat in pod.seats.order_by("index")]
        results.decide(tournament, owner, pod.pk, ReportedResult(tuple(places)), now=NOW)
    lifecycle.complete(tournament, owner, number, now=NOW)


def test_bots_on_empty_chairs_take_nobody_s_place(ana: models.Player) -> None:
    overrides: dict[str, Any] = {"least": 4, "most": 4, "venue": "online", "bots_fill": True, "rounds_planned": 1}
    tournament = begin(ana, [], **overrides, format="swiss-cut", cut_to=7, advance=2)
    enter(tournament, *NAMES[:10])
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    let_bots_win(ana, tournament, 1)
    bots = {one.name for one in tournament.entrants.exclude(bot="")}
    order = [name for name, _, _ in standing(tournament)]
    assert bots & {*order[:3]}  # points of bots count like any
    best = {*[name for name in order if name not in bots][:7]}
    release(ana, tournament, 2)
    seated = {name for pod in table_of(tournament, 2) for name in pod}
    assert (len(seated - best), best - seated) == (1, set())  # one bot for the chair that seven leave empty
    assert not Rest.objects.filter(round__tournament=tournament, round__number=2).exists()
    let_bots_win(ana, tournament, 2)
    order = [name for name, _, _ in standing(tournament)]
    assert set(order[:4]) <= best  # the bot has won its table, and goes on nowhere
    sent = tournament_document.write_json(tournament_document.describe(open_book(tournament)))
    assert standing(import_file(tournament.club, ana, sent)) == standing(tournament)
    release(ana, tournament, 3)
    assert set(order[:4]) == {name for pod in table_of(tournament, 3) for name in pod}
    final = table_of(tournament, 3)
    assert len(final[0]) == 4
    assert set(final[0]) <= best


def test_bots_fill_a_final_if_they_fill_chairs(ana: models.Player) -> None:
    tournament = begin(ana, [], format="knockout", most=4, advance=1, venue="online", bots_fill=True)
    enter(tournament, *NAMES[:8])
    tournament.entrants.update(status="present")
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    assert [name in NAMES for pod in table_of(tournament, 2) for name in pod].count(True) == 2
    assert [len(pod) for pod in table_of(tournament, 2)] == [4]
    finish(ana, tournament)


def test_bots_that_fill_a_final_do_not_win_it(ana: models.Player) -> None:
    """Bots on empty seats rank behind all people, so the best person gets the first certificate."""
    tournament = begin(ana, [], format="knockout", most=4, advance=1, venue="online", bots_fill=True)
    enter(tournament, *NAMES[:7])
    tournament.entrants.update(status="present")
    seed(tournament)
    for number in (1, 2):
        release(ana, tournament, number)
        let_bots_win(ana, tournament, number)
        order = [name for name, _, _ in standing(tournament)]
        first = ["Bea", "Ada"] if number == 1 else ["Ada", "Bea"]
        assert order == [*first, "Cem", "Dan", "Fay", "Eli", "Gus", *("Bruno", "Cleo")[:number]]
    finish(ana, tournament)
    sent = tournament_document.write_json(tournament_document.describe(open_book(tournament)))
    assert standing(import_file(tournament.club, ana, sent)) == standing(tournament)


def test_where_bots_cannot_sit_a_final_is_filled_with_people(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], format="knockout", most=4, advance=1, venue="mixed", bots_fill=True)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    assert [len(pod) for pod in table_of(tournament, 2)] == [4]
    assert not tournament.entrants.exclude(bot="").exists()
