"""The admin is whole in every language, and has the look of the site."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games import models
from tests.cast import start_table

SAME = {
    "Administration", "Administration · Menagerie",
    "Animal Poker", "Animals on Board", "Arena", "Bot", "Check-in", "Club", "Club:", "Clubs",
    "Deutsch", "English", "Fancy Animals", "Filter", "Format", "format", "Home", "Karriere Poker", "Lobby",
    "Menagerie", "Name", "Name:", "Polski", "Status", "Status:", "Super Zwierzaki", "Version", "Version:",
    "Webhooks", "hash", "Index", "panda", "koala", "zebra", "Person", "Person:",
    "Online", "Problem", "online", "problem",
}  # fmt: skip
"""What is the same word in another language, or in no language."""
SCRIPTS = re.compile(r"<(script|style|svg)\b.*?</\1>", re.S)
LETTERS = re.compile(r"[A-Za-z]{3}")


def list_texts(page: str) -> set[str]:
    """Pieces of text, and what attributes say to readers and listeners."""
    page = SCRIPTS.sub("", page)
    matches = re.findall(r">([^<]+)<", page) + re.findall(r'(?:title|aria-label|placeholder|alt)="([^"]+)"', page)
    matches += re.findall(r'<input type="(?:submit|button)" value="([^"]+)"', page)
    return {text for one in matches if LETTERS.search(text := unescape(" ".join(one.split())).strip("› "))}


def read_admin(client: Client, path: str, language: str) -> set[str] | None:
    """What a page says in this language; None if there is no such page."""
    client.cookies["django_language"] = language
    answer = client.get(path, HTTP_ACCEPT_LANGUAGE=language)
    return list_texts(answer.content.decode()) if answer.status_code == 200 else None


def list_paths(client: Client) -> list[str]:
    """The list of each model, the form of a new row, and the first row."""
    paths = [reverse("admin:index")]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        paths += [reverse(f"{name}_changelist"), reverse(f"{name}_add")]
        row = model._default_manager.first()
        if row is not None:
            paths.append(reverse(f"{name}_change", args=[row.pk]))
    return paths


@pytest.mark.parametrize("language", ["de", "pl"])
def test_the_admin_says_nothing_in_english(staff: Client, ana: models.Player, language: str) -> None:
    table = start_table(ana)
    names = {one.name for one in table.places} | {"boss", table.id, f"{table.rules.slug} {table.id}"}
    english = {}
    for path in list_paths(staff):
        english_texts, ours = read_admin(staff, path, "en"), read_admin(staff, path, language)
        if english_texts is not None and ours is not None:
            data = {text for text in english_texts if text.removesuffix(".") in names or re.search(r"[0-9/@]", text)}
            english[path] = (english_texts & ours) - SAME - data
    assert len(english) > 30
    assert {path: texts for path, texts in english.items() if texts} == {}


def test_the_admin_has_the_words_of_the_screens(staff: Client) -> None:
    texts = read_admin(staff, reverse("admin:index"), "en")
    assert texts is not None
    assert {"Tables of rounds", "Evenings"} <= texts
    assert not {text for text in texts if re.search(r"\bpods?\b|timed session", text, re.IGNORECASE)}


def test_the_admin_has_the_typefaces_colours_and_header_of_the_site(staff: Client) -> None:
    page = staff.get(reverse("admin:index")).content.decode()
    for part in ("css/tokens", "css/admin", "fonts/manrope", "fonts/source-serif", "art/logo"):
        assert part in page
    assert f'href="{reverse("lobby")}"' in page
    assert f'action="{reverse("set_language")}"' in page
