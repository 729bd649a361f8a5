"""Where every page is."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from tournaments.api import api

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("games.urls")),  # before the framework's: a few of its pages are ours
    path("account/", include("allauth.urls")),
    path("api/v1/", api.urls),
    path("", include("tournaments.urls")),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.forbidden"
handler404 = "games.views.errors.not_found"
handler429 = "games.views.errors.too_many"
handler500 = "games.views.errors.server_error"
