"""What people choose: kinds, channels, quiet hours."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from games import models
from games.notifications import outbox, wishes
from games.notifications.kinds import Channel, Kind
from games.notifications.outbox import Recipient
from games.notifications.wishes import DEFAULT_WISHES, Wishes
from games.play.errors import BadInput
from tests.cast import NOW
from tests.notifications.push_service import PushService

WARSAW = ZoneInfo("Europe/Warsaw")


def warsaw_timestamp(text: str) -> float:
    """This moment in Warsaw, in seconds since 1970."""
    return datetime.fromisoformat(text).replace(tzinfo=WARSAW).timestamp()


@pytest.mark.parametrize(
    ("quiet", "now", "wake"),
    [
        ((1320, 480), "2026-11-26 21:59", "2026-11-26 21:59"),
        ((1320, 480), "2026-11-26 22:00", "2026-11-27 08:00"),
        ((1320, 480), "2026-11-27 03:00", "2026-11-27 08:00"),
        ((1320, 480), "2026-11-27 08:00", "2026-11-27 08:00"),
        ((780, 840), "2026-11-27 13:30", "2026-11-27 14:00"),
        ((780, 840), "2026-11-27 12:59", "2026-11-27 12:59"),
        ((1320, 480), "2026-03-28 23:00", "2026-03-29 08:00"),  # an hour is left out that night
        ((1320, 480), "2026-10-24 23:00", "2026-10-25 08:00"),  # and one comes twice
    ],
)
def test_quiet_hours_go_by_the_clock_on_the_wall(quiet: tuple[int, int], now: str, wake: str) -> None:
    assert wishes.find_wake(Wishes({}, quiet, "Europe/Warsaw"), warsaw_timestamp(now)) == warsaw_timestamp(wake)


def test_without_quiet_hours_everything_comes_at_once() -> None:
    assert wishes.find_wake(DEFAULT_WISHES, NOW) == NOW


@pytest.mark.parametrize(("quiet", "zone"), [((60, 60), "Europe/Warsaw"), ((60, 120), "Mars/Olympus")])
def test_quiet_hours_that_cannot_be_are_refused(ana: models.Player, quiet: tuple[int, int], zone: str) -> None:
    with pytest.raises(BadInput):
        wishes.save(ana.pk, Wishes({}, quiet, zone))
    assert not models.NoticeWishes.objects.exists()


def test_wishes_are_read_as_they_were_saved(ana: models.Player) -> None:
    wanted = Wishes({Kind.YOUR_TURN: frozenset(), Kind.TABLE_WAITS: frozenset({Channel.PUSH})}, (1, 2), "Europe/Warsaw")
    wishes.save(ana.pk, wanted)
    assert wishes.read(ana.pk) == wanted
    assert wishes.list_wanting(Kind.TABLE_WAITS, [ana.pk]) == [ana.pk]


def test_who_does_not_wish_to_hear_of_it_does_not(
    ana: models.Player, ben: models.Player, push_service: PushService
) -> None:
    for player in (ana, ben):
        push_service.subscribe(player, f"ok/{player.pk}")
    wishes.save(ana.pk, Wishes({Kind.CHECK_IN_OPEN: frozenset()}))
    people = [Recipient(player.pk, {"event": "Thursday"}, "/") for player in (ana, ben)]
    outbox.tell(Kind.CHECK_IN_OPEN, "k", people, tag="t", now=NOW)
    assert [row.player_id for row in models.Notice.objects.all()] == [ben.pk]


def test_in_quiet_hours_it_waits_or_is_not_told_at_all(ana: models.Player, push_service: PushService) -> None:
    push_service.subscribe(ana)
    wishes.save(ana.pk, Wishes({}, (1320, 480), "Europe/Warsaw"))
    night = warsaw_timestamp("2026-11-27 05:00")
    outbox.tell(Kind.CHECK_IN_OPEN, "six hours", [Recipient(ana.pk, {"event": "x"}, "/")], tag="a", now=night)
    outbox.tell(Kind.YOUR_TURN, "minutes", [Recipient(ana.pk, {}, "/")], tag="b", now=night)
    assert [(row.key, row.due_at) for row in models.Notice.objects.all()] == [
        ("six hours", warsaw_timestamp("2026-11-27 08:00"))
    ]


def test_what_ends_before_the_quiet_hours_is_not_told_after_them(ana: models.Player, push_service: PushService) -> None:
    push_service.subscribe(ana)
    wishes.save(ana.pk, Wishes({}, (1320, 480), "Europe/Warsaw"))
    night, morning = warsaw_timestamp("2026-11-27 05:00"), warsaw_timestamp("2026-11-27 08:00")
    for key, moment in (("over", morning - 60), ("still on", morning + 60)):
        details = {"event": "Thursday", "moment": moment}
        outbox.tell(Kind.EVENING_TOMORROW, key, [Recipient(ana.pk, details, "/")], tag=key, now=night)
    waiting = models.Notice.objects.get()
    assert (waiting.key, waiting.due_at, waiting.ends_at) == ("still on", morning, morning + 60)


def test_emails_of_a_kind_end_and_nothing_else(ana: models.Player) -> None:
    both = frozenset({Channel.PUSH, Channel.MAIL})
    wishes.save(ana.pk, Wishes({Kind.CHECK_IN_OPEN: both, Kind.EVENING_TOMORROW: both}))
    wishes.stop_mail(ana.pk, Kind.CHECK_IN_OPEN)
    assert wishes.read(ana.pk).chosen == {Kind.CHECK_IN_OPEN: {Channel.PUSH}, Kind.EVENING_TOMORROW: both}
    wishes.stop_mail(ana.pk, None)
    settings = wishes.read(ana.pk)
    assert not any(settings.wants(kind, Channel.MAIL) for kind in Kind)
    assert settings.wants(Kind.EVENING_TOMORROW, Channel.PUSH)
