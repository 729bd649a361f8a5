"""What the views of clubs, tournaments and seasons share: find the object, check permission, run an action."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from hashlib import sha256
from urllib.parse import parse_qs, urlsplit

import segno
from django.contrib import messages as notes
from django.db.models import Case, Count, F, Q, TextField, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_noop

from games.accounts.current_player import player_id
from games.play.errors import BadInput, NotAllowed, NotFound, Refusal
from games.play.sentences import say_sentence
from games.play.storage import codec
from games.play.storage.table import PLAYING
from games.views import error_pages
from tournaments import formats
from tournaments.flow import permissions
from tournaments.flow.entry import entrant_names
from tournaments.flow.permissions import OPENED
from tournaments.flow.profiles.finding import MAX_LETTERS
from tournaments.flow.seasons import season_changes
from tournaments.flow.uploaded_pictures import MAX_BYTES
from tournaments.models import CareerEntry, Club, Pod, Role, Round, Season, Tournament

MAX_OPENED_LINKS = 100
"""Tournaments a browser session remembers to have opened by link. More of them make the session row longer."""
_HAS_STAND_INS = Q(table__status=PLAYING) & ~Q(table__desk__contains=codec.NO_STAND_INS)
_STAND_IN_DESK = Case(When(_HAS_STAND_INS, then=F("table__desk")), default=Value(""), output_field=TextField())
"""The desk column of a table where stand-ins play, else empty: only those are worth reading."""


def find_club(request: HttpRequest, slug: str) -> tuple[Club, Role | None]:
    """The club and the reader's role in it. Raises NotFound, NotAllowed."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    role = permissions.role_of(club, player_id(request))
    if not club.is_public and role is None:
        raise NotAllowed("Only members can see this club. Ask one of them for an invitation.")
    return club, role


class TournamentMissing(NotFound):
    """No tournament (or season) has this id. `seasons.addresses` then looks for the other kind."""

    def __init__(self) -> None:
        super().__init__(gettext_noop("There is no such tournament. Perhaps the link is incomplete."))


def find_tournament(request: HttpRequest, tournament_id: str) -> tuple[Tournament, Role | None]:
    """The tournament and the reader's role in its club. Raises TournamentMissing, NotAllowed."""
    return find_visible_tournament(tournament_id, player_id(request), request.session.get(OPENED, ()))


def find_visible_tournament(
    tournament_id: str, me: int | None, opened: Collection[str]
) -> tuple[Tournament, Role | None]:
    """The tournament, if this person may see it, and their role in its club.

    opened: ids of the tournaments whose entry link their browser has opened. Raises TournamentMissing, NotAllowed.
    """
    tournament = Tournament.objects.select_related("club", "season").filter(pk=tournament_id).first()
    if tournament is None:
        raise TournamentMissing
    role = permissions.role_of(tournament.club, me)
    if tournament_id not in opened and not permissions.can_see(tournament, me, role):
        raise NotAllowed("This tournament is for members of its club. Ask an organiser for the link.")
    return tournament, role


def find_season(request: HttpRequest, season_id: str) -> tuple[Season, Role | None]:
    """The season and the reader's role in its club. Raises TournamentMissing, NotAllowed."""
    return find_visible_season(season_id, player_id(request))


def find_visible_season(season_id: str, me: int | None) -> tuple[Season, Role | None]:
    """The season, if this person may see it, and their role in its club. Raises TournamentMissing, NotAllowed."""
    season = Season.objects.select_related("club").filter(pk=season_id).first()
    if season is None:
        raise TournamentMissing
    role = permissions.role_of(season.club, me)
    if not permissions.can_see_season(season, role):
        raise NotAllowed("This tournament is for members of its club. Ask an organiser for the link.")
    return season, role


def find_page_version(subject: Tournament | Season) -> str:
    """The version of the pages of a tournament or season: it changes whenever something they show does.

    Of a tournament: its steps, a draw under way, its tables, its club, season and organisers. Of a season: its own
    steps, those of its tournaments, and the tournaments that could be added. Computed once for each loaded object, so
    that a page never names a later version than the one it was rendered from.
    """
    version: str = vars(subject).setdefault("_stamp", "")
    if not version:
        version = vars(subject)["_stamp"] = (
            _find_season_version(subject) if isinstance(subject, Season) else _find_tournament_version(subject)
        )
    return version


def _find_season_version(season: Season) -> str:
    head = (season.club.name, permissions.list_organisers(season.club_id))
    return f"{season.version}-{_digest((head, season_changes.list_marks(season)))}"


def _find_tournament_version(tournament: Tournament) -> str:
    season = tournament.season  # once it has ended, some steps can no longer be undone
    runners = permissions.list_organisers(tournament.club_id)
    head = (tournament.club.name, runners, season and (season.pk, season.name, season.phase))
    drawn = Round.objects.filter(tournament=tournament).order_by("-number").values_list("number", "status").first()
    tables = Pod.objects.filter(round__tournament=tournament, round__status=Round.Status.RELEASED)
    counts = tables.values_list("table__status", "trouble", _STAND_IN_DESK).annotate(count=Count("pk"))
    marks = sorted(
        (status or "", trouble, codec.read_stand_ins(desk) if desk else (), count)
        for status, trouble, desk, count in counts
    )
    deals = 0
    if formats.of(tournament).shows_jobs:  # its page shows the job of each player
        deals = CareerEntry.objects.filter(
            table__pod__round__tournament=tournament, table__pod__round__status=Round.Status.RELEASED
        ).count()
    return f"{tournament.version}-{_digest((head, drawn, marks, deals))}"


def _digest(shown: object) -> str:
    return sha256(repr(shown).encode()).hexdigest()[:12]


def is_organiser(role: Role | None) -> bool:
    """Whether somebody with this role runs tournaments."""
    return permissions.is_at_least(role, Role.ORGANISER)


def require_organiser(role: Role | None) -> None:
    """Raises NotAllowed for everybody but organisers and owners."""
    if not is_organiser(role):
        raise NotAllowed("Only an organiser of this club can do this.")


def remember_opened_link(request: HttpRequest, tournament: Tournament) -> None:
    """Remember in the browser session that it has opened the tournament's entry link."""
    opened = [pk for pk in request.session.get(OPENED, ()) if pk != tournament.pk]
    request.session[OPENED] = [*opened, tournament.pk][-MAX_OPENED_LINKS:]


def find_table_url(tournament: Tournament, text: str) -> str:
    """The address of a table's page from "round-table", as printed on its card; empty for any other text."""
    numbers = text.split("-")
    if len(numbers) != 2 or not all(number.isdecimal() and len(number) < 5 for number in numbers):
        return ""
    return reverse("tournaments:pod", args=[tournament.pk, *map(int, numbers)])


def run_action(request: HttpRequest, act: Callable[[], object], *, back: str, typed: str = "") -> HttpResponse:
    """Call `act` and redirect to `back`. If it refuses, nothing is changed and that page shows the reason.

    typed: the form field whose text that page fills in again after a refusal. Raises a Refusal of status 403.
    """
    try:
        act()
    except Refusal as refusal:
        sentence = say_sentence(refusal)
        if error_pages.wants_json(request):
            return error_pages.answer(request, refusal.status, sentence, back=back)
        if refusal.status == 403:
            raise
        notes.error(request, sentence)
        if typed:
            request.session[_REFUSED_INPUT] = request.POST.get(typed, "")[: entrant_names.LONGEST]
    if getattr(request, "htmx", False):
        response = HttpResponse(status=204)
        response["HX-Redirect"] = back
        return response
    return redirect(back)


ANCHOR = re.compile(r"[a-z][a-z0-9-]{0,30}")
"""The id of a section of a console. A button sends its own, so that the page opens there again."""


def build_console_url(request: HttpRequest, key: str) -> str:
    """The console of the tournament or season with this id, at the section of the button that was pressed."""
    part, task = request.POST.get("part", ""), _find_task(request)
    return f"{reverse('tournaments:console', args=[key])}{task}#{part if ANCHOR.fullmatch(part) else 'step'}"


def _find_task(request: HttpRequest) -> str:
    """The query string that opens the console at the task where the button was pressed; empty for the next step's.

    The main button leads on to the task of the next step.
    """
    if "part" not in request.POST:
        return ""
    came_from = urlsplit(request.headers.get("Referer", ""))
    wanted = parse_qs(came_from.query).get("task", [""])[0]
    return f"?task={wanted}" if ANCHOR.fullmatch(wanted) else ""


_REFUSED_INPUT = "typed"


def pop_refused_input(request: HttpRequest) -> str | None:
    """Take the text of a refused form field out of the session. It is not in the address, so it is in no log."""
    typed: str | None = request.session.pop(_REFUSED_INPUT) if _REFUSED_INPUT in request.session else None
    return typed


def read_int(text: str | None) -> int:
    """A whole number of up to twelve characters from a form. Raises BadInput."""
    text = (text or "").strip()
    if not text.removeprefix("-").isdecimal() or len(text) > 12:
        raise BadInput("A number is missing or not valid. Enter a whole number.")
    return int(text)


def read_picture(request: HttpRequest) -> bytes:
    """The bytes of an uploaded `picture`, at most one more than a picture may have. Raises BadInput."""
    file = request.FILES.get("picture")
    if file is None:
        raise BadInput("Choose a picture.")
    found: bytes = file.read(MAX_BYTES + 1)
    return found


def read_search(request: HttpRequest) -> str:
    """What is searched in a list (`?q=`), at most `MAX_LETTERS` of it."""
    return " ".join(request.GET.get("q", "").split())[:MAX_LETTERS]


def read_query_number(request: HttpRequest, name: str, default: int) -> int:
    """A number of up to five digits from the query string; `default` if it is missing or something else."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else default


@lru_cache(maxsize=512)
def render_qr(url: str) -> str:
    """The address as a QR code: an inline SVG element."""
    svg = segno.make(url, error="m").svg_inline(scale=4, border=2, svgclass="qr-code", lineclass=None, omitsize=True)
    return mark_safe(svg)  # noqa: S308 - made by the QR library from our own address


def disable_caching(response: HttpResponse) -> HttpResponse:
    """The response, with a header that forbids to store it: the page shows the present."""
    response["Cache-Control"] = "no-store"
    return response
