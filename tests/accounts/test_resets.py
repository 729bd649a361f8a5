"""Password resets without email: links that others create, for one use within a day, reported to their owner."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import models
from games.accounts.sign_in import reset_links
from games.accounts.sign_in.reset_links import LASTS_SECONDS, LinkMaker
from games.models import ResetLink
from games.operation.doctor import examine
from games.play.errors import NotAllowed, NotFound
from tests.accounts.test_accounts import PASSWORD, sign_in, sign_up
from tests.cast import as_other_process, at_once, person
from tournaments.flow.clubs import membership
from tournaments.flow.people import reset_links as club_links
from tournaments.models import Club, Membership, Role

NEW = "another long phrase"
SILENT = "django.core.mail.backends.dummy.EmailBackend"
COMMAND = LinkMaker(ResetLink.Kind.COMMAND)


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """What was counted in another test does not count here."""
    cache.clear()


@pytest.fixture
def mara(db: None) -> models.User:
    """Has forgotten the password."""
    return sign_up(Client(), username="Mara", email="")


def set_password(url: str, password: str = NEW) -> Any:
    """The answer to a new password, given in a browser that nobody knows."""
    return Client().post(url, {"password1": password, "password2": password})


def address_of(token: str) -> str:
    """The link."""
    return reverse("reset_by_link", args=[token])


# --- what the pages say ---


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This site does not send email. Ask the administrator for a reset link."),
        ("de", "Diese Seite verschickt keine E-Mails. Bitte die Administration um einen Link zum Zurücksetzen."),
        ("pl", "Ta strona nie wysyła e-maili. Poproś administratora strony o link do zmiany hasła."),
    ],
)
def test_a_site_that_sends_no_letters_says_so(db: None, settings: Any, language: str, sentence: str) -> None:
    settings.EMAIL_BACKEND = SILENT
    client = Client(headers={"accept-language": language})
    path = reverse("account_reset_password")
    for answer in (client.get(path), client.post(path, {"email": "ana@club.example"}, follow=True)):
        assert sentence in answer.content.decode()
    assert sentence in client.get(reverse("account_reset_password_done"), follow=True).content.decode()


def test_it_promises_no_letter_anywhere(db: None, settings: Any) -> None:
    settings.EMAIL_BACKEND = SILENT
    form = Client().get(reverse("account_signup")).content.decode()
    assert "This site does not send email. If you forget your password, ask the administrator" in form
    client = Client()
    sign_up(client)
    text = client.get(reverse("me")).content.decode()
    assert "your address cannot be confirmed" in text
    assert "sent a confirmation email" not in text
    again = client.post(reverse("account_email"), {"action_send": "", "email": "ana@club.example"}, follow=True)
    assert "sent a confirmation email" not in again.content.decode()


def test_a_site_that_sends_letters_says_that(db: None) -> None:
    path = reverse("account_reset_password")
    assert "does not send email" not in Client().get(path).content.decode()
    assert Client().post(path, {"email": "ana@club.example"})["Location"] == reverse("account_reset_password_done")
    assert Client().get(reverse("account_reset_password_done")).status_code == 200


@pytest.mark.parametrize("site", ["", "https://cards.example.org"])
def test_the_doctor_says_it_always(db: None, settings: Any, site: str) -> None:
    settings.EMAIL_BACKEND, settings.SITE_URL = SILENT, site
    words = [finding.words for finding in examine(now=time.time())]
    assert [one for one in words if one.startswith("This site does not send email")] != []


# --- the link ---


def test_a_link_sets_the_password_once(mara: models.User) -> None:
    browser = Client()
    sign_in("Mara", client=browser)
    url = address_of(reset_links.make(mara, COMMAND, now=time.time()))
    page = Client().get(url)
    assert "New password for Mara" in page.content.decode()
    assert "made by the administrator of this site" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    answer = set_password(url)
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_login"))
    assert (set_password(url, "a third long phrase").status_code, Client().get(url).status_code) == (404, 404)
    assert [sign_in("Mara", one).status_code for one in (PASSWORD, NEW)] == [200, 302]
    assert browser.get(reverse("account_email")).status_code == 302  # signed out


def test_a_link_signs_nobody_in(mara: models.User) -> None:
    """So a second factor is still asked for, and who made the link does not play as somebody else by opening it."""
    client = Client()
    url = address_of(reset_links.make(mara, COMMAND, now=time.time()))
    client.post(url, {"password1": NEW, "password2": NEW})
    assert "_auth_user_id" not in client.session
    assert "player" not in client.session


@pytest.mark.parametrize("password", ["short", "password123"])
def test_a_weak_password_leaves_the_link_open(mara: models.User, password: str) -> None:
    url = address_of(reset_links.make(mara, COMMAND, now=time.time()))
    assert set_password(url, password).status_code == 422
    assert set_password(url).status_code == 302


def test_it_expires_after_a_day_and_a_newer_one_replaces_it(mara: models.User) -> None:
    now = time.time()
    first = reset_links.make(mara, COMMAND, now=now)
    second = reset_links.make(mara, COMMAND, now=now + 1)
    with pytest.raises(NotFound):
        reset_links.find(first, now=now + 1)
    assert reset_links.find(second, now=now + LASTS_SECONDS).user == mara
    with pytest.raises(NotFound):
        reset_links.find(second, now=now + 1 + LASTS_SECONDS)
    assert LASTS_SECONDS == 24 * 3600


def test_nothing_that_is_stored_opens_it(mara: models.User) -> None:
    token = reset_links.make(mara, COMMAND, now=time.time())
    row = ResetLink.objects.values().get()
    assert token not in str(row)
    with pytest.raises(NotFound):
        reset_links.find(row["digest"], now=time.time())


def test_a_closed_account_is_not_opened(mara: models.User) -> None:
    now = time.time()
    token = reset_links.make(mara, COMMAND, now=now)
    models.User.objects.update(is_active=False)
    with pytest.raises(NotFound):
        reset_links.find(token, now=now)
    mara.refresh_from_db()
    with pytest.raises(NotAllowed):
        reset_links.make(mara, COMMAND, now=now)


@pytest.mark.django_db(transaction=True)
def test_two_who_use_it_at_the_same_moment(mara: models.User) -> None:
    link = reset_links.find(reset_links.make(mara, COMMAND, now=time.time()), now=time.time())
    use: Callable[[], None] = lambda: reset_links.use(link, NEW, now=time.time())  # noqa: E731
    done = as_other_process(lambda: at_once(use, use))
    assert sorted(type(one).__name__ for one in done) == ["NoneType", "NotFound"]


def test_the_person_sees_it_and_withdraws_it(mara: models.User) -> None:
    client, now = Client(), time.time()
    sign_in("Mara", client=client)
    url = address_of(reset_links.make(mara, COMMAND, now=now))
    page = client.get(reverse("me")).content.decode()
    assert "Reset link made by the administrator of this site" in page
    assert "If you did not ask for it, withdraw it." in page
    client.post(reverse("withdraw_reset_link"))
    assert Client().get(url).status_code == 404
    assert "It was withdrawn." in client.get(reverse("me")).content.decode()


def test_the_person_sees_that_it_was_used(mara: models.User) -> None:
    set_password(address_of(reset_links.make(mara, COMMAND, now=time.time())))
    client = Client()
    sign_in("Mara", NEW, client=client)
    assert "It was used to reset your password on" in client.get(reverse("me")).content.decode()


def test_nobody_withdraws_what_is_another_persons(mara: models.User) -> None:
    url = address_of(reset_links.make(mara, COMMAND, now=time.time()))
    other = Client()
    sign_up(other, username="Kim", email="")
    other.post(reverse("withdraw_reset_link"))
    assert Client().get(url).status_code == 200


# --- the administrator ---


def make_in_admin(client: Client, *users: models.User) -> Any:
    """The answer to the action of the list of accounts."""
    chosen = {"action": "make_link", "_selected_action": [user.pk for user in users]}
    return client.post(reverse("admin:games_user_changelist"), chosen, follow=True)


def find_link(answer: Any) -> str | None:
    """The link that a page shows."""
    found = re.search(r"http://testserver(/account/password/reset/link/[\w-]+/)", answer.content.decode())
    return found[1] if found else None


def test_an_administrator_makes_one(staff: Client, mara: models.User) -> None:
    answer = make_in_admin(staff, mara)
    url = find_link(answer)
    assert url is not None
    assert ("24 hours" in answer.content.decode(), "no-store" in answer["Cache-Control"]) == (True, True)
    assert LogEntry.objects.get().change_message == "Reset link created"
    log = staff.get(reverse("admin:games_resetlink_changelist")).content.decode()
    assert "Mara" in log
    assert find_link(make_in_admin(staff, mara, models.User.objects.get(username="boss"))) is None
    chosen = {"action": "withdraw_links", "_selected_action": [ResetLink.objects.get().pk]}
    staff.post(reverse("admin:games_resetlink_changelist"), chosen)
    assert Client().get(url).status_code == 404


def test_an_administrator_withdraws_the_selected_links_only(staff: Client, mara: models.User) -> None:
    first, second = find_link(make_in_admin(staff, mara)), find_link(make_in_admin(staff, mara))
    other = models.User.objects.create_user("Nico", password=PASSWORD)
    third = find_link(make_in_admin(staff, other))
    assert first
    assert second
    assert third
    old = ResetLink.objects.order_by("pk")[0]  # the second link has replaced it

    def withdraw(*links: ResetLink) -> str:
        chosen = {"action": "withdraw_links", "_selected_action": [link.pk for link in links]}
        return staff.post(reverse("admin:games_resetlink_changelist"), chosen, follow=True).content.decode()

    assert "No selected link is open." in withdraw(old)
    assert [Client().get(url).status_code for url in (second, third)] == [200, 200]
    assert "The reset link for Nico has been withdrawn." in withdraw(old, ResetLink.objects.get(user=other))
    assert [Client().get(url).status_code for url in (second, third)] == [200, 404]


def test_staff_make_none_for_staff(staff: Client, mara: models.User, django_user_model: Any) -> None:
    helper = django_user_model.objects.create_user("helper", password=PASSWORD, is_staff=True)
    helper.user_permissions.add(*Permission.objects.filter(codename__in=["change_user", "view_user"]))
    client = Client()
    client.force_login(helper)
    assert find_link(make_in_admin(client, django_user_model.objects.get(username="boss"))) is None
    assert find_link(make_in_admin(client, mara)) is not None
    with pytest.raises(NotAllowed):
        reset_links.make_as_administrator(helper, mara, now=time.time())
    assert find_link(make_in_admin(staff, helper)) is not None


def test_nobody_sets_a_password_in_silence(staff: Client, mara: models.User) -> None:
    path = reverse("admin:auth_user_password_change", args=[mara.pk])
    answer = staff.post(path, {"password1": NEW, "password2": NEW, "usable_password": "true"}, follow=True)
    assert "You cannot set a password here." in answer.content.decode()
    assert sign_in("Mara").status_code == 302


def test_an_account_that_staff_add_gets_its_password_by_a_link(staff: Client, django_user_model: Any) -> None:
    page = staff.get(reverse("admin:games_user_add")).content.decode()
    assert "The new account has no password." in page
    assert 'type="password"' not in page
    assert staff.post(reverse("admin:games_user_add"), {"username": "nora", "email": ""}).status_code == 302
    nora = django_user_model.objects.get(username="nora")
    assert not nora.has_usable_password()
    url = find_link(make_in_admin(staff, nora))
    assert url is not None
    Client().post(url, {"password1": NEW})
    assert sign_in("nora", NEW).status_code == 302


def test_the_admin_changes_passwords_on_our_own_page(staff: Client) -> None:
    answer = staff.get("/admin/password_change/")
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_change_password"))


def run(*args: str) -> str:
    """What the command writes."""
    out = StringIO()
    call_command("reset_link", *args, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def test_the_command_makes_and_withdraws(mara: models.User, settings: Any) -> None:
    settings.SITE_URL = "https://cards.example.org"
    url = run("mara")
    assert url.startswith("https://cards.example.org/account/password/reset/link/")
    path = url.removeprefix("https://cards.example.org")
    assert Client().get(path).status_code == 200
    assert run("Mara", "--withdraw") == "The link for Mara is withdrawn."
    assert run("Mara", "--withdraw") == "There is no open link for Mara."
    assert Client().get(path).status_code == 404
    with pytest.raises(CommandError, match="no account with this name"):
        run("Nobody")


# --- the organisers of a club ---


def account(name: str) -> models.Player:
    """Somebody with an account."""
    return sign_up(Client(), username=name, email="").player


def join(club: Club, player: models.Player, role: Role = Role.MEMBER, *, days: int = 30) -> Membership:
    """A membership that began so many days ago."""
    row = Membership.objects.create(club=club, player=player, role=role)
    Membership.objects.filter(pk=row.pk).update(since=timezone.now() - timedelta(days=days))
    return row


@pytest.fixture
def harbour(db: None) -> Club:
    """A club of Olga's, with Otto, who organises."""
    club = membership.found_club(account("Olga"), name="Harbour Club")
    join(club, account("Otto"), Role.ORGANISER)
    return club


def find(name: str) -> models.Player:
    """The person of this account."""
    return models.Player.objects.get(user__username=name)


def can_make(club: Club, actor: models.Player, member: Membership) -> bool:
    """Whether this person gets a link for that one."""
    try:
        club_links.make_for_member(club, actor, member.pk, now=time.time())
    except NotAllowed:
        return False
    return True


def test_an_organiser_helps_a_member(harbour: Club) -> None:
    member = join(harbour, account("Mara"))
    client = Client()
    sign_in("Otto", client=client)
    page = client.get(reverse("tournaments:club", args=[harbour.slug])).content.decode()
    path = reverse("tournaments:member_reset_link", args=[harbour.slug, member.pk])
    assert path in page
    answer = client.post(path)
    url = find_link(answer)
    assert url is not None
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert "Mara will see that you made it." in answer.content.decode()
    assert "made by Otto (organiser of Harbour Club)" in Client().get(url).content.decode()
    assert set_password(url).status_code == 302


def test_who_may_help_who(harbour: Club) -> None:
    olga, otto = find("Olga"), find("Otto")
    mara, olaf = join(harbour, account("Mara")), join(harbour, account("Olaf"), Role.ORGANISER)
    owner, organiser = (harbour.memberships.get(player=one) for one in (olga, otto))
    assert [can_make(harbour, olga, one) for one in (mara, olaf, organiser, owner)] == [True, True, True, False]
    assert [can_make(harbour, otto, one) for one in (mara, olaf, organiser, owner)] == [True, False, False, False]
    assert not can_make(harbour, mara.player, olaf)
    assert not can_make(harbour, account("Eva"), mara)


def test_nobody_above_is_within_reach(harbour: Club) -> None:
    """Administrators and people who lead another club; new members, who may have been asked in for that; guests."""
    otto = find("Otto")
    boss, leader = join(harbour, account("Boss")), join(harbour, account("Lea"))
    fresh, guest = join(harbour, account("Nina"), days=6), join(harbour, person("Gina"))
    models.User.objects.filter(username="Boss").update(is_staff=True)
    membership.found_club(leader.player, name="Hill Club")
    assert [can_make(harbour, otto, one) for one in (boss, leader, fresh, guest)] == [False] * 4
    models.User.objects.filter(username="Boss").update(is_staff=False, is_superuser=True)
    assert not can_make(harbour, otto, boss)
    Membership.objects.filter(pk=fresh.pk).update(since=datetime.now(UTC) - timedelta(days=8))
    assert can_make(harbour, otto, fresh)
    assert ResetLink.objects.count() == 1


def test_an_organiser_without_an_account_makes_none(harbour: Club) -> None:
    mara = join(harbour, account("Mara"))
    guest = join(harbour, person("Gina"), Role.ORGANISER)
    assert not can_make(harbour, guest.player, mara)
