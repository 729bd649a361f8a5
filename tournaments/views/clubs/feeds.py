"""Calendars of clubs and persons (iCal, RFC 5545), and a club's news feed (Atom, RFC 4287); 304 while nothing is new.

For what is private the address carries a token.
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
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from games.accounts.site_urls import absolute_url, address_of
from games.models import AwaitedTurn, NoticeWishes
from games.play.days.awaited_turns import list_waits
from games.play.errors import NotFound
from games.presenters.names import name_game
from games.presenters.render import cache_by_language
from games.presenters.stand_in_texts import say_stand_in
from games.views.not_modified import unless_known
from tournaments import formats
from tournaments.flow.announcements import deadlines
from tournaments.flow.counting import stand_in_records
from tournaments.flow.entry import waiting_list
from tournaments.flow.steps.kinds import KINDS, Kind
from tournaments.models import (
    Club,
    Entrant,
    Membership,
    Phase,
    Pod,
    PodSeat,
    Round,
    Season,
    Step,
    TimedSession,
    Tournament,
)
from tournaments.words.step_words import SEASON_STEPS, say_step
from tournaments.words.terms import NO_ACTOR

Row = TypeVar("Row", Tournament, TimedSession)

MAX_EVENTS = 100
"""Tournaments, and evenings, in the calendar: the latest ones."""
MAX_NEWS = 60
"""Entries of the news feed. More lets readers miss less between visits, and makes each answer longer."""
DEFAULT_DURATION = timedelta(hours=3)
"""The duration in the calendar of a tournament without a time limit."""
REFRESH_INTERVAL = timedelta(hours=1)
"""How often a calendar should fetch again. Less is fresher, and more requests."""
UNFIT_CHARACTERS = re.compile("[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters outside XML 1.0 (2.2), control characters (RFC 5545, 3.1) and Unicode's line separators."""
FEED_KINDS = frozenset(kind.kind for kind in KINDS.values() if kind.is_in_feed)
"""Kinds of steps that the news feed lists."""


def _find_club(slug: str, token: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None or not (club.is_public or _is_feed_token(club, token)):
        raise NotFound("This feed does not exist. Ask the club for the current link.")
    return club


def _query_tournaments(club: Club, token: str) -> QuerySet[Tournament]:
    rows = Tournament.objects.filter(club=club)
    return rows if _is_feed_token(club, token) else rows.filter(is_public=True)


def _query_seasons(club: Club, token: str) -> QuerySet[Season]:
    rows = Season.objects.filter(club=club)
    return rows if _is_feed_token(club, token) else rows.filter(is_public=True)


def _is_feed_token(club: Club, token: str) -> bool:
    return constant_time_compare(token, club.feed_token)


def _send_file(request: HttpRequest, body: bytes, content_type: str, name: str) -> HttpResponse:
    """The file, or 304 if the client has it."""
    answer = HttpResponse(body, content_type=f"{content_type}; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return unless_known(request, answer)


def _strip_unfit(text: str) -> str:
    """Text without characters that one of the formats cannot hold; lines end in a line feed."""
    return UNFIT_CHARACTERS.sub("", text.replace("\r\n", "\n"))


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The calendar: tournaments with a date, and evenings. `?key=` for private ones. Raises NotFound."""
    token = request.GET.get("key", "")
    club = _find_club(slug, token)
    evenings = TimedSession.objects.filter(club=club)
    body = _write_calendar(request, club.name, _query_tournaments(club, token), evenings)
    return _send_file(request, body, "text/calendar", f"{club.slug}.ics")


@require_safe
def show_my_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """One person's calendar: tournaments that they have entered, evenings of their clubs, their deadlines.

    The token of its address is all the permission there is. Raises NotFound.
    """
    wishes = NoticeWishes.objects.filter(feed_token=token, player__left_at=None).select_related("player").first()
    if wishes is None:
        raise NotFound("This calendar does not exist. Your notification settings show the present address.")
    player = wishes.player
    entered = Entrant.objects.filter(player=player).filter(status__in=waiting_list.IN)
    tournaments = Tournament.objects.filter(pk__in=entered.values("tournament"))
    clubs = Membership.objects.filter(player=player)
    evenings = TimedSession.objects.filter(Q(club__in=clubs.values("club")) | Q(owner=player))
    with translation.override(player.language or translation.get_language()):
        waits = [_describe_wait(request, wait) for wait in list_waits(player.pk)[:MAX_EVENTS]]
        waits += [_describe_deadline(request, pod) for pod in deadlines.list_own(player.pk)[:MAX_EVENTS]]
        body = _write_calendar(request, f"Menagerie: {player.name}", tournaments, evenings, waits)
    return _send_file(request, body, "text/calendar", "menagerie.ics")


def _write_calendar(
    request: HttpRequest,
    name: str,
    tournaments: QuerySet[Tournament],
    evenings: QuerySet[TimedSession],
    waits: Sequence[CalendarEvent] = (),
) -> bytes:
    """The calendar of these tournaments, as far as they have a date, and evenings. waits: further events."""
    book = Calendar()
    book.add("prodid", "-//Menagerie//EN")
    book.add("version", "2.0")
    book.add("name", _strip_unfit(name))
    book.add("x-wr-calname", _strip_unfit(name))
    book.add("refresh-interval", REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
    book.add("x-published-ttl", "PT1H")
    dated = tournaments.filter(starts_at__isnull=False).select_related("season").order_by("-starts_at", "pk")
    events = [
        _describe_tournament(request, one, changed_at) for one, changed_at in _list_with_last_step("tournament", dated)
    ]
    agreed = evenings.order_by("-starts_at", "pk")
    events += [
        _describe_evening(request, one, changed_at) for one, changed_at in _list_with_last_step("evening", agreed)
    ]
    events += waits
    head, end = book.to_ical().split(CALENDAR_END)
    return b"".join([head, *map(_write_event, events), CALENDAR_END, end])


CALENDAR_END = b"END:VCALENDAR"


def _list_with_last_step(kind: str, rows: QuerySet[Row]) -> list[tuple[Row, float | None]]:
    """The first `MAX_EVENTS` rows, each with the time of its last step (None if it has none).

    kind: the column of a step that refers to these rows.
    """
    shown = list(rows[:MAX_EVENTS])
    steps = Step.objects.filter(**{f"{kind}__in": [tournament.pk for tournament in shown]}).order_by()
    last = dict(steps.values_list(kind).annotate(at=Max("at")))
    return [(tournament, last.get(tournament.pk)) for tournament in shown]


class CalendarEvent(NamedTuple):
    """An event of the calendar. sequence: its version, which rises with each change."""

    key: str
    changed: datetime
    sequence: int
    start: datetime
    end: datetime | None
    is_cancelled: bool
    summary: str
    about: str
    url: str


def _describe_tournament(request: HttpRequest, tournament: Tournament, changed_at: float | None) -> CalendarEvent:
    start = (tournament.starts_at or tournament.created_at).astimezone(UTC)
    minutes = (tournament.round_minutes or 0) * formats.of(tournament).count_rounds(tournament)
    season = _("Counts for %(season)s.") % {"season": tournament.season.name} if tournament.season else ""
    parts = (name_game(tournament.game), season, tournament.about)
    return CalendarEvent(
        key=tournament.pk,
        changed=tournament.created_at.astimezone(UTC) if changed_at is None else _to_datetime(changed_at),
        sequence=tournament.version,
        start=start,
        end=start + (timedelta(minutes=minutes) if minutes else DEFAULT_DURATION),
        is_cancelled=tournament.phase == Phase.CALLED_OFF,
        summary=tournament.name,
        about="\n".join(part for part in parts if part),
        url=address_of(request, "tournaments:tournament", tournament.pk),
    )


def _describe_wait(request: HttpRequest, wait: AwaitedTurn) -> CalendarEvent:
    """When this person's turn in a game over days runs out."""
    game = name_game(wait.table.game)
    return CalendarEvent(
        key=f"turn-{wait.table_id}",
        changed=_to_datetime(wait.due_at - wait.table.turn_seconds),
        sequence=wait.version,
        start=_to_datetime(wait.due_at),
        end=None,
        is_cancelled=False,
        summary=_("%(game)s: my turn ends") % {"game": game},
        about="",
        url=address_of(request, "table", wait.table_id),
    )


def _describe_deadline(request: HttpRequest, pod: Pod) -> CalendarEvent:
    """When a round over days ends in which this person still has a game to play."""
    played = pod.round
    values = {"event": played.tournament.name, "round": played.number}
    return CalendarEvent(
        key=f"round-{played.pk}-{pod.pk}",
        changed=_to_datetime(played.released_at or played.ends_at or 0.0),
        sequence=played.tournament.version,
        start=_to_datetime(played.ends_at or 0.0),
        end=None,
        is_cancelled=False,
        summary=_("%(event)s: round %(round)s ends") % values,
        about=name_game(played.tournament.game),
        url=address_of(request, "table", pod.table_id),
    )


def _describe_evening(request: HttpRequest, session: TimedSession, changed_at: float | None) -> CalendarEvent:
    return CalendarEvent(
        key=session.pk,
        changed=_to_datetime(session.starts_at if changed_at is None else changed_at),
        sequence=session.version,
        start=_to_datetime(session.starts_at),
        end=_to_datetime(session.ends_at) if session.ends_at > session.starts_at else None,
        is_cancelled=session.is_called_off,
        summary=session.name,
        about=name_game(session.game),
        url=address_of(request, "tournaments:evening", session.pk),
    )


@cache_by_language
def _write_event(shown: CalendarEvent) -> bytes:
    """The lines of an event, cached, as calendars fetch them every hour."""
    event = Event()
    event.add("uid", f"{shown.key}@menagerie")
    event.add("dtstamp", shown.changed)
    event.add("last-modified", shown.changed)
    event.add("sequence", shown.sequence)
    event.add("dtstart", shown.start)
    if shown.end is not None:
        event.add("dtend", shown.end)
    if shown.is_cancelled:
        event.add("status", "CANCELLED")
    event.add("summary", _strip_unfit(shown.summary))
    event.add("description", _strip_unfit(shown.about))
    event.add("url", shown.url)
    written: bytes = event.to_ical()
    return written


def _to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(int(at), tz=UTC)


class Feed(Atom1Feed):
    """An Atom feed, as old as its newest entry, or without entries as its club."""

    def __init__(self, *, since: datetime, **about: Any) -> None:
        super().__init__(**about)
        self.since = since

    def latest_post_date(self) -> datetime:
        """The time of the newest entry, or of the club's founding."""
        return max((item["updateddate"] for item in self.items), default=self.since)


@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """The news feed: steps of the club's tournaments and seasons that were not undone, the newest first.

    Raises NotFound.
    """
    token = request.GET.get("key", "")
    club = _find_club(slug, token)
    feed = Feed(
        title=club.name,
        link=address_of(request, "tournaments:club", club.slug),
        description="",
        subtitle=_strip_unfit(club.about),
        feed_url=absolute_url(request, request.get_full_path()),
        feed_guid=_name_feed(club),
        author_name=club.name,
        since=club.created_at,
    )
    is_news = Q(kind__in=FEED_KINDS) | Q(kind=Kind.CHECK_IN, details__contains='"committed"')
    latest = _list_latest(club, token)
    theirs = Q(tournament__in=latest) | Q(season__in=latest)
    steps = Step.objects.filter(is_news, theirs).order_by("-at", "-pk")
    described = steps.select_related("tournament", "season", "reverted_by__reverted_by")
    lean = described.defer("changes", "reverted_by__changes", "reverted_by__reverted_by__changes").iterator(MAX_NEWS)
    news_steps = list(islice((step for step in lean if step.is_in_force), MAX_NEWS))
    stand_ins = _find_stand_ins(news_steps)
    for step in news_steps:
        _add_entry(request, feed, step, stand_ins.get(step.pk, ()))
    return _send_file(request, feed.writeString("utf-8").encode(), "application/atom+xml", f"{club.slug}.atom")


def _list_latest(club: Club, token: str) -> list[str]:
    """Ids of the tournaments and seasons that the latest news can be about.

    All that are not over, and the `MAX_NEWS` that ended last, as each end is news. Imported archives are left out.
    """
    tournaments, seasons = _query_tournaments(club, token), _query_seasons(club, token)
    going = [rows.filter(finished_at=None).values_list("pk", flat=True) for rows in (tournaments, seasons)]
    over = [
        one.exclude(finished_at=None).filter(~Exists(_query_import(column))).values_list("finished_at", "pk")
        for column, one in (("tournament", tournaments), ("season", seasons))
    ]
    ended = over[0].union(over[1], all=True).order_by("-finished_at", "pk")[:MAX_NEWS]
    return [*going[0].union(going[1], all=True), *(pk for _, pk in ended)]


def _query_import(column: str) -> QuerySet[Step]:
    """The import step of a tournament or season from an archive. column: of a step, which refers to it."""
    return Step.objects.filter(**{column: OuterRef("pk")}, number=0, kind=Kind.RESTORE)


def _name_feed(club: Club) -> str:
    """A tag URI unique across sites: each site numbers its clubs from 1, so the founding time is part of it."""
    return f"tag:menagerie,2026:club/{club.pk}-{club.created_at.astimezone(UTC):%Y%m%dT%H%M%S.%f}"


def _find_stand_ins(steps: Sequence[Step]) -> Mapping[int, Sequence[str]]:
    """What stand-ins played, in words, by the id of the step that completed the round."""
    completed = {
        (step.tournament_id, msgspec.json.decode(step.details)["round"]): step.pk
        for step in steps
        if step.kind == Kind.COMPLETE
    }
    rounds = Round.objects.filter(tournament__in={tournament for tournament, _number in completed})
    seats = PodSeat.objects.filter(pod__round__in=rounds).exclude(stand_in="")
    texts = defaultdict(list)
    for seat in seats.select_related("entrant", "pod__round").order_by("pod__number", "index"):
        played = seat.pod.round
        if (step := completed.get((played.tournament_id, played.number))) is not None:
            name = seat.substitute_name or seat.entrant.name
            texts[step].append(say_stand_in(name, stand_in_records.read(seat)))
    return texts


def _add_entry(request: HttpRequest, feed: Feed, step: Step, stand_ins: Sequence[str]) -> None:
    """Add a step to the feed; feed readers take the description for HTML. stand_ins: of the round it completed."""
    subject = step.tournament or step.season
    assert subject is not None  # noqa: S101 - the query selects by one of the two
    what = say_step(step, format_slug=SEASON_STEPS if isinstance(subject, Season) else subject.format)
    sentences = [_("%(who)s %(what)s.") % {"who": step.actor_name or NO_ACTOR, "what": what}, *_list_commitments(step)]
    sentences += [f"{'; '.join(stand_ins)}."] if stand_ins else []
    feed.add_item(
        title=_strip_unfit(f"{subject.name}: {what}"),
        link=address_of(request, "tournaments:tournament", subject.pk),
        description=escape(_strip_unfit(" ".join(sentences))),
        unique_id=f"tag:menagerie,2026:{subject.pk}/{step.number}",
        updateddate=_to_datetime(step.at),
        pubdate=_to_datetime(step.at),
    )


def _list_commitments(step: Step) -> Iterator[str]:
    """Sentences about the commitments to duplicate deals that the step has published."""
    details = msgspec.json.decode(step.details)
    for deal in (*details.get("deals", ()), *details.get("committed", ())):
        if deal["seating"]:
            yield _("Commitment to the deals of seating %(seating)s: %(commitment)s.") % deal
        else:
            yield _("Commitment to the deals of round %(round)s: %(commitment)s.") % deal
