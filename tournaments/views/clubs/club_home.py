"""The top of a club's page: the next night, tables in play, the last winners, the season's leaders."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.accounts.current_player import player_id
from games.presenters.names import name_game
from tournaments.flow import club_home
from tournaments.flow.club_home import Leaders, NextNight, TableNow
from tournaments.models import Club, Phase, Role, Venue
from tournaments.words.terms import FORMATS, say_points


def describe_home(request: HttpRequest, club: Club, role: Role | None) -> dict[str, Any]:
    """Template context of the top of the page."""
    me = player_id(request)
    night = club_home.find_next(club, role, me, now=time.time())
    leaders = club_home.find_leaders(club, role)
    return {
        "night": None if night is None else _describe_night(club, night),
        "tables_now": [_describe_table(row) for row in club_home.list_tables_now(club, role)],
        "last_night": club_home.find_last_night(club, role),
        "leaders": None if leaders is None else _describe_leaders(leaders),
    }


def _describe_night(club: Club, night: NextNight) -> dict[str, Any]:
    """The next night in words, with its one button."""
    if night.tournament is not None:
        name, url = night.tournament.name, reverse("tournaments:tournament", args=[night.tournament.pk])
        about = str(FORMATS[night.tournament.format])
        place = _say_place(club, Venue(night.tournament.venue))
        button = _name_button(night)
    else:
        assert night.evening is not None  # noqa: S101 - it is one of both
        name, url = night.evening.name, reverse("tournaments:evening", args=[night.evening.pk])
        about, place = _("Evening"), club.place
        button = _("Go to the evening") if night.is_now else _("See the evening")
    more = night.total - len(night.people)
    return {
        "name": name,
        "url": url,
        "about": about,
        "place": place,
        "button": button,
        "game": night.game,
        "game_name": name_game(night.game) if night.game else _("All games"),
        "starts_at": night.starts_at,
        "is_now": night.is_now,
        "people": night.people,
        "count": night.total,
        "more": ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more} if more else "",
        "is_in": night.is_in,
    }


def _say_place(club: Club, venue: Venue) -> str:
    """Where a tournament is played."""
    if venue == Venue.ONLINE:
        return _("On devices")
    if venue == Venue.REAL:
        return club.place or _("At real tables")
    return _("%(place)s, or on a device") % {"place": club.place} if club.place else _("At real tables and on devices")


def _name_button(night: NextNight) -> str:
    assert night.tournament is not None  # noqa: S101 - only tournaments come here
    if night.is_now:
        return _("Go to my table") if night.is_in else _("Follow the tournament")
    if night.is_in:
        return _("See the tournament")
    return _("Sign up") if night.tournament.phase != Phase.PLANNED else _("See the tournament")


def _describe_table(table: TableNow) -> dict[str, Any]:
    if table.pod is None:
        url = reverse("tournaments:evening", args=[table.evening_id])
    else:
        played = table.pod.round
        url = reverse("tournaments:pod", args=[played.tournament_id, played.number, table.pod.number])
    return {
        "url": url,
        "game": table.game,
        "game_name": name_game(table.game) if table.game else _("All games"),
        "number": table.number,
        "names": ", ".join(table.names),
        "where": table.where,
    }


def _describe_leaders(leaders: Leaders) -> dict[str, Any]:
    avatars = leaders.table.avatars
    return {
        "season": leaders.season,
        "is_over": leaders.season.phase != Phase.RUNNING,
        "lines": [
            (line.place, line.person, avatars.get(line.person, "paw"), say_points(line.points))
            for line in leaders.lines
        ],
    }
