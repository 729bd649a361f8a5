"""Periodic tasks cost no more on a site with years of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import models
from games.views import operation
from tests.cast import NOW, browser, count_work, person
from tests.tournaments.cast import NAMES, begin, plan, plan_season, release
from tournaments.flow.clubs import webhooks
from tournaments.flow.counting import finished_tables, real_tables, recomputing
from tournaments.flow.evenings import evening_sweeper
from tournaments.flow.people import deletion, merge_rows
from tournaments.flow.rounds import sweeper
from tournaments.flow.seasons import season_changes
from tournaments.models import (
    Club,
    CountedTable,
    Delivery,
    Entrant,
    Pod,
    PodSeat,
    Result,
    Round,
    TimedSession,
    Tournament,
    Webhook,
)
from tournaments.views.clubs import programme

LONG_AGO = datetime(2020, 5, 1, tzinfo=UTC)
MANY = 1000
SOME = 20
"""Hundreds of instructions: to look at each of many takes twice that at least."""


@pytest.fixture
def played(ana: models.Player) -> Tournament:
    """A tournament under way."""
    tournament = begin(ana, NAMES[:8])
    release(ana, tournament, 1)
    return tournament


def grow_old(tournament: Tournament) -> None:
    """Much has been played, counted and told of, by many."""
    host = tournament.club.memberships.get().player
    models.Table.objects.bulk_create(
        models.Table(
            id=f"past-{number}", game="karriere-poker", rules=1, status="over", invite=f"{number}", seat_count=4,
            turn_seconds=45, host=host, created_at=1.0, started_at=1.0, ended_at=2.0, secret="", commitment="",
            result='{"places": [1, 2, 3, 4], "scores": null}',
        )
        for number in range(MANY)
    )  # fmt: skip
    CountedTable.objects.bulk_create(
        CountedTable(number=number + 1, table_id=f"past-{number}", game="", is_rated=True, ended_at=2.0)
        for number in range(MANY)
    )
    past = plan(host, tournament.club, options={})
    rounds = Round.objects.bulk_create(
        Round(tournament=past, number=number + 1, status="complete", completed_at=2.0) for number in range(MANY)
    )
    pods = Pod.objects.bulk_create(Pod(round=one, number=1, table_id=f"past-{at}") for at, one in enumerate(rounds))
    pods += Pod.objects.bulk_create(Pod(round=one, number=2) for one in rounds)
    Result.objects.bulk_create(Result(pod=pod, source="table", status="accepted", at=1.0) for pod in pods)
    people = models.Player.objects.bulk_create(models.Player(name=f"Past {at}", avatar="fox") for at in range(MANY))
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, number=at + 100, player=one, name=one.name, claim_token=f"past-{at}")
        for at, one in enumerate(people)
    )
    hook = Webhook.objects.get()
    Delivery.objects.bulk_create(
        Delivery(webhook=hook, event="result", key=f"{at}", body="{}", attempts=1, answer="200", at=NOW)
        for at in range(MANY)
    )


def sweeps(played: Tournament, waiting: Delivery) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is done every few seconds, and where a program looks after the site."""
    yield "what is due", lambda: sweeper.sweep(now=NOW)
    yield "what is to be counted", lambda: list(finished_tables.list_uncounted(since=NOW - 1))
    yield "what is struck", lambda: list(recomputing.list_voided_still_counted(since=NOW - 1))
    yield "what real tables have played", lambda: list(real_tables._played_pods(played))
    yield "what is counted of nothing", lambda: real_tables.drop_orphans(now=NOW)
    yield "who has gone", deletion.list_unfinished_deletions
    yield "which webhooks to call", lambda: webhooks.list_calling(NOW)
    yield "what to tell", lambda: webhooks.list_due(NOW, waiting.webhook_id)
    yield "whether anybody answers", lambda: webhooks._find_back(waiting, now=NOW)
    yield "what was told long ago", lambda: webhooks.clear_old(now=NOW)
    yield "how many tables there are", operation._count_tables


def test_what_comes_again_and_again_does_not_read_all_that_has_ever_been(played: Tournament) -> None:
    hook = Webhook.objects.create(club=played.club, url="https://example.org/", secret="5eed")
    waiting = Delivery.objects.create(webhook=hook, event="result", key="now", body="{}", due_at=NOW - 1, at=NOW - 1)
    acts = dict(sweeps(played, waiting))
    for act in acts.values():  # whatever has to be done at all is done
        act()
    before = {name: count_work(act) for name, act in acts.items()}
    grow_old(played)
    after = {name: count_work(act) for name, act in acts.items()}
    assert {name: (before[name], work) for name, work in after.items() if work > before[name] + SOME} == {}
    assert operation._count_tables()[0] == {"over": MANY}


def test_tournaments_that_were_left_in_the_middle_are_not_looked_at_one_by_one(played: Tournament) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            sweeper.sweep(now=NOW)
        return len(queries)

    sweeper.sweep(now=NOW)
    before = count_queries()
    left = plan(played.club.memberships.get().player, played.club, options={})
    rounds = Round.objects.bulk_create(Round(tournament=left, number=at + 1, status="released") for at in range(SOME))
    Pod.objects.bulk_create(Pod(round=one, number=1) for one in rounds)
    assert count_queries() == before


def grow_famous(club: Club, number: int) -> None:
    """The club has played for years, this number of times."""
    Tournament.objects.bulk_create(
        Tournament(
            id=f"past-{at}", club=club, name=f"Past {at}", game="karriere-poker", entry_token=f"past-{at}",
            lot_seed="ab", phase=("finished", "archived")[at % 2], starts_at=LONG_AGO + timedelta(at),
            finished_at=float(at),
        )
        for at in range(number * MANY, number * MANY + MANY)
    )  # fmt: skip
    TimedSession.objects.bulk_create(
        TimedSession(
            id=f"past-{at}", club=club, name=f"Past {at}", game="animal-poker", starts_at=float(at), ends_at=at + 1.0,
            has_rung=True, ended_at=at + 2.0,
        )
        for at in range(number * MANY, number * MANY + MANY)
    )  # fmt: skip


def test_what_a_club_shows_of_the_present_is_not_looked_for_in_all_that_it_has_ever_played(played: Tournament) -> None:
    club = played.club
    season = plan_season(club.memberships.get().player, club, tie_breaks=["wins"])
    acts: dict[str, Callable[[], object]] = {
        "its page": lambda: programme.describe_programme(club, None),
        "its calendar": lambda: browser().get(reverse("tournaments:calendar", args=[club.slug])),
        "what is due in evenings": lambda: evening_sweeper.sweep_evenings(now=NOW),
        "the last of all clubs": lambda: browser().get(reverse("tournaments:tournaments")),
        "what could count": lambda: season_changes.list_marks(season),
        "the latest, for programs": lambda: browser().get(f"/api/v1/clubs/{club.slug}/tournaments"),
        "the latest of all clubs, for programs": lambda: browser().get("/api/v1/tournaments"),
    }
    grow_famous(club, 0)
    before = {name: count_work(act) for name, act in acts.items()}
    grow_famous(club, 1)
    after = {name: count_work(act) for name, act in acts.items()}
    assert {name: (before[name], work) for name, work in after.items() if work > before[name] + SOME} == {}


def test_who_turns_out_to_be_somebody_is_not_looked_for_on_all_chairs(played: Tournament) -> None:
    guest, member = person("Guest"), person("Zoe")
    for number, player in enumerate((guest, member)):
        Entrant.objects.create(
            tournament=played, number=90 + number, player=player, name=player.name, claim_token=f"{number}"
        )

    def look() -> None:
        with transaction.atomic():
            merge_rows.merge_entries(guest.pk, member.pk)
            merge_rows.merge_chairs(guest.pk, member.pk)
            transaction.set_rollback(True)

    before = count_work(look)
    somebody = Entrant.objects.filter(tournament=played, player=None)[0]
    pods = Pod.objects.bulk_create(Pod(round=played.rounds.get(), number=100 + at) for at in range(MANY))
    PodSeat.objects.bulk_create(PodSeat(pod=pod, index=0, entrant=somebody) for pod in pods)
    assert count_work(look) <= before + SOME
