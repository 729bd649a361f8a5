"""What Django's admin says itself sounds like the rest of the site (`games/admin/framework_texts.py`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.contrib import admin, auth
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from games.admin import framework_texts

STRANGE = {
    "de": re.compile(r"\b(?:Sie|Ihr|Ihre[mnrs]?|Ihnen|Benutzer\w*|Account\w*|Administrator\w*|Mitarbeiter\w*)\b"),
    "pl": re.compile(r"\(-|\([a-z]{1,2}\)|użytkowni\w*|\w+łeś\b|[Pp]rosimy|Breadcrumbs"),
}
"""How readers are not addressed, and words for everybody that mean men."""
PLACE = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
ABSENT = re.compile(
    r"password reset|emailed|receiv\w+ (?:an|this) email|Reset my password|Thanks for using|%\(site_name\)s team|"
    r"site administrators|unaccented|object with primary key|following page|you are:|Password reset|have been set|"
    r"new password twice so we can verify you typed it in\s+correctly\.$|set\.  You may|email instructions"
)
"""Of pages that this site does not have: passwords are reset by the account pages."""


def list_texts() -> Iterator[tuple[str, ...]]:
    """Every text of the admin and of its accounts: one form, or singular and plural."""
    for library in (admin, auth):
        with (Path(library.__path__[0]) / "locale" / "en" / "LC_MESSAGES" / "django.po").open("rb") as file:
            for message in read_po(file):
                if message.id and not message.context:
                    yield (message.id,) if isinstance(message.id, str) else tuple(message.id)


def say(forms: tuple[str, ...]) -> list[str]:
    """How a text is said in the language that is active, for some numbers."""
    if len(forms) == 1:
        return [gettext(forms[0])]
    return [ngettext(forms[0], forms[1], count) for count in (1, 2, 5)]


def test_what_is_listed_is_said_by_the_framework() -> None:
    said = {forms[0] for forms in list_texts()}
    assert set(framework_texts.OVERRIDDEN_TEXTS) - said == set()


@pytest.mark.parametrize("language", STRANGE)
def test_the_framework_addresses_nobody_in_another_way(language: str) -> None:
    with override(language):
        strange = {
            text: said
            for forms in list_texts()
            for text, said in ((forms[0], said) for said in say(forms))
            if STRANGE[language].search(said) and not ABSENT.search(text)
        }
    assert strange == {}


@pytest.mark.parametrize("language", STRANGE)
def test_a_text_of_the_framework_keeps_its_places(language: str) -> None:
    with override(language):
        lost = {
            text: gettext(text)
            for text in framework_texts.OVERRIDDEN_TEXTS
            if sorted(set(PLACE.findall(gettext(text)))) != sorted(set(PLACE.findall(text)))
        }
    assert lost == {}


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Deine Uhr geht gegenüber der des Servers"), ("pl", "Twój zegar wyprzedza")]
)
def test_the_scripts_of_the_admin_have_our_words(staff: Client, language: str, said: str) -> None:
    staff.cookies["django_language"] = language
    script = staff.get(reverse("admin:jsi18n"), HTTP_ACCEPT_LANGUAGE=language).content.decode()
    told = re.search(r"newcatalog = (\{.*?\n  \});", script, re.DOTALL)
    assert told
    texts = [text for forms in json.loads(told[1]).values() for text in ([forms] if isinstance(forms, str) else forms)]
    assert len(texts) > 20
    assert any(text.startswith(said) for text in texts)
    assert [text for text in texts if STRANGE[language].search(text)] == []
