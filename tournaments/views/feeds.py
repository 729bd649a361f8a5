"""What a club tells calendars (iCal) and feed readers (Atom). The address carries a token where the club is private."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from games.addresses import absolute, address_of
from games.names import GAMES
from games.play.errors import NotFound
from tournaments.flow.reverting import list_steps
from tournaments.models import Club, Format, TimedSession, Tournament
from tournaments.words import NOBODY, say_step

SHOWN = 100
NEWS = 60
USUAL = timedelta(hours=3)
"""How long a tournament is put into the calendar that does not say how long its rounds are."""
TOLD = frozenset({"open-season", "open-arena", "count", "plan", "open-entry", "release", "complete", "finish"})


def _find(slug: str, token: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None or (not club.is_public and token != club.feed_token):
        raise NotFound("There is no such feed. Ask the club for its address.")
    return club


def _seen(club: Club, token: str) -> list[Tournament]:
    rows = Tournament.objects.filter(club=club).select_related("club", "season").order_by("-created_at")
    if token != club.feed_token:
        rows = rows.filter(is_public=True)
    return list(rows[:SHOWN])


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Tournaments that have a date, and evenings. `?key=` for private ones. Raises NotFound."""
    token = request.GET.get("key", "")
    club = _find(slug, token)
    book = Calendar()
    book.add("prodid", "-//Menagerie//EN")
    book.add("version", "2.0")
    book.add("x-wr-calname", club.name)
    for tournament in _seen(club, token):
        if tournament.starts_at is not None:
            book.add_component(_event(request, tournament, tournament.starts_at))
    for session in TimedSession.objects.filter(club=club).order_by("-starts_at")[:SHOWN]:
        book.add_component(_evening(request, session))
    answer = HttpResponse(book.to_ical(), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    return answer


def _event(request: HttpRequest, tournament: Tournament, start: datetime) -> Event:
    event = Event()
    event.add("uid", f"{tournament.pk}@menagerie")
    event.add("dtstamp", tournament.created_at.astimezone(UTC))
    event.add("dtstart", start.astimezone(UTC))
    rounds = 1 if tournament.format == Format.ARENA else tournament.rounds_planned
    minutes = (tournament.round_minutes or 0) * rounds
    event.add("dtend", (start + (timedelta(minutes=minutes) if minutes else USUAL)).astimezone(UTC))
    event.add("summary", tournament.name)
    season = _("Counts for %(season)s.") % {"season": tournament.season.name} if tournament.season else ""
    said = (_game(tournament.game), season, tournament.about)
    event.add("description", "\n".join(part for part in said if part))
    event.add("url", address_of(request, "tournaments:tournament", tournament.pk))
    event.add("sequence", tournament.version)
    return event


def _evening(request: HttpRequest, session: TimedSession) -> Event:
    event = Event()
    event.add("uid", f"{session.pk}@menagerie")
    event.add("dtstamp", _moment(session.starts_at))
    event.add("dtstart", _moment(session.starts_at))
    if session.ends_at > session.starts_at:
        event.add("dtend", _moment(session.ends_at))
    if session.is_called_off:
        event.add("status", "CANCELLED")
    event.add("summary", session.name)
    event.add("description", _game(session.game))
    event.add("url", address_of(request, "tournaments:evening", session.pk))
    event.add("sequence", session.version)
    return event


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, tz=UTC)


def _game(slug: str) -> str:
    return str(GAMES[slug].name) if slug in GAMES else slug


@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """What has happened in the club's tournaments, newest first, as Atom. Raises NotFound."""
    token = request.GET.get("key", "")
    club = _find(slug, token)
    home = address_of(request, "tournaments:club", club.slug)
    here = absolute(request, request.get_full_path())
    feed = Atom1Feed(title=club.name, link=home, description=club.about, feed_url=here)
    rows = []
    for tournament in _seen(club, token)[:12]:
        link = address_of(request, "tournaments:tournament", tournament.pk)
        rows += [(step, tournament, link) for step in list_steps(tournament, limit=30) if step.kind in TOLD]
    rows.sort(key=lambda row: row[0].at, reverse=True)
    for step, tournament, link in rows[:NEWS]:
        what = say_step(step, is_arena=tournament.format == Format.ARENA)
        feed.add_item(
            title=f"{tournament.name}: {what}",
            link=link,
            description=_("%(who)s %(what)s.") % {"who": step.actor_name or NOBODY, "what": what},
            unique_id=f"tag:menagerie,2026:{tournament.pk}/{step.number}",
            updateddate=_moment(step.at),
            pubdate=_moment(step.at),
        )
    return HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")
