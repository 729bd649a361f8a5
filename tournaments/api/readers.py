"""Who asks the API, and what he may see."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Schema

from games.play.errors import NotAllowed, NotFound
from tournaments.flow import keys, permissions
from tournaments.models import Club, Tournament


class Said(Schema):
    """A refusal: a status, and a sentence that says what to do."""

    status: int
    sentence: str


def reader_of(request: HttpRequest) -> int | None:
    """Who asks: by key, or by the session of a browser. Raises NotAllowed for a key that opens nothing."""
    header = request.headers.get("Authorization", "")
    if header.startswith("Bearer "):
        key = keys.find(header.removeprefix("Bearer ").strip())
        if key is None:
            raise NotAllowed("That key opens nothing here. Perhaps it was withdrawn.")
        return key.made_by_id
    player = request.player  # type: ignore[attr-defined]
    return None if player is None else int(player.pk)


def find_club(request: HttpRequest, slug: str) -> Club:
    """A club that the reader may see. Raises NotFound, NotAllowed."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    if not permissions.can_see_club(club, reader_of(request)):
        raise NotAllowed("This club shows itself to its members only. Ask one of them for an invitation.")
    return club


def find_tournament(request: HttpRequest, tournament_id: str) -> Tournament:
    """A tournament that the reader may see. Raises NotFound, NotAllowed."""
    tournament = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if tournament is None:
        raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
    reader = reader_of(request)
    if not permissions.can_see(tournament, reader, permissions.role_of(tournament.club, reader)):
        raise NotAllowed("This tournament is for members of its club. Ask its organiser for the link.")
    return tournament
