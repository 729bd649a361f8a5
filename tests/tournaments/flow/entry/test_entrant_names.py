"""In a tournament nobody can be taken for somebody else, or for those who run it, and no name is a role or a bot."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput
from games.play.seats.player_names import mark_bot
from games.play.storage import store
from games.play.talk import table_talk
from tests.cast import NOW, browser, person
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, draw, enter, entrant, found, release
from tournaments.flow.clubs import membership
from tournaments.flow.entry import attendance, sign_up, team_members
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Club, Entrant, Pod, PodSeat, Rest, Result, Role, Step, Tournament


def list_names(tournament: Tournament) -> list[str]:
    return list(Entrant.objects.filter(tournament=tournament).order_by("number").values_list("name", flat=True))


def join(club: Club, name: str) -> Player:
    """A new member of this name."""
    newcomer = person(name)
    membership.take_in(club.pk, newcomer.pk, Role.MEMBER)
    return newcomer


def start_at_tables(owner: Player, *, people: int = 5) -> tuple[Tournament, list[PodSeat]]:
    """A round at real tables of four, with a bye for the fifth, and the seats of its first table."""
    tournament = begin(owner, NAMES[:people], venue="real", least=4, wanted=4, most=4)
    release(owner, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament, number=1)
    return tournament, list(pod.seats.order_by("index"))


def test_a_member_enters_under_the_name_that_the_club_calls_them(ana: Player) -> None:
    club = found(ana)
    double = join(club, "Ana")
    tournament = begin(ana, (), club=club, venue="online")
    sign_up.enter(tournament, double, now=NOW)
    sign_up.enter(tournament, ana, now=NOW)
    assert list_names(tournament) == ["Ana 2", "Ana"]


@pytest.mark.parametrize("typed", ["", "Ana", "ANA", "Аna", "A.n.a"])
def test_a_stranger_does_not_enter_under_the_name_of_an_owner_who_does_not_play(ana: Player, typed: str) -> None:
    tournament = begin(ana, (), venue="online")
    stranger = person("Ana")
    sign_up.enter(tournament, stranger, name=typed, now=NOW)
    assert list_names(tournament) == [f"{typed or 'Ana'} 2"]


@pytest.mark.parametrize("typed", ["Administrator", "Bea (owner)", "Turnierleitung", "Bea (bot)", "Bot Bea"])
def test_nobody_enters_under_a_name_of_the_site_a_role_or_a_bot(ana: Player, ben: Player, typed: str) -> None:
    tournament = begin(ana, (), venue="online", is_public=True)
    with pytest.raises(BadInput, match="is reserved"):
        sign_up.enter(tournament, ben, name=typed, now=NOW)
    page = browser(ben).post(
        reverse("tournaments:act", args=[tournament.pk]), {"action": "enter", "name": typed}, follow=True
    )
    assert "is reserved" in read_page(page)
    assert list_names(tournament) == []


def test_somebody_who_has_a_reserved_name_already_may_enter_under_it(ana: Player) -> None:
    tournament = begin(ana, (), venue="online")
    sign_up.enter(tournament, person("Bot Fan"), now=NOW)
    assert list_names(tournament) == ["Bot Fan"]


def test_a_bot_account_keeps_its_mark(ana: Player) -> None:
    tournament = begin(ana, (), venue="online")
    bot = person(mark_bot("Deep Duck"))
    Player.objects.filter(pk=bot.pk).update(owner=ana, games_at_once=1)
    sign_up.enter(tournament, Player.objects.get(pk=bot.pk), name="Donald", now=NOW)
    assert list_names(tournament) == ["Deep Duck (bot)"]


def test_nobody_names_their_team_after_the_site_or_a_role(ana: Player, ben: Player) -> None:
    tournament = begin(ana, (), venue="online", team_size=2, has_open_teams=True)
    sign_up.enter(tournament, ben, now=NOW)
    with pytest.raises(BadInput, match="is reserved"):
        team_members.choose_team(tournament, ben, None, team_name="Turnierleitung", now=NOW)
    team_members.choose_team(tournament, ben, None, team_name="Reds", now=NOW)
    assert [one.name for one in tournament.teams.all()] == ["Reds"]


@pytest.mark.parametrize("alike", ["{}", "{}.", "{} ✔"])
def test_a_substitute_by_name_gets_a_number_if_the_name_is_taken(ana: Player, alike: str) -> None:
    tournament, seats = start_at_tables(ana)
    first, second = seats[0], seats[1]
    typed = alike.format(second.entrant.name)
    lifecycle.substitute(tournament, ana, first.pk, name=typed, now=NOW)
    first.refresh_from_db()
    assert first.substitute_name == f"{typed} 2"
    assert Step.objects.filter(tournament=tournament, kind=Step.Kind.SUBSTITUTE).get().details.count(typed) == 1
    lifecycle.substitute(tournament, ana, second.pk, name=typed, now=NOW)
    second.refresh_from_db()
    assert second.substitute_name == f"{typed} 3"
    lifecycle.substitute(tournament, ana, first.pk, name="Uncle Bob", now=NOW)
    first.refresh_from_db()
    assert first.substitute_name == "Uncle Bob"


def test_somebody_with_a_bye_plays_for_another_under_their_own_name(ana: Player) -> None:
    tournament, seats = start_at_tables(ana)
    free = Rest.objects.get(round__tournament=tournament).entrant
    lifecycle.substitute(tournament, ana, seats[0].pk, name=free.name, now=NOW)
    seats[0].refresh_from_db()
    assert seats[0].substitute_name == free.name


def test_a_member_plays_at_the_online_table_under_the_name_in_the_pairings(ana: Player) -> None:
    club = found(ana)
    tournament = begin(ana, (), club=club, venue="online", most=4)
    players = enter(tournament, *NAMES[:4])
    double = join(club, NAMES[1])
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    lifecycle.substitute(tournament, ana, pod.seats.get(entrant__player=players[0]).pk, player=double, now=NOW)
    assert pod.seats.get(substitute=double).substitute_name == f"{NAMES[1]} 2"
    places = store.reload(pod.table_id or "").places
    assert {place.name for place in places} == {*NAMES[1:4], f"{NAMES[1]} 2"}


def test_long_names_are_whole_at_the_online_table_and_in_its_chat(ana: Player) -> None:
    tournament = begin(ana, (), club=found(ana), venue="online", most=4)
    players = [person(name) for name in NAMES[:4]]
    for player in players:
        sign_up.enter(tournament, player, name="Maximilian Konstantin Graf von Hohenberg", now=NOW)
    assert list_names(tournament)[1] == "Maximilian Konstantin Graf von Hohenbe 2"
    release(ana, tournament, 1)
    table_id = str(Pod.objects.get(round__tournament=tournament).table_id)
    assert {place.name for place in store.reload(table_id).places} == set(list_names(tournament))
    table_talk.say(table_id, players[1], phrase="thanks", now=NOW)
    heard = table_talk.list_remarks(store.reload(table_id), None).remarks
    assert [one.name for one in heard] == ["Maximilian Konstantin Graf von Hohenbe 2"]


def test_the_log_and_the_results_say_who_it_was_by_their_name_in_the_tournament(ana: Player) -> None:
    club = found(ana)
    double = join(club, "Ana")
    tournament = begin(ana, ("Ada", "Bea", "Cem"), club=club, venue="real", least=4, wanted=4, most=4)
    sign_up.enter(tournament, double, now=NOW)
    attendance.check_in(tournament, ana, [entrant(tournament, "Ana 2").pk], now=NOW)
    draw(ana, tournament, 1)
    lifecycle.release(tournament, ana, 1, now=NOW)
    pod = Pod.objects.get(round__tournament=tournament)
    results.enter(tournament, double, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    who = dict(Step.objects.filter(tournament=tournament).values_list("kind", "actor_name"))
    assert (who["enter"], who["release"]) == ("Ana 2", "Ana")
    book = open_book(tournament)
    assert book.name_author(Result.objects.get(pod=pod)) == "Ana 2"
    page = read_page(browser(ana).get(reverse("tournaments:pod", args=[tournament.pk, 1, 1])))
    assert "Ana 2 says:" in page


def test_who_speaks_at_a_table_has_the_name_of_their_seat_and_who_watches_one_of_nobody_else(ana: Player) -> None:
    club = found(ana)
    tournament = begin(ana, (), club=club, venue="online", most=4)
    double, *_others = enter(tournament, "Ana", *NAMES[:3])
    release(ana, tournament, 1)
    table_id = str(Pod.objects.get(round__tournament=tournament).table_id)
    for speaker in (double, ana, person("Ana"), person(NAMES[0])):
        table_talk.say(table_id, speaker, phrase="thanks", now=NOW)
    heard = table_talk.list_remarks(store.reload(table_id), None).remarks
    assert [(one.name, one.role) for one in heard] == [
        ("Ana 2", ""), ("Ana", "organiser"), ("Ana 3", ""), (f"{NAMES[0]} 2", ""),
    ]  # fmt: skip
