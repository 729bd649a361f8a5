"""The top of a club's page: what comes next, what is on, who won, who leads; and the club's picture and colours."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.play.storage import store
from tests.cast import NOW, browser, come_to_table, finish
from tests.live.markup import read
from tests.tournaments.cast import NAMES, begin, plan, play_round, release
from tests.tournaments.flow.clubs.test_club_picture import draw
from tests.tournaments.flow.seasons import test_season_changes
from tournaments.flow import club_home
from tournaments.flow.clubs import club_picture, membership
from tournaments.flow.counting import finished_tables
from tournaments.flow.entry import sign_up
from tournaments.flow.evenings import sessions
from tournaments.flow.planning import phases
from tournaments.models import Club, Colour, PersonResult, Phase, Role, TimedSession

SOON = datetime.fromtimestamp(NOW, tz=UTC) + timedelta(hours=3)


@pytest.fixture
def club(ana: Player) -> Club:
    return membership.found_club(ana, name="Harbour", meeting_place="  Café  Anker ", colour=Colour.PLUM)


def open_home(club: Club, player: Player | None = None) -> str:
    """The refreshed top of the page."""
    client = browser(player) if player is not None else Client()
    url = reverse("tournaments:club", args=[club.slug])
    page = client.get(url, headers={"HX-Request": "true", "HX-Target": "home"}).content.decode()
    assert read(page).faults == []
    return " ".join(page.split())


def test_an_empty_club_offers_the_first_step_to_those_who_can_take_it(club: Club, ana: Player, ben: Player) -> None:
    stranger = open_home(club)
    assert ("No night is planned" in stranger, 'class="btn' in stranger) == (True, False)
    membership.take_in(club.pk, ben.pk, Role.MEMBER)
    assert re.findall(r'class="btn[^"]*" href="([^"]+)"', open_home(club, ben)) == ["/clubs/harbour/evenings/new/"]
    assert re.findall(r'class="btn[^"]*" href="([^"]+)"', open_home(club, ana)) == ["/clubs/harbour/plan/"]


def test_the_next_night_has_date_place_people_and_one_button(club: Club, ana: Player, ben: Player) -> None:
    night = plan(ana, club=club, name="Thursday", starts_at=SOON, venue="real")
    assert "See the tournament" in open_home(club)
    phases.move_on(night, ana, Phase.ENTRY, now=NOW)
    sign_up.enter(night, ben, now=NOW)
    page = open_home(club)
    assert re.findall(r'<a class="btn[^"]*" href="([^"]+)">([\w ]+)<', page) == [
        (reverse("tournaments:tournament", args=[night.pk]), "Sign up")
    ]
    for remark in ("Next night", "Thursday", "Café Anker", "1 person", "Ben", f"<b>{SOON.day}</b>"):
        assert remark in page, remark
    assert "1 person: you" in open_home(club, ben)
    assert "See the tournament" in open_home(club, ben)


def test_what_begins_first_comes_first_and_what_is_on_before_it(club: Club, ana: Player) -> None:
    plan(ana, club=club, name="Later", starts_at=SOON + timedelta(days=9))
    evening = sessions.open_evening(
        club, ana, sessions.EveningPlan("Lamps on", "animal-poker", 60, SOON.timestamp()), now=NOW
    )

    def find(now: float) -> tuple[str, bool] | None:
        night = club_home.find_next(club, Role.MEMBER, None, now=now)
        return night and ((night.tournament or night.evening or club).name, night.is_now)

    assert find(NOW) == ("Lamps on", False)
    assert find(SOON.timestamp() + 60) == ("Lamps on", True)
    sessions.end(evening, ana, now=NOW)
    assert find(NOW) == ("Later", False)


def test_an_evening_shows_who_won_its_tables(club: Club, ana: Player, ben: Player) -> None:
    membership.take_in(club.pk, ben.pk, Role.MEMBER)
    over = begin(ana, NAMES[:4], club=club, venue="real", rounds_planned=1, name="Old night")
    play_round(ana, over, 1)
    phases.move_on(over, ana, Phase.FINISHED, now=NOW)
    plan = sessions.EveningPlan("Lamps on", "animal-poker", 60)
    evening = sessions.find(sessions.open_evening(club, ana, plan, now=NOW).pk)
    sessions.add_table(evening, ana, [ana.pk, ben.pk], version=evening.version, now=NOW)
    table_id = evening.tables.get().table_id
    for player in (ana, ben):
        table = come_to_table(table_id, player.pk, now=NOW)
    sessions.end(sessions.find(evening.pk), ana, now=NOW + 60)
    table = finish(store.reload(table.id), now=NOW + 120)
    assert "Old night" in open_home(club)  # until the table has been counted
    finished_tables.count_table(table.id, now=NOW + 120)
    TimedSession.objects.filter(pk=evening.pk).update(ended_at=NOW + 120)
    best = PersonResult.objects.get(counted__table=table.id, rank=1).player.name
    page = open_home(club)
    assert re.findall(r'class="winners".*?</ol>', page)[0].count(f"<span>{best}</span>") == 1
    assert ("Old night" in page, reverse("tournaments:evening", args=[evening.pk]) in page) == (False, True)
    Club.objects.filter(pk=club.pk).update(is_public=False)
    club.refresh_from_db()
    assert club_home.find_last_night(club, None) is not None
    assert club_home.find_last_night(club, None).name == "Old night"  # type: ignore[union-attr]


def test_tables_in_play_the_last_winners_and_one_link_a_row(club: Club, ana: Player) -> None:
    over = begin(ana, NAMES[:4], club=club, venue="real", rounds_planned=1, name="Old night")
    play_round(ana, over, 1)
    phases.move_on(over, ana, Phase.FINISHED, now=NOW)
    release(ana, begin(ana, NAMES[:8], club=club, venue="real", name="Tonight"), 1)
    page = open_home(club)
    assert ("On now" in page, "Old night" in page, page.count('class="medal"')) == (True, True, 3)
    rows = re.findall(r'<li class="row-table whole">.*?</li>', page)
    assert [(row.count("<a "), row.count("<span>Tonight</span>")) for row in rows] == [(1, 1), (1, 1)]
    assert {name for name in NAMES[:8] if any(name in row for row in rows)} == set(NAMES[:8])


def test_the_leaders_of_the_season_have_their_points_below_one_another(club: Club, ana: Player) -> None:
    season = test_season_changes.season(ana, club)
    test_season_changes.count(ana, season, test_season_changes.play(ana, club, "Ada", "Bea", "Cem", "Dan"))
    page = open_home(club, ana)
    assert '<ol class="leaders figures">' in page
    decimals = re.findall(r'class="num n d(\d)"><span class="v">Points: </span>([\d.]+)<', page)
    assert decimals == [("0", "1"), ("2", "0.67"), ("2", "0.33"), ("0", "0")]


def test_what_only_members_see_is_told_to_members_only(club: Club, ana: Player) -> None:
    release(ana, begin(ana, NAMES[:4], club=club, venue="real", name="Secret night", is_public=False), 1)
    assert ("Secret night" in open_home(club), NAMES[0] in open_home(club)) == (False, False)
    assert "Secret night" in open_home(club, ana)


def test_colour_and_picture_are_the_owners_choice(club: Club, ana: Player, ben: Player) -> None:
    owner, url = browser(ana), reverse("tournaments:club", args=[club.slug])
    assert 'class="club-head club-plum"' in owner.get(url).content.decode()
    send = reverse("tournaments:change_club_picture", args=[club.slug])
    picture = SimpleUploadedFile("a.png", draw(90, 30), "image/png")
    assert browser(ben).post(send, {"picture": picture}).status_code == 403
    picture.seek(0)
    said = owner.post(send, {"picture": picture, "anchor": "top"}, follow=True).content.decode()
    assert "The new picture has been saved." in said
    shown = reverse("tournaments:club_picture", args=[club.slug, club_picture.find_key(club)])
    assert f'src="{shown}"' in Client().get(url).content.decode()
    answer = Client().get(shown)
    assert (answer["Content-Type"], answer["Cache-Control"].split(",")[0], answer.content[8:12]) == (
        "image/webp", "public", b"WEBP",
    )  # fmt: skip
    assert owner.post(send, {}).status_code == 302
    assert "You can undo this in the log" in owner.post(send, {"remove": "1"}, follow=True).content.decode()
    assert (club_picture.find_key(club), Client().get(shown).status_code) == ("", 404)


def test_the_picture_of_a_club_for_members_only_is_not_shown_to_others(club: Club, ana: Player) -> None:
    key = club_picture.change(club, ana, draw(90, 30), anchor="middle", now=NOW).key
    Club.objects.update(is_public=False)
    shown = reverse("tournaments:club_picture", args=[club.slug, key])
    assert (Client().get(shown).status_code, browser(ana).get(shown)["Cache-Control"].split(",")[0]) == (403, "private")


def test_the_settings_keep_place_and_colour(club: Club, ana: Player) -> None:
    form = {"name": "Harbour", "place": "Online", "colour": "brick", "is_public": "on"}
    shown = browser(ana).post(reverse("tournaments:edit_club", args=[club.slug]), form, follow=True).content.decode()
    assert "The club settings have been saved." in shown
    club.refresh_from_db()
    assert (club.place, club.colour) == ("Online", "brick")
    refused = browser(ana).post(reverse("tournaments:edit_club", args=[club.slug]), form | {"colour": "neon"})
    assert refused.status_code == 422
