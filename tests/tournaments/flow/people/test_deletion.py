"""People who delete their account are nameless in clubs and tournaments; what the others played stays whole."""

from __future__ import annotations

import json

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import Player, Upload, User
from games.play.errors import Busy, Stale
from games.play.seats import player_changes, sitting
from games.play.seats.player_changes import ANONYMOUS_NAME
from games.play.storage import store
from tests.cast import NOW, browser, open_table
from tests.tournaments import cast
from tests.tournaments.flow.seasons.test_season_changes import play, season
from tests.tournaments.flow.undo.test_undo import undo
from tests.tournaments.killing import killed_before
from tests.tournaments.walk.traces import list_traces
from tournaments.flow.clubs import api_keys, invitations, membership, webhooks
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.evenings import sessions
from tournaments.flow.people import deletion
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle
from tournaments.flow.seasons import season_changes as seasons
from tournaments.flow.seasons import season_standings
from tournaments.flow.undo import evening_undo, step_undo
from tournaments.models import (
    Club,
    Delivery,
    Entrant,
    Membership,
    Phase,
    Pod,
    PodSeat,
    Role,
    Round,
    Season,
    SeasonName,
    Step,
    TimedSession,
    Tournament,
)
from tournaments.work import tasks

ODD = "Zyx, Quiller"
"""Not to be found anywhere by chance, and with what separates names in lists."""


@pytest.fixture
def leaving_player(db: None) -> Player:
    """Who will go."""
    return Player.objects.create(name=ODD, avatar="owl")


@pytest.fixture
def evening(ana: Player, leaving_player: Player) -> Tournament:
    """A tournament of Ana, the person who goes, and walk-ins: one round complete, one drawn."""
    tournament = cast.plan(ana, venue="real", tie_breaks=("opponents", "lot"))
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    for player in (ana, leaving_player):
        sign_up.enter(tournament, player, now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    mine = Entrant.objects.get(player=leaving_player)
    organiser_decisions.rename(tournament, ana, mine.pk, "Wuxley", now=NOW)
    organiser_decisions.rename(tournament, ana, mine.pk, ODD, now=NOW)
    attendance.check_in(tournament, ana, list(tournament.entrants.values_list("pk", flat=True)), now=NOW)
    for name in ("Cem", "Dan"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    cast.release(ana, tournament, 1)
    cast.decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    cast.draw(ana, tournament, 2)
    return tournament


def written(tournament: Tournament) -> str:
    """Everything that is written down of a tournament."""
    rows = [
        *Entrant.objects.filter(tournament=tournament).values_list("name", "club_name"),
        *Step.objects.filter(tournament=tournament).values_list("details", "changes", "actor_name"),
        *Round.objects.filter(tournament=tournament).values_list("solution", "trouble"),
        *Pod.objects.filter(round__tournament=tournament).values_list("reason", "trouble"),
        *PodSeat.objects.filter(pod__round__tournament=tournament).values_list("substitute_name"),
        *Delivery.objects.values_list("body"),
    ]
    return json.dumps(rows, ensure_ascii=False)


def test_a_name_leaves_every_page_and_row_of_a_tournament(
    evening: Tournament, ana: Player, leaving_player: Player
) -> None:
    assert ODD in written(evening)
    before = [(place, points) for _, place, points in cast.standing(evening)]
    player_changes.delete_player(leaving_player.pk, now=NOW)
    assert (ODD in written(evening), "Wuxley" in written(evening)) == (False, False)
    assert [(place, points) for _, place, points in cast.standing(evening)] == before
    assert ANONYMOUS_NAME in [name for name, _, _ in cast.standing(evening)]
    for page in ("tournament", "pairings", "standings", "chronicle", "console", "log", "outputs"):
        answer = browser(ana).get(reverse(f"tournaments:{page}", args=[evening.pk]))
        assert (answer.status_code, "Quiller" in answer.content.decode()) == (200, False), page


def test_the_tournament_goes_on_and_its_log_can_be_taken_back(
    evening: Tournament, ana: Player, leaving_player: Player
) -> None:
    player_changes.delete_player(leaving_player.pk, now=NOW)
    lifecycle.release(evening, ana, 2, now=NOW)
    cast.decide_all(ana, evening, 2)
    lifecycle.complete(evening, ana, 2, now=NOW)
    assert len(cast.standing(evening)) == 4


def test_who_goes_is_drawn_no_more(evening: Tournament, ana: Player, leaving_player: Player) -> None:
    lifecycle.release(evening, ana, 2, now=NOW)
    cast.decide_all(ana, evening, 2)
    lifecycle.complete(evening, ana, 2, now=NOW)
    cast.draw(ana, evening, 3)
    assert PodSeat.objects.filter(pod__round__number=3, entrant__player=leaving_player).exists()
    undo(ana, evening, "draw")
    player_changes.delete_player(leaving_player.pk, now=NOW)
    sign_up.add_walk_in(evening, ana, name="Eli", now=NOW)
    cast.draw(ana, evening, 3)
    assert not PodSeat.objects.filter(pod__round__number=3, entrant__player=leaving_player).exists()
    assert Step.objects.get(kind="withdraw").actor_name == ANONYMOUS_NAME


def test_who_cannot_be_withdrawn_yet_is_not_forgotten_yet(
    evening: Tournament, leaving_player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nameless and still on the list they would be drawn, and nobody would look for them any more."""

    def fail(*_args: object, **_kwargs: object) -> None:
        raise Busy("The database is not answering.")

    with monkeypatch.context() as patch:
        patch.setattr(attendance, "withdraw", fail)
        player_changes.delete_player(leaving_player.pk, now=NOW)
    assert deletion.list_unfinished_deletions() == [leaving_player.pk]
    tasks.sweep_results()
    mine = Entrant.objects.get(player=leaving_player)
    assert (mine.name, mine.status) == (ANONYMOUS_NAME, Entrant.Status.WITHDRAWN)


def test_who_goes_stays_in_what_is_over(evening: Tournament, ana: Player, leaving_player: Player) -> None:
    undo(ana, evening, "draw")
    phases.move_on(evening, ana, Phase.FINISHED, now=NOW)
    player_changes.delete_player(leaving_player.pk, now=NOW)
    assert Entrant.objects.get(player=leaving_player).status == Entrant.Status.PRESENT


def test_two_who_go_are_two(evening: Tournament, ana: Player, leaving_player: Player) -> None:
    eva = Player.objects.create(name="Eva", avatar="fox")
    sign_up.claim(evening, cast.entrant(evening, "Cem").claim_token, eva, now=NOW)
    for player in (leaving_player, eva):
        player_changes.delete_player(player.pk, now=NOW)
    deletion.forget(eva.pk)
    names = set(Entrant.objects.values_list("name", flat=True))
    assert names == {"Ana", "Dan", ANONYMOUS_NAME, f"{ANONYMOUS_NAME} 2"}


def test_a_substitute_is_nameless_too(evening: Tournament, ana: Player) -> None:
    eva = Player.objects.create(name="Evangeline", avatar="fox")
    lifecycle.release(evening, ana, 2, now=NOW)
    seat = PodSeat.objects.filter(pod__round__number=2, entrant__name="Dan").get()
    Membership.objects.create(club=evening.club, player=eva)
    lifecycle.substitute(evening, ana, seat.pk, player=eva, now=NOW)
    player_changes.delete_player(eva.pk, now=NOW)
    assert ("Evangeline" in written(evening), "Dan" in written(evening)) == (False, True)


def test_of_who_was_taken_off_again_no_log_tells_the_name(evening: Tournament, ana: Player) -> None:
    """Off a chair, and off the list: also if nothing is left there of them but what the log says."""
    eva, theo, una = (Player.objects.create(name=name, avatar="fox") for name in ("Evangeline", "Theodore", "Unathi"))
    lifecycle.release(evening, ana, 2, now=NOW)
    seat = PodSeat.objects.filter(pod__round__number=2, entrant__name="Dan").get()
    for player in (eva, theo):
        Membership.objects.create(club=evening.club, player=player)
        lifecycle.substitute(evening, ana, seat.pk, player=player, now=NOW)
    sign_up.enter(evening, una, now=NOW)
    undo(ana, evening, "enter")
    Membership.objects.filter(player=eva).delete()
    for player in (eva, una):
        player_changes.delete_player(player.pk, now=NOW)
    assert [one for one in ("Evangeline", "Theodore", "Unathi", "Dan") if one in written(evening)] == [
        "Theodore",
        "Dan",
    ]
    for step in Step.objects.filter(tournament=evening, kind__in=("substitute", "undo")).order_by("-number")[:2]:
        with pytest.raises(Stale, match="the person has deleted their account"):
            step_undo.revert(evening, ana, step.number, now=NOW)
    assert not Entrant.objects.filter(player=una).exists()


def test_a_name_that_is_also_a_word_of_the_house_takes_no_word_along(ana: Player) -> None:
    player = Player.objects.create(name="present", avatar="fox")
    tournament = cast.plan(ana, venue="real")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    sign_up.enter(tournament, player, now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    attendance.check_in(tournament, ana, [Entrant.objects.get().pk], now=NOW)
    player_changes.delete_player(player.pk, now=NOW)
    changes = "".join(Step.objects.values_list("changes", flat=True))
    assert ('"status":"present"' in changes, '"name":"present"' in changes) == (True, False)


def test_what_came_in_between_is_made_up_for(evening: Tournament, leaving_player: Player) -> None:
    Player.objects.filter(pk=leaving_player.pk).update(left_at="2026-01-01T00:00:00Z")
    tasks.sweep_results()
    assert ODD not in written(evening)
    assert deletion.list_unfinished_deletions() == []


def test_who_is_killed_over_it_somebody_else_forgets_all_of_it(ana: Player, leaving_player: Player) -> None:
    """Before any statement to the database: also of somebody who has only organised, and stands on no list."""
    club = cast.found(ana)
    Membership.objects.create(club=club, player=leaving_player, role=Role.ORGANISER)
    tournament = cast.plan(leaving_player, club)
    key = api_keys.make(club, leaving_player, "Scores")
    Player.objects.filter(pk=leaving_player.pk).update(left_at="2026-01-01T00:00:00Z")
    is_killed, number = True, 0
    while is_killed:
        number += 1
        point = transaction.savepoint()
        with killed_before(number) as died:
            deletion.forget(leaving_player.pk)
        transaction.set_rollback(False)
        is_killed = bool(died)
        tasks.sweep_results()
        assert (ODD in written(tournament), api_keys.find(key)) == (False, None), number
        assert list(Membership.objects.values_list("player", flat=True)) == [ana.pk], number
        transaction.savepoint_rollback(point)
    assert number > 10


def test_who_is_killed_while_they_go_themselves_is_here_wholly_or_gone_wholly(
    ana: Player, leaving_player: Player
) -> None:
    """Before every second statement: also their account, and what they did in a club that they have left since."""
    Player.objects.filter(pk=leaving_player.pk).update(
        user=User.objects.create(username="goner", email="goner@example.org")
    )
    club = cast.found(ana)
    member = Membership.objects.create(club=club, player=leaving_player, role=Role.ORGANISER)
    cast.plan(leaving_player, club)
    sessions.open_evening(club, leaving_player, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    membership.leave(club, leaving_player, member.pk)
    found, number, is_killed = [], 0, True
    while is_killed:
        number += 2
        point = transaction.savepoint()
        with killed_before(number) as died:
            player_changes.delete_player(leaving_player.pk, now=NOW)
        transaction.set_rollback(False)
        is_killed = bool(died)
        tasks.sweep_results()
        names = {*Player.objects.filter(pk=leaving_player.pk).values_list("name", flat=True)}
        names |= {*Step.objects.filter(actor=leaving_player).values_list("actor_name", flat=True)}
        found.append((names, User.objects.count(), TimedSession.objects.exclude(owner=None).count()))
        transaction.savepoint_rollback(point)
    assert {str(one) for one in found} == {str(({ODD}, 1, 1)), str(({ANONYMOUS_NAME}, 0, 0))}
    assert found == sorted(found, key=lambda one: -one[1])


def test_what_is_answered_while_somebody_goes_does_not_keep_their_name(ana: Player, leaving_player: Player) -> None:
    """As a worker does that has read their name before: they sit down at a table, or change the list of a night."""
    club = cast.found(ana)
    Membership.objects.create(club=club, player=leaving_player, role=Role.ORGANISER)
    tournament, table = cast.plan(ana, club), open_table(ana)
    member = Membership.objects.get(player=leaving_player)
    player_changes.delete_player(leaving_player.pk, now=NOW)
    sitting.sit(table.id, leaving_player, now=NOW)
    member.save(force_insert=True)
    phases.move_on(tournament, leaving_player, Phase.ENTRY, now=NOW)
    sign_up.enter(tournament, leaving_player, now=NOW)
    Membership.objects.filter(player=leaving_player).delete()
    assert {"Seat.name", "Entrant.name", "Step.actor_name"} <= {*list_traces(ODD)}
    tasks.sweep_results()
    assert list_traces(ODD) == []
    assert deletion.list_unfinished_deletions() == [leaving_player.pk]
    version = Tournament.objects.get().version
    Player.objects.filter(pk=leaving_player.pk).update(left_at="2026-01-01T00:00:00Z")
    tasks.sweep_results()
    assert (deletion.list_unfinished_deletions(), Tournament.objects.get().version) == ([], version)


def test_a_club_keeps_an_owner(evening: Tournament, ana: Player, ben: Player, eva: Player) -> None:
    club = evening.club
    for player, role in ((ben, Role.MEMBER), (eva, Role.ORGANISER)):
        membership.accept(invitations.invite(club, ana, role=role).token, player)
    player_changes.delete_player(ana.pk, now=NOW)
    assert dict(Membership.objects.values_list("player", "role")) == {ben.pk: Role.MEMBER, eva.pk: Role.OWNER}
    assert Club.objects.count() == 1


def test_keys_and_links_of_who_has_gone_open_nothing(evening: Tournament, ana: Player) -> None:
    link = reverse("tournaments:invitation", args=[invitations.invite(evening.club, ana).token])
    key = api_keys.make(evening.club, ana, "Scores")
    assert (api_keys.find(key) is None, Client().get(link).status_code) == (False, 200)
    player_changes.delete_player(ana.pk, now=NOW)
    assert (api_keys.find(key) is None, Client().get(link).status_code) == (True, 404)


def test_other_browsers_of_who_has_gone_are_strangers(ana: Player, ben: Player) -> None:
    first, second = browser(ana), browser(ana)
    table = open_table(ben)
    Upload.objects.create(key="k", player=ana, text="{}", at=NOW)
    Upload.objects.create(key="kept", player=ana, text="{}", at=NOW, is_kept=True)
    first.post(reverse("delete_me"))
    assert "Choose a name" in second.get("/").content.decode()
    second.post(reverse("sit", args=[table.id]))
    assert Player.objects.filter(left_at=None).count() == 2
    assert store.reload(table.id).seat_of(ana.pk) is None
    assert list(Upload.objects.filter(player=None).values_list("key", flat=True)) == ["kept"]
    assert Upload.objects.count() == 1


def test_the_log_of_an_evening_names_nobody_who_has_gone(ana: Player, leaving_player: Player) -> None:
    club = cast.found(ana)
    Membership.objects.create(club=club, player=leaving_player, role=Role.ORGANISER)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    sessions.extend(evening, leaving_player, 15, version=0, now=NOW)
    player_changes.delete_player(leaving_player.pk, now=NOW)
    page = reverse("tournaments:evening", args=[evening.pk])
    assert [one.actor_name for one in evening_undo.list_steps(evening)] == [ANONYMOUS_NAME, "Ana"]
    assert ODD not in browser(ana).get(page).content.decode()


def test_a_season_names_nobody_who_has_gone_and_takes_no_two_for_one(ana: Player, leaving_player: Player) -> None:
    other = Player.objects.create(name="Ulmer", avatar="owl")
    year = season(ana, club=cast.found(ana))
    nights = [
        play(ana, year.club, "Cem", "Dan", at=NOW + at, people=(leaving_player, other)) for at in (1, 2)
    ] + [play(ana, year.club, "Cem", "Dan", "Zyxy", "Uli", at=NOW + 3)]  # fmt: skip
    for night in nights:
        seasons.count_tournament(year, ana, night.pk, counts=True, now=NOW)
    for name in ("Lost", ""):  # a name that is gone since
        seasons.name_person(year, ana, cast.entrant(nights[0], ODD).pk, name, now=NOW)
    for night, mine, second in zip(nights, (ODD, ODD, "Zyxy"), ("Ulmer", "Ulmer", "Uli"), strict=True):
        seasons.name_person(year, ana, cast.entrant(night, mine).pk, "Big Zyx", now=NOW)
        seasons.name_person(year, ana, cast.entrant(night, second).pk, "Big Ul", now=NOW)
    seasons.name_person(year, ana, cast.entrant(nights[0], ODD).pk, "Huge Zyx", now=NOW)
    undo(ana, year)
    before = [(line.place, line.played) for line in season_standings.open_table(year).standing()]
    assert sorted(line.person for line in season_standings.open_table(year).standing()) == [
        "Big Ul",
        "Big Zyx",
        "Cem",
        "Dan",
    ]
    for player in (leaving_player, other):
        player_changes.delete_player(player.pk, now=NOW)
        deletion.forget(player.pk)
    line = season_standings.open_table(year).standing()
    assert [(one.place, one.played) for one in line] == before
    assert sorted(one.person for one in line) == ["Anonymous (2)", "Anonymous (3)", "Cem", "Dan"]
    steps = [*year.steps.values_list("details", "changes", "actor_name")]
    found = json.dumps([*steps, *Delivery.objects.values_list("body")], ensure_ascii=False) + json.dumps(
        [*SeasonName.objects.values_list("name", flat=True)]
    )
    assert [name for name in (ODD, "Ulmer", "Big", "Huge", "Lost") if name in found] == []
    version = Season.objects.get(pk=year.pk).version
    deletion.forget(leaving_player.pk)
    assert Season.objects.get(pk=year.pk).version == version
    undo(ana, year)
    assert len(season_standings.open_table(year).standing()) == 4


@pytest.mark.parametrize("name", ["seats", "byes", "pods"])
def test_who_is_called_like_a_part_of_a_draw_takes_none_of_it_along(ana: Player, name: str) -> None:
    tournament = cast.begin(ana, cast.NAMES[:7], venue="real")
    (goner,) = cast.enter(tournament, name)
    cast.play_round(ana, tournament, 1)
    played = Round.objects.get(tournament=tournament)
    before = json.loads(played.solution)
    player_changes.delete_player(goner.pk, now=NOW)
    played.refresh_from_db()
    after = json.loads(played.solution)
    rest = ("format", "objective", "optimal", "stopped", "seconds")
    assert (after.keys(), [after[key] for key in rest]) == (before.keys(), [before[key] for key in rest])
    assert [pod.keys() for pod in after["pods"]] == [pod.keys() for pod in before["pods"]]
    seated = {one: ANONYMOUS_NAME if one == name else one for pod in before["pods"] for one in pod["seats"]}
    assert [pod["seats"] for pod in after["pods"]] == [[seated[one] for one in pod["seats"]] for pod in before["pods"]]
    assert browser(ana).get(reverse("tournaments:log", args=[tournament.pk])).status_code == 200
    cast.draw(ana, tournament, 2)
    assert Round.objects.filter(tournament=tournament, number=2, trouble="").exists()


def test_who_is_called_like_a_kind_of_step_takes_none_of_the_log_along(ana: Player) -> None:
    tournament = cast.begin(ana, cast.NAMES[:4], venue="real")
    (goner,) = cast.enter(tournament, "walk-in")
    sign_up.add_walk_in(tournament, ana, name="Zed", now=NOW)
    undo(ana, tournament)
    player_changes.delete_player(goner.pk, now=NOW)
    [undone] = Step.objects.filter(tournament=tournament, kind="undo")
    assert json.loads(undone.details)["kind"] == "walk-in"
    assert "walk-in" not in json.loads(Step.objects.get(tournament=tournament, kind="enter").details)["name"]


@pytest.mark.django_db(transaction=True)
def test_a_name_leaves_what_webhooks_are_told_again(ana: Player, leaving_player: Player) -> None:
    tournament = cast.plan(ana, venue="real")
    webhooks.add(tournament.club, ana, "https://scores.example/hook")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    sign_up.enter(tournament, leaving_player, now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    for name in ("Ada", "Bea", "Cem"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    attendance.check_in(tournament, ana, list(tournament.entrants.values_list("pk", flat=True)), now=NOW)
    cast.release(ana, tournament, 1)
    cast.decide_all(ana, tournament, 1)
    messages = Delivery.objects.get(event="result.in")
    assert ODD in json.loads(messages.body)["details"]["names"]
    before = json.loads(messages.body)
    player_changes.delete_player(leaving_player.pk, now=NOW)
    messages.refresh_from_db()
    after = json.loads(messages.body)
    assert sorted(after["details"].pop("names")) == sorted([ANONYMOUS_NAME, "Ada", "Bea", "Cem"])
    del before["details"]["names"]
    assert after == before
