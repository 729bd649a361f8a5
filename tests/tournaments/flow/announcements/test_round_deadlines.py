"""Rounds over days: players hear of the deadline at the start and a fifth before it, organisers of the end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from games import models
from games.models import Notice
from games.notifications import delivery
from games.notifications.kinds import KINDS, Kind
from games.play.storage import codec
from tests.cast import NOW, person
from tests.notifications.push_service import PushService
from tests.tournaments.cast import begin, decide_all, enter, release
from tournaments.flow.announcements import round_deadlines, steps
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.models import Round, Tournament

DAY = 86_400.0
NAMES = ("Ana", "Ben", "Cem", "Dan")


@pytest.fixture
def owner(db: None) -> models.Player:
    """Runs the club."""
    return person("Ona")


@pytest.fixture
def tournament(owner: models.Player, push_service: PushService) -> Tournament:
    """A round of ten days of four people with a device each; the owner has one, too."""
    made = begin(
        owner, [], turn_seconds=86_400, round_minutes=10 * 1440, venue="online", wanted=4, least=4, most=4
    )  # fmt: skip
    for player in (owner, *enter(made, *NAMES)):
        push_service.subscribe(player, f"ok/{player.pk}")
    release(owner, made, 1)
    return made


def read_notifications(kind: Kind) -> dict[str, tuple[str, str]]:
    """Who is told of this: title and sentence by name, as an e-mail has them."""
    rows = Notice.objects.filter(kind=kind, closed_at=None).select_related("player")
    messages = {row.player.name: KINDS[kind].write(codec.read(row.details)) for row in rows}
    return {name: (message.title, message.write_body(UTC)) for name, message in messages.items()}


def say_deadline(tournament: Tournament) -> str:
    """The end of what tells when the round of ten days ends."""
    ends_at = tournament.rounds.get().ends_at
    assert ends_at is not None
    return f"until {datetime.fromtimestamp(ends_at, tz=UTC):%a %-d %b %Y, %H:%M} UTC"


def test_the_start_tells_when_the_round_ends(tournament: Tournament) -> None:
    steps.announce(tournament.pk, now=NOW)
    table, _, deadline = read_notifications(Kind.TABLE_READY)["Ana"][1].partition(" · ")
    assert (table.startswith("Table 1, with "), deadline) == (True, say_deadline(tournament))


def test_a_fifth_before_the_deadline_everybody_with_a_game_is_told_once(tournament: Tournament) -> None:
    round_deadlines.announce_deadlines(now=NOW + 7.9 * DAY)
    assert read_notifications(Kind.ROUND_ENDS) == {}
    for _ in range(2):
        round_deadlines.announce_deadlines(now=NOW + 8 * DAY)
    body = f"Your game at table 1 is not over. · {say_deadline(tournament)}"
    assert read_notifications(Kind.ROUND_ENDS) == dict.fromkeys(NAMES, ("Round 1 ends soon: Thursday", body))
    assert Notice.objects.filter(kind=Kind.ROUND_ENDS).count() == 4


def test_it_is_closed_on_the_screen_when_the_game_is_over(
    tournament: Tournament, owner: models.Player, push_service: PushService
) -> None:
    round_deadlines.announce_deadlines(now=NOW + 8 * DAY)
    for origin in delivery.list_origins(NOW + 8 * DAY):
        delivery.deliver_batch(origin, now=NOW + 8 * DAY)
    decide_all(owner, tournament, 1)
    round_deadlines.announce_deadlines(now=NOW + 8.1 * DAY)
    assert read_notifications(Kind.ROUND_ENDS) == {}
    assert Notice.objects.filter(kind=Kind.GONE).count() == 4


def test_a_deadline_that_moves_is_told_again(tournament: Tournament, owner: models.Player) -> None:
    round_deadlines.announce_deadlines(now=NOW + 8 * DAY)
    lifecycle.extend(tournament, owner, 1, 5 * 1440, key="k", now=NOW + 8.1 * DAY)
    round_deadlines.announce_deadlines(now=NOW + 8.2 * DAY)
    assert read_notifications(Kind.ROUND_ENDS) == {}  # what was told names the old one
    assert Notice.objects.filter(kind=Kind.ROUND_ENDS).count() == 4
    round_deadlines.announce_deadlines(now=NOW + 14 * DAY)
    assert Notice.objects.filter(kind=Kind.ROUND_ENDS).count() == 8


def test_organisers_hear_that_a_round_was_completed_by_itself(tournament: Tournament, owner: models.Player) -> None:
    decide_all(owner, tournament, 1)
    sweeper.sweep(now=NOW + DAY)
    assert Round.objects.get().status == Round.Status.COMPLETE
    for _ in range(2):
        steps.announce(tournament.pk, now=NOW + DAY)
    assert read_notifications(Kind.ROUND_COMPLETE) == {"Ona": ("Round 1 is complete: Thursday", "All results are in.")}
    assert Notice.objects.filter(kind=Kind.ROUND_COMPLETE).count() == 1


def test_organisers_are_not_told_of_what_they_do_themselves(tournament: Tournament, owner: models.Player) -> None:
    decide_all(owner, tournament, 1)
    lifecycle.complete(tournament, owner, 1, now=NOW + DAY)
    steps.announce(tournament.pk, now=NOW + DAY)
    assert read_notifications(Kind.ROUND_COMPLETE) == {}
