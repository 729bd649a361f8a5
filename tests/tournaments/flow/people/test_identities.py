"""A member on a new phone, and two members who are one: links once, merges that can be undone, and who may not."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from games.models import Player, Seat, SignedInDevice
from games.play.errors import NotAllowed, NotFound, Stale
from tests.cast import NOW, browser, finish, person, start_table
from tests.html import read_page
from tests.tournaments.cast import found
from tournaments.flow.clubs import club_talk, invitations, membership, moderation
from tournaments.flow.counting import recomputing
from tournaments.flow.people import device_links, member_merging
from tournaments.models import (
    BoardRow,
    CareerEntry,
    Club,
    ClubRemark,
    DeviceLink,
    Membership,
    ModerationStep,
    PersonResult,
    PersonTotal,
    Role,
)
from tournaments.work import tasks


@pytest.fixture
def club(ana: Player, ben: Player, eva: Player) -> Club:
    """Ana's club; Ben is an organiser, Eva a member."""
    made = found(ana)
    for player, role in ((ben, Role.ORGANISER), (eva, Role.MEMBER)):
        join(made, ana, player, role)
    return made


def join(club: Club, owner: Player, player: Player, role: Role = Role.MEMBER) -> Membership:
    return membership.accept(invitations.invite(club, owner, role=role).token, player)


def member(club: Club, player: Player) -> int:
    return Membership.objects.get(club=club, player=player).pk


def make_link(organiser: Client, club: Club, member_id: int) -> str:
    """The address of a new link, from the page that shows it."""
    page = read_page(organiser.post(reverse("tournaments:new_device_link", args=[club.slug]), {"member": member_id}))
    found = re.search(r'value="(http[^"]+/devices/[^"]+)"', page)
    assert found is not None
    return found[1].replace("http://testserver", "")


def test_a_member_gets_a_new_device_by_a_link_once(club: Club, ben: Player, eva: Player) -> None:
    old, new, late = browser(eva), Client(), Client()
    old.get("/", HTTP_USER_AGENT="Firefox/130 Android")
    url = make_link(browser(ben), club, member(club, eva))
    assert "Are you Eva?" in read_page(new.get(url))
    assert new.post(url, HTTP_USER_AGENT="Chrome/130 Android").status_code == 302
    assert new.session["player"] == eva.pk
    assert late.post(url).status_code == 404
    assert "player" not in late.session
    page = read_page(old.get(reverse("devices")))
    assert ["Signed in with a link from Ben (Harbour Club)" in page, page.count("Last seen")] == [True, 2]
    assert "made a link that signed in another device for Eva" in read_page(
        browser(ben).get(reverse("tournaments:moderation", args=[club.slug]))
    )
    assert old.post(reverse("devices"), {}).status_code == 302
    assert "player" not in new.session
    assert old.session["player"] == eva.pk
    step = ModerationStep.objects.get(kind="hand-over")
    with pytest.raises(Stale, match="already used"):
        moderation.undo(club, ben, step.pk, now=NOW)


def test_a_link_ends_is_withdrawn_or_replaced(club: Club, ben: Player, eva: Player) -> None:
    now = time.time()
    _, first = device_links.make(club, ben, member(club, eva), now=now)
    _, second = device_links.make(club, ben, member(club, eva), now=now)
    with pytest.raises(NotFound):
        device_links.find(first, now=now)
    assert device_links.find(second, now=now + device_links.LASTS_MINUTES * 60 - 1).step.player == eva
    with pytest.raises(NotFound):
        device_links.find(second, now=now + device_links.LASTS_MINUTES * 60)
    moderation.undo(club, ben, ModerationStep.objects.latest("pk").pk, now=now)
    with pytest.raises(NotFound):
        device_links.find(second, now=now)
    assert not DeviceLink.objects.filter(digest__in=[first, second]).exists()


def test_for_whom_nobody_makes_a_link(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    def refuse(actor: Player, player: Player, words: str) -> None:
        with pytest.raises(NotAllowed, match=words):
            device_links.make(club, actor, member(club, player), now=time.time())

    refuse(eva, ben, "organiser")
    refuse(ben, ana, "owner")
    refuse(ben, ben, "Somebody else")
    elsewhere = found(person("Zoe"), name="Hill Club")
    visit = join(elsewhere, elsewhere.memberships.get().player, eva)
    refuse(ben, eva, "several clubs")
    Membership.objects.filter(pk=visit.pk).update(role=Role.ORGANISER)
    refuse(ben, eva, "runs another club")
    visit.delete()
    user = get_user_model().objects.create_user("eva", password="a long pass phrase")
    Player.objects.filter(pk=eva.pk).update(user=user)
    refuse(ben, eva, "account")
    user.is_staff = True
    user.save()
    refuse(ben, eva, "administrators")
    with pytest.raises(NotFound):
        device_links.make(club, ben, 0, now=NOW)


def test_an_account_is_not_replaced_by_a_link(club: Club, ben: Player, eva: Player) -> None:
    _, token = device_links.make(club, ben, member(club, eva), now=time.time())
    client = Client()
    client.force_login(get_user_model().objects.create_user("zoe", password="a long pass phrase"))
    client.post(reverse("tournaments:device_link", args=[token]))
    assert "player" not in client.session


def stored(*people: Player) -> dict[str, Any]:
    """What is derived of these people, comparable."""
    ids = [one.pk for one in people]
    return {
        "seats": sorted(Seat.objects.filter(player__in=ids).values_list("table", "index", "player", "name")),
        "results": sorted(PersonResult.objects.filter(player__in=ids).values_list("counted", "player", "mu", "sigma")),
        "careers": sorted(CareerEntry.objects.filter(player__in=ids).values_list("table", "deal", "player")),
        "totals": sorted(PersonTotal.objects.filter(player__in=ids).values_list("game", "season", "player", "games")),
        "boards": sorted(BoardRow.objects.filter(player__in=ids, games__gt=0).values_list("board", "player", "mu")),
        "members": sorted(Membership.objects.filter(player__in=ids).values_list("club", "player", "role", "alias")),
        "people": sorted(Player.objects.filter(pk__in=ids).values_list("pk", "name", "avatar", "is_listed", "left_at")),
    }


def test_two_who_are_one_are_merged_and_are_two_again(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    double = person("Eva B")
    join(club, ana, double)
    phone = browser(double)
    phone.get("/")
    for who in (eva, double):
        finish(start_table(who, ben, options={"deals": 1}))
    tasks.sweep_results()
    club_talk.say(club, double, words="It is me.", now=NOW)
    before = stored(eva, double)
    assert {len(before[name]) for name in ("seats", "results")} == {2}
    address = reverse("tournaments:merge", args=[club.slug])
    fields = {"guest": member(club, double), "player": member(club, eva)}
    page = read_page(browser(ben).get(address, fields))
    assert ["Karriere Poker: 1" in page, "Harbour Club (Member)" in page] == [True, True]
    now = NOW + 1_000_000
    step = member_merging.merge(club, ben, fields["guest"], fields["player"], now=now)
    tasks.sweep_results()
    assert PersonResult.objects.filter(player=eva).count() == 2
    assert not PersonResult.objects.filter(player=double).exists()
    assert phone.session["player"] == eva.pk
    assert ClubRemark.objects.get().player == eva
    assert recomputing.recompute(now=now) == recomputing.Corrections(2, 0, 0)
    assert "merged Eva B into Eva" in read_page(browser(ben).get(reverse("tournaments:moderation", args=[club.slug])))

    moderation.undo(club, ben, step.pk, now=now + 1)
    tasks.sweep_results()
    assert stored(eva, double) == before
    assert phone.session["player"] == double.pk
    assert ClubRemark.objects.get().player == double
    assert recomputing.recompute(now=now) == recomputing.Corrections(2, 0, 0)


def test_a_merge_stays_once_they_have_played_again(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    double = person("Eva B")
    step = member_merging.merge(club, ben, join(club, ana, double).pk, member(club, eva), now=NOW - 10)
    table = finish(start_table(eva, ben, options={"deals": 1}))
    tasks.sweep_results()
    assert PersonResult.objects.get(player=eva).ended_at == table.ended_at
    with pytest.raises(Stale, match="played"):
        moderation.undo(club, ben, step.pk, now=NOW)


def test_whom_nobody_merges(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    double = person("Eva B")
    guest = join(club, ana, double).pk
    waiting = start_table(double, ben)
    with pytest.raises(NotAllowed, match="sits at a table"):
        member_merging.merge(club, ben, guest, member(club, eva), now=NOW)
    finish(waiting)
    finish(start_table(double, eva, options={"deals": 1}))
    with pytest.raises(NotAllowed, match="not one person"):
        member_merging.merge(club, ben, guest, member(club, eva), now=NOW)
    with pytest.raises(NotAllowed, match="owner"):
        member_merging.merge(club, ben, guest, member(club, ana), now=NOW)
    page = read_page(browser(ben).get(
        reverse("tournaments:merge", args=[club.slug]), {"guest": guest, "player": member(club, eva)}
    ))  # fmt: skip
    assert ["not one person" in page, ">Merge</button>" in page] == [True, False]


def test_devices_are_noted_once_an_hour_and_signed_out_one_by_one(eva: Player) -> None:
    here, there = browser(eva), browser(eva)
    for client, agent in ((here, "Firefox/130 Linux"), (there, "Safari/18 iPhone")):
        for _ in range(2):
            client.get("/", HTTP_USER_AGENT=agent)
    assert sorted(SignedInDevice.objects.values_list("name", flat=True)) == ["Firefox, Linux", "Safari, iPhone"]
    page = read_page(here.get(reverse("devices")))
    (key,) = re.findall(r'name="key"\s+value="(\w+)"', page)
    assert str(there.session.session_key) not in page
    here.post(reverse("devices"), {"key": key})
    assert "player" not in there.session
    assert SignedInDevice.objects.get().session == here.session.session_key
    assert browser(person("Zoe")).post(reverse("devices"), {"key": key}).status_code == 302
    assert here.session["player"] == eva.pk


def test_a_hand_over_stands_on_its_persons_page_for_a_month(club: Club, ben: Player, eva: Player) -> None:
    old, new = browser(eva), Client()
    assert "A new device was signed in" not in read_page(old.get(reverse("me")))
    url = make_link(browser(ben), club, member(club, eva))
    assert "A new device was signed in" not in read_page(old.get(reverse("me")))  # nobody has used it
    new.post(url, HTTP_USER_AGENT="Mozilla/5.0 (Android 15; Mobile) Gecko/130.0 Firefox/130.0")
    page = read_page(old.get(reverse("me")))
    assert "Link made by Ben (Harbour Club), used" in page
    assert "It is still signed in: Firefox" in page
    assert "It is the device that you are using now." in read_page(new.get(reverse("me")))
    form = re.search(r'name="key"\s+value="(\w+)"', page)
    assert form is not None
    old.post(reverse("devices"), {"key": form[1]})
    assert "player" not in new.session
    assert "That device is no longer signed in." in read_page(old.get(reverse("me")))
    DeviceLink.objects.update(used_at=time.time() - 31 * 86_400)
    assert "A new device was signed in" not in read_page(old.get(reverse("me")))
