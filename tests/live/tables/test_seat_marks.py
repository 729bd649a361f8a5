"""At the seats of a table stands who runs it and who has an account: for eyes, and for those who listen."""

from __future__ import annotations

import re

from pytest_django import DjangoAssertNumQueries

from games import models
from games.live.tables.regions import render_table
from games.play.seats import seat_roles
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import browser, finish, open_table, person, start_table
from tests.tournaments.cast import NAMES, begin, enter, release
from tests.tournaments.doing import with_account
from tournaments.models import Membership, Pod, Tournament


def shown_marks(html: str) -> list[str]:
    """What the marks of this piece of a page say."""
    return re.findall(r'<i class="marks" aria-hidden="true" title="([^"]*)">', html)


def say_seat(table: LoadedTable, name: str) -> str:
    """The seat of this person at a running table."""
    seat = next(place.seat for place in table.places if place.name == name)
    return render_table(table, "en").shared[f"seat-{seat}"]


def test_seats_say_who_is_the_host_and_who_has_an_account(ana: models.Player, ben: models.Player) -> None:
    table = start_table(with_account(ana), with_account(ben), person("Cleo"))
    assert shown_marks(say_seat(table, "Ana")) == ["host · Has an account"]
    assert '<span class="v">host · Has an account</span>' in say_seat(table, "Ana")
    assert shown_marks(say_seat(table, "Ben")) == ["Has an account"]
    assert "Has an account" not in say_seat(table, "Cleo")
    bots = [place.name for place in table.places if place.bot]
    assert bots
    assert not any(shown_marks(say_seat(table, name)) for name in bots)


def test_marks_are_the_same_in_every_process(ana: models.Player) -> None:
    here = start_table(with_account(ana))
    assert store.reload(here.id).places == here.places


def test_waiting_rooms_and_results_have_the_marks(ana: models.Player, ben: models.Player) -> None:
    table = open_table(with_account(ana), with_account(ben), person("Cleo"))
    room = render_table(table, "en").regions(None)["chairs"]
    assert shown_marks(room) == ["Has an account"] * 2  # "host" stands there as a word
    assert room.count("host") == 1
    over = finish(start_table(ana, ben, options={"deals": 1}))
    assert sorted(shown_marks(render_table(over, "en").regions(None)["places"])) == [
        "Has an account",
        "host · Has an account",
    ]
    replay = browser(ben).get(f"/tables/{over.id}/replay/").content.decode()
    assert sorted(shown_marks(replay)) == ["Has an account", "host · Has an account"]


def start_event_table(owner: models.Player) -> tuple[Tournament, LoadedTable]:
    """A tournament, and the table of its first round."""
    tournament = begin(owner, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    release(owner, tournament, 1)
    return tournament, store.fetch(Pod.objects.get().table_id or "")


def test_organisers_are_read_once_for_a_table(
    ana: models.Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament, table = start_event_table(ana)
    sitter = table.places[0]
    assert shown_marks(render_table(table, "en").regions(None)["chairs"]) == []
    Membership.objects.create(club=tournament.club, player_id=sitter.player_id or 0, role="organiser")
    seat_roles.read_organisers(table)
    assert seat_roles.list_seat_roles(table) == {sitter.seat: "organiser"}
    with django_assert_num_queries(0):
        seat_roles.read_organisers(table)
        assert seat_roles.list_seat_roles(table) == {sitter.seat: "organiser"}
