"""Teams: named, filled, drawn apart, scored."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound
from tests.cast import NOW, person
from tests.tournaments.cast import NAMES, begin, draw, enter, entrant, plan, play_round, table_of
from tournaments.flow.entry import imports, sign_up, team_members, teams
from tournaments.flow.planning import phases, tournament_plan
from tournaments.flow.standings import book_cache, team_ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Phase, Step, Team, TeamMember, Tournament
from tournaments.words.step_words import say_step

SIDES = {"Reds": NAMES[:4], "Blues": NAMES[4:8]}


def build(owner: Player, names: tuple[str, ...] = NAMES[:8], **overrides: object) -> Tournament:
    """A tournament of two teams of four at real tables of four."""
    wanted = {"venue": "real", "wanted": 4, "most": 4, "team_size": 4, "team_best": 2, **overrides}
    tournament = begin(owner, names, **wanted)
    for name, people in SIDES.items():
        teams.name_team(tournament, owner, name, now=NOW)
        put_in_team(owner, tournament, name, *(one for one in people if one in names))
    return tournament


def put_in_team(owner: Player, tournament: Tournament, team: str, *names: str, is_substitute: bool = False) -> None:
    ids = [entrant(tournament, name).pk for name in names]
    pk = Team.objects.get(tournament=tournament, name=team).pk
    team_members.add_to_team(tournament, owner, ids, pk, is_substitute=is_substitute, now=NOW)


def list_places(tournament: Tournament) -> list[tuple[str, str, int, int | None]]:
    rows = TeamMember.objects.filter(team__tournament=tournament).order_by("pk")
    return [(one.team.name, one.entrant.name, one.first_round, one.last_round) for one in rows.select_related()]


def list_lines(tournament: Tournament, after: int | None = None) -> list[tuple[str, int, list[int | None]]]:
    book = open_book(tournament)
    return [
        (team_ranking.find_team(book, line.team).name, line.place, [one.points for one in line.rounds])
        for line in team_ranking.rank_teams(book, after)
    ]


def undo_last(owner: Player, tournament: Tournament) -> None:
    tournament.refresh_from_db()
    step_undo.revert(tournament, owner, Step.objects.filter(tournament=tournament).latest("number").number, now=NOW)


def test_team_mates_are_drawn_apart_as_far_as_possible(ana: Player) -> None:
    tournament = build(ana)
    draw(ana, tournament, 1)
    assert [len(set(table) & set(SIDES["Reds"])) for table in table_of(tournament, 1)] == [2, 2]


def test_team_mates_who_must_meet_are_told_why(ana: Player) -> None:
    tournament = build(ana)
    draw(ana, tournament, 1)
    assert "are of one group" in tournament.rounds.get(number=1).pods.get(number=1).reason


def test_the_best_of_each_round_count_for_the_team(ana: Player) -> None:
    tournament = build(ana)
    assert sorted((name, rounds) for name, _, rounds in list_lines(tournament)) == [("Blues", []), ("Reds", [])]
    play_round(ana, tournament, 1)
    lines = list_lines(tournament)
    book = open_book(tournament)
    points = {seat.entrant_id: (3 - seat.index) * 280 for pod in book.seats.values() for seat in pod}
    best = {
        name: sum(sorted((points[entrant(tournament, one).pk] for one in people), reverse=True)[:2])
        for name, people in SIDES.items()
    }
    assert {name: rounds for name, _, rounds in lines} == {name: [best[name]] for name in SIDES}


def test_a_substitute_counts_from_the_next_round_on(ana: Player) -> None:
    tournament = build(ana)
    play_round(ana, tournament, 1)
    first = list_lines(tournament)
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    put_in_team(ana, tournament, "Reds", "Zoe", is_substitute=True)
    team_members.remove_from_team(tournament, ana, [entrant(tournament, "Dan").pk], now=NOW)
    assert list_places(tournament)[3] == ("Reds", "Dan", 1, 1)
    assert list_places(tournament)[-1] == ("Reds", "Zoe", 2, None)
    assert list_lines(tournament) == first


def test_moving_before_the_first_round_leaves_no_trace_and_later_both_teams_keep_their_scores(ana: Player) -> None:
    tournament = build(ana)
    team_members.remove_from_team(tournament, ana, [entrant(tournament, "Eli").pk], now=NOW)
    assert [row for row in list_places(tournament) if row[1] == "Eli"] == []
    put_in_team(ana, tournament, "Blues", "Eli")
    play_round(ana, tournament, 1)
    team_members.remove_from_team(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    team_members.remove_from_team(tournament, ana, [entrant(tournament, "Eli").pk], now=NOW)
    put_in_team(ana, tournament, "Blues", "Ada")
    assert [row for row in list_places(tournament) if row[1] in ("Ada", "Eli")] == [
        ("Reds", "Ada", 1, 1),
        ("Blues", "Eli", 1, 1),
        ("Blues", "Ada", 2, None),
    ]


def test_a_full_team_takes_substitutes_up_to_eight_people(ana: Player) -> None:
    tournament = build(ana, NAMES[:24])
    with pytest.raises(BadInput, match="already has"):
        put_in_team(ana, tournament, "Reds", "Ida")
    put_in_team(ana, tournament, "Reds", *NAMES[8:12], is_substitute=True)
    with pytest.raises(BadInput, match="full"):
        put_in_team(ana, tournament, "Reds", "Mia", is_substitute=True)
    with pytest.raises(BadInput, match="already has"):
        put_in_team(ana, tournament, "Reds", "Ida")


def test_names_of_teams_are_told_apart_and_only_empty_teams_are_removed(ana: Player) -> None:
    tournament = build(ana)
    with pytest.raises(BadInput, match="already a team"):
        teams.name_team(tournament, ana, "reds", now=NOW)
    blues = Team.objects.get(name="Blues")
    teams.rename_team(tournament, ana, blues.pk, "Greens", now=NOW)
    play_round(ana, tournament, 1)
    with pytest.raises(BadInput, match="have played"):
        teams.remove_team(tournament, ana, blues.pk, now=NOW)
    teams.name_team(tournament, ana, "Blues", now=NOW)
    teams.remove_team(tournament, ana, Team.objects.get(name="Blues").pk, now=NOW)
    assert list(Team.objects.order_by("number").values_list("name", flat=True)) == ["Reds", "Greens"]


def test_a_team_has_one_captain(ana: Player) -> None:
    tournament = build(ana)
    for name in ("Ada", "Bea"):
        team_members.make_captain(tournament, ana, entrant(tournament, name).pk, now=NOW)
    assert list(TeamMember.objects.filter(is_captain=True).values_list("entrant__name", flat=True)) == ["Bea"]
    book = open_book(tournament)
    reds = team_ranking.list_members(book, next(iter(book.teams.values())))
    assert [book.entrants[one.entrant_id].name for one in reds] == ["Bea", "Ada", "Cem", "Dan"]


def test_every_step_about_teams_is_said_and_undone_and_only_organisers_take_it(ana: Player, ben: Player) -> None:
    tournament = build(ana)
    before = list_places(tournament)
    ada = entrant(tournament, "Ada").pk
    team_members.remove_from_team(tournament, ana, [ada], now=NOW)
    undo_last(ana, tournament)
    assert sorted(list_places(tournament)) == sorted(before)
    sentences = [
        say_step(one, format_slug="swiss") for one in Step.objects.filter(tournament=tournament).order_by("number")
    ]
    assert sentences[-6:-2] == [
        "named the team Reds",
        "put into the team Reds: Ada, Bea, Cem, Dan",
        "named the team Blues",
        "put into the team Blues: Eli, Fay, Gus, Hal",
    ]
    assert "took out of the team Reds: Ada" in sentences[-2]
    with pytest.raises(NotAllowed):
        teams.name_team(tournament, ben, "Third", now=NOW)
    with pytest.raises(NotAllowed):
        team_members.make_captain(tournament, ben, ada, now=NOW)
    with pytest.raises(NotAllowed):
        put_in_team(ben, tournament, "Reds", "Ada")


def test_the_cached_book_sees_each_change(ana: Player) -> None:
    tournament = build(ana)
    book = book_cache.read(tournament)
    assert len(book.teams) == 2
    team_members.remove_from_team(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    tournament.refresh_from_db()
    assert entrant(tournament, "Ada").pk not in book_cache.read(tournament).team_places
    undo_last(ana, tournament)
    tournament.refresh_from_db()
    assert entrant(tournament, "Ada").pk in book_cache.read(tournament).team_places


def test_people_choose_their_team_where_the_plan_allows_it_until_the_first_round(ana: Player) -> None:
    tournament = plan(ana, venue="real", most=4, team_size=2, has_open_teams=True)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    ben, cem, dan = enter(tournament, "Ben", "Cem", "Dan")
    team_members.choose_team(tournament, ben, None, team_name="Foxes", now=NOW)
    foxes = Team.objects.get(name="Foxes").pk
    team_members.choose_team(tournament, cem, foxes, now=NOW)
    with pytest.raises(BadInput, match="already has"):
        team_members.choose_team(tournament, dan, None, team_name="foxes", now=NOW)
    team_members.choose_team(tournament, cem, None, now=NOW)
    team_members.choose_team(tournament, dan, foxes, now=NOW)
    assert list_places(tournament) == [("Foxes", "Ben", 1, None), ("Foxes", "Dan", 1, None)]
    with pytest.raises(NotFound):
        team_members.choose_team(tournament, person("Zoe"), foxes, now=NOW)
    last = Step.objects.filter(tournament=tournament).order_by("number")
    assert [say_step(one, format_slug="swiss") for one in last][-2:] == ["left the team Foxes", "joined the team Foxes"]


def test_people_choose_no_team_where_organisers_do(ana: Player) -> None:
    tournament = plan(ana, venue="real", most=4, team_size=2)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    [ben] = enter(tournament, "Ben")
    with pytest.raises(BadInput, match="organisers put people into teams"):
        team_members.choose_team(tournament, ben, None, team_name="Foxes", now=NOW)
    assert not Team.objects.exists()


def test_a_list_names_teams(ana: Player) -> None:
    tournament = plan(ana, venue="real", most=4, team_size=2)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    text = "Name;Mannschaft\nAda;Foxes\nBea;foxes\nCem;Foxes\nDan;Bears\nEli;\n"
    found = imports.preview(text, has_teams=True)
    sign_up.add_imported(tournament, ana, found.good, now=NOW)
    rows = TeamMember.objects.order_by("pk").values_list("team__name", "entrant__name", "is_substitute")
    assert list(rows) == [
        ("Foxes", "Ada", False), ("Foxes", "Bea", False), ("Foxes", "Cem", True), ("Bears", "Dan", False),
    ]  # fmt: skip
    assert [one.template for one in imports.preview(text, has_teams=False).doubts] == [
        "This tournament has no teams, so the column “team” is ignored."
    ]


@pytest.mark.parametrize(
    ("overrides", "about"),
    [
        ({"team_size": 1}, "team_size"),
        ({"team_size": 9}, "team_size"),
        ({"team_size": 3, "team_best": 4}, "team_best"),
        ({"team_best": 2}, "team_size"),
        ({"format": "arena", "round_minutes": 60, "team_size": 4}, "team_size"),
        ({"format": "knockout", "team_size": 4}, "team_size"),
        ({"format": "ladder", "round_minutes": 20, "team_size": 4}, "team_size"),
    ],
)
def test_impossible_teams_are_refused(ana: Player, overrides: dict[str, Any], about: str) -> None:
    with pytest.raises(tournament_plan.BadPlan) as error:
        plan(ana, **overrides)
    assert error.value.about == about


def test_there_are_no_teams_without_the_plan(ana: Player) -> None:
    tournament = begin(ana, venue="real", most=4)
    with pytest.raises(BadInput, match="no teams"):
        teams.name_team(tournament, ana, "Reds", now=NOW)
