"""Members talk on their club's page: said, heard, muted, reported, cleared, forgotten."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games import models
from games.live import version_sockets
from games.play.seats import player_changes
from games.play.talk import remarks
from tests.cast import NOW, browser, person
from tests.live.windows import SECONDS, open_socket
from tests.tournaments.cast import found
from tournaments.flow.clubs import club_talk, membership
from tournaments.models import Club, ClubRemark, ClubReport, Membership, Role


@pytest.fixture
def club(ana: models.Player, ben: models.Player) -> Club:
    """Ana's club; Ben is a member."""
    made = found(ana)
    Membership.objects.create(club=made, player=ben, role=Role.MEMBER)
    return made


def address(name: str, club: Club, *args: object) -> str:
    return reverse(f"tournaments:{name}", args=[club.slug, *args])


def list_remarks(client: Client, club: Club) -> list[tuple[str, str]]:
    """Who said what."""
    answer = client.get(address("club_talk", club))
    assert answer["Cache-Control"] == "no-store"
    return [(remark["name"], remark["words"]) for remark in answer.json()["remarks"]]


def test_members_hear_each_other_and_nobody_else_does(ana: models.Player, ben: models.Player, club: Club) -> None:
    mine, ben_browser = browser(ana), browser(ben)
    assert ben_browser.post(address("say_in_club", club), {"words": " Who  brings <b>cake</b>? "}).status_code == 302
    assert mine.post(address("say_in_club", club), {"phrase": "thanks"}).status_code == 302
    assert (
        list_remarks(mine, club)
        == list_remarks(ben_browser, club)
        == [("Ben", "Who brings <b>cake</b>?"), ("Ana", "Thank you")]
    )
    page = mine.get(address("club", club)).content.decode()
    assert "Who brings &lt;b&gt;cake&lt;/b&gt;?" in page
    assert "watching" not in page
    outside = Client(), browser(person("Zoe"))
    for client in outside:
        assert client.get(address("club", club)).status_code == 200
        assert "cake" not in client.get(address("club", club)).content.decode()
        assert client.get(address("club_talk", club)).status_code == 403
        assert client.post(address("say_in_club", club), {"phrase": "thanks"}).status_code == 403
    assert ClubRemark.objects.count() == 2


def test_a_page_knows_no_later_version_than_what_it_shows(
    ana: models.Player, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something is said while it is drawn: then it must ask."""
    read_talk = club_talk.read_talk

    def read_and_miss(club: Club) -> remarks.RemarkList:
        before = read_talk(club)
        club_talk.say(club, ana, words="Missed", now=NOW)
        return before

    monkeypatch.setattr(club_talk, "read_talk", read_and_miss)
    page = browser(ana).get(address("club", club)).content.decode()
    assert ("Missed" in page, 'data-version="0"' in page) == (False, True)


def test_it_is_told_when_something_was_said(ana: models.Player, club: Club) -> None:
    club_talk.say(club, ana, words="Hello", now=NOW)
    page = browser(ana).get(address("club", club)).content.decode()
    assert f'<time datetime="{datetime.fromtimestamp(NOW, UTC).isoformat()}" data-moment>' in page


def test_clubs_do_not_hear_each_other(ana: models.Player, club: Club) -> None:
    other = membership.found_club(ana, name="Another club")
    club_talk.say(other, ana, words="Elsewhere", now=NOW)
    club_talk.say(club, ana, words="Here", now=NOW)
    assert list_remarks(browser(ana), club) == [("Ana", "Here")]
    assert [row.number for row in ClubRemark.objects.all()] == [1, 1]


def test_where_the_club_does_not_allow_free_words_there_are_phrases(ana: models.Player, club: Club) -> None:
    assert 'id="words-said"' in browser(ana).get(address("club", club)).content.decode()
    membership.edit_club(club, ana, name=club.name, about="", is_public=True, can_talk=False)
    assert 'id="words-said"' not in browser(ana).get(address("club", club)).content.decode()
    assert browser(ana).post(address("say_in_club", club), {"words": "Hello"}).status_code == 403
    assert browser(ana).post(address("say_in_club", club), {"phrase": "thanks"}).status_code == 302
    assert list_remarks(browser(ana), club) == [("Ana", "Thank you")]


@pytest.mark.parametrize("form", [{"words": " "}, {"words": "x" * 201}, {"words": "a\x00b"}, {"phrase": "curse"}, {}])
def test_what_cannot_be_said(ana: models.Player, club: Club, form: dict[str, str]) -> None:
    assert browser(ana).post(address("say_in_club", club), form).status_code == 400
    assert ClubRemark.objects.count() == 0


def test_saying_too_much_is_refused(ana: models.Player, club: Club, settings: Any) -> None:
    settings.REMARKS_PER_MINUTE = 1
    client = browser(ana)
    assert client.post(address("say_in_club", club), {"phrase": "thanks"}).status_code == 302
    assert client.post(address("say_in_club", club), {"phrase": "thanks"}).status_code == 429
    assert ClubRemark.objects.count() == 1


def test_organisers_clear_and_members_do_not(ana: models.Player, ben: models.Player, club: Club) -> None:
    club_talk.say(club, ben, words="Rude", now=NOW)
    offered = [address("clear_club_talk", club) in browser(one).get(address("club", club)).content.decode()
               for one in (ana, ben)]  # fmt: skip
    assert offered == [True, False]
    assert browser(ben).post(address("clear_club_talk", club)).status_code == 403
    assert list_remarks(browser(ana), club) == [("Ben", "Rude")]
    assert browser(ana).post(address("clear_club_talk", club)).status_code == 302
    assert list_remarks(browser(ben), club) == []
    club_talk.say(club, ben, words="Sorry", now=NOW)
    assert list_remarks(browser(ana), club) == [("Ben", "Sorry")]


def test_a_report_reaches_the_staff_who_can_clear(ana: models.Player, ben: models.Player, club: Club) -> None:
    club_talk.say(club, ben, words="Rude", now=NOW)
    for _ in range(2):
        assert browser(ana).post(address("report_in_club", club, 1)).status_code == 302
    assert browser(ben).post(address("report_in_club", club, 1)).status_code == 403  # their own
    (report,) = ClubReport.objects.all()
    models.User.objects.create_superuser("boss", password="a long pass phrase")
    staff = Client()
    staff.force_login(models.User.objects.get(username="boss"))
    listed = reverse("admin:tournaments_clubreport_changelist")
    assert "Ben: Rude" in staff.get(listed).content.decode()
    staff.post(listed, {"action": "clear", "_selected_action": [report.pk]})
    assert list_remarks(browser(ana), club) == []
    assert staff.get(reverse("admin:tournaments_clubreport_change", args=[report.pk])).status_code == 200


def test_words_go_with_their_person_and_come_with_a_guest(ana: models.Player, ben: models.Player, club: Club) -> None:
    guest = person("Fox 42")
    Membership.objects.create(club=club, player=guest, role=Role.MEMBER)
    club_talk.say(club, guest, words="Hey!", now=NOW)
    club_talk.say(club, ben, words="Hey you!", now=NOW)
    club_talk.report(club, 2, guest, now=NOW)
    club_talk.report(club, 2, ana, now=NOW)
    player_changes.merge_guest(guest.pk, ana.pk, now=NOW)
    assert [row.player for row in ClubRemark.objects.order_by("number")] == [ana, ben]
    assert set(ClubReport.objects.values_list("player", flat=True)) <= {ana.pk, guest.pk}
    player_changes.delete_player(ben.pk, now=NOW)
    assert list(ClubRemark.objects.filter(player=ben).values_list("name", "words")) == [("Anonymous", "")]


@pytest.mark.django_db(transaction=True)
async def test_pages_are_told_that_something_was_said(
    ana: models.Player, ben: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version_sockets, "LOOK_SECONDS", 0.02)
    club = await sync_to_async(found)(ana)
    member = await sync_to_async(Membership.objects.create)(club=club, player=ben, role=Role.MEMBER)
    path = f"/ws/clubs/{club.slug}/"
    stranger = open_socket(path, Client())
    await stranger.connect(SECONDS)
    assert (await stranger.receive_output(SECONDS))["code"] == 4403
    wire = open_socket(path, browser(ben))
    await wire.connect(SECONDS)
    assert json.loads(await wire.receive_from(SECONDS)) == {"version": "0"}
    await sync_to_async(club_talk.say)(club, ana, words="Hello", now=NOW)
    assert json.loads(await wire.receive_from(SECONDS)) == {"version": "1"}
    await sync_to_async(membership.leave)(club, ana, member.pk)
    async with asyncio.timeout(SECONDS):
        while (frame := await wire.receive_output(SECONDS))["type"] != "websocket.close":
            pass
    assert frame["code"] == 4403
