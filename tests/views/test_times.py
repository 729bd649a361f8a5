"""Times are said and read where the reader is: another zone, the hour that does not exist, the one that is twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import browser
from tests.tournaments.cast import found
from tournaments.models import TimedSession, Tournament

FORM = {
    "name": "Thursday", "game": "karriere-poker", "format": "swiss", "venue": "real", "rounds_planned": 3, "wanted": 4,
    "least": 4, "most": 5, "turn_seconds": 45, "grace_minutes": 5, "no_show": "bot", "advance": 2, "cut_to": 8,
    "points": "beaten", "points_table": "5, 3", "bye_points": 1, "absent_points": 0, "no_show_points": 0,
    "forfeit_points": 0, "repeat_worth": "1.5", "bot_level": "steady", "is_public": "on",
}  # fmt: skip


def at_home(player: Player, zone: str) -> Client:
    """A browser whose clock goes as those of this zone."""
    client = browser(player)
    client.cookies["zone"] = zone
    return client


@pytest.mark.parametrize(
    ("zone", "typed", "meant"),
    [
        ("Europe/Warsaw", "2030-05-02T19:00", datetime(2030, 5, 2, 17, 0, tzinfo=UTC)),
        ("Europe/Warsaw", "2030-11-07T19:00", datetime(2030, 11, 7, 18, 0, tzinfo=UTC)),
        ("America/New_York", "2030-05-02T19:00", datetime(2030, 5, 2, 23, 0, tzinfo=UTC)),
        ("Nowhere/At_all", "2030-05-02T19:00", datetime(2030, 5, 2, 19, 0, tzinfo=UTC)),
    ],
)
def test_seven_o_clock_is_where_the_organiser_is(ana: Player, zone: str, typed: str, meant: datetime) -> None:
    club, client = found(ana), at_home(ana, zone)
    answer = client.post(reverse("tournaments:plan", args=[club.slug]), FORM | {"starts_at": typed})
    assert answer.status_code == 302, answer.context["form"].errors
    tournament = Tournament.objects.get()
    assert tournament.starts_at == meant
    page = client.get(reverse("tournaments:tournament", args=[tournament.pk])).content.decode()
    assert f"{typed[-5:]}</time>" in page
    form = client.get(reverse("tournaments:revise", args=[tournament.pk])).content.decode()
    assert f'value="{typed}"' in form


def test_everybody_reads_it_on_their_own_clock(ana: Player) -> None:
    club = found(ana)
    at_home(ana, "Europe/Warsaw").post(
        reverse("tournaments:plan", args=[club.slug]), FORM | {"starts_at": "2030-05-02T19:00"}
    )
    url = reverse("tournaments:tournament", args=[Tournament.objects.get().pk])
    text = {
        zone: at_home(ana, zone).get(url).content.decode().split("data-moment>")[1].split("<")[0]
        for zone in ("Europe/Warsaw", "America/New_York", "Asia/Tokyo")
    }
    assert text == {
        "Europe/Warsaw": "Thu 2 May 2030, 19:00",
        "America/New_York": "Thu 2 May 2030, 13:00",
        "Asia/Tokyo": "Fri 3 May 2030, 02:00",
    }


@pytest.mark.parametrize("typed", ["2030-03-31T02:30", "2030-10-27T02:30"])
def test_an_hour_that_is_not_or_is_twice_is_asked_for_again(ana: Player, typed: str) -> None:
    club, client = found(ana), at_home(ana, "Europe/Warsaw")
    answer = client.post(reverse("tournaments:plan", args=[club.slug]), FORM | {"starts_at": typed})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["starts_at"]
    assert not Tournament.objects.exists()


def test_a_form_is_read_where_it_was_shown(ana: Player) -> None:
    """Somebody who travels between looking and sending meant the clock that they looked at."""
    club = found(ana)
    shown = at_home(ana, "Europe/Warsaw").get(reverse("tournaments:new_evening", args=[club.slug])).context["form"]
    assert shown["zone"].value() == "Europe/Warsaw"
    assert shown["starts_at"].help_text == "Leave empty to start now. Your time zone: Europe/Warsaw."
    minutes = {"name": "Friday", "game": "animal-poker", "minutes": 30, "zone": shown["zone"].value()}
    day = (datetime.now(tz=UTC) + timedelta(days=1)).strftime("%Y-%m-%d")
    at_home(ana, "Asia/Tokyo").post(
        reverse("tournaments:new_evening", args=[club.slug]), minutes | {"starts_at": f"{day}T23:59"}
    )
    begun = datetime.fromtimestamp(TimedSession.objects.get().starts_at, tz=UTC)
    assert begun.strftime("%M") == "59"
    assert begun.hour in (21, 22)
