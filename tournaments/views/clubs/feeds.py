"""What a club tells calendars (iCal, RFC 5545) and feed readers (Atom, RFC 4287), and 304 while nothing is new.

The address carries a token where the club is private.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from games.accounts.site_urls import absolute, address_of
from games.play.errors import NotFound
from games.presenters.names import GAMES
from games.presenters.render import cache_by_language
from games.presenters.stand_in_texts import say_stand_in
from games.views.not_modified import unless_known
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.steps.kinds import KINDS, Kind
from tournaments.models import Club, Phase, PodSeat, Round, Season, Step, TimedSession, Tournament
from tournaments.words.step_words import OF_SEASON, say_step
from tournaments.words.terms import NOBODY

Row = TypeVar("Row", Tournament, TimedSession)

SHOWN = 100
NEWS = 60
USUAL = timedelta(hours=3)
"""How long a tournament is put into the calendar that does not say how long its rounds are."""
REFRESH = timedelta(hours=1)
"""How often a calendar should look again."""
UNFIT = re.compile("[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs of XML 1.0 (2.2) are the others, less controls (RFC 5545, 3.1) and the ends of lines of Unicode."""
TOLD = frozenset(one.kind for one in KINDS.values() if one.is_in_feed)


def _find(slug: str, token: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None or not (club.is_public or _is_key(club, token)):
        raise NotFound("There is no such feed. Ask the club for its address.")
    return club


def _seen(club: Club, token: str) -> QuerySet[Tournament]:
    rows = Tournament.objects.filter(club=club)
    return rows if _is_key(club, token) else rows.filter(is_public=True)


def _see_seasons(club: Club, token: str) -> QuerySet[Season]:
    rows = Season.objects.filter(club=club)
    return rows if _is_key(club, token) else rows.filter(is_public=True)


def _is_key(club: Club, token: str) -> bool:
    return constant_time_compare(token, club.feed_token)


def _send(request: HttpRequest, body: bytes, content_type: str, name: str) -> HttpResponse:
    """The file, or 304 for whoever has it."""
    answer = HttpResponse(body, content_type=f"{content_type}; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return unless_known(request, answer)


def _plain(text: str) -> str:
    """Text without signs that one of the formats cannot hold, and without further kinds of ends of lines."""
    return UNFIT.sub("", text.replace("\r\n", "\n"))


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Tournaments that have a date, and evenings. `?key=` for private ones. Raises NotFound."""
    token = request.GET.get("key", "")
    club = _find(slug, token)
    book = Calendar()
    book.add("prodid", "-//Menagerie//EN")
    book.add("version", "2.0")
    book.add("name", club.name)
    book.add("x-wr-calname", club.name)
    book.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    book.add("x-published-ttl", "PT1H")
    dated = _seen(club, token).filter(starts_at__isnull=False).select_related("season").order_by("-starts_at", "pk")
    told = [_tell_tournament(request, one, changed_at) for one, changed_at in _find_changed("tournament", dated)]
    agreed = TimedSession.objects.filter(club=club).order_by("-starts_at", "pk")
    told += [_tell_evening(request, one, changed_at) for one, changed_at in _find_changed("evening", agreed)]
    head, end = book.to_ical().split(END)
    return _send(request, b"".join([head, *map(_write, told), END, end]), "text/calendar", f"{club.slug}.ics")


END = b"END:VCALENDAR"


def _find_changed(kind: str, rows: QuerySet[Row]) -> list[tuple[Row, float | None]]:
    """The first of these, each with the moment of its last step: of these alone, a club has far more. kind: the column
    of a step that says whose it is."""
    shown = list(rows[:SHOWN])
    steps = Step.objects.filter(**{f"{kind}__in": [one.pk for one in shown]}).order_by()
    last = dict(steps.values_list(kind).annotate(at=Max("at")))
    return [(one, last.get(one.pk)) for one in shown]


class Dated(NamedTuple):
    """An event as a calendar shows it. sequence: the version of what it says."""

    key: str
    changed: datetime
    sequence: int
    start: datetime
    end: datetime | None
    is_cancelled: bool
    summary: str
    about: str
    url: str


def _tell_tournament(request: HttpRequest, tournament: Tournament, changed_at: float | None) -> Dated:
    start = (tournament.starts_at or tournament.created_at).astimezone(UTC)
    minutes = (tournament.round_minutes or 0) * formats.of(tournament).count_rounds(tournament)
    season = _("Counts for %(season)s.") % {"season": tournament.season.name} if tournament.season else ""
    said = (_game(tournament.game), season, tournament.about)
    return Dated(
        key=tournament.pk,
        changed=tournament.created_at.astimezone(UTC) if changed_at is None else _moment(changed_at),
        sequence=tournament.version,
        start=start,
        end=start + (timedelta(minutes=minutes) if minutes else USUAL),
        is_cancelled=tournament.phase == Phase.CALLED_OFF,
        summary=tournament.name,
        about="\n".join(part for part in said if part),
        url=address_of(request, "tournaments:tournament", tournament.pk),
    )


def _tell_evening(request: HttpRequest, session: TimedSession, changed_at: float | None) -> Dated:
    return Dated(
        key=session.pk,
        changed=_moment(session.starts_at if changed_at is None else changed_at),
        sequence=session.version,
        start=_moment(session.starts_at),
        end=_moment(session.ends_at) if session.ends_at > session.starts_at else None,
        is_cancelled=session.is_called_off,
        summary=session.name,
        about=_game(session.game),
        url=address_of(request, "tournaments:evening", session.pk),
    )


@cache_by_language
def _write(told: Dated) -> bytes:
    """The event's lines; written once for what they say, as calendars come again every hour."""
    event = Event()
    event.add("uid", f"{told.key}@menagerie")
    event.add("dtstamp", told.changed)
    event.add("last-modified", told.changed)
    event.add("sequence", told.sequence)
    event.add("dtstart", told.start)
    if told.end is not None:
        event.add("dtend", told.end)
    if told.is_cancelled:
        event.add("status", "CANCELLED")
    event.add("summary", _plain(told.summary))
    event.add("description", _plain(told.about))
    event.add("url", told.url)
    written: bytes = event.to_ical()
    return written


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(int(at), tz=UTC)


def _game(slug: str) -> str:
    return str(GAMES[slug].name) if slug in GAMES else slug


class Feed(Atom1Feed):
    """An Atom feed that is as old as its newest entry, or as its club."""

    def __init__(self, *, since: datetime, **about: Any) -> None:
        super().__init__(**about)
        self.since = since

    def latest_post_date(self) -> datetime:
        """When something was new here for the last time."""
        return max((item["updateddate"] for item in self.items), default=self.since)


@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """What has happened in tournaments and seasons of the club and was not taken back, newest first, as Atom.

    Raises NotFound.
    """
    token = request.GET.get("key", "")
    club = _find(slug, token)
    feed = Feed(
        title=club.name,
        link=address_of(request, "tournaments:club", club.slug),
        description="",
        subtitle=_plain(club.about),
        feed_url=absolute(request, request.get_full_path()),
        feed_guid=_name_feed(club),
        author_name=club.name,
        since=club.created_at,
    )
    is_told = Q(kind__in=TOLD) | Q(kind=Kind.CHECK_IN, details__contains='"committed"')
    latest = _list_latest(club, token)
    theirs = Q(tournament__in=latest) | Q(season__in=latest)
    steps = Step.objects.filter(is_told, theirs).order_by("-at", "-pk")
    told = steps.select_related("tournament", "season", "reverted_by__reverted_by")
    lean = told.defer("changes", "reverted_by__changes", "reverted_by__reverted_by__changes").iterator(NEWS)
    news_steps = list(islice(filter(_stands, lean), NEWS))
    stand_ins = _find_stand_ins(news_steps)
    for step in news_steps:
        _tell(request, feed, step, stand_ins.get(step.pk, ()))
    return _send(request, feed.writeString("utf-8").encode(), "application/atom+xml", f"{club.slug}.atom")


def _list_latest(club: Club, token: str) -> list[str]:
    """Whose steps the latest news can be, tournaments and seasons: what is not over, and of the others those that ended
    last, each of which has at least its end to tell. What came from an archive has nothing to tell."""
    tournaments, seasons = _seen(club, token), _see_seasons(club, token)
    going = [one.filter(finished_at=None).values_list("pk", flat=True) for one in (tournaments, seasons)]
    over = [
        one.exclude(finished_at=None).filter(~Exists(_came(column))).values_list("finished_at", "pk")
        for column, one in (("tournament", tournaments), ("season", seasons))
    ]
    ended = over[0].union(over[1], all=True).order_by("-finished_at", "pk")[:NEWS]
    return [*going[0].union(going[1], all=True), *(pk for _, pk in ended)]


def _came(column: str) -> QuerySet[Step]:
    """The first step of what came from an archive. column: of a step, which says whose it is."""
    return Step.objects.filter(**{column: OuterRef("pk")}, number=0, kind=Kind.RESTORE)


def _name_feed(club: Club) -> str:
    """What nobody else's feed is called, in any house: every house numbers its clubs from 1."""
    return f"tag:menagerie,2026:club/{club.pk}-{club.created_at.astimezone(UTC):%Y%m%dT%H%M%S.%f}"


def _stands(step: Step) -> bool:
    """Whether it was not taken back, or done again after that, however often."""
    return not (hasattr(step, "reverted_by") and _stands(step.reverted_by))


def _find_stand_ins(steps: Sequence[Step]) -> Mapping[int, Sequence[str]]:
    """What bots played for people, in words, by the step that completed the round."""
    completed = {
        (step.tournament_id, msgspec.json.decode(step.details)["round"]): step.pk
        for step in steps
        if step.kind == Kind.COMPLETE
    }
    rounds = Round.objects.filter(tournament__in={tournament for tournament, _number in completed})
    seats = PodSeat.objects.filter(pod__round__in=rounds).exclude(stand_in="")
    told = defaultdict(list)
    for seat in seats.select_related("entrant", "pod__round").order_by("pod__number", "index"):
        played = seat.pod.round
        if (step := completed.get((played.tournament_id, played.number))) is not None:
            name = seat.substitute_name or seat.entrant.name
            told[step].append(say_stand_in(name, stand_in_records.read(seat)))
    return told


def _tell(request: HttpRequest, feed: Feed, step: Step, stand_ins: Sequence[str]) -> None:
    """As an entry, whose description a reader takes for HTML. stand_ins: what bots played in the round it completed."""
    of = step.tournament or step.season
    assert of is not None  # noqa: S101 - so it was found
    what = say_step(step, of=OF_SEASON if isinstance(of, Season) else of.format)
    said = [_("%(who)s %(what)s.") % {"who": step.actor_name or NOBODY, "what": what}, *_tell_deals(step)]
    said += [f"{'; '.join(stand_ins)}."] if stand_ins else []
    feed.add_item(
        title=_plain(f"{of.name}: {what}"),
        link=address_of(request, "tournaments:tournament", of.pk),
        description=escape(_plain(" ".join(said))),
        unique_id=f"tag:menagerie,2026:{of.pk}/{step.number}",
        updateddate=_moment(step.at),
        pubdate=_moment(step.at),
    )


def _tell_deals(step: Step) -> Iterator[str]:
    """What the step has published of duplicate deals."""
    details = msgspec.json.decode(step.details)
    for one in (*details.get("deals", ()), *details.get("committed", ())):
        if one["seating"]:
            yield _("Commitment to the deals of seating %(seating)s: %(commitment)s.") % one
        else:
            yield _("Commitment to the deals of round %(round)s: %(commitment)s.") % one
