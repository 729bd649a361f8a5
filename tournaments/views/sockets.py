"""WebSockets of pages that follow a tournament, a season, an evening or a club's talk."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from games.live.version_sockets import CurrentVersion, VersionSocket
from games.play.errors import NotAllowed, NotFound
from tournaments.flow import permissions
from tournaments.flow.clubs import club_talk
from tournaments.flow.evenings import jobs, sessions
from tournaments.flow.permissions import OPENED
from tournaments.flow.steps import affected_people
from tournaments.models import Club, Season, Tournament
from tournaments.views.lookups import (
    TournamentMissing,
    find_page_version,
    find_visible_season,
    find_visible_tournament,
    is_organiser,
)


class TournamentSocket(VersionSocket):
    """`/ws/tournaments/<id>/`: the version of a tournament's or a season's pages."""

    def enter(self) -> Callable[[], CurrentVersion]:
        """Check permission as for the pages. Raises NotFound, NotAllowed."""
        session, tournament_id = self.scope["session"], self.scope["url_route"]["kwargs"]["tournament_id"]
        opened = session.get(OPENED, ())
        try:
            tournament, role = find_visible_tournament(tournament_id, self.player_id, opened)
        except TournamentMissing:
            return self._enter_season(tournament_id)
        self.has_link = tournament_id in opened
        self.is_always_concerned, self.marks = (
            is_organiser(role) or bool(permissions.list_duties(tournament, self.player_id)),
            partial(affected_people.read_page_marks, tournament_id),
        )
        self.topic = f"tournament {tournament_id}"
        return partial(_read_tournament, tournament_id)

    def _enter_season(self, season_id: str) -> Callable[[], CurrentVersion]:
        _, role = find_visible_season(season_id, self.player_id)
        self.is_always_concerned, self.marks = is_organiser(role), dict  # a change concerns all readers alike
        self.topic = f"season {season_id}"
        return partial(_read_season, season_id)


def _read_tournament(tournament_id: str) -> CurrentVersion:
    tournament = Tournament.objects.select_related("club", "season").filter(pk=tournament_id).first()
    if tournament is None:
        raise TournamentMissing
    return CurrentVersion(find_page_version(tournament), permissions.list_readers(tournament))


def _read_season(season_id: str) -> CurrentVersion:
    season = Season.objects.select_related("club").filter(pk=season_id).first()
    if season is None:
        raise TournamentMissing
    return CurrentVersion(find_page_version(season), permissions.list_season_readers(season))


class EveningSocket(VersionSocket):
    """`/ws/evenings/<id>/`: the version of an evening's page."""

    def enter(self) -> Callable[[], CurrentVersion]:
        """Check permission as for the page. Raises NotFound, NotAllowed."""
        evening_id = self.scope["url_route"]["kwargs"]["evening_id"]
        if not sessions.can_see(sessions.find(evening_id), self.player_id):
            raise NotAllowed("Only members of the club can see this evening. Ask one of them for an invitation.")
        self.topic = f"evening {evening_id}"
        return partial(_read_evening, evening_id)


def _read_evening(evening_id: str) -> CurrentVersion:
    evening = sessions.find(evening_id)
    return CurrentVersion(jobs.version_of(evening, now=time.time()), sessions.list_readers(evening))


class ClubSocket(VersionSocket):
    """`/ws/clubs/<slug>/`: the version of a club's talk."""

    def enter(self) -> Callable[[], CurrentVersion]:
        """Let in members only. Raises NotFound, NotAllowed."""
        slug = self.scope["url_route"]["kwargs"]["slug"]
        club_talk.require_talk(_find_club(slug), self.player)
        self.topic = f"club {slug}"
        return partial(_read_club, slug)


def _read_club(slug: str) -> CurrentVersion:
    club = _find_club(slug)
    return CurrentVersion(club_talk.version_of(club), permissions.list_members(club.pk))


def _find_club(slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    return club
