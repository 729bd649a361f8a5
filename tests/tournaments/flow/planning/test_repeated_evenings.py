"""An evening is planned again: a copy for the next week, and the same evening week after week."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound
from tests.cast import browser, person
from tests.tournaments.cast import found
from tournaments.flow.evenings import sessions
from tournaments.flow.planning import repeated_evenings
from tournaments.models import Club, Membership, TimedSession

THURSDAY = datetime(2026, 3, 26, 18, 30, tzinfo=UTC)
"""19:30 in Berlin. The clocks go forward on the Sunday after it."""
NEXT = datetime(2026, 4, 2, 17, 30, tzinfo=UTC)
BEFORE = datetime(2026, 3, 20, tzinfo=UTC).timestamp()
PLAN = sessions.EveningPlan("Poker night", "animal-poker", 60, THURSDAY.timestamp())


def list_starts(club: Club) -> list[datetime]:
    starts = TimedSession.objects.filter(club=club).order_by("starts_at").values_list("starts_at", flat=True)
    return [datetime.fromtimestamp(one, UTC) for one in starts]


def test_a_copy_is_for_the_next_week_at_the_same_hour_and_as_long(ana: Player) -> None:
    club = found(ana)
    evening = sessions.open_evening(club, ana, PLAN, now=BEFORE)
    sessions.extend(evening, ana, 30, version=0, now=BEFORE)
    with timezone.override(ZoneInfo("Europe/Berlin")):
        for now in (BEFORE, datetime(2026, 4, 1, tzinfo=UTC).timestamp()):
            copy = repeated_evenings.copy_evening(club, evening.pk, now=now)
            assert (copy.name, copy.game, copy.minutes) == ("Poker night", "animal-poker", 90)
            assert copy.starts_at == NEXT.timestamp()
    sessions.end(evening, ana, now=BEFORE + 1)  # called off
    assert repeated_evenings.copy_evening(club, evening.pk, now=BEFORE).minutes == 90
    with pytest.raises(NotFound):
        repeated_evenings.copy_evening(found(person("Eva"), "Hill Club"), evening.pk, now=BEFORE)


def test_organisers_open_it_for_weeks_and_members_once(ana: Player, ben: Player) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    with timezone.override(ZoneInfo("Europe/Berlin")):
        first = repeated_evenings.open_weekly(club, ana, PLAN, 2, now=BEFORE)
    assert list_starts(club) == [THURSDAY, NEXT]
    assert datetime.fromtimestamp(first.starts_at, UTC) == THURSDAY
    repeated_evenings.open_weekly(club, ben, PLAN, 1, now=BEFORE)
    with pytest.raises(NotAllowed):
        repeated_evenings.open_weekly(club, ben, PLAN, 2, now=BEFORE)
    for weeks in (0, 27):
        with pytest.raises(BadInput):
            repeated_evenings.open_weekly(club, ana, PLAN, weeks, now=BEFORE)
    with pytest.raises(BadInput, match="needs a start time"):
        repeated_evenings.open_weekly(club, ana, sessions.EveningPlan("Poker night", "animal-poker", 60), 2, now=BEFORE)
    assert len(list_starts(club)) == 3


def test_the_page_of_an_evening_leads_to_its_copy(ana: Player, ben: Player) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    soon = time.time() + 3600
    evening = sessions.open_evening(
        club, ana, sessions.EveningPlan("Poker night", "karriere-poker", 45, soon), now=time.time()
    )
    url = reverse("tournaments:new_evening", args=[club.slug])
    for who in (ana, ben):
        page = browser(who).get(reverse("tournaments:evening", args=[evening.pk])).content.decode()
        assert f"{url}?copy={evening.pk}" in page
    assert (
        "?copy=" not in browser(person("Eva")).get(reverse("tournaments:evening", args=[evening.pk])).content.decode()
    )
    form = browser(ana).get(url, {"copy": evening.pk}).context["form"]
    assert [form[name].value() for name in ("name", "game", "minutes")] == ["Poker night", "karriere-poker", 45]
    assert form["starts_at"].value().timestamp() == pytest.approx(soon + 7 * 86_400)
    assert "weeks" not in browser(ben).get(url).context["form"].fields
    when = datetime.fromtimestamp(soon, UTC).strftime("%Y-%m-%dT%H:%M")
    sent = {
        "name": "Every week",
        "game": "animal-poker",
        "minutes": "60",
        "starts_at": when,
        "weeks": "3",
        "zone": "UTC",
    }
    assert browser(ana).post(url, sent).status_code == 302
    assert TimedSession.objects.filter(name="Every week").count() == 3
    refused = browser(ana).post(url, sent | {"starts_at": ""})
    assert (refused.status_code, "needs a start time" in refused.content.decode()) == (422, True)
