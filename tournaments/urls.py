"""Where the pages of clubs, tournaments and careers are."""

from __future__ import annotations

from django.urls import URLPattern, path

from tournaments.views import leaderboards, people

app_name = "tournaments"

urlpatterns: list[URLPattern] = [
    path("leaderboards/", leaderboards.show_leaderboard, name="leaderboards"),
    path("people/<int:person>/", people.show_profile, name="person"),
    path("people/<int:person>/against/<int:other>/", people.show_duel, name="duel"),
    path("people/<int:person>/years/<int:year>/", people.show_year, name="year"),
]
