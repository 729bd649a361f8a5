"""Long lists of a tournament, row by row: each row is drawn once for what it shows, not once for each reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone, get_current_timezone_name
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from games.presenters.render import cache_by_language, macro
from games.templatetags.menagerie import clock_time, day
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.flow.tables.online_tables import plays_on_device
from tournaments.flow.undo.step_undo import LoggedStep
from tournaments.models import BOTH_PLACES, Entrant, Pod, Tournament, Venue
from tournaments.scoring.standings import Standing
from tournaments.views.standings import tournament_view
from tournaments.views.standings.table_views import PodView, sought_by
from tournaments.words.step_words import kind_told, say_told
from tournaments.words.terms import NOBODY, by_name

T = TypeVar("T")

CSRF = "\0csrf\0"
"""Stands in what is kept for the reader's own token."""


def _keep(book: Book, name: str, made_of: tuple[object, ...], draw: Callable[[], T]) -> T:
    """What was drawn before in the reader's language, as long as it was drawn of these very things."""
    return book.derived.get((name, get_language()), made_of, draw)


def join(rows: Iterable[str]) -> SafeString:
    """Rows that were drawn, as one piece."""
    return mark_safe("".join(rows))  # noqa: S308 - drawn by our own autoescaping fragments


def draw_pods(tournament: Tournament, pods: Sequence[PodView]) -> SafeString:
    """The tables of a round, for everybody."""
    draw = macro("pods.jinja", "public")
    return join(draw(tournament.pk, pod) for pod in pods)


def draw_hall(pods: Sequence[PodView]) -> SafeString:
    """The tables of a round, to be read from ten metres."""
    draw = macro("pods.jinja", "hall")
    return join(draw(pod) for pod in pods)


def draw_desk(request: HttpRequest, tournament: Tournament, pods: Sequence[PodView], *, can_keep: bool) -> SafeString:
    """The tables of a round with the organiser's buttons. can_keep: whether another draw could leave one as it is."""
    draw, may_move = macro("pods.jinja", "desk"), tournament.venue != Venue.REAL
    token = write_token(request)
    return join(draw(tournament.pk, CSRF, pod, can_keep, may_move).replace(CSRF, token) for pod in pods)


def write_token(request: HttpRequest) -> SafeString:
    """What a form of this reader needs, to be put where `CSRF` stands."""
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request))


def draw_ticks(book: Book) -> SafeString:
    """Everybody who entered, to be ticked."""
    draw, venue, of = macro("entrants.jinja", "tick"), book.tournament.venue, book.tournament.format

    def draw_all() -> SafeString:
        return join(
            draw(one.pk, one.status, one.name, _marks(one, venue, of)) for one in sort_by_name(book.entrants.values())
        )

    return _keep(book, f"ticks {venue} {of}", (book.entrants,), draw_all)


def _marks(one: Entrant, venue: str, of: str) -> tuple[str, ...]:
    """What is said of somebody on the organiser's list. of: the tournament's format."""
    where = (say_where(one),) if venue in BOTH_PLACES and not one.bot else ()
    return (_state(one), *_say_seed(one, of), *where)


def say_where(one: Entrant) -> str:
    """Where a person plays, where both are played: by name only nobody can sit down at an online table."""
    if not one.is_on_device:
        return _("in the room")
    return _("on a device") if plays_on_device(one) else _("on a device, name not claimed yet")


def _say_seed(one: Entrant, of: str) -> tuple[str, ...]:
    return (
        (_("seed %(number)s") % {"number": one.rank_hint},)
        if formats.find(of).takes_seeds and one.rank_hint is not None
        else ()
    )


def _state(one: Entrant) -> str:
    if one.bot:
        return _("bot")
    if one.status == Entrant.Status.WITHDRAWN:
        return pgettext("a person", "withdrawn")
    if one.is_away:
        return _("sits out")
    return _("here") if one.status == Entrant.Status.PRESENT else _("not here yet")


def draw_people(book: Book, me: Entrant | None, *, late: str) -> SafeString:
    """Who is in, by name, for everybody. late: what is said of those who have not come."""
    draw, of = macro("entrants.jinja", "person"), book.tournament.format

    def draw_all() -> dict[int, str]:
        people = sort_by_name(list_in(book))
        return {one.pk: draw(one.name, False, mark(one)) for one in people}

    def mark(one: Entrant) -> str:
        return " · ".join(filter(None, (_mark(one, late), *_say_seed(one, of))))

    rows = _keep(book, f"people {late} {of}", (book.entrants,), draw_all)
    if me is not None and me.pk in rows:
        rows = rows | {me.pk: draw(me.name, True, mark(me))}
    return join(rows.values())


def sort_by_name(people: Iterable[Entrant]) -> list[Entrant]:
    """As people look for a name."""
    return sorted(people, key=lambda one: by_name(one.name))


def list_in(book: Book) -> list[Entrant]:
    """Who has entered and not withdrawn; bots on chairs that were left empty have not."""
    here = (one for one in book.entrants.values() if not one.is_filler)
    return [one for one in here if one.status != Entrant.Status.WITHDRAWN]


def _mark(one: Entrant, late: str) -> str:
    if one.bot:
        return _("bot")
    if one.status == Entrant.Status.ENTERED:
        return late
    return _("sits out") if one.is_away else ""


def draw_sitting(pods: Sequence[PodView]) -> SafeString:
    """Everybody by name, with the number of his table."""
    draw = macro("entrants.jinja", "sits")
    sitting = (
        (name, seat.is_bot, pod.number, seat.is_me) for pod in pods for seat in pod.seats for name in seat.sought
    )
    return join(draw(*row) for row in sorted(sitting, key=lambda row: by_name(row[0])))


class Columns(NamedTuple):
    """What stands beside places, names, points and rounds. tie_breaks: which of the scheme's."""

    tie_breaks: tuple[int, ...]
    has_penalties: bool


def draw_standings(book: Book, after: int | None, me: Entrant | None) -> SafeString:
    """The standings after a round, the reader's own row marked."""
    lines, told = ranking.rank(book, after), stand_in_records.tell(book, after)
    columns = Columns(tournament_view.find_columns(book, lines), tournament_view.has_penalties(lines))
    deciders = tournament_view.find_deciders(book, after)
    besides = {line.entrant: Beside(deciders[line.entrant], told.get(line.entrant)) for line in lines}

    def draw_all() -> Mapping[str, str]:
        way = ("lines", book.scheme, columns, get_language())
        known: Mapping[str, Drawn] = book.derived.get(way, (), dict)
        drawn = {
            line.entrant: _redraw_line(book, line, columns, besides[line.entrant], known.get(line.entrant))
            for line in lines
        }
        book.derived.put(way, (), drawn)
        return {key: one.row for key, one in drawn.items()}

    rows = _keep(book, f"standings {after}", (lines, book.entrants, told), draw_all)
    own = next((line for line in lines if me is not None and line.entrant == str(me.number)), None)
    if own is not None:
        rows = {**rows, own.entrant: _draw_line(book, own, columns, me, besides[own.entrant])}
    return join(rows.values())


class Beside(NamedTuple):
    """What is told beside a line: the tie-breaks, by index, that decide its place, and what bots played for it."""

    deciders: frozenset[int]
    stand_ins: stand_in_records.Told | None


class Drawn(NamedTuple):
    """A line of the standings, what stands beside it, whose it is, and how it is drawn."""

    line: Standing
    beside: Beside
    entrant: Entrant
    row: str


def _redraw_line(book: Book, line: Standing, columns: Columns, beside: Beside, known: Drawn | None) -> Drawn:
    """The one that is known, if it says the same of the very same row."""
    entrant = book.by_key[line.entrant]
    if known is not None and known.entrant is entrant and (known.line, known.beside) == (line, beside):
        return known
    return Drawn(line, beside, entrant, _draw_line(book, line, columns, None, beside))


def _draw_line(book: Book, line: Standing, columns: Columns, me: Entrant | None, beside: Beside) -> str:
    stand_ins = {} if beside.stand_ins is None else {line.entrant: beside.stand_ins}
    has_values, has_games = formats.of(book.tournament).columns
    [told] = tournament_view.list_standings(book, [line], me, columns.tie_breaks, stand_ins)
    return macro("standings.jinja", "row")(
        told["entrant"].number,
        told["place"],
        told["entrant"].name,
        bool(told["entrant"].bot),
        told["is_out"],
        told["is_me"],
        told["points"] if has_values else None,
        told["played"] if has_games else None,
        tuple(told["rounds"]),
        told["from_games"] if has_games and columns.has_penalties else None,
        told["penalty"] if columns.has_penalties else None,
        tournament_view.label_values(told["values"], [at in beside.deciders for at in columns.tie_breaks])
        if has_values
        else (),
        told["stand_in"],
    )


def draw_chart(book: Book, me: Entrant | None) -> SafeString:
    """The bump chart over the complete rounds; empty before the second."""
    made_of = (book.entrants, *(ranking.rank(book, one.number) for one in book.complete_rounds()))
    if me is None:
        return _keep(book, "chart", made_of, lambda: _draw_chart(book, None))
    return _draw_chart(book, me)


def _draw_chart(book: Book, me: Entrant | None) -> SafeString:
    bump = tournament_view.plot_ways(book, me)
    label = _("Places after each round; the table below says the same in words.")
    return join([macro("bump.jinja", "chart")(bump, label)] if bump else [])


def draw_hall_names(book: Book, pods: Sequence[Pod], size: int) -> list[SafeString]:
    """Everybody by name with the number of his table, in sheets of at most so many."""

    def draw_all() -> list[SafeString]:
        has_rounds = formats.of(book.tournament).has_rounds
        seats = (
            (
                tournament_view.find_label(pod, has_rounds=has_rounds),
                book.entrants[seat.entrant_id],
                seat.substitute_name,
            )
            for pod in pods
            for seat in book.seats.get(pod.pk, ())
        )
        sought = ((name, bool(one.bot), at) for at, one, other in seats for name in sought_by(one.name, other))
        names = sorted(sought, key=lambda row: by_name(row[0]))
        return [join([macro("hall.jinja", "names")(sheet)]) for sheet in cut(names, size)]

    return book.derived.get(
        ("hall names",), (book.entrants, *pods, *(book.seats.get(pod.pk, ()) for pod in pods)), draw_all
    )


class HallLine(NamedTuple):
    """A line of the standings in the hall. penalty: what was taken of the points; stand_in: what bots played for this
    person, in words; each empty where there is nothing."""

    place: int
    name: str
    is_bot: bool
    points: str
    penalty: str = ""
    stand_in: str = ""


def draw_hall_lines(lines: Sequence[HallLine], size: int) -> list[SafeString]:
    """Those who are in front, in sheets of at most so many."""
    draw = macro("hall.jinja", "line")
    return [join(draw(*line) for line in sheet) for sheet in cut(lines, size)]


def cut(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Sheets of at most so many, as even as possible."""
    sheets = -(-len(items) // size)
    return [items[len(items) * at // sheets : len(items) * (at + 1) // sheets] for at in range(sheets)]


def draw_told(steps: Sequence[LoggedStep], reader: int | None, *, of: str) -> SafeString:
    """What happened, line by line, for this person."""
    zone = get_current_timezone_name()

    def draw(step: LoggedStep) -> SafeString:
        is_me = reader is not None and step.actor_id == reader
        return _draw_told(step.at, step.actor_name, is_me, step.kind, step.details, step.about, of, zone)

    return part_days((step.at, draw(step)) for step in steps)


def part_days(lines: Iterable[tuple[float, str]]) -> SafeString:
    """Lines with their moments, seconds since 1970; a line with the day, where the reader is, before those of each."""

    def part() -> Iterator[str]:
        zone, last = get_current_timezone(), None
        for at, line in lines:
            if (today := datetime.fromtimestamp(at, tz=zone).date()) != last:
                yield format_html('<li class="day"><b>{}</b></li>', day(at))
            last = today
            yield line

    return join(part())


@cache_by_language
def _draw_told(
    at: float, who: str, is_me: bool, kind: str, details: str, about: tuple[str, str] | None, of: str, zone: str
) -> SafeString:
    """of: the tournament's format; zone: in which the time is said, which is the present one."""
    what = say_told(kind_told(kind, details, who), details, about, of)
    return SafeString(macro("log.jinja", "told")(clock_time(at), who or str(NOBODY), is_me, what))


def draw_claims(book: Book) -> SafeString:
    """The links by which people of whom only a name is known claim it."""
    draw = macro("entrants.jinja", "claim")

    def draw_all() -> SafeString:
        unclaimed = (one for one in sort_by_name(book.entrants.values()) if one.player_id is None and not one.bot)
        return join(draw(book.tournament.pk, one.claim_token, one.name) for one in unclaimed)

    return _keep(book, "claims", (book.entrants,), draw_all)


def draw_options(book: Book) -> SafeString:
    """Everybody, to be chosen from."""

    def draw_all() -> SafeString:
        people = tuple((one.pk, one.name) for one in sort_by_name(book.entrants.values()))
        return join([macro("entrants.jinja", "options")(people)])

    return book.derived.get(("options",), (book.entrants,), draw_all)


def draw_places(pods: Sequence[PodView], byes: Sequence[Entrant]) -> SafeString:
    """Everybody by table, to be swapped: who it is, and where he is seen."""
    resting = tuple((one.pk, one.name) for one in byes)
    return join([macro("entrants.jinja", "places")(tuple(pods), resting)])
