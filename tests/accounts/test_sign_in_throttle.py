"""Guessing passwords is slow, and nobody can lock others out, neither in known browsers nor in new ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as live_settings
from django.core.cache import cache
from django.forms import ValidationError
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from games import models
from games.accounts.sign_in import known_devices, sign_in_throttle
from games.accounts.sign_in.sign_in_throttle import ANYWHERE, CODE_ANYWHERE, HERE, KNOWN_BROWSER, NETWORK
from tests.accounts.test_accounts import PASSWORD, sign_up

HOUR = 3600
STEP, CROWD_STEP = 2.003, 20.003
"""Seconds between two guesses of an address, alone and among many. One guess is let through every 20, 60 or 120 s."""
REFUSED = "Too many wrong attempts. Wait "
ATTACKER, ELSEWHERE = "203.0.113.7", "198.51.100.9"


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """What was counted in another test does not count here."""
    cache.clear()


@pytest.fixture
def ana_account(db: None) -> models.User:
    """An organiser's account, made in a browser that is not used here."""
    return sign_up(Client(REMOTE_ADDR="192.0.2.1"))


class Clock:
    """The time, as the limits have it; seconds since 1970."""

    def __init__(self) -> None:
        self.now = time.time()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that a test sets on."""
    clock = Clock()
    monkeypatch.setattr(time, "time", lambda: clock.now)
    return clock


def open_browser(address: str, **settings: Any) -> Client:
    """A browser at this network address."""
    return Client(REMOTE_ADDR=address, **settings)


WRONG = "wrong"


def try_password(client: Client, password: str = WRONG, login: str = "Ana") -> str:
    """What comes of it: "in", "wrong", or "wait"."""
    answer = client.post(reverse("account_login"), {"login": login, "password": password})
    if answer.status_code == 302:
        return "in"
    return "wait" if REFUSED in answer.content.decode() else "wrong"


def test_an_attacker_keeps_nobody_out(ana_account: models.User) -> None:
    known_browser = open_browser("192.0.2.44")
    assert try_password(known_browser, PASSWORD) == "in"
    known_browser.post(reverse("account_logout"))
    attacker = open_browser(ATTACKER)
    tries = [try_password(attacker) for _ in range(20)]
    assert tries == ["wrong"] * HERE.at_once + ["wrong"] + ["wait"] * (19 - HERE.at_once)
    assert try_password(attacker, PASSWORD) == "wait"  # what is right is not even looked at
    assert try_password(known_browser, PASSWORD) == "in"
    assert try_password(open_browser(ELSEWHERE), PASSWORD) == "in"


def test_a_known_browser_is_let_in_beside_its_attacker(ana_account: models.User) -> None:
    """In the same network, too, where an unknown one has to wait."""
    known_browser = open_browser(ATTACKER)
    assert try_password(known_browser, PASSWORD) == "in"
    known_browser.post(reverse("account_logout"))
    for number in range(100):
        try_password(open_browser(ATTACKER), login=("Ana", f"somebody {number}")[number % 2])
    assert try_password(open_browser(ATTACKER), PASSWORD) == "wait"
    assert try_password(known_browser, PASSWORD) == "in"
    known_browser.post(reverse("account_logout"))
    assert try_password(known_browser, PASSWORD, login="ana@club.example") == "in"


def test_it_is_slower_and_never_locked(ana_account: models.User, clock: Clock) -> None:
    client = open_browser(ATTACKER)
    while try_password(client) == "wrong":
        pass
    answer = client.post(reverse("account_login"), {"login": "Ana", "password": PASSWORD})
    assert f"{REFUSED}{HERE.seconds} seconds and try again." in answer.content.decode()
    clock.now += HERE.seconds + 1
    assert try_password(client, PASSWORD) == "in"


def guess_for_an_hour(begin: Callable[[str], object], clock: Clock, addresses: list[str]) -> int:
    """How many guesses are looked at in an hour, if every address tries every `STEP` or `CROWD_STEP` seconds."""
    looked_at = 0
    step = STEP if len(addresses) == 1 else CROWD_STEP
    for _ in range(int(HOUR / step)):
        clock.now += step
        for address in addresses:
            try:
                begin(address)
            except ValidationError:
                continue
            looked_at += 1
    return looked_at


def request_of(cookies: dict[str, str] | None = None) -> HttpRequest:
    """Somebody's request."""
    request = RequestFactory().post(reverse("account_login"))
    request.COOKIES |= cookies or {}
    return request


def test_guesses_in_an_hour_are_bounded(ana_account: models.User, clock: Clock) -> None:
    """The figures of docs/security.md."""

    def guess(address: str) -> None:
        sign_in_throttle.end(sign_in_throttle.begin_password(request_of(), "Ana", address), is_right=False)

    assert guess_for_an_hour(guess, clock, [ATTACKER]) in (34, 35)
    clock.now += 2 * HOUR
    many = [f"203.0.113.{number}" for number in range(1, 30)]
    assert guess_for_an_hour(guess, clock, many) in range(230, 241)


def test_codes_in_an_hour_are_bounded(ana_account: models.User, clock: Clock) -> None:
    def guess(address: str) -> None:
        sign_in_throttle.end(sign_in_throttle.begin_code(request_of(), ana_account, address), is_right=False)

    assert guess_for_an_hour(guess, clock, [ATTACKER]) in (34, 35)
    clock.now += 2 * HOUR
    assert guess_for_an_hour(guess, clock, [f"203.0.113.{number}" for number in range(1, 30)]) in range(75, 81)


def test_many_accounts_from_one_address(ana_account: models.User, clock: Clock) -> None:
    """Trying one password with everybody's name is slow, too."""
    names = iter(range(100_000))

    def guess(address: str) -> None:
        sign_in_throttle.end(
            sign_in_throttle.begin_password(request_of(), f"player {next(names)}", address), is_right=False
        )

    assert guess_for_an_hour(guess, clock, [ATTACKER]) in range(230, 241)


def test_a_known_browser_guesses_slowly_as_well(ana_account: models.User, clock: Clock) -> None:
    """Somebody may have taken it."""
    known_browser = open_browser(ELSEWHERE)
    try_password(known_browser, PASSWORD)
    request = request_of({name: cookie.value for name, cookie in known_browser.cookies.items()})

    def guess(address: str) -> None:
        sign_in_throttle.end(sign_in_throttle.begin_password(request, "Ana", address), is_right=False)

    assert guess_for_an_hour(guess, clock, [ATTACKER, ELSEWHERE]) in (39, 40)


def test_a_new_browser_waits_seconds_while_a_few_addresses_attack(ana_account: models.User, clock: Clock) -> None:
    def guess(address: str) -> None:
        sign_in_throttle.end(sign_in_throttle.begin_password(request_of(), "Ana", address), is_right=False)

    few = [f"203.0.113.{number}" for number in range(1, 6)]
    guess_for_an_hour(guess, clock, few)
    waited = 0
    while try_password(open_browser(ELSEWHERE), PASSWORD) == "wait":
        for address in few:
            ignore_refusal(guess, address)
        clock.now += 1
        waited += 1
        assert waited <= 2 * ANYWHERE.seconds
    assert waited <= ANYWHERE.seconds


def ignore_refusal(guess: Callable[[str], None], address: str) -> None:
    """One more attempt of an attacker, whether refused or not."""
    with suppress(ValidationError):
        guess(address)


@pytest.mark.parametrize("host", ["testserver", "localhost", "testserver:8443", "TESTSERVER"])
def test_another_host_name_gives_no_more_tries(ana_account: models.User, host: str) -> None:
    tries = [try_password(open_browser(ATTACKER, HTTP_HOST=name)) for name in ("testserver", host) * 4]
    assert tries.count("wrong") == HERE.at_once + 1


def test_an_unknown_name_is_answered_alike(ana_account: models.User) -> None:
    known_browser = [try_password(open_browser(ATTACKER)) for _ in range(8)]
    assert [try_password(open_browser(ELSEWHERE), login="Nobody") for _ in range(8)] == known_browser


def cookie_of(client: Client, user: models.User) -> Any:
    """The device's cookie in this browser."""
    return client.cookies.get(f"{known_devices.COOKIE}{user.pk}")


def test_the_cookie_opens_nothing_and_goes_to_one_place(ana_account: models.User) -> None:
    client = open_browser(ELSEWHERE)
    assert try_password(client, PASSWORD) == "in"
    cookie = cookie_of(client, ana_account)
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/account/", True, "Lax")
    assert int(cookie["max-age"]) == 365 * 86_400
    thief = open_browser(ATTACKER)
    thief.cookies[cookie.key] = cookie.value
    assert "_auth_user_id" not in thief.session
    assert thief.get(reverse("account_email")).status_code == 302


def test_only_this_account_knows_the_browser(ana_account: models.User) -> None:
    client = open_browser(ELSEWHERE)
    eva = sign_up(client, username="Eva", email="eva@club.example")
    client.post(reverse("account_logout"))
    request = request_of({name: cookie.value for name, cookie in client.cookies.items()})
    assert known_devices.read_device(request, eva) is not None
    stolen = cookie_of(client, eva).value
    forged = {f"{known_devices.COOKIE}{ana_account.pk}": stolen}
    for cookies in (
        forged,
        {f"{known_devices.COOKIE}{ana_account.pk}": "x"},
        {f"{known_devices.COOKIE}{eva.pk}": f"{stolen}x"},
    ):
        assert known_devices.find_device(request_of(cookies), "Ana") is None
        assert known_devices.find_device(request_of(cookies), "Eva") is None
    for _ in range(HERE.at_once + 1):
        try_password(client)
    assert try_password(client, PASSWORD) == "wait"


def test_another_password_ends_it_elsewhere(ana_account: models.User) -> None:
    mine, other = open_browser(ELSEWHERE), open_browser("192.0.2.5")
    for client in (mine, other):
        assert try_password(client, PASSWORD) == "in"
    new = "another long phrase"
    change = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert mine.post(reverse("account_change_password"), change).status_code == 302
    found = [
        known_devices.read_device(request_of({name: one.value for name, one in client.cookies.items()}), ana_account)
        for client in (mine, other)
    ]
    ana_account.refresh_from_db()
    assert [device is not None for device in found] == [True, False]


def enter_code(client: Client, code: str) -> str:
    """The answer to a code of the second factor."""
    return client.post(reverse("mfa_authenticate"), {"code": code}).content.decode()


def test_nobody_is_kept_out_at_the_second_factor(ana_account: models.User) -> None:
    """Somebody who knows the password tries codes: the owner comes in beside them."""
    TOTP.activate(ana_account, generate_totp_secret())
    attacker, owner = open_browser(ATTACKER), open_browser(ELSEWHERE)
    for client in (attacker, owner):
        assert try_password(client, PASSWORD) == "in"  # to the second step
        assert "_auth_user_id" not in client.session
        assert cookie_of(client, ana_account) is None
    answers = [enter_code(attacker, "000000") for _ in range(HERE.at_once + 3)]
    assert [REFUSED in answer for answer in answers] == [False] * (HERE.at_once + 1) + [True] * 2
    assert REFUSED not in enter_code(owner, "000000")


def test_while_redis_is_away_each_process_counts(ana_account: models.User, settings: Any) -> None:
    settings.LIMITS_URL = "redis://127.0.0.1:9/0"
    tries = [try_password(open_browser(ATTACKER)) for _ in range(HERE.at_once + 3)]
    assert tries == ["wrong"] * (HERE.at_once + 1) + ["wait"] * 2
    assert try_password(open_browser(ELSEWHERE), PASSWORD) == "in"


def test_the_framework_counts_none_of_it_besides() -> None:
    """Its own limits lock an account for everybody."""
    assert {live_settings.ACCOUNT_RATE_LIMITS[name] for name in ("login", "login_failed")} == {None}
    assert [one.at_once for one in (HERE, ANYWHERE, NETWORK, KNOWN_BROWSER, CODE_ANYWHERE)] == [5, 60, 60, 10, 20]
