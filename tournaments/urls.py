"""Where the pages of clubs, tournaments and careers are."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "tournaments"

urlpatterns: list[URLPattern] = []
