"""Every page renders, is well-formed, runs nothing inline, and loads only files that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.template import Engine, TemplateDoesNotExist, engines
from django.template.loader import render_to_string
from django.test import Client, RequestFactory, override_settings
from django.utils.safestring import mark_safe

from games.accounts.animal_pictures import AVATARS, CODES, PICTURES, AnimalFinder
from games.catalogue.climbing.presenter import board as climbing
from games.play.lessons import LessonStatus
from games.presenters import BoardPage
from games.presenters.names import ANIMALS, GAMES, RANKS
from games.presenters.render import CompiledFragments, Fragments, environment
from games.rules import registry
from games.serving import preload
from games.views.forms import MeForm, TableForm
from tests.live.boards import NOW, make_screen, make_view
from tests.live.markup import read

ROW = {
    "id": "abc",
    "slug": "animal-poker",
    "game": "Animal Poker",
    "host": "Ana",
    "taken": 2,
    "seats": 5,
    "options": {},
}
OPEN = [
    {**ROW, "id": "open", "status": "waiting", "can_sit": True},
    {**ROW, "id": "live", "status": "playing", "can_sit": False},
]
MINE = [
    {**ROW, "id": status, "status": status, "my_turn": status == "playing"} for status in ("playing", "waiting", "over")
]


@pytest.fixture(autouse=True)
def _from_sources() -> Iterator[None]:
    """Static files as they are in the sources, whatever was built before."""
    backend = "django.contrib.staticfiles.storage.StaticFilesStorage"
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": {"BACKEND": backend}}):
        yield


def make_request() -> HttpRequest:
    request = RequestFactory().get("/")
    request.player = None  # type: ignore[attr-defined]
    return request


def table_context(**more: Any) -> dict[str, Any]:
    screen, view = make_screen(), make_view(0)
    regions = climbing.shared_regions(screen, make_view(None)) | climbing.private_regions(screen, view, 0, None)
    board = climbing.board(screen, view, 0, BoardPage(regions, [], NOW))
    context: dict[str, Any] = {
        "table": {"id": "abc", "status": "playing", "options": {"minutes": 30}},
        "game": GAMES["karriere-poker"],
        "seat": 0,
        "is_host": True,
        "has_bell": True,
        "screen": climbing,
        "board": mark_safe(board),  # noqa: S308 - made by the autoescaping fragments
        "words": climbing.words(screen),
    }
    return context | more


NOTHING_SOON: dict[str, list[object]] = {"coming_tournaments": [], "coming_evenings": []}
OFFERS = {
    "karriere-poker": LessonStatus(4, 0, 8, is_finished=False),
    "animal-poker": LessonStatus(4, 3, 7, is_finished=False),
}
PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "lobby": (
        "lobby.html",
        {
            "games": list(GAMES.values()),
            "open_tables": OPEN,
            "joinable": 1,
            "my_tables": MINE[:2],
            "put_aside": MINE[2:],
            **NOTHING_SOON,
            "lessons": OFFERS,
        },
    ),
    "empty lobby": (
        "lobby.html",
        {
            "games": list(GAMES.values()),
            "open_tables": [],
            "joinable": 0,
            "my_tables": [],
            "put_aside": [],
            **NOTHING_SOON,
            "lessons": {},
        },
    ),
    "about": ("about.html", {}),
    "error": ("error.html", {"status": 404, "title": "Page not found", "sentence": "Go back to the lobby."}),
    "name": ("me/name.html", {"form": MeForm(), "next": "/"}),
    "wrong name": ("me/name.html", {"form": MeForm({"name": "", "avatar": "unknown"}), "next": ""}),
    **{
        f"rules of {slug}": (GAMES[slug].rules, {"game": GAMES[slug], "lesson": registry.find_lesson(slug)})
        for slug in GAMES
    },
}


def render(template: str, context: dict[str, Any]) -> str:
    return render_to_string(template, context, request=make_request())


def check(html: str) -> None:
    reader = read(html)
    assert reader.faults == []
    assert [file for file in reader.files if not finders.find(file.removeprefix("/static/"))] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_well_formed_and_loads_only_what_exists(page: str) -> None:
    check(render(*PAGES[page]))


@pytest.mark.parametrize("slug", registry.slugs())
@pytest.mark.parametrize("data", [None, {"seats": "99", "bots": "x"}], ids=["fresh", "wrong"])
def test_a_new_table_has_a_labelled_field_for_every_option(slug: str, data: dict[str, str] | None) -> None:
    form = TableForm(registry.find(slug), data)
    html = render("tables/new.html", {"game": GAMES[slug], "form": form})
    check(html)
    for name in form.fields:
        assert f'name="{name}"' in html
    assert ("errorlist" in html) is (data is not None)


def test_the_table_page_carries_board_words_and_tools() -> None:
    html = render("tables/table.html", table_context())
    check(html)
    assert '<script id="words" type="application/json">' in html
    assert "Ring the bell" in html


@pytest.mark.parametrize(("seat", "is_host"), [(None, False), (0, True), (3, False)])
def test_the_waiting_page_invites(seat: int | None, is_host: bool) -> None:
    context = table_context(
        seat=seat,
        is_host=is_host,
        board=mark_safe('<div id="board"></div>'),
        table={"id": "abc", "status": "waiting", "options": {}},
        invite_url="http://club.example/join/x/",
        qr_svg=mark_safe('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'),
    )
    html = render("tables/table.html", context)
    check(html)
    assert "http://club.example/join/x/" in html


def test_rules_mark_house_rulings() -> None:
    for slug, least in (("karriere-poker", 3), ("animal-poker", 2)):
        assert render(GAMES[slug].rules, {"game": GAMES[slug]}).count('class="badge"') >= least


def test_the_about_page_names_every_cookie() -> None:
    html = Client().get("/about/").content.decode()
    listed = re.findall(r"<dt>(.*?)</dt>", html)
    assert listed == ["sessionid", "newcomer", "csrftoken", "zone", "django_language", "messages", "device-…"]


def test_the_about_page_names_the_artists_and_their_licence() -> None:
    html = render("about.html", {})
    assert "OpenMoji" in html
    assert "https://creativecommons.org/licenses/by-sa/4.0/" in html


def test_every_animal_has_a_picture_a_name_and_a_class() -> None:
    found = finders.find("css/animals.css")
    assert isinstance(found, str)
    with open(found, encoding="utf-8") as file:  # noqa: PTH123
        styles = file.read()
    assert set(AVATARS) == set(ANIMALS) == set(CODES)
    for slug in AVATARS:
        assert finders.find(f"animals/{slug}.svg")
        assert f".a.{slug} {{" in styles


def test_collectstatic_gets_the_chosen_animals_and_no_others() -> None:
    files = list(AnimalFinder().list(None))
    assert len(files) == len(PICTURES)
    for name, storage in files:
        with storage.open(name) as file:
            assert b"<svg" in file.read(400)
    assert AnimalFinder().find("animals/../LICENSE") == []
    assert AnimalFinder().find("animals/unknown.svg") == []


def test_each_ladder_has_eight_chairs_that_are_drawn() -> None:
    for ranks in RANKS.values():
        assert len(ranks) == 8
    for chair in range(1, 9):
        assert finders.find(f"art/chair-{chair}.svg")


def test_a_process_draws_by_the_templates_it_began_with(tmp_path: Path) -> None:
    """The next version's are pulled in while it runs; they ask for what this one does not have."""
    (tmp_path / "page.html").write_text("old")
    engine = Engine(dirs=[str(tmp_path)], loaders=["games.serving.preload.PreloadedLoader"])
    assert engine.template_loaders  # as they are made when a server starts
    (tmp_path / "page.html").write_text("{% load what_comes_later %}")
    (tmp_path / "later.html").write_text("new")
    assert engine.get_template("page.html").source == "old"
    with pytest.raises(TemplateDoesNotExist):
        engine.get_template("later.html")


def test_pages_and_fragments_are_read_at_the_start(tmp_path: Path) -> None:
    preload.preload_files()
    cached: Any = vars(engines["django"].engine)["template_loaders"][0]  # type: ignore[attr-defined]
    assert isinstance(cached.loaders[0], preload.PreloadedLoader)
    assert len(cached.loaders[0].texts) > 100
    (tmp_path / "board.jinja").write_text("old")
    fragments = Fragments((tmp_path,))
    (tmp_path / "board.jinja").write_text("new")
    assert fragments.get_source(environment, "board.jinja")[0] == "old"
    assert isinstance(environment.loader, Fragments)


def test_fragments_are_compiled_before_anybody_comes_and_for_the_next_process(tmp_path: Path) -> None:
    kept = tmp_path / "fragments"
    with patch.object(environment.bytecode_cache, "directory", str(kept)), patch.object(environment, "cache", {}):
        preload.preload_files()
        assert len(environment.cache or ()) == len(list(kept.iterdir())) == len(environment.list_templates())
    again = environment.overlay(bytecode_cache=CompiledFragments(str(kept)), cache_size=-1)
    with patch.object(again, "compile", side_effect=AssertionError("compiled again")):
        assert again.get_template("log.jinja").module


def test_fragments_that_cannot_be_kept_are_shown_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("a file where the folder should be")
    alone = environment.overlay(bytecode_cache=CompiledFragments(str(tmp_path / "full")), cache_size=-1)
    assert alone.get_template("log.jinja").module


def test_a_fragment_that_was_changed_is_compiled_again(tmp_path: Path) -> None:
    for text in ("old", "new"):
        folder = tmp_path / text
        folder.mkdir()
        (folder / "board.jinja").write_text(text)
        loader, cache = Fragments((folder,)), CompiledFragments(str(tmp_path / "kept"))
        one = environment.overlay(loader=loader, bytecode_cache=cache, cache_size=-1)
        assert one.get_template("board.jinja").render() == text
