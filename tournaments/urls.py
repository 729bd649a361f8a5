"""Addresses of the pages of clubs, tournaments and people."""

from __future__ import annotations

from typing import Any, cast

from django.urls import URLPattern, path

from tournaments.views.archive import exports, job_progress
from tournaments.views.clubs import (
    club_pages,
    club_picture,
    club_talk,
    connections,
    feeds,
    identities,
    moderation,
    programme,
)
from tournaments.views.entry import claiming, door, duty_pages, entering, photos, team_pages
from tournaments.views.evenings import evening_hall, evening_pages
from tournaments.views.planning import plan_pages
from tournaments.views.profiles import careers, finding, game_history, leaderboards, people
from tournaments.views.rounds import (
    buttons,
    console,
    duplicate_deals,
    entrant_page,
    hall,
    ladder,
    prints,
    scores,
    tournament_pages,
)
from tournaments.views.seasons import season_console, season_pages, season_sheets
from tournaments.views.seasons.addresses import choose_view
from tournaments.views.sockets import ClubSocket, EveningSocket, TournamentSocket
from tournaments.views.undo import logs

app_name = "tournaments"

urlpatterns: list[URLPattern] = [
    path("me/export/", people.export_me, name="export_me"),
    path("clubs/<slug:slug>/records/", people.show_club_records, name="club_records"),
    path("leaderboards/", leaderboards.show_leaderboard, name="leaderboards"),
    path("search/", finding.search, name="search"),
    path("people/<int:person>/", people.show_profile, name="person"),
    path("people/<int:person>/games/", game_history.show_games, name="person_games"),
    path("people/<int:person>/against/", people.choose_rival, name="rivals"),
    path("people/<int:person>/against/<int:other>/", people.show_duel, name="duel"),
    path("people/<int:person>/careers/<slug:game>/", careers.show_career, name="career"),
    path("people/<int:person>/years/<int:year>/", people.show_year, name="year"),
    path("clubs/", club_pages.list_clubs, name="clubs"),
    path("clubs/new/", club_pages.found, name="new_club"),
    path("clubs/in/<slug:token>/", club_pages.accept, name="invitation"),
    path("clubs/<slug:slug>/", club_pages.show, name="club"),
    path("clubs/<slug:slug>/edit/", club_pages.edit, name="edit_club"),
    path("clubs/<slug:slug>/picture/", club_picture.change, name="change_club_picture"),
    path("clubs/<slug:slug>/picture/<slug:version>.webp", club_picture.show, name="club_picture"),
    path("clubs/<slug:slug>/invite/", club_pages.invite, name="invite"),
    path("clubs/<slug:slug>/invitations/<slug:token>/withdraw/", club_pages.withdraw, name="withdraw_invitation"),
    path("clubs/<slug:slug>/members/<int:member_id>/", club_pages.change_member, name="member"),
    path("clubs/<slug:slug>/members/<int:member_id>/reset-link/", club_pages.make_reset_link, name="member_reset_link"),
    path("clubs/<slug:slug>/device-link/", identities.make_device_link, name="new_device_link"),
    path("clubs/<slug:slug>/merge/", identities.merge, name="merge"),
    path("devices/<slug:token>/", identities.use_device_link, name="device_link"),
    path("clubs/<slug:slug>/talk/", club_talk.show, name="club_talk"),
    path("clubs/<slug:slug>/talk/pulse.json", club_talk.show_version, name="club_pulse"),
    path("clubs/<slug:slug>/talk/say/", club_talk.say, name="say_in_club"),
    path("clubs/<slug:slug>/talk/clear/", club_talk.clear, name="clear_club_talk"),
    path("clubs/<slug:slug>/talk/<int:number>/report/", club_talk.report, name="report_in_club"),
    path("clubs/<slug:slug>/moderation/", moderation.show, name="moderation"),
    path("clubs/<slug:slug>/moderation/do/", moderation.act, name="moderate"),
    path("clubs/<slug:slug>/plan/", plan_pages.plan, name="plan"),
    path("clubs/<slug:slug>/templates/", plan_pages.show_templates, name="plan_templates"),
    path("clubs/<slug:slug>/season/", season_console.plan, name="new_season"),
    path("clubs/<slug:slug>/tournaments/", programme.list_tournaments, name="club_tournaments"),
    path("clubs/<slug:slug>/evenings/", programme.list_evenings, name="club_evenings"),
    path("clubs/<slug:slug>/evenings/new/", evening_pages.plan, name="new_evening"),
    path("evenings/<slug:evening_id>/", evening_pages.show, name="evening"),
    path("evenings/<slug:evening_id>/pulse.json", evening_pages.show_version, name="evening_pulse"),
    path("evenings/<slug:evening_id>/hall/", evening_hall.show, name="evening_hall"),
    path("evenings/<slug:evening_id>/guests/<slug:token>/", evening_hall.follow_guest_link, name="evening_guest"),
    path("evenings/<slug:evening_id>/do/", evening_pages.act, name="steer_evening"),
    path("tournaments/", tournament_pages.list_tournaments, name="tournaments"),
    path("enter/<slug:token>/", tournament_pages.follow_entry_link, name="entry_link"),
    path(
        "tournaments/<slug:tournament_id>/",
        choose_view(tournament_pages.show_overview, season_pages.show_overview),
        name="tournament",
    ),
    path(
        "tournaments/<slug:tournament_id>/pulse.json",
        choose_view(tournament_pages.show_version, season_pages.show_version),
        name="pulse",
    ),
    path(
        "tournaments/<slug:tournament_id>/pairings/",
        choose_view(tournament_pages.show_pairings, season_pages.redirect_to_table),
        name="pairings",
    ),
    path(
        "tournaments/<slug:tournament_id>/standings/",
        choose_view(tournament_pages.show_standings, season_pages.redirect_to_table),
        name="standings",
    ),
    path("tournaments/<slug:tournament_id>/entrants/<int:number>/", entrant_page.show, name="entrant"),
    path("tournaments/<slug:tournament_id>/ladder/", ladder.show, name="ladder"),
    path(
        "tournaments/<slug:tournament_id>/chronicle/",
        choose_view(tournament_pages.show_chronicle, season_pages.show_chronicle),
        name="chronicle",
    ),
    path("tournaments/<slug:tournament_id>/me/", entering.act, name="act"),
    path("tournaments/<slug:tournament_id>/deals/", duplicate_deals.show, name="fair"),
    path("tournaments/<slug:tournament_id>/deals/coming.json", duplicate_deals.show_coming, name="coming"),
    path("tournaments/<slug:tournament_id>/deals/contribute/", duplicate_deals.contribute, name="contribute"),
    path("tournaments/<slug:tournament_id>/door/", door.show, name="door"),
    path("tournaments/<slug:tournament_id>/door/do/", door.act, name="at_door"),
    path("tournaments/<slug:tournament_id>/results/", scores.show, name="scores"),
    path("tournaments/<slug:tournament_id>/teams/", team_pages.show, name="teams"),
    path("tournaments/<slug:tournament_id>/duties/", duty_pages.show, name="duties"),
    path("tournaments/<slug:tournament_id>/duties/<slug:token>/", duty_pages.take, name="duty"),
    path("tournaments/<slug:tournament_id>/claim/<slug:token>/", claiming.show_claim, name="claim"),
    path("tournaments/<slug:tournament_id>/rounds/<int:number>/<int:table>/", entering.show_pod, name="pod"),
    path(
        "tournaments/<slug:tournament_id>/rounds/<int:number>/<int:table>/photos/", photos.change, name="change_photos"
    ),
    path("tournaments/<slug:tournament_id>/photos/<slug:photo>.webp", photos.show, name="result_photo"),
    path("tournaments/<slug:tournament_id>/console/", choose_view(console.show, season_console.show), name="console"),
    path("tournaments/<slug:tournament_id>/console/do/", choose_view(buttons.act, season_console.act), name="do"),
    path("tournaments/<slug:tournament_id>/console/tables/<int:table>/", console.show_result_form, name="settle"),
    path(
        "tournaments/<slug:tournament_id>/plan/", choose_view(plan_pages.revise, season_console.revise), name="revise"
    ),
    path("tournaments/<slug:tournament_id>/import/", plan_pages.import_entrants, name="import"),
    path("tournaments/<slug:tournament_id>/log/", choose_view(logs.show_log, season_console.show_log), name="log"),
    path("tournaments/<slug:tournament_id>/hall/", choose_view(hall.show, season_sheets.show_hall), name="hall"),
    path(
        "tournaments/<slug:tournament_id>/outputs/",
        choose_view(prints.show_outputs, season_sheets.show_outputs),
        name="outputs",
    ),
    path(
        "tournaments/<slug:tournament_id>/print/<slug:sheet>/",
        choose_view(prints.show, season_sheets.show),
        name="print",
    ),
    path(
        "tournaments/<slug:tournament_id>/files/<str:kind>",
        choose_view(exports.download, exports.download_season),
        name="download",
    ),
    path("clubs/<slug:slug>/restore/", exports.restore, name="restore"),
    path("clubs/<slug:slug>/restore/<slug:key>/", job_progress.show_import, name="reading"),
    path("clubs/<slug:slug>/calendar.ics", feeds.calendar, name="calendar"),
    path("calendars/<slug:token>.ics", feeds.show_my_calendar, name="my_calendar"),
    path("clubs/<slug:slug>/news.atom", feeds.news, name="news"),
    path("clubs/<slug:slug>/connections/", connections.show, name="connections"),
]

# A consumer is no view; the router takes it at the place of one.
socket_urls: list[Any] = [
    path("ws/tournaments/<slug:tournament_id>/", cast(Any, TournamentSocket.as_asgi())),
    path("ws/clubs/<slug:slug>/", cast(Any, ClubSocket.as_asgi())),
    path("ws/evenings/<slug:evening_id>/", cast(Any, EveningSocket.as_asgi())),
]
