"""A season: what counts, who is who, any moment in the past, undo, and out into a file and back."""

from __future__ import annotations

from typing import Any

import pytest

from games import models
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from tests.cast import NOW, person
from tests.tournaments.cast import begin, check_in, decide_all, entrant, found, plan, plan_season, release
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.entry import sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.seasons import season_changes, season_phases, season_standings
from tournaments.flow.seasons.season_people import Entry, match
from tournaments.flow.undo import season_undo
from tournaments.models import Club, Phase, Pod, Season, Tournament


def season(owner: models.Player, club: Club | None = None, **overrides: Any) -> Season:
    """A season that is open."""
    made = plan_season(owner, club, **overrides)
    season_phases.open_season(made, owner, now=NOW)
    made.refresh_from_db()
    return made


def play(
    owner: models.Player, club: Club, *names: str, at: float = NOW, people: tuple[models.Player, ...] = ()
) -> Tournament:
    """A finished tournament of one table, at which they came in in this order: walk-ins, then these people."""
    made = begin(owner, names, club=club, venue="real", least=4, most=8, wanted=4, rounds_planned=1)
    for one in people:
        sign_up.enter(made, one, now=NOW)
    release(owner, made, 1)
    pod = Pod.objects.get(round__tournament=made)
    order = [seat.entrant.number for seat in pod.seats.order_by("index")]
    results.decide(made, owner, pod.pk, ReportedResult(tuple(order)), now=NOW)
    lifecycle.complete(made, owner, 1, now=NOW)
    phases.move_on(made, owner, Phase.FINISHED, now=at)
    return made


def count(owner: models.Player, one: Season, *tournaments: Tournament) -> None:
    for tournament in tournaments:
        season_changes.count_tournament(one, owner, tournament.pk, counts=True, now=NOW)


def table(one: Season, after: int | None = None) -> list[tuple[str, int, float]]:
    return [
        (line.person, line.place, float(line.points / 840)) for line in season_standings.open_table(one).standing(after)
    ]


def test_a_season_to_its_end(ana: models.Player) -> None:
    one = season(ana)
    first = play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1)
    second = play(ana, one.club, "Dan", "Cem", "Eli", "Ada", at=NOW + 2)
    count(ana, one, second, first)
    assert table(one, 1) == [("Ada", 1, 1.0), ("Bea", 2, 2 / 3), ("Cem", 3, 1 / 3), ("Dan", 4, 0.0)]
    assert table(one) == [("Ada", 1, 1.0), ("Dan", 1, 1.0), ("Cem", 3, 1.0), ("Bea", 4, 2 / 3), ("Eli", 5, 1 / 3)]
    season_phases.finish(one, ana, now=NOW)
    with pytest.raises(Stale, match="season is finished"):
        season_changes.count_tournament(one, ana, first.pk, counts=False, now=NOW)
    season_phases.archive(one, ana, now=NOW)
    one.refresh_from_db()
    assert one.phase == Phase.ARCHIVED


def test_only_the_best_tournaments_of_everybody(ana: models.Player) -> None:
    one = season(ana, best_of=1)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan"), play(ana, one.club, "Bea", "Ada", "Dan", "Cem"))
    assert table(one) == [("Ada", 1, 1.0), ("Bea", 1, 1.0), ("Cem", 3, 1 / 3), ("Dan", 3, 1 / 3)]


def test_what_is_under_way_counts_when_it_is_finished(ana: models.Player) -> None:
    one = season(ana)
    running = begin(ana, ("Ada", "Bea", "Cem", "Dan"), club=one.club, venue="real", rounds_planned=1, most=4)
    release(ana, running, 1)
    count(ana, one, running)
    assert table(one) == []
    with pytest.raises(Stale, match="Thursday"):
        season_phases.finish(one, ana, now=NOW)
    decide_all(ana, running, 1)
    lifecycle.complete(running, ana, 1, now=NOW)
    phases.move_on(running, ana, Phase.FINISHED, now=NOW)
    assert len(table(one)) == 4
    undo(ana, running)  # its end is taken back: so does the season
    assert table(one) == []


def test_a_tournament_stays_finished_as_long_as_its_season_is(ana: models.Player) -> None:
    one = season(ana)
    played = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    count(ana, one, played)
    season_phases.finish(one, ana, now=NOW)
    final = table(one)
    with pytest.raises(Stale, match="This tournament counts for “Winter”, and that season is over"):
        undo(ana, played, "finish")
    assert (len(final), table(one)) == (4, final)
    undo(ana, one, "finish")
    undo(ana, played, "finish")
    assert table(one) == []


def test_counting_is_taken_back_and_done_again(ana: models.Player) -> None:
    one = season(ana)
    played = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    for _ in range(2):
        count(ana, one, played)
    whole = table(one)
    undo(ana, one)
    assert table(one) == []
    undo(ana, one)
    assert table(one) == whole
    season_changes.count_tournament(one, ana, played.pk, counts=False, now=NOW)
    assert table(one) == []
    undo(ana, one)
    assert table(one) == whole
    season_phases.finish(one, ana, now=NOW)
    last = one.steps.filter(kind="undo").latest("number")
    with pytest.raises(Stale, match="season is finished"):
        season_undo.revert(one, ana, last.number, now=NOW)


def test_people_are_known_by_their_accounts_and_walk_ins_by_their_names(ana: models.Player) -> None:
    one = season(ana)
    tom = person("Tom")
    first = play(ana, one.club, "Ada", "Bea", "Cem", people=(tom,), at=NOW + 1)
    second = play(ana, one.club, "  ada", "tom", "Cem", "Eli", at=NOW + 2)
    count(ana, one, first, second)
    assert sorted(name for name, _, _ in table(one)) == ["Bea", "Cem", "Eli", "Tom", "ada"]
    tom.name = "Thomas"
    tom.save()
    assert sorted(name for name, _, _ in table(one)) == ["Bea", "Cem", "Eli", "Thomas", "ada"]
    count(ana, one, begin(ana, ("ADA",), club=one.club))  # it is not over: the latest name that they use
    assert sorted(name for name, _, _ in table(one)) == ["ADA", "Bea", "Cem", "Eli", "Thomas"]


def test_the_organiser_says_who_is_who(ana: models.Player) -> None:
    one = season(ana)
    first = play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1)
    second = play(ana, one.club, "Ada L.", "Bea", "Cem", "Dan", at=NOW + 2)
    count(ana, one, first, second)
    assert len(table(one)) == 5
    season_changes.name_person(one, ana, entrant(second, "Ada L.").pk, "Ada", now=NOW)
    assert {name: points for name, _, points in table(one)}["Ada"] == 2.0
    with pytest.raises(BadInput, match="Nobody can be in a tournament twice"):
        season_changes.name_person(one, ana, entrant(second, "Bea").pk, "ada", now=NOW)
    undo(ana, one)
    assert len(table(one)) == 5
    season_changes.name_person(one, ana, entrant(second, "Bea").pk, "Bea from upstairs", now=NOW)
    assert len(table(one)) == 6
    season_changes.name_person(one, ana, entrant(second, "Bea").pk, "", now=NOW)
    assert len(table(one)) == 5
    sign_up.claim(first, entrant(first, "Cem").claim_token, person("Cemal"), now=NOW)
    with pytest.raises(BadInput, match="Nobody can be in a tournament twice"):  # as Cem of the second stands under it
        season_changes.name_person(one, ana, entrant(second, "Dan").pk, "cemal", now=NOW)


def test_bots_have_no_line_but_are_beaten(ana: models.Player) -> None:
    one = season(ana)
    made = plan(ana, one.club, venue="online", least=4, most=4, rounds_planned=1)
    check_in(ana, made, ("Ada", "Bea", "Cem"))
    sign_up.add_bot(made, ana, name="Bruno", level="steady", now=NOW)
    release(ana, made, 1)
    decide_all(ana, made, 1)
    lifecycle.complete(made, ana, 1, now=NOW)
    phases.move_on(made, ana, Phase.FINISHED, now=NOW)
    count(ana, one, made)
    assert sorted(name for name, _, _ in table(one)) == ["Ada", "Bea", "Cem"]
    assert {round(points * 3) for _, _, points in table(one)} < {0, 1, 2, 3}


def test_what_does_not_fit_is_refused(ana: models.Player, ben: models.Player) -> None:
    one = season(ana)
    played = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    other = season(ana, one.club, name="Summer")
    elsewhere = play(ben, found(ben, "Mountain Club"), "Ada", "Bea", "Cem", "Dan")
    hidden = plan(ana, one.club, is_public=False)
    with pytest.raises(NotAllowed):
        count(ben, one, played)
    for wrong in (other.pk, elsewhere.pk):
        with pytest.raises(NotFound):
            season_changes.count_tournament(one, ana, wrong, counts=True, now=NOW)
    with pytest.raises(BadInput, match="Everybody can see this season, but not"):
        count(ana, one, hidden)
    count(ana, one, played)
    with pytest.raises(Stale, match="another season"):
        count(ana, other, played)
    with pytest.raises(Stale, match="Nothing has been played"):
        season_phases.finish(other, ana, now=NOW)
    with pytest.raises(Stale, match="no longer possible because the season has moved on"):
        season_phases.finish(plan_season(ana, one.club), ana, now=NOW)
    with pytest.raises(Stale, match="no longer possible because the season has moved on"):
        season_phases.archive(one, ana, now=NOW)
    with pytest.raises(BadInput):
        plan_season(ana, one.club, best_of=0)
    chess = season(ana, one.club, game="fancy-animals")
    with pytest.raises(NotFound):
        count(ana, chess, played)


def entries(*rows: tuple[str, str, int | None, str, str]) -> list[Entry]:
    return [
        Entry(pk, t, pk, name, player, account, assigned_name)
        for pk, (t, name, player, account, assigned_name) in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([("t1", "Ana", None, "", ""), ("t2", "ana", None, "", "")], ["ana", "ana"]),
        ([("t1", "Ana", 7, "Ana", ""), ("t2", "Ana", None, "", "")], ["Ana", "Ana"]),
        ([("t1", "Ana", 7, "Ana", ""), ("t1", "ana", None, "", "")], ["Ana", "ana (2)"]),  # two at one tournament
        ([("t1", "Ana", 7, "Ana", ""), ("t2", "Ana", 8, "Ana", "")], ["Ana", "Ana (2)"]),
        ([("t1", "Ana", 7, "Ana", ""), ("t2", "Ana", 8, "Ana", ""), ("t3", "Ana", None, "", "")],
         ["Ana", "Ana (2)", "Ana (3)"]),  # nobody knows which one
        ([("t1", "Ana", 7, "Annabel", ""), ("t2", "Annabel", None, "", "")], ["Annabel", "Annabel"]),
        ([("t1", "Ana", None, "", ""), ("t2", "A.", None, "", "Ana")], ["Ana", "Ana"]),
        ([("t1", "Ana", 7, "Ana", "Ana K."), ("t2", "Ana", 7, "Ana", "")], ["Ana K.", "Ana"]),
        ([("t1", "Ana", 7, "Ana", ""), ("t1", "Ana (2)", None, "", ""), ("t2", "Ana", 8, "Ana", "")],
         ["Ana", "Ana (2)", "Ana (3)"]),  # three people have three names
        ([("t1", "Ana", 7, "Ana", ""), ("t2", "Ana", 8, "Ana", ""), ("t3", "Ana (2)", None, "", "")],
         ["Ana", "Ana (2)", "Ana (2) (2)"]),
    ],
)  # fmt: skip
def test_who_is_who(rows: list[tuple[str, str, int | None, str, str]], names: list[str]) -> None:
    matches = match(entries(*rows))
    assert [matches[pk] for pk in range(len(rows))] == names


def test_a_claimed_place_is_the_account_s(ana: models.Player) -> None:
    one = season(ana)
    first = play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1)
    second = play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 2)
    count(ana, one, first, second)
    assert len(table(one)) == 4
    ada = person("Ada Lovelace")
    sign_up.claim(first, entrant(first, "Ada").claim_token, ada, now=NOW)
    assert {name: points for name, _, points in table(one)}["Ada Lovelace"] == 2.0
    other = person("Adam")
    sign_up.claim(second, entrant(second, "Ada").claim_token, other, now=NOW)
    assert len(table(one)) == 5


def test_a_season_is_opened_once(ana: models.Player) -> None:
    one = season(ana)
    season_phases.open_season(one, ana, now=NOW)
    assert one.steps.filter(kind="open-season").count() == 1
