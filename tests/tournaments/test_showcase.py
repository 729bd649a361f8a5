"""The made-up club: once, on an empty site only, and everything in it is as if it had been played."""

from __future__ import annotations

import io
import re
import time

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from games.accounts.animal_pictures import AVATARS
from games.models import Player, Table, User
from games.play.records import game_record
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.table import OVER
from games.records import fair
from games.records.format import parse_record
from games.records.replay import replay
from games.records.writer import to_text
from tests.cast import NOW, person
from tests.tournaments.cast import found
from tournaments.flow import demo_club
from tournaments.flow.counting import recomputing, rederiving
from tournaments.flow.evenings import jobs
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Club, CountedTable, PodSeat, Result, Round, Season, TimedSession, Tournament


def make_up() -> str:
    """What the command says."""
    output = io.StringIO()
    call_command("demo_club", stdout=output, stderr=io.StringIO())
    return output.getvalue()


def test_a_club_to_look_around_in(transactional_db: None) -> None:
    actual = make_up()
    club = Club.objects.get()
    events = Tournament.objects.filter(club=club)
    assert {one.name: (one.format, one.phase) for one in events} == {
        "First night": ("swiss", "finished"),
        "Second night": ("swiss", "finished"),
        "The Ark Cup": ("knockout", "finished"),
        "Tonight": ("swiss", "running"),
        "Next week": ("swiss", "entry"),
    }
    season = Season.objects.get(club=club)
    assert (season.name, season.phase) == ("The season", "running")
    assert set(season.counted.values_list("name", flat=True)) == {"First night", "Second night"}
    tonight = events.get(name="Tonight")
    assert [one.status for one in Round.objects.filter(tournament=tonight)] == ["complete", "released"]
    assert PodSeat.objects.filter(pod__round__tournament=tonight, pod__round__number=2).count() == 20
    assert Result.objects.filter(pod__round__tournament=tonight).count() == 5 + 2
    assert len(ranking.rank(open_book(events.get(name="First night")), None)) == 12
    evening = TimedSession.objects.get(club=club)
    assert evening.ended_at is not None
    assert all(len(story.deals) > 1 for story in jobs.list_stories(evening))
    assert _tables_that_fail() == []
    assert rederiving.derive_again(now=time.time()) == 0
    counted = CountedTable.objects.count()
    assert recomputing.recompute(now=time.time()) == recomputing.Corrections(counted, 0, 0)
    _sign_in(actual, tonight)


def _tables_that_fail() -> list[str]:
    """Games whose record does not hold, or whose deal is not proved, or which were not played to their end."""
    faults = []
    for table in Table.objects.all():
        if table.status != Table.Status.OVER:
            faults.append(f"{table.id}: {table.status}")
            continue
        record = parse_record(to_text(game_record.export(store.fetch(table.id))).encode())
        for _ in replay(record):
            pass
        fair.check_fairness(record)
    return faults


def _sign_in(sentence: str, tonight: Tournament) -> None:
    """With the account that the command names the console opens."""
    named = re.search(r"Sign in as (\w+) with the password (\S+) to run it\.", sentence)
    assert named is not None
    client = Client()
    assert client.login(username=named[1], password=named[2])
    assert client.get(reverse("tournaments:console", args=[tonight.pk])).status_code == 200


def test_only_where_there_is_no_club(db: None, ana: Player) -> None:
    found(ana)
    with pytest.raises(CommandError, match="There is already a club here"):
        make_up()
    assert not User.objects.exists()
    assert Club.objects.count() == 1


def test_a_bot_that_opens_the_next_deal_is_not_waited_for_forever(db: None) -> None:
    """Between two deals a bot is due only when the break is over."""
    host, *guests = (person(name) for name in ("Ana", "Ben", "Cem"))
    for _number in range(4):  # a bot opens one of the twelve deals almost surely
        request = opening.TableRequest("karriere-poker", 4, options={"deals": 4}, bots=1)
        table = opening.open_table(host, request, avatars=AVATARS, now=NOW)
        for guest in guests:
            sitting.sit(table.id, guest, now=NOW)
        for player in (host, *guests):
            demo_club._contribute(store.refresh(table.id), player.pk, at=NOW)
        started = opening.start(table.id, host.pk, fill="random", avatars=AVATARS, now=NOW)
        demo_club._play_out(started, at=NOW, until=NOW + 100_000)
        assert store.refresh(table.id).status == OVER
