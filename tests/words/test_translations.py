"""German and Polish are complete, say the same as the English, and reach the reader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings
from django.test import override_settings
from django.utils import translation
from django.utils.translation import gettext, ngettext

from config import extraction
from games import models
from games.catalogue.climbing.presenter import board as climbing
from games.catalogue.climbing.presenter.card_words import name_play
from games.play.errors import Refusal
from games.presenters import BoardPage, waiting_room
from games.presenters.names import WEEKDAYS
from games.presenters.render import use_language
from games.rules import base, registry
from tests.cast import browser, open_table, start_table, wait_for_choice
from tests.live.boards import NOW, make_screen, make_view
from tests.live.windows import window

LANGUAGES = ("de", "pl")
PLURALS = {
    "de": {0: "Karten", 1: "Karte", 2: "Karten", 5: "Karten", 12: "Karten", 21: "Karten", 22: "Karten"},
    "pl": {0: "kart", 1: "karta", 2: "karty", 5: "kart", 12: "kart", 21: "kart", 22: "karty", 112: "kart"},
}
SAID = {
    "de": {
        "/": ("Nimm Platz.", "Offene Tische", "4–8 Personen · 20–40 Minuten"),
        "/games/karriere-poker/": ("Spülhilfe", "Wer ausspielt, muss spielen", "Leertaste", "Hausregel"),
        "/games/animal-poker/": ("Azubi", "Vor der ersten Sitzung werden die Posten ausgelost."),
        "/games/animal-poker/new/": ("Faule Chaoszahlen", "Davon Bots"),
        "/about/": ("Über Menagerie", "dem freien Emoji- und Icon-Projekt"),
        "/me/": ("Mein Name und Konto", "Waschbär"),
        "/no-such-page/": ("Seite nicht gefunden", "Diese Seite gibt es nicht."),
    },
    "pl": {
        "/": ("Siadaj do stołu.", "Otwarte stoły", "4–8 graczy · 20–40 minut"),
        "/games/karriere-poker/": ("Zmywak", "Osoba zaczynająca rundę musi zagrać", "Spacja", "zasada domowa"),
        "/games/animal-poker/": ("Staż", "Przed pierwszą sesją stanowiska rozdziela los."),
        "/games/animal-poker/new/": ("Leniwe chaotyczne liczby", "W tym boty"),
        "/about/": ("O Menagerie", "otwartego projektu emoji i ikon"),
        "/me/": ("Moje imię i konto", "szop"),
        "/no-such-page/": ("Nie znaleziono strony", "Nie ma takiej strony."),
    },
}
SOFT_HYPHEN = "\u00ad"
_PLACE = re.compile(r"%\((\w+)\)([sd])")


@pytest.fixture(autouse=True)
def _from_sources() -> Iterator[None]:
    """Static files as they are in the sources, whatever was built before."""
    backend = "django.contrib.staticfiles.storage.StaticFilesStorage"
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": {"BACKEND": backend}}):
        yield


@pytest.fixture(scope="module")
def sources() -> Catalog:
    """What the sources have to say."""
    return extraction.collect()


def messages_of(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id]


def key_of(message: Message) -> tuple[str | None, Any]:
    return message.context, message.id


def forms_of(text: Any) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


# --- the catalogues --------------------------------------------------------------------------------


def test_every_language_has_a_catalogue() -> None:
    assert {"en", *extraction.CATALOGUES} == dict(settings.LANGUAGES).keys()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_what_the_sources_say_and_nothing_else(sources: Catalog, language: str) -> None:
    keys = {key_of(message) for message in messages_of(extraction.read(language))}
    expected = {key_of(message) for message in messages_of(sources)}
    assert expected - keys == set(), "run `make extract` and translate these"
    assert keys - expected == set(), "run `make extract`: these are not said any more"


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated(language: str) -> None:
    catalog = extraction.read(language)
    assert not catalog.obsolete
    assert [message.id for message in messages_of(catalog) if message.fuzzy] == []
    lacking = [message.id for message in messages_of(catalog) if not all(forms_of(message.string))]
    assert lacking == []
    for message in messages_of(catalog):
        assert len(forms_of(message.string)) == (catalog.num_plurals if message.pluralizable else 1), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_places_of_the_english(language: str) -> None:
    for message in messages_of(extraction.read(language)):
        wanted = set(_PLACE.findall(forms_of(message.id)[-1]))
        for text in forms_of(message.string):
            assert set(_PLACE.findall(text)) == wanted, (message.id, text)
            if wanted:
                assert text % dict.fromkeys((name for name, _kind in wanted), 7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_twice(language: str) -> None:
    """A catalogue that was edited or merged badly has a text, and behind it the same again."""
    texts = [text for message in messages_of(extraction.read(language)) for text in forms_of(message.string)]
    assert [text for text in texts if re.fullmatch(r"(.{20,}?)\1+", text, re.DOTALL)] == []


def test_a_club_is_one_word_in_german() -> None:
    texts = [text for message in messages_of(extraction.read("de")) for text in forms_of(message.string)]
    assert [text for text in texts if re.search(r"\b(Verein|Klub)", text)] == []


def test_polish_writes_an_ellipsis_without_a_space() -> None:
    texts = [text for message in messages_of(extraction.read("pl")) for text in forms_of(message.string)]
    assert [text for text in texts if " …" in text] == []


def test_a_link_is_one_word_in_polish() -> None:
    texts = [text for message in messages_of(extraction.read("pl")) for text in forms_of(message.string)]
    assert not [text for text in texts if "odnośnik" in text.lower()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_begin_and_end_like_the_english(language: str) -> None:
    for message in messages_of(extraction.read(language)):
        for text in forms_of(message.string):
            first = forms_of(message.id)[0]
            assert (text[:1].isspace(), text[-1:].isspace()) == (first[:1].isspace(), first[-1:].isspace()), text
            is_short = first in map(str, WEEKDAYS) or message.context == "over a narrow column"
            assert first.endswith(".") == text.endswith(".") or is_short, text
            assert "  " not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_names_no_person_and_no_tool(language: str) -> None:
    head = extraction.CATALOGUES[language].read_text().split("\n\n")[0]
    names = re.findall(r'^"([\w-]+): ', head, re.MULTILINE)
    assert names == [
        "Project-Id-Version",
        "Language",
        "Plural-Forms",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
    ]
    assert "\n#:" not in extraction.CATALOGUES[language].read_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms(language: str) -> None:
    with translation.override(language):
        assert {count: ngettext("card", "cards", count) for count in PLURALS[language]} == PLURALS[language]


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "2 Siebenen und 1 Joker"), ("pl", "2 siódemki i 1 joker"), ("en", "2 sevens and 1 joker")],
)
def test_cards_in_words(language: str, words: str) -> None:
    with use_language(language):
        assert name_play(("7", "7", "J"), 7) == words


# --- the sources -----------------------------------------------------------------------------------


def all_below(kind: type[Exception]) -> set[str]:
    return {name for below in kind.__subclasses__() for name in ({below.__name__} | all_below(below))}


def test_every_refusal_is_collected() -> None:
    ours = all_below(Refusal) | {base.IllegalMove.__name__, base.BadSetup.__name__}
    assert ours <= extraction.KEYWORDS.keys()


def test_refusals_of_each_kind_are_found(sources: Catalog) -> None:
    for sentence in (
        "It is not your turn.",
        "Boss and Dishwasher must be among the positions.",
        "Choose a turn time of %(least)s to %(most)s seconds.",
        "Only the host of this table can ring the bell.",
        "This game is not over yet.",
        "That was too fast. Wait a moment and try again.",
    ):
        assert sentence in sources


_CODE = re.compile(
    r"\{% block body_class %\}.*?\{% endblock %\}|\{% *blocktranslate.*?endblocktranslate *%\}"
    r"|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<!--.*?-->|<script.*?</script>",
    re.DOTALL,
)
_MARKUP = re.compile(r'<[^>]*>|[\w-]+="[^"]*"')
_READ = re.compile(r'(?:aria-label|title|alt|placeholder)="([^"]*)"')
_KEYS = {"Menagerie", "C", "G", "P", "J", "F", "H", "N", "R", "S", "U"}
TEMPLATES = sorted(
    path
    for folder in (extraction.ROOT / "templates", *registry.list_folders("templates"))
    for path in folder.rglob("*")
    if path.suffix in (".html", ".jinja")
)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_says_anything_that_is_not_translated(path: Path) -> None:
    text = _CODE.sub("", path.read_text())
    for spoken in [*_READ.findall(text), _MARKUP.sub(" ", text)]:
        words = {word for word in re.findall(r"[^\W\d_]+", spoken) if word not in _KEYS}
        assert words == set()


# --- the pages -------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "path"), [(language, path) for language in LANGUAGES for path in SAID[language]])
def test_pages_speak_the_readers_language(language: str, path: str) -> None:
    client = browser(headers={"accept-language": f"{language},en;q=0.5"})
    text = client.get(path).content.decode().replace(SOFT_HYPHEN, "")
    assert f'<html lang="{language}"' in text
    for words in SAID[language][path]:
        assert words in text


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        (
            "de",
            (
                "Durchgang 3 von 4",
                "Bartosz: 2 Siebenen",
                "Du bist dran: Schlage 2 Siebenen oder passe.",
                "Boss",
                "Passen",
            ),
        ),
        (
            "pl",
            (
                "Rozdanie 3 z 4",
                "Bartosz: 2 siódemki",
                "Twoja kolej: do przebicia 2 siódemki. Możesz też spasować.",
                "Szefostwo",
                "Pas",
            ),
        ),
    ],
)
def test_a_table_is_drawn_in_the_readers_language(language: str, wanted: tuple[str, ...]) -> None:
    screen, view = make_screen(), make_view(2)
    with use_language(language):
        regions = climbing.shared_regions(screen, make_view(None))
        regions |= climbing.private_regions(screen, view, 2, [{"pass": True}])
        board = climbing.board(screen, view, 2, BoardPage(regions, [], NOW))
        words = climbing.words(screen)
    for words_of_it in wanted:
        assert words_of_it in board
    assert words["pass"] == wanted[-1]
    assert words["cards"]["7"][1] in wanted[1]


@pytest.mark.parametrize(("language", "wanted"), [("de", "Alle sind da."), ("pl", "Wszyscy już są.")])
def test_the_waiting_room_is_drawn_in_the_readers_language(language: str, wanted: str) -> None:
    with use_language(language):
        assert wanted in waiting_room.shared_regions(make_screen(status="waiting"), None)["wait"]


# --- sentences of refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("de", "„99“ ist keine Karte dieses Spiels."), ("pl", "„99” nie jest kartą tej gry.")],
)
def test_an_illegal_move_is_explained_in_the_readers_language(ana: models.Player, language: str, sentence: str) -> None:
    table = wait_for_choice(start_table(ana), ana)
    client = browser(ana)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    fields = {"move": json.dumps({"play": ["99"]}), "ply": table.ply, "key": "k"}
    answer = client.post(f"/tables/{table.id}/moves/", fields)
    assert (answer.status_code, answer.json()["sentence"]) == (422, sentence)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("de", "Dieses Spiel ist für 4 bis 8 Personen."), ("pl", "Liczba graczy w tej grze: od 4 do 8.")],
)
def test_an_impossible_table_is_explained_in_the_readers_language(db: None, language: str, sentence: str) -> None:
    answer = browser(headers={"accept-language": language}).post("/games/animal-poker/play-now/", {"seats": 99})
    assert answer.status_code == 400
    assert sentence in answer.content.decode()


# --- the switch ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_language_that_was_chosen_stays() -> None:
    client = browser(headers={"accept-language": "de"})
    assert '<html lang="de"' in client.get("/").content.decode()
    for before, chosen in pairwise(("de", "pl", "en", "de")):
        answer = client.post("/i18n/setlang/", {"language": chosen, "next": "/about/"})
        assert (answer.status_code, answer["Location"]) == (302, "/about/"), before
        assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == chosen
        for path in ("/about/", "/", "/me/"):
            assert f'<html lang="{chosen}"' in client.get(path).content.decode()


@pytest.mark.django_db(transaction=True)
async def test_the_language_that_was_chosen_holds_for_sockets(transactional_db: None, ana: models.Player) -> None:
    table = open_table(ana, is_public=True)
    client = browser(ana, headers={"accept-language": "de"})
    await _switch(client, "pl")
    async with window(table, client, language="de") as mine, window(table, language="de") as other:
        assert "miejsca są wolne" in (await mine.fragment()).html
        assert "Plätze sind frei" in (await other.fragment()).html
        answer = await mine.move({"pass": True}, ply=0)
    with translation.override("pl"):
        assert answer["sentence"] == gettext("No game is under way at this table.")


async def _switch(client: Any, language: str) -> None:
    client.post("/i18n/setlang/", {"language": language})
