"""Tabs of the account pages are called as their headings."""

from __future__ import annotations

import re
from html import unescape

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.accounts.sign_in.forms import RenamedKeyForm
from games.models import User
from tests.accounts.test_accounts import PASSWORD, sign_up

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


def sign_up_and_in(client: Client) -> User:
    """A new account that has just given its password, so that no page asks for it again."""
    user = sign_up(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return user


def read_names(client: Client, path: str, language: str) -> tuple[str, str]:
    """The name of the tab and the heading of a page."""
    client.cookies["django_language"] = language
    answer = client.get(path, follow=True, HTTP_ACCEPT_LANGUAGE=language)
    assert all("reauthenticate" not in url for url, _status in answer.redirect_chain), path
    page = answer.content.decode()
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
    user = sign_up_and_in(client)
    pages |= {name: read_names(client, reverse(name), language) for name in SIGNED_IN}
    secret = get_adapter().encrypt("JBSWY3DPEHPK3PXP")
    Authenticator.objects.create(user=user, type="totp", data={"secret": secret})
    pages |= {name: read_names(client, reverse(name), language) for name in WITH_APP}
    assert [name for name, (title, _heading) in pages.items() if not title] == []
    assert {name: names for name, names in pages.items() if names[0] != names[1]} == {}


@pytest.mark.parametrize(
    ("language", "label"), [("en", "Key name"), ("de", "Name des Schlüssels"), ("pl", "Nazwa klucza")]
)
def test_the_name_of_a_key_is_asked_for_in_the_readers_language(db: None, language: str, label: str) -> None:
    client = Client()
    sign_up_and_in(client)
    client.cookies["django_language"] = language
    page = client.get(reverse("mfa_add_webauthn"), HTTP_ACCEPT_LANGUAGE=language).content.decode()
    assert re.findall(r'<label for="id_name">\s*([^<]*?)\s*</label>', page) == [label]
    with override(language):
        assert str(RenamedKeyForm.base_fields["name"].label) == label
