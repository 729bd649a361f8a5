"""Sockets of pages that follow a tournament, an evening or the talk of a club."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from games.live.version_sockets import FollowingSocket, Present
from games.play.errors import NotAllowed, NotFound
from tournaments.flow import permissions
from tournaments.flow.clubs import club_talk
from tournaments.flow.evenings import jobs, sessions
from tournaments.flow.permissions import OPENED
from tournaments.flow.steps import affected_people
from tournaments.models import Club, Season, Tournament
from tournaments.views.lookups import Missing, is_organiser, require_sight, require_sight_of_season, stamp


class TournamentSocket(FollowingSocket):
    """`/ws/tournaments/<id>/`: the version of a tournament's or a season's pages."""

    def enter(self) -> Callable[[], Present]:
        """As for its pages."""
        session, tournament_id = self.scope["session"], self.scope["url_route"]["kwargs"]["tournament_id"]
        opened = session.get(OPENED, ())
        try:
            _, role = require_sight(tournament_id, self.player_id, opened)
        except Missing:
            return self._enter_season(tournament_id)
        self.has_link = tournament_id in opened
        self.is_first, self.marks = is_organiser(role), partial(affected_people.read_page_marks, tournament_id)
        self.thing = f"tournament {tournament_id}"
        return partial(_read_tournament, tournament_id)

    def _enter_season(self, season_id: str) -> Callable[[], Present]:
        _, role = require_sight_of_season(season_id, self.player_id)
        self.is_first, self.marks = is_organiser(role), dict  # what changes concerns nobody more than others
        self.thing = f"season {season_id}"
        return partial(_read_season, season_id)


def _read_tournament(tournament_id: str) -> Present:
    tournament = Tournament.objects.select_related("club", "season").filter(pk=tournament_id).first()
    if tournament is None:
        raise Missing
    return Present(stamp(tournament), permissions.list_readers(tournament))


def _read_season(season_id: str) -> Present:
    season = Season.objects.select_related("club").filter(pk=season_id).first()
    if season is None:
        raise Missing
    return Present(stamp(season), permissions.list_season_readers(season))


class EveningSocket(FollowingSocket):
    """`/ws/evenings/<id>/`: the version of an evening's page."""

    def enter(self) -> Callable[[], Present]:
        """As for its page."""
        evening_id = self.scope["url_route"]["kwargs"]["evening_id"]
        if not sessions.can_see(sessions.find(evening_id), self.player_id):
            raise NotAllowed("This evening is for the members of its club. Ask one of them for an invitation.")
        self.thing = f"evening {evening_id}"
        return partial(_read_evening, evening_id)


def _read_evening(evening_id: str) -> Present:
    evening = sessions.find(evening_id)
    return Present(jobs.version_of(evening, now=time.time()), sessions.list_readers(evening))


class ClubSocket(FollowingSocket):
    """`/ws/clubs/<slug>/`: the version of a club's talk."""

    def enter(self) -> Callable[[], Present]:
        """For its members."""
        slug = self.scope["url_route"]["kwargs"]["slug"]
        club_talk.require_talk(_find_club(slug), self.player)
        self.thing = f"club {slug}"
        return partial(_read_club, slug)


def _read_club(slug: str) -> Present:
    club = _find_club(slug)
    return Present(club_talk.version_of(club), permissions.list_members(club.pk))


def _find_club(slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    return club
