"""Places, the waiting list and the time at which sign-up closes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput, Stale
from tests.cast import NOW, person
from tests.tournaments.cast import check_in, draw, entrant, plan
from tournaments.flow.entry import attendance, sign_up, waiting_list
from tournaments.flow.entry.imports import ImportedLine
from tournaments.flow.planning import phases, tournament_plan
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Phase, Tournament


def open_entry(ana: Player, **overrides: Any) -> Tournament:
    tournament = plan(ana, **overrides)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    tournament.refresh_from_db()
    return tournament


def list_statuses(tournament: Tournament) -> list[tuple[str, str]]:
    return list(tournament.entrants.order_by("number").values_list("name", "status"))


def test_people_beyond_the_places_wait_and_move_up_in_order(ana: Player) -> None:
    tournament = open_entry(ana, capacity=2)
    people = [person(name) for name in ("Ada", "Bea", "Cem", "Dan")]
    for at, one in enumerate(people):
        sign_up.enter(tournament, one, now=NOW + at)
    assert list_statuses(tournament) == [
        ("Ada", "entered"), ("Bea", "entered"), ("Cem", "waiting"), ("Dan", "waiting"),
    ]  # fmt: skip
    attendance.withdraw(tournament, people[0], [entrant(tournament, "Ada").pk], now=NOW + 9)
    assert [one.name for one in waiting_list.list_waiting(tournament)] == ["Dan"]
    sign_up.enter(tournament, people[0], now=NOW + 10)  # again, at the end of the list
    assert [one.name for one in waiting_list.list_waiting(tournament)] == ["Dan", "Ada"]


def test_people_move_up_by_themselves_during_the_check_in(ana: Player) -> None:
    tournament = open_entry(ana, capacity=2)
    for name in ("Ada", "Bea", "Cem"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    attendance.withdraw(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    assert entrant(tournament, "Cem").status == "entered"


def test_the_note_on_the_fee_stands_where_people_sign_up(ana: Player) -> None:
    tournament = open_entry(ana, fee="5 euros, in cash at the door")
    link = Client().get(reverse("tournaments:entry_link", args=[tournament.entry_token]), follow=True)
    assert "5 euros, in cash at the door" in link.content.decode()


def test_an_undone_withdrawal_sends_back_to_the_waiting_list(ana: Player) -> None:
    tournament = open_entry(ana, capacity=2)
    for name in ("Ada", "Bea", "Cem"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    attendance.withdraw(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    last = step_undo.find_last(tournament)
    assert last is not None
    step_undo.revert(tournament, ana, last.number, now=NOW)
    assert list_statuses(tournament) == [("Ada", "entered"), ("Bea", "entered"), ("Cem", "waiting")]


def test_more_places_let_people_move_up_and_fewer_send_nobody_away(ana: Player) -> None:
    tournament = open_entry(ana, capacity=2)
    for name in ("Ada", "Bea", "Cem", "Dan"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    agreement = tournament_plan.read(tournament)
    for places, waiting in ((3, 1), (2, 1), (None, 1)):
        changed = msgspec.structs.replace(agreement, capacity=places)
        tournament_plan.revise(tournament, ana, changed, now=NOW)
        assert waiting_list.list_waiting(tournament).count() == waiting


def test_nobody_checks_themselves_in_from_the_waiting_list(ana: Player) -> None:
    tournament = open_entry(ana, capacity=2)
    people = [person(name) for name in ("Ada", "Bea", "Cem")]
    for one in people:
        sign_up.enter(tournament, one, now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    cem = entrant(tournament, "Cem")
    attendance.check_in(tournament, people[2], [cem.pk], now=NOW)
    assert entrant(tournament, "Cem").status == "waiting"
    attendance.check_in(tournament, ana, [cem.pk], now=NOW)
    assert entrant(tournament, "Cem").status == "present"


def test_nobody_moves_up_by_themselves_once_rounds_are_drawn_and_they_are_not_drawn(ana: Player) -> None:
    tournament = plan(ana, venue="real", capacity=4)
    check_in(ana, tournament, ["Ada", "Bea", "Cem", "Dan", "Eli"])
    draw(ana, tournament, 1)
    tournament.refresh_from_db()
    attendance.withdraw(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    assert entrant(tournament, "Eli").status == "waiting"
    assert not entrant(tournament, "Eli").seats.exists()


def test_a_list_fills_the_places_in_its_order(ana: Player) -> None:
    tournament = open_entry(ana, capacity=2)
    sign_up.add_imported(tournament, ana, [ImportedLine(at, name) for at, name in enumerate("XYZ")], now=NOW)
    assert list_statuses(tournament) == [("X", "entered"), ("Y", "entered"), ("Z", "waiting")]


def test_sign_up_closes_by_itself_for_everybody_but_organisers(ana: Player) -> None:
    tournament = open_entry(ana, entry_closes_at=datetime.fromtimestamp(NOW, tz=UTC))
    sign_up.enter(tournament, person("Ada"), now=NOW - 1)
    with pytest.raises(Stale, match="Sign-up has closed"):
        sign_up.enter(tournament, person("Bea"), now=NOW)
    sign_up.add_walk_in(tournament, ana, name="Bea", now=NOW)
    assert Entrant.objects.filter(tournament=tournament).count() == 2


@pytest.mark.parametrize(
    "wrong",
    [{"capacity": 1}, {"capacity": 2001}, {"fee": "x" * 121}, {"fee": "a\nb"}, {"clubs_apart": "perhaps"},
     {"entry_closes_at": datetime(2026, 1, 1)}],  # noqa: DTZ001 - a time without a zone is refused
)  # fmt: skip
def test_an_entry_that_cannot_be_is_refused(ana: Player, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        plan(ana, **wrong)
