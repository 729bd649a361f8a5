"""Entering, coming late, sitting out, leaving, coming back; pairs that may not meet; draws that cannot be made."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.seats.player_changes import ANONYMOUS_NAME, has_traces, merge_guest
from games.play.storage import store
from tests.cast import NOW, browser, person
from tests.tournaments.cast import (
    NAMES,
    begin,
    check_in,
    draw,
    enter,
    entrant,
    plan,
    play_round,
    release,
    standing,
    table_of,
)
from tournaments.flow.clubs import api_keys, invitations
from tournaments.flow.drawing import drafts, draw_requests
from tournaments.flow.entry import attendance, imports, organiser_decisions, sign_up
from tournaments.flow.people import merging
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.tables import seat_changes
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Membership, PairRule, Pod, PodSeat, Rest, Round, Step
from tournaments.words.terms import say_trouble


def test_entry_is_for_its_phases(ana: models.Player, ben: models.Player) -> None:
    tournament = plan(ana)
    with pytest.raises(Stale, match="not open yet"):
        sign_up.enter(tournament, ben, now=NOW)
    check_in(ana, tournament)
    for _ in range(2):
        sign_up.enter(tournament, ben, now=NOW)
    enter(tournament, "Ben")
    assert [one.name for one in tournament.entrants.order_by("number")] == ["Ben", "Ben 2"]


def test_nobody_in_a_tournament_is_taken_for_somebody_else(ana: models.Player, ben: models.Player) -> None:
    """However somebody comes into it: the Cyrillic letters look like Latin ones."""
    tournament = plan(ana, venue="apart", least=4, most=4)
    check_in(ana, tournament)
    sign_up.enter(tournament, ben, now=NOW)
    enter(tournament, "\u0412en")
    with pytest.raises(BadInput, match="Add a letter"):
        sign_up.add_walk_in(tournament, ana, name="B\u0435n", now=NOW)
    lines = imports.preview("name\nBEN\nCleo").good
    sign_up.add_imported(tournament, ana, lines, now=NOW)
    with pytest.raises(BadInput, match="Add a letter"):
        organiser_decisions.rename(tournament, ana, entrant(tournament, "Cleo").pk, "B\u0435n", now=NOW)
    names = [one.name for one in tournament.entrants.order_by("number")]
    assert names == ["Ben", "\u0412en 2", "Cleo"]  # BEN of the list is Ben, who is in


def test_a_substitute_is_taken_for_nobody_in_the_list(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, [*NAMES[:7], "Ben"], venue="real", least=4, most=4)
    release(ana, tournament, 1)
    Membership.objects.create(club=tournament.club, player=ben)
    seat = PodSeat.objects.get(entrant=entrant(tournament, "Ada"))
    lifecycle.substitute(tournament, ana, seat.pk, player=ben, now=NOW)
    seat.refresh_from_db()
    assert seat.substitute_name == "Ben 2"
    Entrant.objects.filter(tournament=tournament, name="Ben").update(player=ben)
    lifecycle.substitute(tournament, ana, seat.pk, now=NOW)
    Entrant.objects.filter(tournament=tournament, name="Ben").update(name="Ben B.")
    assert lifecycle._name_substitute(tournament, ben) == "Ben B."  # as the list calls them


def test_a_walk_in_is_claimed_once(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    tournament = begin(ana, ["Benjamin"])
    token = entrant(tournament, "Benjamin").claim_token
    for _ in range(2):
        assert sign_up.claim(tournament, token, ben, now=NOW).player_id == ben.pk
    with pytest.raises(Stale, match="claimed"):
        sign_up.claim(tournament, token, eva, now=NOW)


def test_late_entry_withdrawal_absence_and_return(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, rounds_planned=4)
    play_round(ana, tournament, 1)
    for name in NAMES[8:12]:
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    attendance.withdraw(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    for name in ("Bea", "Cem", "Dan"):
        attendance.set_away(tournament, ana, [entrant(tournament, name).pk], away=True, now=NOW)
    play_round(ana, tournament, 2)
    assert {name for pod in table_of(tournament, 2) for name in pod} == set(NAMES[4:12])
    absent = Rest.objects.filter(round__number=2, kind="absent").values_list("entrant__name", flat=True)
    assert set(absent) == {"Bea", "Cem", "Dan"}
    for name in ("Bea", "Cem", "Dan"):
        attendance.set_away(tournament, ana, [entrant(tournament, name).pk], away=False, now=NOW)
    attendance.bring_back(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    play_round(ana, tournament, 3)
    assert {name for pod in table_of(tournament, 3) for name in pod} == set(NAMES[:12])
    assert len(standing(tournament)) == 12


def test_a_draft_names_who_has_gone_and_who_is_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:10], most=5)
    ids = {name: entrant(tournament, name).pk for name in NAMES[:10]}
    attendance.set_away(tournament, ana, [ids["Ida"]], away=True, now=NOW)
    draw(ana, tournament, 1)
    console = reverse("tournaments:console", args=[tournament.pk])
    shown = browser(ana).get(console).content.decode()
    assert ("Left since this draw" in shown, "Arrived since this draw" in shown) == (False, False)
    attendance.withdraw(tournament, ana, [ids["Ada"]], now=NOW)
    attendance.set_away(tournament, ana, [ids["Bea"]], away=True, now=NOW)
    attendance.set_away(tournament, ana, [ids["Ida"]], away=False, now=NOW)
    shown = browser(ana).get(console).content.decode()
    assert ("Left since this draw: Ada, Bea." in shown, "Arrived since this draw: Ida." in shown) == (True, True)
    played = draw(ana, tournament, 1, again=True)
    assert {name for pod in table_of(tournament, 1) for name in pod} == set(NAMES[2:10])
    assert (lifecycle.list_unavailable(played), lifecycle.list_returned(played)) == ([], [])


def test_people_change_only_themselves(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    (ben,) = enter(tournament, "Ben")
    attendance.set_away(tournament, ben, [entrant(tournament, "Ben").pk], away=True, now=NOW)
    for act in (attendance.withdraw, attendance.bring_back):
        with pytest.raises(NotAllowed):
            act(tournament, ben, [entrant(tournament, "Ada").pk], now=NOW)


def test_a_penalty_takes_its_points(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], most=4)
    play_round(ana, tournament, 1)
    best = standing(tournament)[0][0]
    organiser_decisions.penalise(
        tournament, ana, entrant(tournament, best).pk, points=300, reason="late", key="k", now=NOW
    )
    assert standing(tournament)[0][1:] == (1, 560)
    assert standing(tournament)[1] == (best, 2, 540)


def test_in_a_knockout_there_are_no_points_to_take_away(ana: models.Player) -> None:
    variants: list[dict[str, Any]] = [
        {"format": "knockout", "advance": 2}, {"format": "swiss-cut", "advance": 2, "rounds_planned": 1, "cut_to": 4}
    ]  # fmt: skip
    for variant in variants:
        tournament = begin(ana, NAMES[:8], most=4, venue="real", name=f"Night of {variant['format']}", **variant)
        play_round(ana, tournament, 1)
        release(ana, tournament, 2)
        with pytest.raises(BadInput, match="no points to take away"):
            organiser_decisions.penalise(
                tournament, ana, entrant(tournament, "Ada").pk, points=300, reason="late", key="k", now=NOW
            )
        page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
        assert 'value="penalty"' not in page


def test_signs_that_cannot_be_seen_are_no_words(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    sign_up.add_walk_in(tournament, ana, name="Zoe", club_name=" Har\0bour \u202e Club ", now=NOW)
    assert entrant(tournament, "Zoe").club_name == "Har bour Club"
    with pytest.raises(BadInput, match="points and a reason of up to 200 characters"):
        organiser_decisions.penalise(
            tournament, ana, entrant(tournament, "Ada").pk, points=840, reason="la\0te", key="k", now=NOW
        )


def test_forbidden_pairs_stay_apart_and_locks_together(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4)
    ids = {name: entrant(tournament, name).pk for name in NAMES[:8]}
    organiser_decisions.rule_pair(tournament, ana, ids["Ada"], ids["Bea"], PairRule.Kind.APART, now=NOW)
    organiser_decisions.rule_pair(tournament, ana, ids["Cem"], ids["Dan"], PairRule.Kind.TOGETHER, now=NOW)
    draw(ana, tournament, 1)
    pods = table_of(tournament, 1)
    assert not any({"Ada", "Bea"} <= set(pod) for pod in pods)
    assert any({"Cem", "Dan"} <= set(pod) for pod in pods)
    here = next(pod for pod in pods if "Ada" in pod)
    other = next(name for name in here if name not in ("Ada", "Cem", "Dan"))
    with pytest.raises(BadInput, match="Ada and Bea may not meet"):
        drafts.swap(tournament, ana, 1, ids[other], ids["Bea"], key="k", now=NOW)
    assert table_of(tournament, 1) == pods


def test_a_draw_that_cannot_be_made_names_the_conflict(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4)
    first, second = entrant(tournament, "Ada").pk, entrant(tournament, "Bea").pk
    draw(ana, tournament, 1)
    pod = Pod.objects.filter(round__tournament=tournament, seats__entrant=first).get()
    partner = pod.seats.exclude(entrant=first).first()
    assert partner is not None
    drafts.keep_pod(tournament, ana, pod.pk, locked=True, now=NOW)
    organiser_decisions.rule_pair(tournament, ana, first, partner.entrant_id, PairRule.Kind.APART, now=NOW)
    played = draw(ana, tournament, 1, again=True)
    sentence = say_trouble(played.trouble)
    assert "Ada" in sentence
    assert partner.entrant.name in sentence
    assert played.status == "draft"
    organiser_decisions.rule_pair(tournament, ana, first, partner.entrant_id, None, now=NOW)
    assert draw(ana, tournament, 1, again=True).trouble == ""
    assert second


def test_a_kept_table_stays_in_the_next_draw(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:12], most=4)
    draw(ana, tournament, 1)
    kept = table_of(tournament, 1)[1]
    pod = Pod.objects.get(round__tournament=tournament, number=2)
    drafts.keep_pod(tournament, ana, pod.pk, locked=True, now=NOW)
    draw(ana, tournament, 1, again=True)
    assert kept in table_of(tournament, 1)


def test_no_draw_while_a_result_is_missing(ana: models.Player) -> None:
    tournament = begin(ana)
    release(ana, tournament, 1)
    with pytest.raises(Stale, match="not complete"):
        draw_requests.request_draw(tournament, ana, 2, again=False, now=NOW)


def test_a_list_may_begin_with_an_empty_line() -> None:
    preview = imports.preview("\n \nname;club\nAda;Hill\n")
    assert [(line.number, line.name, line.club) for line in preview.good] == [(4, "Ada", "Hill")]


@pytest.mark.parametrize(("name", "club", "is_good"), [(40, 40, True), (41, 40, False), (40, 41, False)])
def test_names_have_forty_characters_at_most(name: int, club: int, is_good: bool) -> None:
    preview = imports.preview(f"name,club\n{'a' * name},{'b' * club}\n")
    assert (len(preview.good), len(preview.bad)) == (int(is_good), int(not is_good))


def test_many_at_once_are_one_step_and_taken_back_as_one(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada", "Bea", "Cem"])
    everybody = list(tournament.entrants.values_list("pk", flat=True))
    attendance.withdraw(tournament, ana, [everybody[0]], now=NOW)
    steps = Step.objects.count()
    attendance.mark_missing(tournament, ana, everybody, now=NOW)
    assert Step.objects.count() == steps + 1
    assert list(tournament.entrants.order_by("number").values_list("status", flat=True)) == [
        "withdrawn", "entered", "entered",
    ]  # fmt: skip
    step_undo.revert(tournament, ana, Step.objects.latest("number").number, now=NOW)
    assert list(tournament.entrants.order_by("number").values_list("status", flat=True)) == [
        "withdrawn", "present", "present",
    ]  # fmt: skip


def test_a_guest_who_is_somebody_brings_their_places_along(ana: models.Player) -> None:
    tournament = begin(ana, [])
    (guest,) = enter(tournament, "Guest")
    member = person("Known")
    Membership.objects.create(club=tournament.club, player=guest, role="organiser")
    Membership.objects.create(club=tournament.club, player=member, role="member")
    with CaptureQueriesContext(connection) as asked:
        merging.merge(guest.pk, member.pk)
    changes = [one["sql"].split('"')[1] for one in asked if one["sql"].startswith("UPDATE")]
    assert changes[0] == "tournaments_tournament", "a step could be taken there in between"
    merging.merge(guest.pk, member.pk)
    assert Entrant.objects.get(tournament=tournament).player == member
    assert Membership.objects.get(club=tournament.club, player=member).role == "organiser"
    assert Round.objects.count() == 0


def test_who_stands_on_a_list_twice_stays_there_as_who_they_have_played(ana: models.Player) -> None:
    """Entered at home, and once more as a guest of the club's wireless network, who has the points by now."""
    tournament = begin(ana, NAMES[:3], venue="real", most=4)
    member, guest = enter(tournament, "Eva", "Guest")
    attendance.mark_missing(tournament, member, [entrant(tournament, "Eva").pk], now=NOW)
    play_round(ana, tournament, 1)
    for _ in range(2):
        merge_guest(guest.pk, member.pk, now=NOW)
    assert entrant(tournament, "Guest").player == member
    [other] = Entrant.objects.filter(player=guest)
    assert (other.name, other.status) == (ANONYMOUS_NAME, Entrant.Status.WITHDRAWN)
    for kind in ("complete", "decide", "release", "draw", "enter"):
        last = Step.objects.filter(tournament=tournament, kind=kind).latest("number")
        step_undo.revert(tournament, ana, last.number, now=NOW)
    assert not Entrant.objects.filter(player=member).exists()


def test_who_sits_at_a_table_twice_has_the_chair_of_the_entrant_that_stays(ana: models.Player) -> None:
    """The person came late under their own name; their points are the guest's."""
    tournament = begin(ana, [], venue="online", most=4, rounds_planned=2)
    member, guest, *_ = enter(tournament, "Known", "Guest", "Cem", "Dan", "Eli")
    attendance.mark_missing(tournament, ana, [entrant(tournament, "Known").pk], now=NOW)
    play_round(ana, tournament, 1)
    attendance.withdraw(tournament, ana, [entrant(tournament, "Eli").pk], now=NOW)
    attendance.check_in(tournament, ana, [entrant(tournament, "Known").pk], now=NOW)
    pod = release(ana, tournament, 2).pods.get()
    own = pod.seats.get(entrant__name="Guest").index
    merge_guest(guest.pk, member.pk, now=NOW)
    for _ in range(2):
        table = store.reload(pod.table_id or "")
        assert table.seat_of(member.pk) == own
        assert {place.name for place in table.places} == {"Guest", ANONYMOUS_NAME, "Cem", "Dan"}
        sweeper.sweep(now=NOW + 1)


def test_who_plays_at_two_tables_of_a_round_gets_up_from_one_at_once(ana: models.Player) -> None:
    """No sweeper has to come by for it."""
    tournament = begin(ana, [], venue="online", most=4, rounds_planned=2)
    enter(tournament, *NAMES[:8])
    first, other = (pod.seats.get(index=0) for pod in release(ana, tournament, 1).pods.order_by("number"))
    merge_guest(other.entrant.player_id or 0, first.entrant.player_id or 0, now=NOW)
    assert models.Seat.objects.get(player=first.entrant.player).table_id == first.pod.table_id


def test_a_club_of_a_guest_with_its_keys_and_links_is_theirs_who_takes_them_over(ana: models.Player) -> None:
    guest = person("Fox 42")
    tournament = plan(guest)
    key = api_keys.make(tournament.club, guest, "Scores")
    invitations.invite(tournament.club, guest)
    for player_id in (guest.pk, guest.pk):
        merging.merge(player_id, ana.pk)
    key_row = api_keys.find(key)
    assert (key_row and key_row.made_by_id, has_traces(guest.pk)) == (ana.pk, False)
    assert list(Membership.objects.values_list("player", "role")) == [(ana.pk, "owner")]


def test_the_log_names_who_was_marked_present_or_missing(ana: models.Player) -> None:
    tournament = begin(ana)
    ada = [entrant(tournament, "Ada").pk]
    for say in (
        attendance.mark_missing,
        attendance.check_in,
        partial(attendance.set_away, away=True),
        partial(attendance.set_away, away=False),
        attendance.withdraw,
        attendance.bring_back,
    ):
        say(tournament, ana, ada, now=NOW)
    steps = Step.objects.filter(tournament=tournament).order_by("-number").values_list("kind", "details")[:6]
    assert {kind: json.loads(details)["name"] for kind, details in steps} == dict.fromkeys(
        ("not-present", "present", "away", "back", "withdraw", "return"), "Ada"
    )


def test_what_a_guest_said_is_taken_back_although_it_has_turned_out_who_they_are(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    guest, member = person("Guest"), person("Known")
    sign_up.claim(tournament, entrant(tournament, "Ada").claim_token, guest, now=NOW)
    pod = release(ana, tournament, 1).pods.get()
    results.enter(tournament, guest, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    merging.merge(guest.pk, member.pk)
    assert entrant(tournament, "Ada").player == member
    for kind in ("result", "claim"):
        step_undo.revert(tournament, ana, Step.objects.get(kind=kind).number, now=NOW)
    assert (entrant(tournament, "Ada").player, pod.results.count()) == (None, 0)


def test_who_played_for_others_as_a_guest_plays_at_one_table_only(ana: models.Player) -> None:
    """Their own chair goes first, and what was done to the other one can still be taken back."""
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    guest, member = person("Guest"), person("Known")
    for player in (guest, member):
        Membership.objects.create(club=tournament.club, player=player)
    lent, own = (pod.seats.get(index=0) for pod in release(ana, tournament, 1).pods.order_by("number"))
    sign_up.claim(tournament, own.entrant.claim_token, guest, now=NOW)
    lifecycle.substitute(tournament, ana, lent.pk, player=member, now=NOW)
    for _ in range(2):
        merging.merge(guest.pk, member.pk)
    seat_changes.require_valid_seats(tournament)
    lent.refresh_from_db()
    assert (entrant(tournament, own.entrant.name).player, lent.substitute) == (member, guest)
    for kind in ("substitute", "claim"):
        step_undo.revert(tournament, ana, Step.objects.get(kind=kind).number, now=NOW)
    lent.refresh_from_db()
    assert lent.substitute is None
