"""Signing in with the club's own sign-in (OpenID Connect), at a small provider on this machine."""

from __future__ import annotations

import re

import httpx

from tests.accounts.provider import CLIENT, SECRET, run_provider
from tests.servers import Installation

PATH = "/account/oidc/club/login/"


def sign_in(browser: httpx.Client) -> httpx.Response:
    """Press the button of the sign-in page, and follow to where it leads."""
    page = browser.get("/account/login/").text
    assert f'action="{PATH}' in page
    assert "Sign in with Club account" in page
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
    headers = {"Origin": str(browser.base_url).rstrip("/")}
    return browser.post(PATH, params={"process": "login"}, data={"csrfmiddlewaretoken": token}, headers=headers)


def test_people_sign_in_with_the_account_of_their_club(club: Installation) -> None:
    with run_provider() as provider:
        club.settings |= {
            "OIDC_SERVER_URL": provider.url, "OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET,
            "OIDC_NAME": "Club account",
        }  # fmt: skip
        club.migrate()
        with club.serve() as running, httpx.Client(base_url=running.address, follow_redirects=True) as first:
            provider.claims = {"sub": "1", "preferred_username": "ana", "name": "Ana Berg", "email": "ana@a.org"}
            found = sign_in(first)
            assert (found.status_code, found.url.path) == (200, "/me/")
            assert "You are signed in as ana." in found.text
            assert 'value="Ana Berg"' in found.text
            policy = found.headers["Content-Security-Policy"]
            assert f"form-action 'self' http://127.0.0.1:{provider.server_port}" in policy
            with httpx.Client(base_url=running.address, follow_redirects=True) as again:
                assert "You are signed in as ana." in sign_in(again).text
                people = re.findall(r'href="(/people/\d+/)"', again.get("/me/").text)
                assert people[0] in first.get("/me/").text
            provider.claims = {"sub": "2", "preferred_username": "Administrator", "name": "Bot 7", "email": "ana@a.org"}
            with httpx.Client(base_url=running.address, follow_redirects=True) as other:
                page = sign_in(other)
                assert "signed in as ana." not in page.text
                assert 'value="Bot 7"' not in page.text
            provider.claims = {"sub": "3", "preferred_username": "guest3", "name": "Somebody"}
            with httpx.Client(base_url=running.address, follow_redirects=True) as guest:
                form = guest.get("/me/").text
                token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form)[0]
                fields = {"csrfmiddlewaretoken": token, "name": "Fox Lady", "avatar": "fox", "is_listed": "on"}
                guest.post("/me/", data=fields, headers={"Origin": running.address})
                found = sign_in(guest)
                assert "You are signed in as guest3." in found.text
                assert 'value="Fox Lady"' in found.text
