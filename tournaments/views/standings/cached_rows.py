"""Long lists of a tournament, rendered row by row. Rows are cached by what they show and shared by all readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from tournaments.flow.entry import waiting_list
from tournaments.flow.standings.book import Book
from tournaments.flow.tables.online_tables import plays_on_device
from tournaments.flow.undo.step_undo import LoggedStep
from tournaments.models import BOTH_PLACES, Entrant, Pod, Tournament, Venue
from tournaments.views.standings import tournament_view
from tournaments.views.standings.badges import NO_BADGE, find_badge
from tournaments.views.standings.name_sheets import NAMES_WITH_TABLES, split_names
from tournaments.views.standings.table_views import PodView, list_search_names
from tournaments.words.step_words import find_kind_variant, say_step_details
from tournaments.words.terms import NO_ACTOR, name_sort_key

T = TypeVar("T")

CSRF_PLACEHOLDER = "\0csrf\0"
"""Placeholder in cached HTML, replaced by the reader's own CSRF field."""


def get_cached(book: Book, name: str, made_of: tuple[object, ...], make: Callable[[], T]) -> T:
    """The cached value of this name and the reader's language; made anew once an object of `made_of` is another one."""
    return book.derived.get((name, get_language()), made_of, make)


def join(rows: Iterable[str]) -> SafeString:
    """Rendered rows as one piece of safe HTML."""
    return mark_safe("".join(rows))  # noqa: S308 - rendered by our own autoescaping macros


def render_pods(tournament: Tournament, pods: Sequence[PodView]) -> SafeString:
    """The tables of a round, for all readers."""
    render_row = macro("pods.jinja", "public")
    return join(render_row(tournament.pk, pod) for pod in pods)


def render_hall_pods(pods: Sequence[PodView]) -> SafeString:
    """The tables of a round for the hall display."""
    render_row = macro("pods.jinja", "hall")
    return join(render_row(pod) for pod in pods)


def render_console_pods(
    request: HttpRequest, tournament: Tournament, pods: Sequence[PodView], *, can_keep: bool, is_folded: bool
) -> SafeString:
    """The tables of a round with the organiser's buttons.

    can_keep: whether another draw could leave one as it is. is_folded: of a draft only names and remarks are seen until
    a table is unfolded.
    """
    render_row, may_move = macro("pods.jinja", "desk"), tournament.venue != Venue.REAL
    token = render_csrf_field(request)
    return join(
        render_row(
            tournament=tournament.pk,
            csrf=CSRF_PLACEHOLDER,
            pod=pod,
            can_keep=can_keep,
            may_move=may_move,
            is_folded=is_folded,
        ).replace(CSRF_PLACEHOLDER, token)
        for pod in pods
    )


def render_csrf_field(request: HttpRequest) -> SafeString:
    """The reader's hidden CSRF field, to replace `CSRF_PLACEHOLDER`."""
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request))


def render_checkboxes(book: Book) -> SafeString:
    """All entrants by name, each with a checkbox, for the organiser's bulk actions."""
    render_row, venue, format_slug = macro("entrants.jinja", "tick"), book.tournament.venue, book.tournament.format

    def render_all() -> SafeString:
        return join(
            render_row(
                id=entrant.pk, status=entrant.status, name=entrant.name, marks=_list_notes(entrant, venue, format_slug)
            )
            for entrant in sort_by_name(book.entrants.values())
        )

    return get_cached(book, f"ticks {venue} {format_slug}", (book.entrants,), render_all)


def _list_notes(entrant: Entrant, venue: str, format_slug: str) -> tuple[str, ...]:
    """The notes beside a name on the organiser's list: status, seed, venue."""
    where = (name_venue(entrant),) if venue in BOTH_PLACES and not entrant.bot else ()
    return (_name_status(entrant), *_say_seed(entrant, format_slug), *where)


def name_venue(entrant: Entrant) -> str:
    """Where an entrant of a mixed tournament plays. Without a claimed name they cannot sit down at an online table."""
    if not entrant.is_on_device:
        return _("in the room")
    return _("on a device") if plays_on_device(entrant) else _("on a device, name not claimed yet")


def _say_seed(entrant: Entrant, format_slug: str) -> tuple[str, ...]:
    return (
        (_("seed %(number)s") % {"number": entrant.rank_hint},)
        if formats.find(format_slug).takes_seeds and entrant.rank_hint is not None
        else ()
    )


def _name_status(entrant: Entrant) -> str:
    if entrant.bot:
        return _("bot")
    if entrant.status == Entrant.Status.WITHDRAWN:
        return pgettext("a person", "withdrawn")
    if entrant.status == Entrant.Status.WAITING:
        return _("on the waiting list")
    if entrant.is_away:
        return _("sits out")
    is_here = entrant.status == Entrant.Status.PRESENT
    return pgettext("checked in", "here") if is_here else pgettext("checked in", "not here yet")


def render_entrants(book: Book, me: Entrant | None, *, late: str) -> SafeString:
    """The entrants by name, for all readers. late: the note beside those who have not checked in."""
    render_row, format_slug = macro("entrants.jinja", "person"), book.tournament.format

    def render_all() -> dict[int, str]:
        people = sort_by_name(list_entered(book))
        return {entrant.pk: render(entrant, is_me=False) for entrant in people}

    def render(entrant: Entrant, *, is_me: bool) -> str:
        badge = find_badge(book, entrant)
        return render_row(
            tournament=book.tournament.pk,
            number=entrant.number,
            name=entrant.name,
            is_me=is_me,
            mark=mark(entrant),
            badge=badge,
        )

    def mark(entrant: Entrant) -> str:
        return " · ".join(
            filter(None, (_name_absence(entrant, late), book.name_team(entrant.pk), *_say_seed(entrant, format_slug)))
        )

    made_of = (book.entrants, book.teams, book.team_members)
    rows = get_cached(book, f"people {late} {format_slug}", made_of, render_all)
    if me is not None and me.pk in rows:
        rows = rows | {me.pk: render(me, is_me=True)}
    return join(rows.values())


def sort_by_name(people: Iterable[Entrant]) -> list[Entrant]:
    """Entrants in alphabetical order (`name_sort_key`)."""
    return sorted(people, key=lambda entrant: name_sort_key(entrant.name))


def list_entered(book: Book) -> list[Entrant]:
    """Who has a place and has not withdrawn, without the bots that only fill empty seats."""
    here = (entrant for entrant in book.entrants.values() if not entrant.is_filler)
    return [entrant for entrant in here if entrant.status in waiting_list.IN]


def _name_absence(entrant: Entrant, late: str) -> str:
    if entrant.bot:
        return _("bot")
    if entrant.status == Entrant.Status.ENTERED:
        return late
    return _("sits out") if entrant.is_away else ""


def render_seating(pods: Sequence[PodView]) -> SafeString:
    """All players of a round by name, each with the number of their table."""
    render_row = macro("entrants.jinja", "sits")
    sitting = (
        (name, seat.is_bot, pod.number, seat.is_me, seat.badge if name == seat.name else NO_BADGE)
        for pod in pods
        for seat in pod.seats
        for name in seat.search_names
    )
    return join(render_row(*row) for row in sorted(sitting, key=lambda row: name_sort_key(row[0])))


def render_hall_names(book: Book, pods: Sequence[Pod], screens: int = 1) -> list[SafeString]:
    """All players by name with the number of their table, in sheets; at least one for each of so many screens."""

    def render_all() -> list[SafeString]:
        has_rounds = formats.of(book.tournament).has_rounds
        seats = (
            (
                tournament_view.find_table_number(pod, has_rounds=has_rounds),
                book.entrants[seat.entrant_id],
                seat.substitute_name,
            )
            for pod in pods
            for seat in book.seats.get(pod.pk, ())
        )
        sought = ((name, bool(one.bot), at) for at, one, other in seats for name in list_search_names(one.name, other))
        names = sorted(sought, key=lambda row: name_sort_key(row[0]))
        sheets = split_names([row[0] for row in names], NAMES_WITH_TABLES, least=screens)
        return [join([macro("hall.jinja", "names")(names[begin:end])]) for begin, end in sheets]

    return book.derived.get(
        ("hall names", screens), (book.entrants, *pods, *(book.seats.get(pod.pk, ()) for pod in pods)), render_all
    )


class HallLine(NamedTuple):
    """A line of the hall display's standings.

    penalty: the points taken away; stand_in: what stand-ins played, in words; team: its name. Empty if there is nothing
    to show.
    """

    place: int
    name: str
    is_bot: bool
    points: str
    penalty: str = ""
    stand_in: str = ""
    team: str = ""


def render_hall_standings(lines: Sequence[HallLine], size: int) -> list[SafeString]:
    """The leaders, in sheets of at most `size` lines."""
    render_row = macro("hall.jinja", "line")
    return [join(render_row(*line) for line in sheet) for sheet in split_evenly(lines, size)]


def split_evenly(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Split items into as few sheets of at most `size` as possible, as even as possible."""
    sheets = -(-len(items) // size)
    return [items[len(items) * at // sheets : len(items) * (at + 1) // sheets] for at in range(sheets)]


def render_steps(steps: Sequence[LoggedStep], reader: int | None, *, format_slug: str) -> SafeString:
    """A chronicle: a line for each step, grouped by day, with the reader's own steps marked."""
    zone = get_current_timezone_name()

    def render_row(step: LoggedStep) -> SafeString:
        is_me = reader is not None and step.actor_id == reader
        return _render_step(step.at, step.actor_name, is_me, step.kind, step.details, step.about, format_slug, zone)

    return insert_day_headings((step.at, render_row(step)) for step in steps)


def insert_day_headings(lines: Iterable[tuple[float, str]]) -> SafeString:
    """HTML lines with their times (seconds since 1970), and a heading before each new day in the active time zone."""

    def insert() -> Iterator[str]:
        zone, last = get_current_timezone(), None
        for at, line in lines:
            if (today := datetime.fromtimestamp(at, tz=zone).date()) != last:
                yield format_html('<li class="day"><b>{}</b></li>', day(at))
            last = today
            yield line

    return join(insert())


@cache_by_language
def _render_step(
    at: float,
    who: str,
    is_me: bool,
    kind: str,
    details: str,
    about: tuple[str, str] | None,
    format_slug: str,
    zone: str,
) -> SafeString:
    """zone: the active time zone, here only as part of the cache key."""
    what = say_step_details(find_kind_variant(kind, details, who), details, about, format_slug)
    return SafeString(macro("log.jinja", "told")(time=clock_time(at), who=who or str(NO_ACTOR), is_me=is_me, what=what))


def render_claim_links(book: Book) -> SafeString:
    """The claim links of entrants who are known by name only, for the organiser to hand out."""
    render_row = macro("entrants.jinja", "claim")

    def render_all() -> SafeString:
        unclaimed = (
            entrant for entrant in sort_by_name(book.entrants.values()) if entrant.player_id is None and not entrant.bot
        )
        return join(render_row(book.tournament.pk, entrant.claim_token, entrant.name) for entrant in unclaimed)

    return get_cached(book, "claims", (book.entrants,), render_all)


def render_options(book: Book) -> SafeString:
    """All entrants as the options of a select element."""

    def render_all() -> SafeString:
        people = tuple((entrant.pk, entrant.name) for entrant in sort_by_name(book.entrants.values()))
        return join([macro("entrants.jinja", "options")(people)])

    return book.derived.get(("options",), (book.entrants,), render_all)


def render_seat_options(pods: Sequence[PodView], byes: Sequence[Entrant]) -> SafeString:
    """The players by table, then those with a bye, as the options of a select element for swapping two of them."""
    resting = tuple((entrant.pk, entrant.name) for entrant in byes)
    return join([macro("entrants.jinja", "places")(tuple(pods), resting)])
