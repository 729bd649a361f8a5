"""Where every page is."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
]

handler400 = "games.errors.bad_request"
handler403 = "games.errors.forbidden"
handler404 = "games.errors.not_found"
handler500 = "games.errors.server_error"
