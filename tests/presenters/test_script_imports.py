"""What a page preloads: every module that its scripts import, each of which is there."""

from __future__ import annotations

import pytest
from django.contrib.staticfiles import finders
from django.template import Context, Template
from django.templatetags.static import static

from games.presenters.registry import find_presenter
from games.presenters.script_imports import list_imports
from games.rules import registry


def test_imports_of_imports_are_found_once_and_scripts_are_not_among_them() -> None:
    assert list_imports(("js/table/status.js", "js/table/words.js")) == (
        "js/page/device-settings.js",
        "js/table/sounds.js",
    )


@pytest.mark.parametrize("game", registry.slugs())
def test_what_is_imported_is_there(game: str) -> None:
    found = list_imports(("js/table/connection.js", *find_presenter(game).SCRIPTS))
    assert "js/table/words.js" in found
    assert [path for path in found if finders.find(path) is None] == []


def test_a_page_names_them() -> None:
    text = '{% load menagerie %}{% preload_imports "js/table/connection.js" %}'
    names = ("js/table/regions.js", "js/table/server-clock.js")
    links = [f'<link rel="modulepreload" href="{static(name)}">' for name in names]
    assert Template(text).render(Context()) == "".join(links)
