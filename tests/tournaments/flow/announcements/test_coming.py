"""What people of a club hear of without a step: tomorrow's evening, reported messages, open tables."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from games import models
from games.models import Notice
from games.notifications import wishes
from games.notifications.kinds import Channel, Kind, list_choosable
from games.notifications.wishes import Wishes
from tests.cast import NOW, open_table, person
from tests.notifications.push_service import PushService
from tests.tournaments.cast import enter, found, plan
from tournaments.flow.announcements import coming
from tournaments.flow.clubs import club_talk, membership
from tournaments.flow.planning import phases
from tournaments.models import Club, Phase, Role, TimedSession, Tournament

HOUR = 3600.0


@pytest.fixture
def owner(db: None, push_service: PushService) -> models.Player:
    """Runs the club, and has a device."""
    player = person("Ona")
    push_service.subscribe(player, "ok/owner")
    return player


@pytest.fixture
def club(owner: models.Player) -> Club:
    """With one member more."""
    return found(owner)


@pytest.fixture
def member(club: Club, push_service: PushService) -> models.Player:
    """Of the club, with a device."""
    player = person("Mel")
    membership.take_in(club.pk, player.pk, Role.MEMBER)
    push_service.subscribe(player, "ok/member")
    return player


def list_notified(kind: Kind) -> list[str]:
    """The names of those who were told of this."""
    return sorted(Notice.objects.filter(kind=kind).values_list("player__name", flat=True))


def test_tomorrows_evening_is_told_to_members_once(club: Club, member: models.Player) -> None:
    TimedSession.objects.create(
        id="e1", club=club, name="Friday", game="karriere-poker", starts_at=NOW + 30 * HOUR, ends_at=NOW + 33 * HOUR
    )
    coming.announce_coming(now=NOW)
    assert list_notified(Kind.EVENING_TOMORROW) == []
    for hours in (6, 7, 8):
        coming.announce_coming(now=NOW + hours * HOUR)
    assert list_notified(Kind.EVENING_TOMORROW) == ["Mel", "Ona"]


def test_what_begins_today_is_not_tomorrow(club: Club, member: models.Player) -> None:
    TimedSession.objects.create(
        id="e1", club=club, name="Friday", game="karriere-poker", starts_at=NOW + 5 * HOUR, ends_at=NOW + 8 * HOUR
    )
    coming.announce_coming(now=NOW)
    assert list_notified(Kind.EVENING_TOMORROW) == []


def test_tomorrows_tournament_is_told_to_its_entrants(owner: models.Player, push_service: PushService) -> None:
    tournament = plan(owner)
    phases.move_on(tournament, owner, Phase.ENTRY, now=NOW)
    tournament.refresh_from_db()
    for player in enter(tournament, "Ana", "Ben"):
        push_service.subscribe(player, f"ok/{player.pk}")
    Tournament.objects.update(starts_at=datetime.fromtimestamp(NOW + 23 * HOUR, tz=UTC))
    coming.announce_coming(now=NOW)
    coming.announce_coming(now=NOW + 60)
    assert list_notified(Kind.EVENING_TOMORROW) == ["Ana", "Ben"]


def test_a_reported_message_is_told_to_those_who_run_the_club(
    club: Club, member: models.Player, owner: models.Player, push_service: PushService
) -> None:
    club_talk.say(club, member, words="Something rude", now=NOW)
    other = person("Oda")
    membership.take_in(club.pk, other.pk, Role.MEMBER)
    club_talk.report(club, 1, other, now=NOW)
    for _ in range(2):
        coming.announce_reports(now=NOW + 10)
    assert list_notified(Kind.REPORT_CAME) == ["Ona"]
    assert "rude" not in Notice.objects.get().details


def test_only_those_who_run_a_club_can_choose_reports(member: models.Player, owner: models.Player) -> None:
    assert [Kind.REPORT_CAME in list_choosable(one.pk) for one in (owner, member)] == [True, False]


def test_an_open_table_is_told_to_club_mates_who_wish_it(
    club: Club, member: models.Player, owner: models.Player
) -> None:
    open_table(owner, now=NOW)
    coming.announce_tables(now=NOW)
    assert list_notified(Kind.TABLE_WAITS) == []
    wishes.save(member.pk, Wishes({Kind.TABLE_WAITS: frozenset({Channel.PUSH})}))
    open_table(owner, now=NOW)
    open_table(owner, now=NOW, is_public=False)
    for _ in range(2):
        coming.announce_tables(now=NOW)
    assert list_notified(Kind.TABLE_WAITS) == ["Mel"]


def test_strangers_hear_of_no_table(club: Club, member: models.Player, ana: models.Player) -> None:
    wishes.save(member.pk, Wishes({Kind.TABLE_WAITS: frozenset({Channel.PUSH})}))
    open_table(ana, now=NOW)
    coming.announce_tables(now=NOW)
    assert list_notified(Kind.TABLE_WAITS) == []
