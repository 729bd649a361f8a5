"""The web app manifest, the service worker and the page without a network: the same for everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from games import models
from games.views import installed_app
from tests.cast import browser


@pytest.fixture(autouse=True)
def _forget_worker() -> Iterator[None]:
    """The worker of another build is not remembered."""
    installed_app._write_worker.cache_clear()
    yield
    installed_app._write_worker.cache_clear()


def test_the_manifest_has_icons_shortcuts_and_the_readers_language(db: None) -> None:
    answer = Client().get(reverse("manifest"), headers={"accept-language": "de"})
    manifest = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert [one["name"] for one in manifest["shortcuts"]] == ["Jetzt spielen", "Meine Tische", "Heute Abend"]
    assert {"maskable", "any"} == {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        file = finders.find(re.sub(r"\.[0-9a-f]{12}\.", ".", icon["src"].removeprefix("/static/")))
        assert file, icon["src"]
        if icon["type"] == "image/png":
            raw = Path(str(file)).read_bytes()
            width, height = (int.from_bytes(raw[at : at + 4], "big") for at in (16, 20))
            assert f"{width}x{height}" == icon["sizes"]


def test_every_shortcut_leads_to_a_part_of_the_lobby(ana: models.Player) -> None:
    manifest = json.loads(Client().get(reverse("manifest")).content)
    for reader in (Client(), browser(ana)):
        page = reader.get("/").content.decode()
        for shortcut in manifest["shortcuts"]:
            assert f'id="{shortcut["url"].partition("#")[2]}"' in page


def test_the_worker_serves_the_whole_site_and_is_asked_for_again(db: None) -> None:
    answer = Client().get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer["Cache-Control"]
    assert answer["Content-Security-Policy"]
    assert Client().get("/service-worker.js", headers={"if-none-match": answer["ETag"]}).status_code == 304


def read_build() -> dict[str, object]:
    """What is written before the worker's script."""
    found = re.match(r"const build = (\{.*?\});\n", Client().get("/service-worker.js").content.decode())
    assert found is not None
    build: dict[str, object] = json.loads(found[1])
    return build


def test_files_without_hashes_are_not_cached(db: None, settings: Any) -> None:
    settings.HAS_BUILT_STATIC = False
    build = read_build()
    assert (build["files"], build["static"]) == ([], "")


def test_the_cache_has_the_hashed_files_and_another_name_with_each_build(
    db: None, settings: Any, tmp_path: Path
) -> None:
    settings.HAS_BUILT_STATIC, settings.STATIC_MANIFEST = True, tmp_path / "staticfiles.json"
    versions = set()
    for digest in ("1", "2"):
        paths = {"css/base.css": f"css/base.{digest}.css", "art/a.svg": "art/a.0.svg", "games/b.svg": "games/b.0.svg"}
        settings.STATIC_MANIFEST.write_text(json.dumps({"paths": paths}))
        installed_app._write_worker.cache_clear()
        build = read_build()
        versions.add(build["version"])
        assert build["files"] == ["/static/art/a.0.svg", f"/static/css/base.{digest}.css"]
    assert len(versions) == 2


@pytest.mark.parametrize(("language", "sentence"), [("en", "No connection"), ("de", "Keine Verbindung")])
def test_the_page_without_a_network_knows_nobody(ana: models.Player, language: str, sentence: str) -> None:
    pages = [reader.get(f"/offline/{language}/") for reader in (Client(), browser(ana))]
    assert sentence in pages[0].content.decode()
    assert pages[0].content == pages[1].content
    assert b"csrf" not in pages[0].content


def test_there_is_no_such_page_in_another_language(db: None) -> None:
    assert Client().get("/offline/xx/").status_code == 404
