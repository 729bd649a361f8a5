"""Tabs of the account pages are called as their headings."""

from __future__ import annotations

import re
from html import unescape

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from tests.accounts.test_accounts import sign_up

STRANGER = ("account_login", "account_signup", "account_reset_password")
SIGNED_IN = (
    "account_email",
    "account_change_password",
    "account_reauthenticate",
    "account_logout",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
)
WITH_APP = ("mfa_deactivate_totp", "mfa_generate_recovery_codes")


def read_names(client: Client, path: str, language: str) -> tuple[str, str]:
    """The name of the tab and the heading of a page."""
    client.cookies["django_language"] = language
    page = client.get(path, follow=True, HTTP_ACCEPT_LANGUAGE=language).content.decode()
    found = (
        re.search(r"<title>(.*?) · Menagerie</title>", page, re.DOTALL),
        re.search(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL),
    )
    title, heading = (" ".join(unescape(re.sub(r"<[^>]+>", "", one[1])).split()) if one else "" for one in found)
    return title.replace("\u00ad", ""), heading.replace("\u00ad", "")


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_a_tab_is_called_as_its_heading(db: None, language: str) -> None:
    client = Client()
    pages = {name: read_names(client, reverse(name), language) for name in STRANGER}
    pages["reset"] = read_names(client, reverse("account_reset_password_from_key", args=["1", "no-key"]), language)
    user = sign_up(client)
    pages |= {name: read_names(client, reverse(name), language) for name in SIGNED_IN}
    secret = get_adapter().encrypt("JBSWY3DPEHPK3PXP")
    Authenticator.objects.create(user=user, type="totp", data={"secret": secret})
    pages |= {name: read_names(client, reverse(name), language) for name in WITH_APP}
    assert [name for name, (title, _heading) in pages.items() if not title] == []
    assert {name: names for name, names in pages.items() if names[0] != names[1]} == {}
