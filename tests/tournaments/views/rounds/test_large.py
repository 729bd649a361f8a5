"""What pages ask of the database does not grow with what there is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, found
from tests.tournaments.flow.seasons.test_season_changes import play, season
from tournaments.flow.entry.sign_up import MAX_ENTRANTS
from tournaments.flow.seasons import season_changes as seasons
from tournaments.flow.seasons import season_standings
from tournaments.flow.steps import recorder
from tournaments.models import Entrant


def test_the_list_of_tournaments_looks_at_neither_members_nor_entrants(ana: Player) -> None:
    club = found(ana)
    begin(ana, club=club)
    with CaptureQueriesContext(connection) as asked:
        shown = browser(ana).get(reverse("tournaments:tournaments")).content.decode()
    assert "Thursday" in shown
    assert not [one["sql"] for one in asked if '"tournaments_entrant"' in one["sql"]]


def test_everybody_of_the_largest_tournament_can_be_ticked_at_once(ana: Player) -> None:
    tournament = begin(ana)
    first = tournament.entrants.order_by("pk").values_list("pk", flat=True)[0]
    ids = range(first, first + MAX_ENTRANTS)
    form = {"csrfmiddlewaretoken": "", "action": "people", "part": "people", "what": "present", "entrant": ids}
    page = browser(ana).post(reverse("tournaments:do", args=[tournament.pk]), form, follow=True)
    assert "This person is not in this tournament." in page.content.decode()


def test_a_season_asks_programs_questions_as_often_for_three_tournaments_as_for_one(ana: Player) -> None:
    year = season(ana)
    counts = []
    for at in range(3):
        night = play(ana, year.club, *NAMES[:4], at=NOW + at)
        seasons.count_tournament(year, ana, night.pk, counts=True, now=NOW)
        client = Client()
        client.get(f"/api/v1/seasons/{year.pk}")
        with CaptureQueriesContext(connection) as asked:
            table = client.get(f"/api/v1/seasons/{year.pk}").json()
        assert len(table["tournaments"]) == at + 1
        counts.append(len(asked))
    assert len(set(counts)) == 1


def test_a_season_that_is_read_on_says_what_one_says_that_is_read_anew(ana: Player) -> None:
    year = season(ana)
    nights = [play(ana, year.club, *names, at=NOW + at) for at, names in enumerate((NAMES[:4], NAMES[2:6]))]
    entrant = nights[0].entrants.get(name=NAMES[0])

    def claim() -> None:
        Entrant.objects.filter(pk=entrant.pk).update(player=Player.objects.create(name="Zoe", avatar="owl"))
        recorder.bump_version(nights[0].pk)

    changes: list[Callable[[], object]] = [
        *(partial(seasons.count_tournament, year, ana, one.pk, counts=True, now=NOW) for one in nights),
        lambda: seasons.name_person(year, ana, entrant.pk, "Somebody", now=NOW),
        lambda: seasons.name_person(year, ana, entrant.pk, "", now=NOW),
        claim,
        lambda: Player.objects.filter(name="Zoe").update(name="Zofia"),
        lambda: seasons.count_tournament(year, ana, nights[0].pk, counts=False, now=NOW),
    ]
    collected = []
    for change in changes:
        change()
        year.refresh_from_db()
        earlier, anew = season_standings.read_table(year), season_standings.open_table(year)
        assert (earlier.standing(), earlier.names, earlier.results) == (anew.standing(), anew.names, anew.results)
        assert [earlier.places(n) for n in (1, 2)] == [
            {line.person: line.place for line in anew.standing(n)} for n in (1, 2)
        ]
        collected.append(earlier.standing())
    assert all(one != other for one, other in pairwise(collected))
