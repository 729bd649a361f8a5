"""Who hears of a tournament's steps: where they sit and with whom, each once, and taken back when it is undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.models import Notice
from games.notifications.kinds import KINDS, Kind
from games.play.storage import codec
from tests.cast import NOW, person
from tests.notifications.push_service import PushService
from tests.tournaments.cast import enter, plan, release
from tournaments.flow.announcements import steps
from tournaments.flow.clubs import membership
from tournaments.flow.entry import attendance
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Phase, Pod, PodSeat, Role, Step, Tournament

NAMES = ("Ana", "Ben", "Cem", "Dan", "Eli", "Fay", "Gus", "Hal")


@pytest.fixture
def owner(db: None) -> models.Player:
    """Runs the club."""
    return person("Ona")


@pytest.fixture
def players(owner: models.Player, push_service: PushService) -> list[models.Player]:
    """Eight people, each with a device; the owner has one, too."""
    push_service.subscribe(owner, "ok/owner")
    return []


@pytest.fixture
def tournament(owner: models.Player, players: list[models.Player], push_service: PushService) -> Tournament:
    """Of eight people with a device each, checked in, at real tables."""
    made = plan(owner, venue="real")
    phases.move_on(made, owner, Phase.ENTRY, now=NOW)
    made.refresh_from_db()
    players += enter(made, *NAMES)
    for player in players:
        push_service.subscribe(player, f"ok/{player.pk}")
    phases.move_on(made, owner, Phase.CHECK_IN, now=NOW)
    made.refresh_from_db()
    return made


def read_notifications(kind: Kind) -> dict[str, tuple[str, str]]:
    """Who was told of this: title and sentence by name."""
    found: dict[str, tuple[str, str]] = {}
    for notice in Notice.objects.filter(kind=kind, closed_at=None).select_related("player"):
        message = KINDS[kind].write(codec.read(notice.details))
        found[notice.player.name] = (message.title, message.body)
    return found


def present(owner: models.Player, tournament: Tournament) -> None:
    """Everybody is there."""
    ids = list(Entrant.objects.filter(tournament=tournament).values_list("pk", flat=True))
    attendance.check_in(tournament, owner, ids, now=NOW)


def test_check_in_is_told_to_those_who_entered(tournament: Tournament) -> None:
    steps.announce(tournament.pk, now=NOW)
    assert read_notifications(Kind.CHECK_IN_OPEN).keys() == set(NAMES)
    assert read_notifications(Kind.CHECK_IN_OPEN)["Ana"] == (
        "Check-in is open: Thursday",
        "Check in so that you get a seat.",
    )


def test_everybody_hears_where_they_sit_and_with_whom_once(tournament: Tournament, owner: models.Player) -> None:
    present(owner, tournament)
    release(owner, tournament, 1)
    for _ in range(3):
        steps.announce(tournament.pk, now=NOW)
        steps.announce_recent(now=NOW)
    assert Notice.objects.filter(kind=Kind.TABLE_READY).count() == len(NAMES)
    for pod in Pod.objects.filter(round__tournament=tournament):
        seats = list(PodSeat.objects.filter(pod=pod).select_related("entrant").order_by("index"))
        for seat in seats:
            others = [other.entrant.name for other in seats if other != seat]
            sentence = f"Table {pod.number}, with {', '.join(others[:-1])} and {others[-1]}"
            assert read_notifications(Kind.TABLE_READY)[seat.entrant.name] == (
                "Your table is ready: Thursday",
                sentence,
            )


def test_an_online_table_is_what_a_press_opens(owner: models.Player, push_service: PushService) -> None:
    made = plan(owner, venue="online")
    phases.move_on(made, owner, Phase.ENTRY, now=NOW)
    made.refresh_from_db()
    for player in enter(made, *NAMES):
        push_service.subscribe(player, f"ok/{player.pk}")
    phases.move_on(made, owner, Phase.CHECK_IN, now=NOW)
    made.refresh_from_db()
    present(owner, made)
    release(owner, made, 1)
    steps.announce(made.pk, now=NOW)
    tables = {reverse("table", args=[pod.table_id]) for pod in Pod.objects.filter(round__tournament=made)}
    assert set(Notice.objects.filter(kind=Kind.TABLE_READY).values_list("path", flat=True)) == tables


def test_what_was_undone_is_taken_back(tournament: Tournament, owner: models.Player) -> None:
    present(owner, tournament)
    release(owner, tournament, 1)
    steps.announce(tournament.pk, now=NOW)
    assert len(read_notifications(Kind.TABLE_READY)) == len(NAMES)
    step = Step.objects.get(tournament=tournament, kind="release")
    step_undo.revert(tournament, owner, step.number, now=NOW + 1)
    steps.announce(tournament.pk, now=NOW + 1)
    assert read_notifications(Kind.TABLE_READY) == {}


def test_a_dispute_is_told_to_the_reporter_and_the_organisers(
    tournament: Tournament, owner: models.Player, players: list[models.Player]
) -> None:
    present(owner, tournament)
    release(owner, tournament, 1)
    pod = Pod.objects.filter(round__tournament=tournament).order_by("number")[0]
    seated = [seat.entrant.player for seat in pod.seats.select_related("entrant__player").order_by("index")]
    reporter, objector = seated[0], seated[1]
    assert reporter is not None
    assert objector is not None
    results.enter(tournament, reporter, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    entered = pod.results.get()
    results.reject(tournament, objector, entered.pk, now=NOW)
    steps.announce(tournament.pk, now=NOW)
    sentence = f"The result of table {pod.number} is disputed by {objector.name}."
    heard = read_notifications(Kind.RESULT_DISPUTED)
    assert heard == dict.fromkeys((reporter.name, owner.name), ("Disputed result: Thursday", sentence))


def test_a_substitute_hears_of_the_table_and_nobody_else_again(
    tournament: Tournament, owner: models.Player, push_service: PushService
) -> None:
    present(owner, tournament)
    release(owner, tournament, 1)
    steps.announce(tournament.pk, now=NOW)
    before = Notice.objects.count()
    helper = person("Zoe")
    membership.take_in(tournament.club_id, helper.pk, Role.MEMBER)
    push_service.subscribe(helper, "ok/zoe")
    seat = PodSeat.objects.filter(pod__round__tournament=tournament).select_related("pod").order_by("pk")[0]
    lifecycle.substitute(tournament, owner, seat.pk, player=helper, now=NOW)
    steps.announce(tournament.pk, now=NOW)
    assert Notice.objects.count() == before + 1
    assert read_notifications(Kind.TABLE_READY)["Zoe"][1].startswith(f"Table {seat.pod.number}, with ")


def test_an_old_step_is_told_to_nobody(tournament: Tournament) -> None:
    steps.announce(tournament.pk, now=NOW + steps.LOOK_BACK_SECONDS + 1)
    assert Notice.objects.count() == 0


def test_a_step_of_another_kind_is_not_announced() -> None:
    kinds: list[Any] = [kind for kind in Step.Kind if steps.is_announced(kind)]
    announced = {"release", "seat", "substitute", "complete", "reject", "check-in", "withdraw", "revise", "undo"}
    assert set(kinds) == announced


def test_somebody_who_moves_up_from_the_waiting_list_hears_of_it_once(
    owner: models.Player, push_service: PushService
) -> None:
    made = plan(owner, venue="real", capacity=2)
    phases.move_on(made, owner, Phase.ENTRY, now=NOW)
    made.refresh_from_db()
    for player in enter(made, "Ana", "Ben", "Cem"):
        push_service.subscribe(player, f"ok/{player.pk}")
    attendance.withdraw(made, owner, [made.entrants.get(name="Ana").pk], now=NOW)
    for _ in range(2):
        steps.announce(made.pk, now=NOW)
    assert read_notifications(Kind.MOVED_UP) == {
        "Cem": ("You have a place: Thursday", "You moved up from the waiting list.")
    }
    last = step_undo.find_last(made)
    assert last is not None
    step_undo.revert(made, owner, last.number, now=NOW)
    steps.announce(made.pk, now=NOW)
    assert read_notifications(Kind.MOVED_UP) == {}
