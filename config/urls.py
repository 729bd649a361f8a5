"""Addresses of all pages."""

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

handler400 = "games.views.error_pages.bad_request"
handler403 = "games.views.error_pages.forbidden"
handler404 = "games.views.error_pages.not_found"
handler429 = "games.views.error_pages.too_many"
handler500 = "games.views.error_pages.server_error"
