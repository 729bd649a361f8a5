"""The installable web app: its manifest, the service worker, and the offline page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.records import strict_json
from games.views.not_modified import unless_known

WORKER = "js/worker/service-worker.js"
THEME_COLOUR = "#201913"
"""Colour of the browser's frame; the same as `theme-color` in templates/base.html."""
ICONS = (
    ("art/icon-192.png", "192x192", "any"),
    ("art/icon-512.png", "512x512", "any"),
    ("art/icon-maskable-512.png", "512x512", "maskable"),
    ("art/icon.svg", "any", "any"),
)
"""File, sizes and purpose (Web App Manifest, `icons`)."""
CACHED_AT_ONCE = ("css/", "js/page/", "js/table/", "art/")
"""Folders of static files that the service worker fetches when it is installed; others once a page asks for them."""


@require_safe
def show_manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest in the reader's language."""
    lobby = reverse("lobby")
    shortcuts = ((_("Play now"), "#games"), (_("My tables"), "#mine"), (_("Tonight"), "#soon"))
    manifest = {
        "id": lobby,
        "name": "Menagerie",
        "short_name": "Menagerie",
        "description": _("Card games for clubs, live in the browser."),
        "lang": translation.get_language(),
        "start_url": lobby,
        "scope": lobby,
        "display": "standalone",
        "background_color": THEME_COLOUR,
        "theme_color": THEME_COLOUR,
        "icons": [
            {"src": static(file), "sizes": sizes, "type": _name_type(file), "purpose": purpose}
            for file, sizes, purpose in ICONS
        ],
        "shortcuts": [{"name": name, "url": lobby + anchor} for name, anchor in shortcuts],
    }
    answer = HttpResponse(strict_json.write(manifest), content_type="application/manifest+json")
    return unless_known(request, answer)


def _name_type(file: str) -> str:
    return "image/svg+xml" if file.endswith(".svg") else "image/png"


@require_safe
def show_service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker: its source, after the version and the files of its cache.

    It stands at the root, so it serves every page. Browsers ask for it again at each visit (`no-cache`).
    """
    answer = HttpResponse(_write_worker(), content_type="text/javascript; charset=utf-8")
    return unless_known(request, answer)


@cache
def _write_worker() -> str:
    """The script. A pure function of the built files, which do not change while a process runs.

    Files without hashes in their names are not cached: nobody could tell yesterday's from today's.
    """
    source = _read_source()
    files = sorted(set(_list_files())) if settings.HAS_BUILT_STATIC else []
    pages = {code: reverse("offline", args=[code]) for code, _name in settings.LANGUAGES}
    version = sha256("\n".join([source, *files]).encode()).hexdigest()[:16]
    build: dict[str, Any] = {
        "version": version,
        "files": files,
        "pages": pages,
        "static": settings.STATIC_URL if files else "",
        "icon": static("art/icon-192.png"),
        "badge": static("art/badge.png"),
        "lobby": reverse("lobby"),
    }
    return f"const build = {strict_json.write(build)};\n{source}"


def _read_source() -> str:
    found = finders.find(WORKER)
    return Path(str(found)).read_text(encoding="utf-8")


def _list_files() -> Iterator[str]:
    """The addresses of the built files that are cached at once, with hashes in their names."""
    built = json.loads(settings.STATIC_MANIFEST.read_bytes())["paths"]
    for name, hashed in built.items():
        if name.startswith(CACHED_AT_ONCE):
            yield f"{settings.STATIC_URL}{hashed}"


@require_safe
def show_offline(request: HttpRequest, language: str) -> HttpResponse:
    """The page for times without a network, the same for everybody: the browser itself noted what it shows."""
    if language not in dict(settings.LANGUAGES):
        raise Http404(language)
    with translation.override(language):
        return unless_known(request, render(request, "offline.html"))
