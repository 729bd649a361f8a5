"""Organisers keep order in their club: reports, messages, silence, removal, closing; each logged, each undone."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound
from tests.cast import NOW, browser, person
from tests.html import read_page
from tests.tournaments.cast import found
from tournaments.flow.clubs import club_reports, club_talk, invitations, membership, moderation
from tournaments.models import Club, ClubRemark, ClubReport, Membership, ModerationStep, Role

HOUR = 3600.0


@pytest.fixture
def club(ana: Player, ben: Player, eva: Player) -> Club:
    """Ana's club; Ben is an organiser, Eva a member."""
    made = found(ana)
    for player, role in ((ben, Role.ORGANISER), (eva, Role.MEMBER)):
        membership.accept(invitations.invite(made, ana, role=role).token, player)
    return made


def list_public_remarks(club: Club) -> list[str]:
    """What everybody can read in the chat."""
    return [one.words for one in club_talk.read_talk(club).remarks]


def press(client: Client, club: Club, action: str, **fields: Any) -> int:
    """Press a button of the page; the status of the answer."""
    return client.post(reverse("tournaments:moderate", args=[club.slug]), {"action": action, **fields}).status_code


def undo_last(club: Club, actor: Player) -> None:
    moderation.undo(club, actor, ModerationStep.objects.filter(club=club).latest("pk").pk, now=NOW)


def test_reports_go_to_the_organisers_with_what_was_said_around_them(
    club: Club, ana: Player, ben: Player, eva: Player
) -> None:
    for number in range(6):
        club_talk.say(club, ana, words=f"before {number}", now=NOW)
    rude = club_talk.say(club, eva, words="Rude.", now=NOW)
    club_talk.say(club, ben, words="after", now=NOW)
    club_talk.report(club, rude.number, ben, now=NOW + 1)
    club_talk.report(club, rude.number, ana, now=NOW + 2)
    assert [club_reports.count_open(club, one.pk) for one in (ana, ben)] == [1, 1]
    (report,) = club_reports.list_open(club, ana.pk)
    assert (report.name, report.reports, report.at, report.is_member) == ("Eva", 2, NOW + 2, True)
    assert [one.words for one in report.around] == ["before 3", "before 4", "before 5", "Rude.", "after"]
    page = read_page(browser(ben).get(reverse("tournaments:club", args=[club.slug])))
    assert "1 reported message waits for you." in page
    page = read_page(browser(ben).get(reverse("tournaments:moderation", args=[club.slug])))
    assert "Reported by 2 people" in page
    assert '<span class="words">before 5</span>' in page
    assert browser(eva).get(reverse("tournaments:moderation", args=[club.slug])).status_code == 403
    assert "Moderation" not in read_page(browser(eva).get(reverse("tournaments:club", args=[club.slug])))


def test_nobody_decides_about_a_report_of_themselves(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    mine = club_talk.say(club, ben, words="Rude.", now=NOW)
    club_talk.report(club, mine.number, eva, now=NOW)
    assert [club_reports.count_open(club, one.pk) for one in (ana, ben)] == [1, 0]
    remark = ClubRemark.objects.get()
    with pytest.raises(NotAllowed, match="Somebody else"):
        moderation.settle_reports(club, ben, remark.pk, is_at_table=False, now=NOW)
    moderation.settle_reports(club, ana, remark.pk, is_at_table=False, now=NOW)
    assert (club_reports.count_open(club, ana.pk), list_public_remarks(club)) == (0, ["Rude."])
    undo_last(club, ana)
    assert club_reports.count_open(club, ana.pk) == 1


def test_one_message_is_removed_and_put_back(club: Club, ana: Player, eva: Player) -> None:
    for words in ("one", "two", "three"):
        club_talk.say(club, eva, words=words, now=NOW)
    club_talk.report(club, 2, ana, now=NOW)
    versions = {club_talk.version_of(club)}
    moderation.hide_remark(club, ana, 2, now=NOW + 1)
    moderation.hide_remark(club, ana, 2, now=NOW + 2)
    versions.add(club_talk.version_of(club))
    assert (list_public_remarks(club), club_talk.read_talk(club).hidden) == (["one", "three"], (2,))
    assert (club_reports.count_open(club, ana.pk), ModerationStep.objects.count()) == (0, 1)
    with pytest.raises(NotFound):
        club_talk.report(club, 2, ana, now=NOW)
    undo_last(club, ana)
    undo_last(club, ana)
    versions.add(club_talk.version_of(club))
    assert (list_public_remarks(club), club_reports.count_open(club, ana.pk), len(versions)) == (
        ["one", "two", "three"],
        1,
        3,
    )


def test_the_chat_is_cleared_after_a_question_and_shown_again(club: Club, ben: Player, eva: Player) -> None:
    club_talk.say(club, eva, words="one", now=NOW)
    page = read_page(browser(ben).get(reverse("tournaments:club", args=[club.slug])))
    assert "Hide all messages for everybody? You can undo this." in page
    browser(ben).post(reverse("tournaments:clear_club_talk", args=[club.slug]), {"x": "1"})
    club_talk.say(club, eva, words="two", now=NOW)
    assert list_public_remarks(club) == ["two"]
    browser(ben).post(reverse("tournaments:clear_club_talk", args=[club.slug]), {"undo": "1"})
    assert list_public_remarks(club) == ["one", "two"]


def test_somebody_is_silent_for_a_time(club: Club, ben: Player, eva: Player) -> None:
    now = time.time()
    moderation.silence(club, ben, eva.pk, hours=1, now=now)
    with pytest.raises(NotAllowed, match="silenced you") as refused:
        club_talk.say(club, eva, phrase="thanks", now=now + 60)
    assert refused.value.values == {"minutes": 59}
    assert (
        browser(eva).post(reverse("tournaments:say_in_club", args=[club.slug]), {"phrase": "thanks"}).status_code == 403
    )
    assert "Silenced" in read_page(browser(ben).get(reverse("tournaments:moderation", args=[club.slug])))
    club_talk.say(club, eva, words="later", now=now + HOUR)
    undo_last(club, ben)
    club_talk.say(club, eva, words="at once", now=now)
    assert list_public_remarks(club) == ["later", "at once"]
    with pytest.raises(BadInput):
        moderation.silence(club, ben, eva.pk, hours=5, now=now)


def test_the_chat_is_closed_to_all_but_organisers(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    assert press(browser(ben), club, "close") == 302
    club.refresh_from_db()
    with pytest.raises(NotAllowed, match="closed"):
        club_talk.say(club, eva, phrase="thanks", now=NOW)
    club_talk.say(club, ana, words="The hall is closed today.", now=NOW)
    page = read_page(browser(eva).get(reverse("tournaments:club", args=[club.slug])))
    assert "An organiser has closed this chat for now." in page
    assert "/say/" not in page
    assert press(browser(ben), club, "open") == 302
    club.refresh_from_db()
    assert club_talk.say(club, eva, phrase="thanks", now=NOW).phrase == "thanks"


def test_somebody_who_is_removed_comes_back_with_a_new_link_only(club: Club, ana: Player, eva: Player) -> None:
    link = invitations.invite(club, ana).token
    moderation.remove(club, ana, eva.pk, is_kept_out=False, now=NOW)
    with pytest.raises(NotAllowed, match="removed"):
        membership.accept(link, eva)
    membership.accept(invitations.invite(club, ana).token, eva)
    assert Membership.objects.filter(club=club, player=eva).exists()


def test_somebody_who_is_kept_out_does_not_come_back_neither_as_a_new_guest(club: Club, ana: Player) -> None:
    link = invitations.invite(club, ana).token
    troll = Client()
    assert troll.post(reverse("tournaments:invitation", args=[link]), {"name": "Olga"}).status_code == 302
    olga = Player.objects.get(name="Olga")
    moderation.remove(club, ana, olga.pk, is_kept_out=True, now=NOW)
    fresh = Client()
    assert fresh.post(reverse("tournaments:invitation", args=[link]), {"name": "Olga"}).status_code == 404
    later = invitations.invite(club, ana).token
    with pytest.raises(NotAllowed, match="keep you out"):
        membership.accept(later, olga)
    for name in ("sessionid", "newcomer"):  # a new guest session in the same browser
        troll.cookies.pop(name, None)
    troll.post(reverse("tournaments:invitation", args=[later]), {"name": "Somebody"})
    assert not Membership.objects.filter(club=club, player__name="Somebody").exists()
    fresh.post(reverse("tournaments:invitation", args=[later]), {"name": "Ola"})
    assert Membership.objects.filter(club=club, player__name="Ola").exists()
    assert "Kept out" in read_page(browser(ana).get(reverse("tournaments:moderation", args=[club.slug])))
    assert press(browser(ana), club, "let-in", player=olga.pk) == 302
    assert Membership.objects.get(club=club, player=olga).role == Role.MEMBER


def test_an_organiser_does_not_act_on_organisers_or_on_themselves(club: Club, ana: Player, ben: Player) -> None:
    moderation.silence(club, ana, ben.pk, hours=1, now=NOW)
    for whom, sentence in ((ana, "Only an owner"), (ben, "Somebody else")):
        with pytest.raises(NotAllowed, match=sentence):
            moderation.silence(club, ben, whom.pk, hours=1, now=NOW)
        with pytest.raises(NotAllowed, match=sentence):
            moderation.remove(club, ben, whom.pk, is_kept_out=True, now=NOW)
    with pytest.raises(NotAllowed, match="Somebody else"):
        undo_last(club, ben)
    moderation.remove(club, ana, ben.pk, is_kept_out=False, now=NOW)
    undo_last(club, ana)
    assert Membership.objects.get(club=club, player=ben).role == Role.ORGANISER


def test_the_log_says_who_did_what_and_undoes_it(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    club_talk.say(club, eva, words="Rude.", now=NOW)
    client = browser(ben)
    assert press(client, club, "hide", number=1) == 302
    assert press(client, club, "silence", player=eva.pk, hours=24) == 302
    step = ModerationStep.objects.latest("pk")
    assert press(browser(ana), club, "undo", step=step.pk) == 302
    page = read_page(client.get(reverse("tournaments:moderation", args=[club.slug])))
    log = page[page.index('id="log"') :]
    assert "removed a message from Eva: “Rude.”" in log
    assert "silenced Eva for 24 hours" in log
    assert "undone by Ana" in log
    assert log.count('value="undo"') == 1
    assert press(client, club, "explode") == 400
    assert press(browser(eva), club, "clear") == 403
    assert not ClubRemark.objects.filter(is_clearing=True).exists()


def test_a_member_who_is_taken_off_the_list_is_in_the_log(club: Club, ben: Player, eva: Player) -> None:
    member = Membership.objects.get(club=club, player=eva)
    browser(ben).post(reverse("tournaments:member", args=[club.slug, member.pk]), {"role": ""})
    assert list(ModerationStep.objects.values_list("kind", "actor", "player")) == [("remove", ben.pk, eva.pk)]


def test_reports_of_another_club_are_not_theirs(club: Club, ana: Player, eva: Player) -> None:
    zoe = person("Zoe")
    other = found(zoe, "Second Club")
    membership.accept(invitations.invite(other, zoe).token, eva)
    club_talk.say(other, eva, words="Rude.", now=NOW)
    club_talk.report(other, 1, zoe, now=NOW)
    assert (club_reports.count_open(club, ana.pk), club_reports.count_open(other, zoe.pk)) == (0, 1)
    report = ClubReport.objects.get()
    with pytest.raises(NotFound):
        moderation.settle_reports(club, ana, report.remark_id, is_at_table=False, now=NOW)
